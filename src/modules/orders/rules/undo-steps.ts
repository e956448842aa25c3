import type { ParcelException } from './goods-state.js';
import { sumOfLine, type LineQuantity, type LineUnits } from './order-units.js';
import type { PricedOrder, StepResult } from './order-steps.js';
import type { OrderState } from './order-transitions.js';

/**
 * `withdraw`: a parcel never left. `undeliver`: it has not arrived. `reissue`: its invoice was wrong, and is
 * credited and issued again.
 */
export type UndoAction = 'withdraw' | 'undeliver' | 'reissue';

/** A parcel with its delivery and its units. */
export interface ParcelFacts {
  parcel: number;
  courier: string;
  trackingNumber: string | null;
  deliveredAt: Date | null;
  exception: ParcelException | null;
  lines: readonly LineQuantity[];
  /** Its invoice is issued, and its goods are still here. */
  isPrepared?: boolean;
}

/** The parcel with this number, or the newest one. */
export function findParcel<Parcel extends { parcel: number }>(
  parcels: readonly Parcel[],
  number?: number,
): Parcel | undefined {
  return number === undefined ? parcels.at(-1) : parcels.find(({ parcel }) => parcel === number);
}

/** Undoes a recorded step of a parcel, unless a later step depends on it. */
export function undoStep(
  order: OrderState,
  lines: readonly LineUnits[],
  parcels: readonly ParcelFacts[],
  { action, parcel: number }: { action: UndoAction; parcel?: number },
): StepResult {
  const parcel = findParcel(parcels, number);
  if (!parcel) return { refused: `The order has no parcel${number === undefined ? '' : ` ${number}`}.` };
  const { status, paymentStatus } = order;
  const unchanged: StepResult = { status, paymentStatus, stock: 'none' };
  const backByRto = parcels.filter(({ exception }) => exception === 'returned');
  switch (action) {
    case 'reissue':
      return unchanged;
    case 'undeliver':
      if (parcel.deliveredAt === null) return { refused: `Parcel ${parcel.parcel} was not delivered.` };
      // Goods that came back by RTO had not arrived.
      if (lines.some(({ line, returned }) => returned > sumOfLine(backByRto, line, 'quantity')))
        return { refused: 'Goods of the order came back, or are expected back, so they had arrived.' };
      return { ...unchanged, status: status === 'delivered' ? 'shipped' : status };
    case 'withdraw':
      return withdrawStep(unchanged, lines, parcels, parcel);
  }
}

/** Puts the units back into stock. They wait to be shipped again. */
function withdrawStep(
  unchanged: Exclude<StepResult, { refused: string }>,
  lines: readonly LineUnits[],
  parcels: readonly ParcelFacts[],
  { parcel, deliveredAt, exception, isPrepared, lines: units }: ParcelFacts,
): StepResult {
  const newest = parcels.at(-1)!.parcel;
  if (parcel !== newest) return { refused: `Only the newest shipment can be undone: parcel ${newest}.` };
  if (isPrepared) return unchanged;
  if (deliveredAt !== null)
    return { refused: `Parcel ${parcel} was delivered. Take back the delivery first.` };
  const lineOf = (number: number) => lines.find(({ line }) => line === number)!;
  const back = units.find(({ line, quantity }) => lineOf(line).shipped - quantity < lineOf(line).returned);
  if (back) return { refused: `Units of line ${back.line} came back, or are expected back.` };
  if (units.length === 0) return deliverIfArrived(unchanged, parcels.slice(0, -1));
  const isRefunded = ({ line }: LineQuantity) => lineOf(line).refunded > lineOf(line).cancelled;
  // What a lost parcel had is refunded, and sent again by another order.
  if (exception !== null && (unchanged.paymentStatus === 'refunded' || units.some(isRefunded)))
    return { refused: 'Its goods are refunded, and could be shipped again. Take the refund back first.' };
  return { ...unchanged, status: 'pending', stock: 'putBack', units: [...units] };
}

/** Undoes a payment that was recorded by mistake, unless a later step depends on it. */
export function unpayStep(
  { status, paymentStatus, refunded }: PricedOrder,
  lines: readonly LineUnits[],
  prepared: { parcel: number } | null,
): StepResult {
  if (status === 'cancelled' && paymentStatus !== 'unpaid')
    return { refused: 'The order is cancelled, and its money is in the wallet. Correct the wallet instead.' };
  if (paymentStatus === 'unpaid') return { refused: 'The order is not paid, so there is nothing to undo.' };
  if (lines.some(({ shipped }) => shipped > 0))
    return { refused: 'Goods of the order have left. If they are still here, undo the shipment first.' };
  if (prepared)
    return { refused: `Parcel ${prepared.parcel} has its invoice already. Take back the invoice first.` };
  if (refunded > 0 || lines.some(({ cancelled }) => cancelled > 0))
    return {
      refused:
        'A part of the order is refunded or cancelled. Take the refund back first, or cancel the rest.',
    };
  return { status: 'awaiting_payment', paymentStatus: 'unpaid', stock: 'none' };
}

/** An order is delivered when all of its goods have left and all of its parcels have arrived. */
export function deliverIfArrived<Next extends OrderState>(step: Next, parcels: readonly ParcelFacts[]): Next {
  const isLeft = step.status === 'shipped' && parcels.length > 0;
  const isArrived = isLeft && parcels.every(({ deliveredAt }) => deliveredAt !== null);
  return isArrived ? { ...step, status: 'delivered' } : step;
}

/** A correction that removed a parcel. Only one that was invoiced first was never shipped. */
export const isUndoneShipment = (before: Readonly<Record<string, string | null>>): boolean =>
  Object.entries(before).some(
    ([field, was]) => /^parcel_\d+$/.test(field) && !String(was).startsWith('invoiced,'),
  );

/** Such as "Blue Dart BD123, 2 of line 1". */
export function formatParcel({ courier, trackingNumber, lines }: ParcelFacts): string {
  const tracking = [courier, trackingNumber].filter(Boolean).join(' ');
  return [tracking, ...lines.map(({ line, quantity }) => `${quantity} of line ${line}`)].join(', ');
}
