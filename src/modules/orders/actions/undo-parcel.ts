import { readLine } from '../../../platform/validation/texts.js';
import { withPrepared } from '../rules/prepared-parcel.js';
import { findParcel, type ParcelFacts, type UndoAction, undoStep } from '../rules/undo-steps.js';
import type { OrderEffects, OrderChange } from './order-action.js';

export interface UndoInput {
  /** The newest parcel by default. */
  parcel?: number | undefined;
  reason: string;
  /** Not one whose invoice is issued while it is still here: only staff take that back. */
  onlySent?: boolean;
}

type UndoEffects = Omit<
  OrderEffects,
  'status' | 'paymentStatus' | 'stock' | 'money' | 'correction' | 'audit'
>;

interface Undone {
  /** In the audit log. */
  action: `order.${string}`;
  /** The record that goes, as the history of the order keeps it. */
  was?(parcel: ParcelFacts): [field: string, value: string | null];
  effects(parcel: ParcelFacts, reason: string): UndoEffects;
}

/** Undoes a recorded step of a parcel. The undone record stays in the corrections of the order. */
export const undoOfParcel =
  (action: UndoAction, { action: entry, was, effects }: Undone) =>
  ({ parcel: number, reason: text, onlySent = false }: UndoInput): OrderChange => {
    const reason = readLine('reason', text, 200);
    return {
      needs: ['lines', 'parcels', 'prepared'],
      decide: (order) => {
        const parcels = withPrepared(order.parcels, order.prepared);
        const step = undoStep(order, order.lines, parcels, {
          action,
          ...(number !== undefined && { parcel: number }),
        });
        if ('refused' in step) return step;
        const parcel = findParcel(parcels, number)!;
        if (onlySent && parcel.isPrepared)
          return {
            refused: `Parcel ${parcel.parcel} is invoiced and still here: staff take its invoice back.`,
          };
        const [field, value] = was?.(parcel) ?? [];
        return {
          ...step,
          ...effects(parcel, reason),
          ...(field !== undefined && {
            correction: { before: { [field]: value! }, after: { [field]: null }, reason },
          }),
          audit: { action: entry, details: { parcel: parcel.parcel, ...(value && { was: value }), reason } },
        };
      },
    };
  };
