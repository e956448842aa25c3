import { changedFields, FIELD_NAMES, historyOf } from '../rules/changed-fields.js';
import { formatOrderStatus, unchanged } from '../rules/order-transitions.js';
import { checkCorrection, checkShippedAt, type Shipment, type TrackingException } from '../rules/shipment.js';
import { findParcel } from '../rules/undo-steps.js';
import type { OrderAction } from './order-action.js';

/** Fields that are left out stay unchanged; null clears an optional one. */
export type ShipmentCorrection = Partial<Omit<Shipment, 'shippedAt'>> & { shippedAt?: Date };

export interface CorrectShipmentInput extends ShipmentCorrection, TrackingException {
  /** The newest parcel by default. */
  parcel?: number | undefined;
}

export const correctShipment: OrderAction<CorrectShipmentInput> = {
  name: 'correct',
  sentence: 'Corrects a shipment. Other values stay; the timeline keeps the old ones.',
  role: 'packer',
  change: ({ parcel: number, sharedWithOrders, ...changes }) => {
    checkCorrection(changes);
    return {
      needs: ['parcels'],
      decide: (order, { timeZone }) => {
        checkShippedAt(changes.shippedAt ?? null, order.placedAt, timeZone);
        const parcel = findParcel(order.parcels, number);
        if (!parcel) return { refused: noParcel(order, number) };
        const changed = changedFields(parcel, changes);
        const state = { ...unchanged(order), keepsOrder: true };
        if (changed.length === 0) return state;
        const values = Object.fromEntries(changed.map((field) => [field, changes[field]]));
        const isOnly = order.parcels.length === 1;
        const nameOf = (name: string) => (isOnly ? name : `parcel_${parcel.parcel}_${name}`);
        return {
          ...state,
          corrects: { parcel: parcel.parcel, values, sharedWithOrders },
          correction: { ...historyOf(changed, parcel, changes, nameOf), reason: null },
          audit: {
            action: 'order.corrected',
            details: {
              changed: changed.map((field) => FIELD_NAMES[field]).join(', '),
              parcel: parcel.parcel,
            },
          },
        };
      },
    };
  },
};

function noParcel({ status }: { status: Parameters<typeof formatOrderStatus>[0] }, number?: number): string {
  return number === undefined
    ? `An order that is ${formatOrderStatus(status)} has no shipment to correct.`
    : `The order has no parcel ${number}.`;
}
