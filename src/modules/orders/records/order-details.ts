import { groupBy } from '../../../platform/lists/group-by.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import { sumOfLine } from '../rules/order-units.js';
import type { AfterSaleRecord, WholeOrderRecord } from './order-record.js';

/** The order of a page: amounts in minor units, times as dates, parcels and the like with their lines. */
export type OrderDetails<Author extends object> = ReturnType<typeof detailsOf<Author>>;

/** Details without the authors of changes. */
export type OrderContent = Omit<OrderDetails<object>, 'timeline' | 'corrections'>;
export type OrderedProduct = OrderContent['items'][number];
export type ParcelDetails = OrderContent['parcels'][number];
export type ReturnDetails = OrderContent['returns'][number];
export type RefundDetails = OrderContent['refunds'][number];

/** `authorOf` tells the author of a change, as the reader sees it. */
export function detailsOf<Author extends object>(
  order: WholeOrderRecord,
  authorOf: (actor: string) => Author,
) {
  const returns = returnsOf(order);
  return {
    ...order,
    subtotal: minorFromNumeric(order.subtotal),
    delivery: minorFromNumeric(order.delivery),
    total: minorFromNumeric(order.total),
    refundedAmount: minorFromNumeric(order.refundedAmount),
    items: order.items.map(({ variationKey, remark, unitPrice, lineTotal, ...item }) => ({
      ...item,
      /** The stock key of the variation; for a product without variations the text that was sent. */
      variation: variationKey || remark,
      /** Returned units whose return is only requested. */
      awaited: awaitedUnits(returns, item.line),
      unitPrice: minorFromNumeric(unitPrice),
      lineTotal: minorFromNumeric(lineTotal),
    })),
    timeline: order.timeline.map(({ actor, changedAt, ...entry }) => ({
      ...entry,
      changedAt: new Date(changedAt),
      ...authorOf(actor),
    })),
    corrections: (order.corrections ?? []).map(({ actor, changedAt, ...correction }) => ({
      ...correction,
      changedAt: new Date(changedAt),
      ...authorOf(actor),
    })),
    parcels: parcelsOf(order),
    returns,
    refunds: refundsOf(order),
  };
}

/** The parcels with their lines, oldest first. */
export function parcelsOf({ parcels, parcelItems }: Pick<AfterSaleRecord, 'parcels' | 'parcelItems'>) {
  const items = groupBy(parcelItems ?? [], ({ parcel }) => parcel);
  return (parcels ?? []).map((one) => ({
    ...one,
    shippedAt: new Date(one.shippedAt),
    deliveredAt: toDate(one.deliveredAt),
    lines: (items.get(one.parcel) ?? []).map(({ parcel: _, ...line }) => line),
  }));
}

/** The returns with their lines, oldest first. `refunded` is the amount for all of it, or for a line. */
export function returnsOf(order: AfterSaleRecord) {
  const refunds = groupBy(refundsOf(order), ({ returnNumber }) => returnNumber);
  const items = groupBy(order.returnItems ?? [], ({ returnNumber }) => returnNumber);
  return (order.returns ?? []).map((one) => {
    const own = refunds.get(one.returnNumber) ?? [];
    return {
      ...one,
      requestedAt: new Date(one.requestedAt),
      acceptedAt: toDate(one.acceptedAt),
      decidedAt: toDate(one.decidedAt),
      refunded: sumOf(own),
      lines: (items.get(one.returnNumber) ?? []).map(({ returnNumber: _, ...item }) => ({
        ...item,
        refunded: sumOfLine(own, item.line, 'amount'),
      })),
    };
  });
}

/** The refunds with their lines, oldest first. */
export function refundsOf({ refunds, refundItems }: Pick<AfterSaleRecord, 'refunds' | 'refundItems'>) {
  const items = groupBy(refundItems ?? [], ({ refund }) => refund);
  const kinds = new Map((refunds ?? []).map(({ refund, kind }) => [refund, kind]));
  return (refunds ?? []).map((one) => {
    const amount = minorFromNumeric(one.amount);
    const lines = (items.get(one.refund) ?? []).map(({ refund: _, ...line }) => ({
      ...line,
      amount: minorFromNumeric(line.amount),
    }));
    // A chosen amount is for nothing in particular. Of other refunds, the rest is for the delivery.
    const delivery = kinds.get(one.takesBack ?? one.refund) === 'amount' ? 0 : amount - sumOf(lines);
    return { ...one, amount, delivery, refundedAt: new Date(one.refundedAt), lines };
  });
}

const sumOf = (amounts: readonly { amount: Minor }[]): Minor =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

/** Units of a line in returns that are not decided. */
const awaitedUnits = (returns: ReturnType<typeof returnsOf>, line: number): number =>
  sumOfLine(
    returns.filter(({ state }) => state === 'requested'),
    line,
    'quantity',
  );

const toDate = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds));
