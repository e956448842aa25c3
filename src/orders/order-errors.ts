import { DomainError } from '../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, minorFromNumeric, numericFromMinor } from '../platform/money/money.js';
import type { Order } from './entities/order.entity.js';

/** To a store. The same for another client's order: nobody learns that it exists. */
export function orderNotFound(): DomainError {
  return new DomainError('order_not_found', 'You have no order with this number.');
}

/** To the wholesaler, of any client's orders. */
export function noSuchOrder(orderNumber: string): DomainError {
  return new DomainError('order_not_found', `There is no order ${orderNumber}.`);
}

export type ExistingOrder = Pick<Order, 'orderNumber' | 'status' | 'total' | 'contentHash'>;

/** 409 with the order that exists, and whether the request with this hash asks for the same. */
export function duplicateOrder(
  { orderNumber, status, total, contentHash }: ExistingOrder,
  hash: Buffer,
): DomainError {
  return new DomainError(
    'duplicate_order',
    `You already have an order with this store_order_id: ${orderNumber}.`,
    {
      facts: {
        order_number: orderNumber,
        status,
        total: amountFromMinor(minorFromNumeric(total)),
        same_content: contentHash.equals(hash),
      },
    },
  );
}

/** To a store that sends them faster than they can be placed. */
export function tooManyOrdersWaiting(): DomainError {
  return new DomainError(
    'rate_limited',
    'Hundreds of your orders are waiting for one another. Send fewer at once.',
    {
      retryAfterSeconds: 1,
    },
  );
}

/** The table of transitions has no way from here. */
export function illegalTransition(orderNumber: string, why: string): DomainError {
  return new DomainError('illegal_transition', why, { facts: { order_number: orderNumber } });
}

/** What was shown is what is paid, or nothing is. */
export function totalChanged(shown: Minor, total: Minor): DomainError {
  const message = `You were shown ${numericFromMinor(shown)}, but it comes to ${numericFromMinor(total)} now. Nothing was paid.`;
  return new DomainError('total_changed', message, {
    facts: { shown: amountFromMinor(shown), total: amountFromMinor(total) },
  });
}

/** To its store, once it has paid. */
export function notCancellable({ status }: Pick<Order, 'status'>): DomainError {
  return new DomainError(
    'not_cancellable',
    `The order is ${status}: it was paid and can no longer be cancelled here.`,
    { facts: { status } },
  );
}
