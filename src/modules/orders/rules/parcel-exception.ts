import type { Minor } from '../../../platform/money/money.js';
import type { ParcelException } from './goods-state.js';
import type { OrderStatus, PaymentStatus } from './order-transitions.js';
import { sumOfLine, type LineQuantity, type LineUnits } from './order-units.js';
import { type RecordedRefund, refundsInForce } from './take-back.js';

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

/** All of these units are in lost parcels, so none of them comes back. */
export function areLost(units: readonly LineQuantity[], parcels: PaidOrder['parcels']): boolean {
  const lost = parcels.filter(({ exception }) => exception === 'lost');
  return units.every(({ line, quantity }) => sumOfLine(lost, line, 'quantity') >= quantity);
}

/** "its goods and the delivery charge". */
export const formatLoss = ({ goods, delivery }: { goods: boolean; delivery: boolean }) =>
  [goods && 'its goods', delivery && 'the delivery charge'].filter(Boolean).join(' and ');

const reportField = (parcel: number) => `parcel_${parcel}_reported`;

/** A report in the history of corrections. */
export const reportedFields = (parcel: number, was: ParcelException | null, now: ParcelException) => ({
  before: { [reportField(parcel)]: was },
  after: { [reportField(parcel)]: now },
});

/** "Parcel 2: Lost", if the correction is a report. */
export function describeReport(after: Readonly<Record<string, string | null>>): string | undefined {
  const [[field = '', reported] = []] = Object.entries(after);
  const [, parcel] = /^parcel_(\d+)_reported$/.exec(field) ?? [];
  return parcel && `Parcel ${parcel}: ${EXCEPTION_WORDS[reported as ParcelException]}`;
}
