import { FAILURE, newEvent, random, type Webhook } from './protocol.js';
import { Refusal, unknownId } from './refusal.js';
import type { SandboxOrderRequest } from './requests.js';

export type SandboxPaymentStatus = 'created' | 'authorized' | 'captured' | 'failed' | 'refunded';
export type SandboxRefundStatus = 'pending' | 'processed' | 'failed';

// Orders, payments and refunds have the fields of Razorpay's that our adapter reads, and a few of our own.

interface SandboxPayment {
  id: string;
  order_id: string;
  amount: number;
  currency: string;
  status: SandboxPaymentStatus;
  method: string;
  amount_refunded: number;
  error_description: string | null;
  /** The status that its refunds get. */
  refunds: SandboxRefundStatus;
}

interface SandboxRefund {
  id: string;
  payment_id: string;
  amount: number;
  status: SandboxRefundStatus;
  /** The idempotency key. */
  key: string | undefined;
}

/**
 * An order of the gateway with its payments and refunds. The functions below change it and the caller stores
 * it: the sandbox in PostgreSQL, tests in memory.
 */
export interface SandboxOrder {
  order: SandboxOrderRequest & { id: string; status: 'created' | 'paid' };
  payments: SandboxPayment[];
  refunds: SandboxRefund[];
  /** The events of the last change, which are sent to the service. */
  webhooks: Webhook[];
}

interface SandboxOutcome {
  label: string;
  attempts: SandboxPaymentStatus[];
  webhooks: 'in order' | 'before the return' | 'twice' | 'out of order' | 'lost';
  /** The status that a refund of the payment gets. */
  refunds: SandboxRefundStatus;
}

const PAID: Omit<SandboxOutcome, 'label'> = {
  attempts: ['captured'],
  webhooks: 'in order',
  refunds: 'processed',
};

/** All known outcomes of a gateway. A button of the checkout page posts the name. */
export const OUTCOMES = {
  pay: { label: 'Pay', ...PAID },
  fail: { label: 'Fail', ...PAID, attempts: ['failed'] },
  pay_late: { label: 'Pay late', ...PAID, attempts: ['created'] },
  pay_twice: { label: 'Pay twice', ...PAID, attempts: ['captured', 'captured'] },
  webhook_before_return: { label: 'Pay, webhook before return', ...PAID, webhooks: 'before the return' },
  webhook_twice: { label: 'Pay, webhook twice', ...PAID, webhooks: 'twice' },
  webhook_lost: { label: 'Pay, webhook lost', ...PAID, webhooks: 'lost' },
  webhooks_out_of_order: { label: 'Pay, webhooks out of order', ...PAID, webhooks: 'out of order' },
  refund_waits: { label: 'Pay, refund waits', ...PAID, refunds: 'pending' },
  refund_fails: { label: 'Pay, refund fails', ...PAID, refunds: 'failed' },
} satisfies Record<string, SandboxOutcome>;

export type SandboxOutcomeName = keyof typeof OUTCOMES;

/** An order is read and written as a whole, so it stays small. */
const MAX_ATTEMPTS = 20;
const MAX_REFUNDS = 100;

export function newOrder(request: SandboxOrderRequest): SandboxOrder {
  const order = { id: `order_${random(12)}00`, status: 'created' as const, ...request };
  return { order, payments: [], refunds: [], webhooks: [] };
}

/** The ids of payments and refunds contain the order's own. So each of them finds the order. */
export function orderIdOf(id: string): string {
  const [, ofOrder] = /^(?:order|pay|rfnd)_([0-9A-Za-z]{12})\d\d$/.exec(id) ?? [];
  if (ofOrder === undefined) throw unknownId();
  return `order_${ofOrder}00`;
}

export function idWithin(orderId: string, kind: 'pay' | 'rfnd', number: number): string {
  return `${kind}_${orderId.slice(6, 18)}${String(number).padStart(2, '0')}`;
}

/** The payment or the refund with this id. */
export function findIn<Entity extends { id: string }>(entities: Entity[], id: string): Entity {
  const found = entities.find((entity) => entity.id === id);
  if (!found) throw unknownId();
  return found;
}

export function collectionOf(items: object[]) {
  return { entity: 'collection', count: items.length, items };
}

/**
 * Runs the outcome of a button on the checkout page. Returns the last payment: the browser returns with it.
 */
