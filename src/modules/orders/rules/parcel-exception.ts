import type { Minor } from '../../../platform/money/money.js';
import type { OrderStatus, PaymentStatus } from './order-transitions.js';
import { sumOfLine, type LineQuantity, type LineUnits } from './order-units.js';
import { type RecordedRefund, refundsInForce } from './take-back.js';

/**
 * What a courier reports instead of a delivery. `returning`: RTO, return to origin, on the way back to the
 * wholesaler. `returned`: it came back, and its goods are in a return. The others need a person.
 */
export type ParcelException = 'returning' | 'returned' | 'lost';

export const EXCEPTION_WORDS: Readonly<Record<ParcelException, string>> = {
  returning: 'RTO, on its way back',
  returned: 'RTO, came back',
  lost: 'Lost',
};

interface ReportedParcel {
  deliveredAt: Date | null;
  exception: ParcelException | null;
}

/** A parcel that came back by RTO is delivered only by its number. */
export const awaitsDelivery = ({ deliveredAt, exception }: ReportedParcel) =>
  deliveredAt === null && exception !== 'returned';

/** The parcels that the delivery of an order, or of the parcel with this number, delivers. */
export const parcelsToDeliver = <Parcel extends ReportedParcel & { parcel: number }>(
  parcels: readonly Parcel[],
  number: number | undefined,
): Parcel[] =>
  parcels.filter((one) =>
    number === undefined ? awaitsDelivery(one) : one.deliveredAt === null && one.parcel === number,
  );

interface ShippedLine {
  line: number;
  shipped: number;
  returned: number;
}

/** The units of a parcel that came back which are in no return yet. */
export const unitsToReturn = (
  units: readonly LineQuantity[],
  lines: readonly ShippedLine[],
): LineQuantity[] =>
  units.flatMap(({ line, quantity }) => {
    const { shipped, returned } = lines.find((one) => one.line === line)!;
    const left = Math.min(quantity, shipped - returned);
    return left > 0 ? [{ line, quantity: left }] : [];
  });

interface PaidOrder {
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  delivery: Minor;
  items: readonly LineUnits[];
  parcels: readonly (ReportedParcel & { parcel: number; lines: readonly LineQuantity[] })[];
  refunds: readonly RecordedRefund[];
}

/** The delivery charge that can be refunded: all of it, once. */
export const deliveryToRefund = ({ delivery, refunds }: Pick<PaidOrder, 'delivery' | 'refunds'>): Minor =>
  refunds.some(({ kind }) => kind === 'delivery') ? 0 : delivery;

/**
 * The lost parcels of which goods are not refunded, or the delivery charge if all goods are lost. Refunds of
 * returned and of cancelled goods are for other units. A box has the goods of its order.
 */
export function lossesToRefund({ status, paymentStatus, items, parcels, ...order }: PaidOrder) {
  const isLost = (one: ReportedParcel) => awaitsDelivery(one) && one.exception === 'lost';
  const lost = paymentStatus === 'paid' ? parcels.filter(isLost) : [];
  const areAllLost = status !== 'pending' && lost.length === parcels.length;
  const refunds = refundsInForce(order.refunds).filter(({ kind }) => kind === 'lines');
  const hasLoss = ({ line, quantity, shipped, returned, refunded }: LineUnits, isBox: boolean) => {
    const units = Math.min(isBox ? shipped : sumOfLine(lost, line, 'quantity'), shipped - returned);
    return refunded < quantity && units > sumOfLine(refunds, line, 'refunded');
  };
  return lost
    .map(({ parcel, lines }) => ({
      parcel,
      goods: items.some((item) =>
        lines.length === 0
          ? hasLoss(item, true)
          : lines.some(({ line }) => line === item.line) && hasLoss(item, false),
      ),
      delivery: areAllLost && deliveryToRefund(order) > 0,
    }))
    .filter(({ goods, delivery }) => goods || delivery);
}

/** "its goods and the delivery charge". */
export const formatLoss = ({ goods, delivery }: { goods: boolean; delivery: boolean }) =>
  [goods && 'its goods', delivery && 'the delivery charge'].filter(Boolean).join(' and ');

interface ShippedOrder {
  status: OrderStatus;
  items: readonly { shipped: number; returned: number; awaited: number }[];
  parcels: readonly ReportedParcel[];
}

/** What to say of a shipped order of which nothing is under way any more. Its status stays `shipped`. */
export function describeCameBack({ status, items, parcels }: ShippedOrder): string | undefined {
  if (status !== 'shipped') return undefined;
  const isBack = ({ exception }: ReportedParcel) => exception === 'returned';
  const isReceived = items.every(({ shipped, returned, awaited }) => returned - awaited === shipped);
  if (isReceived || (parcels.length > 0 && parcels.every(isBack))) return 'came back';
  return parcels.some(isBack) && !parcels.some(awaitsDelivery) ? 'came back in part' : undefined;
}

/** What to say of a shipped order if a courier reports of all parcels under way that none will arrive. */
export function describeReported({ status, parcels }: Omit<ShippedOrder, 'items'>): string | undefined {
  const underWay = parcels.filter(awaitsDelivery);
  if (status !== 'shipped' || underWay.length === 0) return undefined;
  const all = (reported: ParcelException) => underWay.every(({ exception }) => exception === reported);
  const part = underWay.length < parcels.length ? ' in part' : '';
  if (all('returning')) return `is on its way back${part}`;
  if (all('lost')) return `is lost${part}`;
  return underWay.every(({ exception }) => exception) ? `is on its way back or lost${part}` : undefined;
}
