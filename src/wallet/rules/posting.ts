import type { Minor } from '../../platform/money/money.js';

/** What the wholesaler's books call the other side of a wallet. */
export type Account = 'gateway' | 'bank' | 'sales' | 'in_transit' | 'adjustments';

export const POSTING_KINDS = [
  'top_up',
  'order_payment',
  'order_refund',
  'payout',
  'payout_failed',
  'adjustment',
] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

/** A movement of a wallet: what it gains, or with a minus gives. */
export interface Posting {
  kind: PostingKind;
  against: Account;
  amount: Minor;
  /** A second posting with the same key is refused: what it stands for has happened. */
  key: string;
  orderNumber?: string;
  paymentId?: string;
  note?: string;
}

/** Where money came from that was not the gateway's. */
export type Source = Extract<Account, 'bank' | 'adjustments'>;

export function orderPayment(orderNumber: string, total: Minor): Posting {
  return {
    kind: 'order_payment',
    against: 'sales',
    amount: -total,
    key: `order:${orderNumber}`,
    orderNumber,
  };
}

export function orderRefund(orderNumber: string, total: Minor): Posting {
  return { kind: 'order_refund', against: 'sales', amount: total, key: `refund:${orderNumber}`, orderNumber };
}

export function gatewayKey(gatewayPaymentId: string): string {
  return `gateway:${gatewayPaymentId}`;
}

/** The gateway's payment, however often and by whatever way it is told. */
export function gatewayTopUp(paymentId: string, gatewayPaymentId: string, amount: Minor): Posting {
  return { kind: 'top_up', against: 'gateway', amount, key: gatewayKey(gatewayPaymentId), paymentId };
}

export function bankTopUp(utr: string, amount: Minor): Posting {
  return { kind: 'top_up', against: 'bank', amount, key: `bank:${utr}`, note: utr };
}

/** Money for one order that came another way, so that the books are whole: paid in, and taken at once. */
export function orderTopUp(orderNumber: string, total: Minor, note: string | undefined): Posting {
  return { kind: 'top_up', against: 'bank', amount: total, key: `for:${orderNumber}`, orderNumber, note };
}

/** A correction is what a person decides each time: it has no key but its own. */
export function adjustment(amount: Minor, reason: string, id: string): Posting {
  return { kind: 'adjustment', against: 'adjustments', amount, key: `adjustment:${id}`, note: reason };
}

/** Takes back what a test gateway paid in. Its payment is named, so the entries of that payment add up to 0. */
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

/** On its way back to the source, so that it cannot be spent meanwhile. */
export function payout(refundId: string, amount: Minor, paymentId: string): Posting {
  return { kind: 'payout', against: 'in_transit', amount: -amount, key: `payout:${refundId}`, paymentId };
}

/** A refund to the source that failed comes back. */
export function payoutFailed(refundId: string, amount: Minor, paymentId: string): Posting {
  return {
    kind: 'payout_failed',
    against: 'in_transit',
    amount,
    key: `payout-failed:${refundId}`,
    paymentId,
  };
}
