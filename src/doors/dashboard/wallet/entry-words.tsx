import type { ComponentChildren } from 'preact';
import type { PassbookLine } from '../../../wallet/passbook/passbook-line.js';
import type { PostingKind } from '../../../wallet/rules/posting.js';
import { orderPath, paymentPath } from '../paths.js';

/** What is chosen from. */
export const KINDS: Record<PostingKind, string> = {
  top_up: 'Paid in',
  order_payment: 'Orders paid',
  order_refund: 'Orders refunded',
  payout: 'Sent back',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrections',
};

const WORDS: Record<Exclude<PostingKind, 'top_up'>, string> = {
  order_payment: 'Order paid',
  order_refund: 'Order refunded',
  payout: 'Sent back to where it came from',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrected by the wholesaler',
};

export function wordsFor({ kind, against, orderNumber }: PassbookLine): string {
  if (kind !== 'top_up') return WORDS[kind];
  if (against === 'gateway') return 'Paid in through the gateway';
  return orderNumber === null ? 'Bank transfer' : 'Paid in for an order';
}

/** What a line refers to: an order, a payment, the number of a transfer, a reason. */
export function referencesOf({ orderNumber, paymentId, note }: PassbookLine): ComponentChildren {
  return (
    <>
      {orderNumber !== null && <a href={orderPath(orderNumber)}>{orderNumber}</a>}
      {paymentId !== null && <a href={paymentPath(paymentId)}>Payment {paymentId.slice(0, 8)}</a>}
      {(orderNumber !== null || paymentId !== null) && note !== null && ' · '}
      {note}
    </>
  );
}
