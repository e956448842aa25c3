import type { Minor } from '../../../platform/money/money.js';
import { type AcceptedUses, namesPayment, undoingKey } from './payment-reference.js';

/** The accounts of the wholesaler on the other side of a posting. */
export const LEDGER_ACCOUNTS = ['gateway', 'bank', 'tds', 'sales', 'in_transit', 'adjustments'] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

export const POSTING_KINDS = [
  'top_up',
  'order_payment',
  'order_refund',
  'payout',
  'payout_failed',
  'adjustment',
] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

/** A change of a wallet. A negative amount is money that leaves it. */
export interface Posting {
  kind: PostingKind;
  against: LedgerAccount;
  amount: Minor;
  /** A second posting with the same key is refused, so each event counts once. */
  key: string;
  orderNumber?: string;
  paymentId?: string;
  note?: string;
  /** Other uses of its reference, which a person accepted. They are not stored. */
  acceptedUses?: AcceptedUses | undefined;
  /** The top-up that it undoes, and why. Not stored. */
  undoes?: { key: string; reason: string };
}

/** Money that people record by a reference, so that it could be recorded twice. A gateway cannot do that. */
export function isRecordedByReference(posting: Posting): posting is Posting & { note: string } {
  const { kind, against, amount, note } = posting;
  const isRecorded = kind === 'adjustment' || (kind === 'top_up' && against === 'bank');
  return isRecorded && amount > 0 && note !== undefined && namesPayment(note);
}

/** The first payment of an order is keyed by its number, the one after the first undone payment by "…:2". */
const nthPaymentOf = (orderNumber: string, undone: number) =>
  undone === 0 ? orderNumber : `${orderNumber}:${undone + 1}`;

/** `undone`: how many payments of the order were undone before. */
export function orderPayment(orderNumber: string, total: Minor, undone = 0): Posting {
  return {
    kind: 'order_payment',
    against: 'sales',
    amount: -total,
    key: `order:${nthPaymentOf(orderNumber, undone)}`,
    orderNumber,
  };
}

/** Keyed by the number of the refund in its order. */
export function orderRefund(orderNumber: string, refund: number, amount: Minor, note: string): Posting {
  const key = `refund:${orderNumber}:${refund}`;
  return { kind: 'order_refund', against: 'sales', amount, key, orderNumber, note };
}

export function gatewayKey(gatewayPaymentId: string): string {
  return `gateway:${gatewayPaymentId}`;
}

/** Keyed by the gateway's payment, so it counts once, however often it is reported. */
export function gatewayTopUp(paymentId: string, gatewayPaymentId: string, amount: Minor): Posting {
  return { kind: 'top_up', against: 'gateway', amount, key: gatewayKey(gatewayPaymentId), paymentId };
}

/** `difference` says why the amount is not the reported one. */
export function bankTopUp(utr: string, amount: Minor, difference?: string): Posting {
  const note = difference === undefined ? utr : `${utr}, ${difference}`;
  return { kind: 'top_up', against: 'bank', amount, key: `bank:${utr}`, note };
}

/**
 * The tax that a client deducted from a transfer, and that the wholesaler gets back with its income tax
 * (section 393(1) of the Income-tax Act, 2025, once 194Q). The client owes nothing more, so it is in the
 * wallet.
 */
export function tdsTopUp(utr: string, amount: Minor, pan = 'unknown'): Posting {
  const note = `${utr}, TDS under section 393(1), PAN ${pan}`;
  return { kind: 'top_up', against: 'tds', amount, key: `tds:${utr}`, note };
}

/** One receipt confirms a transfer with the tax that was deducted from it, which is posted after it. */
export function receiptsOf(postings: readonly Posting[]): Posting[] {
  const received = postings.filter(({ kind, amount }) => kind === 'top_up' && amount > 0);
  const [transfer, tax] = received;
  return tax?.against === 'tds' ? [{ ...transfer!, amount: transfer!.amount + tax.amount }] : received;
}

/** Money that the wholesaler sent to the client's bank, keyed by the number of that transfer. */
export function bankPayout(utr: string, amount: Minor, note: string): Posting {
  return { kind: 'payout', against: 'bank', amount: -amount, key: `bank-payout:${utr}`, note };
}

/**
 * Money for one order that arrived outside the service. It is paid in and spent at once, so the books add up.
 */
export function orderTopUp(orderNumber: string, total: Minor, note: string | undefined, undone = 0): Posting {
  const key = `for:${nthPaymentOf(orderNumber, undone)}`;
  return { kind: 'top_up', against: 'bank', amount: total, key, orderNumber, note };
}

/** Takes back what was posted by mistake, the newest first, so that the balance is never lower. */
export function undoPostings(postings: readonly Posting[], reason: string): Posting[] {
  return postings.toReversed().map(({ amount, key, ...posting }) => ({
    ...posting,
    amount: -amount,
    key: undoingKey(key),
    ...(posting.kind === 'top_up' && { undoes: { key, reason } }),
  }));
}

/** Each correction is a new decision of a person, so its key is unique. */
export function adjustment(amount: Minor, reason: string, id: string): Posting {
  return { kind: 'adjustment', against: 'adjustments', amount, key: `adjustment:${id}`, note: reason };
}

/** Removes money of a test gateway. It names the payment, so the entries of that payment add up to 0. */
export function testMoneyRemoved(paymentId: string, amount: Minor, reason: string, id: string): Posting {
  return {
    kind: 'adjustment',
    against: 'gateway',
    amount: -amount,
    key: `test-money:${id}`,
    paymentId,
    note: reason,
  };
}

/** The money leaves the wallet before it goes back to its source, so it cannot be spent meanwhile. */
export function payout(refundId: string, amount: Minor, paymentId: string): Posting {
  return { kind: 'payout', against: 'in_transit', amount: -amount, key: `payout:${refundId}`, paymentId };
}

/** A refund to the source failed, so the money returns to the wallet. */
export function payoutFailed(refundId: string, amount: Minor, paymentId: string): Posting {
  return {
    kind: 'payout_failed',
    against: 'in_transit',
    amount,
    key: `payout-failed:${refundId}`,
    paymentId,
  };
}
