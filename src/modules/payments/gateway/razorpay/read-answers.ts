import type { Minor } from '../../../../platform/money/money.js';
import type { GatewayEvent, GatewayPayment, GatewayRefund } from '../payment-gateway.js';

type Json = Record<string, unknown>;

const PAYMENT_STATUSES = ['created', 'authorized', 'captured', 'refunded', 'failed'] as const;
const REFUND_STATUSES = ['pending', 'processed', 'failed'] as const;

const ID = /^(?:order|pay|rfnd)_\w{1,40}$/;

// Amounts and statuses are trusted as read here. A missing field, a wrong type or another subject throws.

export function readOrder(json: unknown, expected: { amount: Minor; currency: string }): string {
  const order = asObject(json);
  expectSame(asAmount(order.amount), expected.amount);
  expectSame(order.currency, expected.currency);
  return asId(order.id, 'order');
}

export function readPayments(json: unknown, orderId: string): GatewayPayment[] {
  const { entity, count, items } = asObject(json);
  expectSame(entity, 'collection');
  if (!Array.isArray(items)) throw new TypeError('There is no list of payments.');
  // A partial list would hide payments.
  expectSame(count, items.length);
  return items.map((item) => readPayment(asObject(item), orderId));
}

function readPayment(payment: Json, orderId: string): GatewayPayment {
  expectSame(payment.order_id, orderId);
  const amount = asAmount(payment.amount);
  const amountRefunded = asAmount(payment.amount_refunded ?? 0);
  if (amountRefunded > amount) throw new RangeError('More was refunded than was paid.');
  return {
    gatewayPaymentId: asId(payment.id, 'pay'),
    amount,
    currency: asCurrency(payment.currency),
    status: asOneOf(PAYMENT_STATUSES, payment.status),
    amountRefunded,
    method: asTextOrNull(payment.method),
    failure: typeof payment.error_description === 'string' ? toOneLine(payment.error_description) : null,
  };
}

export function readRefund(
  json: unknown,
  expected: { paymentId: string; refundId?: string; amount?: Minor },
): GatewayRefund {
  const refund = asObject(json);
  const id = asId(refund.id, 'rfnd');
  const amount = asAmount(refund.amount);
  expectSame(refund.payment_id, expected.paymentId);
  expectSame(id, expected.refundId ?? id);
  expectSame(amount, expected.amount ?? amount);
  return {
    gatewayRefundId: id,
    gatewayPaymentId: expected.paymentId,
    amount,
    status: asOneOf(REFUND_STATUSES, refund.status),
  };
}

/** One of the gateway's ids, which is always a single segment of a path. */
export function isId(value: unknown, kind: 'order' | 'pay' | 'rfnd'): value is string {
  return typeof value === 'string' && ID.test(value) && value.startsWith(`${kind}_`);
}

function asId(value: unknown, kind: 'order' | 'pay' | 'rfnd'): string {
  if (!isId(value, kind)) throw new TypeError(`There is no id of the kind "${kind}".`);
  return value;
}

function asObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('This is no object.');
  return value as Json;
}

function asAmount(value: unknown): Minor {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('This is no amount.');
  return value as number;
}

function asCurrency(value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) throw new TypeError('This is no currency.');
  return value;
}

function asTextOrNull(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') throw new TypeError('This is no text.');
  return toOneLine(value);
}

function asOneOf<const Value>(allowed: readonly Value[], input: unknown): Value {
  const match = allowed.find((value) => value === input);
  if (match === undefined) throw new TypeError('This is no state that is known.');
  return match;
}

function expectSame(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new TypeError('This is not what was asked for.');
}

const MAX_TEXT_LENGTH = 300;

/** Makes foreign text safe for a message, a log and the database. */
export function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed();
}

/** The order, payment and refund that an event names. Other events name none. */
export function readEventBody(body: object): Omit<GatewayEvent, 'eventId'> {
  const orderId = [fieldAt(body, 'payment', 'order_id'), fieldAt(body, 'order', 'id')].find((id) =>
    isId(id, 'order'),
  );
  const refundId = fieldAt(body, 'refund', 'id');
  const paymentId = fieldAt(body, 'refund', 'payment_id');
  return {
    ...(isId(orderId, 'order') && { gatewayOrderId: orderId }),
    ...(isId(refundId, 'rfnd') && { gatewayRefundId: refundId }),
    ...(isId(paymentId, 'pay') && { gatewayPaymentId: paymentId }),
  };
}

/** `payload.<entity>.entity.<field>`, if all of it is there. */
function fieldAt(body: object, entity: string, field: string): unknown {
  return ['payload', entity, 'entity', field].reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}
