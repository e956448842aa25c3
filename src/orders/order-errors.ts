import { DomainError } from '../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric } from '../platform/money/money.js';
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

/** To its store, once it has paid. */
export function notCancellable({ status }: Pick<Order, 'status'>): DomainError {
  return new DomainError(
    'not_cancellable',
    `The order is ${status}: it was paid and can no longer be cancelled here.`,
    { facts: { status } },
  );
}
