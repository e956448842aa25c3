import { amountFromMinor, type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import { sumOfLine } from '../rules/order-units.js';
import type { AfterSaleRows } from './order-view.js';

type RowOf<Rows extends readonly unknown[] | null> = NonNullable<Rows>[number];
type ParcelRow = RowOf<AfterSaleRows['parcels']>;
type ReturnRow = RowOf<AfterSaleRows['returns']>;
type RefundRow = RowOf<AfterSaleRows['refunds']>;

export type ParcelView = Omit<ParcelRow, 'shippedAt' | 'deliveredAt'> & {
  shippedAt: Date;
  deliveredAt: Date | null;
  lines: { line: number; quantity: number }[];
};

export type ReturnView = Omit<ReturnRow, 'requestedAt' | 'acceptedAt' | 'decidedAt'> & {
  requestedAt: Date;
  acceptedAt: Date | null;
  decidedAt: Date | null;
  /** The amount refunded for it. */
  refunded: Minor;
  lines: (Omit<RowOf<AfterSaleRows['returnItems']>, 'returnNumber'> & {
    /** The amount refunded for its units. */
    refunded: Minor;
  })[];
};

export type RefundView = Omit<RefundRow, 'amount' | 'refundedAt'> & {
  amount: Minor;
  /** The part of the amount that refunds the delivery charge. */
  delivery: Minor;
  refundedAt: Date;
  lines: (Omit<RowOf<AfterSaleRows['refundItems']>, 'refund' | 'amount'> & { amount: Minor })[];
};

/** The parcels with their lines, oldest first. */
export function parcelsOf({ parcels, parcelItems }: AfterSaleRows): ParcelView[] {
  return (parcels ?? []).map((one) => ({
    ...one,
    shippedAt: new Date(one.shippedAt),
    deliveredAt: toDate(one.deliveredAt),
    lines: (parcelItems ?? [])
      .filter(({ parcel }) => parcel === one.parcel)
      .map(({ parcel: _, ...line }) => line),
  }));
}

/** The returns with their lines, oldest first. */
export function returnsOf(order: AfterSaleRows): ReturnView[] {
  const refunds = refundsOf(order);
  return (order.returns ?? []).map((one) => {
    const own = refunds.filter(({ returnNumber }) => returnNumber === one.returnNumber);
    return {
      ...one,
      requestedAt: new Date(one.requestedAt),
      acceptedAt: toDate(one.acceptedAt),
      decidedAt: toDate(one.decidedAt),
      refunded: sumOf(own),
      lines: (order.returnItems ?? [])
        .filter(({ returnNumber }) => returnNumber === one.returnNumber)
        .map(({ returnNumber: _, ...item }) => ({
          ...item,
          refunded: sumOfLine(own, item.line, 'amount'),
        })),
    };
  });
}

function sumOf(amounts: readonly { amount: Minor }[]): Minor {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}

/** The lines of a return, with amounts for programs. */
export const returnLinesInAmounts = ({ lines }: Pick<ReturnView, 'lines'>) =>
  lines.map((line) => ({ ...line, refunded: amountFromMinor(line.refunded) }));

/** Units of a line in returns that are not decided. */
export const awaitedUnits = (returns: readonly ReturnView[], line: number): number =>
  sumOfLine(
    returns.filter(({ state }) => state === 'requested'),
    line,
    'quantity',
  );

/** The refunds with their lines, oldest first. */
export function refundsOf({ refunds, refundItems }: AfterSaleRows): RefundView[] {
  return (refunds ?? []).map((one) => {
    const original = refunds!.find(({ refund }) => refund === (one.takesBack ?? one.refund))!;
    const amount = minorFromNumeric(one.amount);
    const lines = (refundItems ?? [])
      .filter(({ refund }) => refund === one.refund)
      .map(({ refund: _, ...line }) => ({ ...line, amount: minorFromNumeric(line.amount) }));
    return {
      ...one,
      amount,
      // A chosen amount is for nothing in particular. Of other refunds, the rest is for the delivery.
      delivery: original.kind === 'amount' ? 0 : amount - sumOf(lines),
      refundedAt: new Date(one.refundedAt),
      lines,
    };
  });
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
