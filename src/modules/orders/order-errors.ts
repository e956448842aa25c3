import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromNumeric } from '../../platform/money/money.js';
import { normaliseOrderNumber, normaliseTestOrderNumber } from './rules/order-number.js';
import type { Order, OrderKey } from './entities/order.entity.js';
import type { OrderItemResponse } from './order.responses.js';

/** Test tokens read test orders, all other tokens real ones. */
export type OrderKind = 'real' | 'test';

/**
 * For a store. Another client's order gets the same answer, so its existence stays secret. A number of the
 * other kind gets a hint.
 */
export function orderNotFound(number = '', kind: OrderKind = 'real'): DomainError {
  return new DomainError('order_not_found', `You have no order with this number.${hintFor(number, kind)}`);
}

function hintFor(number: string, kind: OrderKind): string {
  if (number === 'quote') return ' For a quote, send a POST.';
  const [isOther, hint] =
    kind === 'real'
      ? [normaliseTestOrderNumber(number), ' This is the number of a test order: use a test token.']
      : [normaliseOrderNumber(number), ' This is the number of a real order, which test tokens cannot read.'];
  return isOther ? hint : '';
}

/** For the wholesaler, who sees orders of all clients. */
export function noSuchOrder(orderNumber: string): DomainError {
  return new DomainError('order_not_found', `There is no order ${orderNumber}.`);
}

type NamedOrder = { orderNumber: string; name: string; domain: string | null };

/** For the wholesaler, if several orders have this id of a store or this end of our number. */
export function ambiguousOrder(typed: string, orders: readonly NamedOrder[]): DomainError {
  const text = `Several orders have the number "${typed}": ${listOrders(orders)}. Use the whole number.`;
  return new DomainError('order_ambiguous', text);
}

export const listOrders = (orders: readonly NamedOrder[]) =>
  orders
    .map(({ orderNumber, name, domain }) => `${orderNumber} (${[name, domain].filter(Boolean).join(', ')})`)
    .join(', ');

export interface ExistingOrder extends Pick<
  Order,
  'orderNumber' | 'status' | 'total' | 'contentHash' | 'cancelReason'
> {
  items: OrderItemResponse[];
}

/**
 * 409 with the existing order. Says whether the request with this hash has the same content, and whether the
 * order was cancelled: a repeat never places it again.
 */
export function duplicateOrder(
  { orderNumber, status, total, contentHash, cancelReason, items }: ExistingOrder,
  hash: Buffer,
  name: 'store_order_id' | 'Idempotency-Key' = 'store_order_id',
): DomainError {
  const isSame = contentHash.equals(hash);
  const facts = {
    order_number: orderNumber,
    status,
    total: amountFromNumeric(total),
    same_content: isSame,
    items,
    ...(cancelReason !== null && { cancel_reason: cancelReason }),
  };
  const sentences = [
    `You already have an order with this ${name}: ${orderNumber}.`,
    isSame ? 'It has the same content.' : 'Its content differs from this request.',
    cancelReason !== null &&
      `It was cancelled (${cancelReason}) and will not ship. To order again, send a new ${name}.`,
  ];
  return new DomainError('duplicate_order', sentences.filter(Boolean).join(' '), { facts });
}

/** For another request with the same `Idempotency-Key`. */
export function keyReused(orderNumber: string): DomainError {
  return new DomainError(
    'idempotency_key_reused',
    `The order ${orderNumber} was placed with this Idempotency-Key and other content. Use a new key.`,
    { facts: { order_number: orderNumber } },
  );
}

/** For a store that sends orders faster than they can be placed. */
export function tooManyOrdersWaiting(): DomainError {
  return new DomainError(
    'rate_limited',
    'Hundreds of your orders are waiting for one another. Send fewer at once.',
    { retryAfterSeconds: 1 },
  );
}

/** The table of transitions does not allow it. */
export function illegalTransition(orderNumber: string, why: string): DomainError {
  return new DomainError('illegal_transition', why, { facts: { order_number: orderNumber } });
}

/** For a client that changes the delivery too late. */
export function notChangeable({ status }: Pick<Order, 'status'>, why: string): DomainError {
  return new DomainError('not_changeable', why, { facts: { status } });
}

/** For a store that has paid for the order. */
export function notCancellable({ status }: Pick<Order, 'status'>): DomainError {
  return new DomainError(
    'not_cancellable',
    `The order is ${status}: it was paid and can no longer be cancelled here.`,
    { facts: { status } },
  );
}

/** What a rule allows, or its refusal as an error. */
export function requireAllowed<Next extends object>(
  { orderNumber }: Pick<OrderKey, 'orderNumber'>,
  next: Next | { refused: string },
): Next {
  if ('refused' in next) throw illegalTransition(orderNumber, next.refused);
  return next;
}
