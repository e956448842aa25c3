import type { Minor } from '../../../../platform/money/money.js';
import type { GatewayEvent, GatewayPayment, GatewayRefund } from '../payment-gateway.js';

type Json = Record<string, unknown>;

const PAYMENT_STATUSES = ['created', 'authorized', 'captured', 'refunded', 'failed'] as const;
const REFUND_STATUSES = ['pending', 'processed', 'failed'] as const;

const ID = /^(?:order|pay|rfnd)_\w{1,40}$/;

// Amounts and statuses are trusted as read here. A missing field, a wrong type or another subject throws.

export function readOrder(json: unknown, asked: { amount: Minor; currency: string }): string {
  const order = asObject(json);
  expectSame(asAmount(order.amount), asked.amount);
  expectSame(order.currency, asked.currency);
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
    failure: typeof payment.error_description === 'string' ? oneLine(payment.error_description) : null,
  };
}

export function readRefund(
  json: unknown,
  asked: { paymentId: string; refundId?: string; amount?: Minor },
): GatewayRefund {
  const refund = asObject(json);
  const id = asId(refund.id, 'rfnd');
  const amount = asAmount(refund.amount);
  expectSame(refund.payment_id, asked.paymentId);
  expectSame(id, asked.refundId ?? id);
  expectSame(amount, asked.amount ?? amount);
  return {
    gatewayRefundId: id,
    gatewayPaymentId: asked.paymentId,
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
  return oneLine(value);
}

function asOneOf<const Value>(values: readonly Value[], given: unknown): Value {
  const known = values.find((value) => value === given);
  if (known === undefined) throw new TypeError('This is no state that is known.');
  return known;
}

function expectSame(given: unknown, expected: unknown): void {
  if (given !== expected) throw new TypeError('This is not what was asked for.');
}

const MOST = 300;

/** Makes foreign text safe for a message, a log and the database. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MOST)
    .toWellFormed();
}

/** The order, payment and refund that an event names. Other events name none. */
export function readEventBody(body: object): Omit<GatewayEvent, 'eventId'> {
  const orderId = [within(body, 'payment', 'order_id'), within(body, 'order', 'id')].find((id) =>
    isId(id, 'order'),
  );
  const refundId = within(body, 'refund', 'id');
  const paymentId = within(body, 'refund', 'payment_id');
  return {
    ...(isId(orderId, 'order') && { gatewayOrderId: orderId }),
    ...(isId(refundId, 'rfnd') && { gatewayRefundId: refundId }),
    ...(isId(paymentId, 'pay') && { gatewayPaymentId: paymentId }),
  };
}

/** `payload.<entity>.entity.<field>`, if all of it is there. */
function within(body: object, entity: string, field: string): unknown {
  return ['payload', entity, 'entity', field].reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}