export function attempt(state: SandboxOrder, name: string | undefined): SandboxPayment {
  if (name === undefined || !Object.hasOwn(OUTCOMES, name))
    throw new Refusal('There is no such outcome.', 'outcome');
  const { attempts, webhooks, refunds } = OUTCOMES[name as SandboxOutcomeName];
  if (state.order.status === 'paid') throw new Refusal('The order is already paid.');
  if (state.payments.length + attempts.length > MAX_ATTEMPTS)
    throw new Refusal(`The order allows ${MAX_ATTEMPTS} attempts. Begin another one.`);
  const made = attempts.map((status) => addPayment(state, status, refunds));
  const events = made.flatMap((payment) => paymentEvents(state, payment));
  if (webhooks === 'out of order') events.reverse();
  if (webhooks !== 'lost') state.webhooks.push(...events);
  if (webhooks === 'twice') state.webhooks.push(...events);
  return made.at(-1)!;
}

export function addPayment(
  { order, payments }: SandboxOrder,
  status: SandboxPaymentStatus,
  refunds: SandboxRefundStatus = 'processed',
): SandboxPayment {
  const payment: SandboxPayment = {
    id: idWithin(order.id, 'pay', payments.length),
    order_id: order.id,
    amount: order.amount,
    currency: order.currency,
    status,
    method: 'upi',
    amount_refunded: 0,
    error_description: status === 'failed' ? FAILURE.description : null,
    refunds,
  };
  payments.push(payment);
  if (status === 'captured') order.status = 'paid';
  return payment;
}

/** The money of a late payment arrives, even if another payment was faster. */
export function arrive(state: SandboxOrder, id: string): SandboxPayment {
  const payment = findIn(state.payments, id);
  if (payment.status !== 'created') throw new Refusal('The payment is not on its way.');
  payment.status = 'captured';
  state.order.status = 'paid';
  state.webhooks.push(...paymentEvents(state, payment));
  return payment;
}

/**
 * A repeat with the same key returns the same refund. Without an amount, the rest of the payment goes back.
 */
export function refund(
  state: SandboxOrder,
  paymentId: string,
  { amount }: { amount?: number | undefined },
  key: string | undefined,
): SandboxRefund {
  const payment = findIn(state.payments, paymentId);
  const earlier = key === undefined ? undefined : state.refunds.find((made) => made.key === key);
  if (earlier) {
    if (earlier.payment_id === paymentId && earlier.amount === (amount ?? earlier.amount)) return earlier;
    throw keyUsed();
  }
  if (payment.status !== 'captured' && payment.status !== 'refunded')
    throw new Refusal('The payment status should be captured for action to be taken');
  const left = payment.amount - payment.amount_refunded;
  const requested = amount ?? left;
  if (requested > left || requested === 0)
    throw new Refusal('The total refund amount is greater than the refund payment amount', 'amount');
  if (state.refunds.length === MAX_REFUNDS) throw new Refusal(`The order allows ${MAX_REFUNDS} refunds.`);
  const id = idWithin(state.order.id, 'rfnd', state.refunds.length);
  const made: SandboxRefund = { id, payment_id: paymentId, amount: requested, status: payment.refunds, key };
  state.refunds.push(made);
  if (made.status !== 'failed') addRefunded(payment, requested);
  state.webhooks.push(refundEvent(payment, made));
  return made;
}

export function keyUsed(): Refusal {
  return new Refusal('Different request with the same idempotency key has already been processed.');
}

/** A pending refund counts. A failed one gives its amount back. */
function addRefunded(payment: SandboxPayment, amount: number): void {
  payment.amount_refunded += amount;
  payment.status = payment.amount_refunded === payment.amount ? 'refunded' : 'captured';
}

/** Ends a refund that is pending. */
export function settleRefund(state: SandboxOrder, id: string, status: string): SandboxRefund {
  if (status !== 'processed' && status !== 'failed') throw new Refusal('There is no such outcome.');
  const found = findIn(state.refunds, id);
  if (found.status !== 'pending') throw new Refusal('The refund is not pending.');
  const payment = findIn(state.payments, found.payment_id);
  found.status = status;
  if (status === 'failed') addRefunded(payment, -found.amount);
  state.webhooks.push(refundEvent(payment, found));
  return found;
}

/** The events of an attempt, in the order in which they happened. */
function paymentEvents({ order }: SandboxOrder, payment: SandboxPayment): Webhook[] {
  if (payment.status === 'created') return [];
  if (payment.status === 'failed') return [newEvent('payment.failed', { payment })];
  return [
    newEvent('payment.authorized', { payment: { ...payment, status: 'authorized' } }),
    newEvent('payment.captured', { payment }),
    newEvent('order.paid', { payment, order }),
  ];
}

function refundEvent(payment: SandboxPayment, made: SandboxRefund): Webhook {
  const name = made.status === 'pending' ? 'refund.created' : `refund.${made.status}`;
  return newEvent(name, { refund: made, payment });
}
