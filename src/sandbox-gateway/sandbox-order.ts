import { FAILURE, newEvent, random, seconds, type Webhook } from './protocol.js';
import { Refusal, unknownId } from './refusal.js';

export type PaymentStatus = 'created' | 'authorized' | 'captured' | 'failed' | 'refunded';
export type RefundStatus = 'pending' | 'processed' | 'failed';

type OrderEntity = ReturnType<typeof orderEntity>;
export type SandboxPayment = ReturnType<typeof paymentEntity>;
export type SandboxRefund = ReturnType<typeof refundEntity>;

/**
 * An order of the gateway with its payments and refunds, each as Razorpay's API shows it. The functions below
 * change it and the caller stores it: the sandbox in PostgreSQL, tests in memory.
 */
export interface SandboxOrder {
  order: OrderEntity;
  payments: SandboxPayment[];
  refunds: SandboxRefund[];
  /** Events that the service has not received yet. */
  webhooks: Webhook[];
}

interface Outcome {
  label: string;
  attempts: PaymentStatus[];
  webhooks: 'in order' | 'before the return' | 'twice' | 'out of order' | 'lost';
  /** The status that a refund of the payment gets. */
  refunds: RefundStatus;
}

const PAID: Omit<Outcome, 'label'> = { attempts: ['captured'], webhooks: 'in order', refunds: 'processed' };

/** Everything that a gateway was seen to do. A button of the checkout page posts the name. */
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
} satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;

/** An order is read and written as a whole, so it stays small. */
const MOST_ATTEMPTS = 20;
const MOST_REFUNDS = 100;

interface OrderAsked {
  amount: number;
  currency: string;
  receipt: string | null;
}

export function newOrder(asked: OrderAsked): SandboxOrder {
  return { order: orderEntity(asked), payments: [], refunds: [], webhooks: [] };
}

function orderEntity({ amount, currency, receipt }: OrderAsked) {
  return {
    id: `order_${random(12)}00`,
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency,
    receipt,
    offer_id: null,
    status: 'created' as 'created' | 'attempted' | 'paid',
    attempts: 0,
    notes: [],
    created_at: seconds(),
  };
}

function paymentEntity(order: OrderEntity, number: number, status: PaymentStatus, refunds: RefundStatus) {
  const failed = status === 'failed';
  return {
    id: idWithin(order.id, 'pay', number),
    entity: 'payment',
    amount: order.amount,
    currency: order.currency,
    status,
    order_id: order.id,
    method: 'upi',
    amount_refunded: 0,
    refund_status: null as 'partial' | 'full' | null,
    captured: status === 'captured',
    notes: { refunds },
    error_code: failed ? FAILURE.code : null,
    error_description: failed ? FAILURE.description : null,
    created_at: seconds(),
  };
}

function refundEntity(payment: SandboxPayment, number: number, amount: number, key: string | undefined) {
  return {
    id: idWithin(payment.order_id, 'rfnd', number),
    entity: 'refund',
    amount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: { key },
    receipt: null,
    created_at: seconds(),
    status: payment.notes.refunds,
    speed_processed: 'normal',
    speed_requested: 'normal',
  };
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

/** Does what a button of the checkout page says. Returns the last payment: the browser returns with it. */
export function attempt(state: SandboxOrder, name: string | undefined): SandboxPayment {
  if (name === undefined || !Object.hasOwn(OUTCOMES, name))
    throw new Refusal('There is no such outcome.', 'outcome');
  const { attempts, webhooks, refunds } = OUTCOMES[name as OutcomeName];
  if (state.order.status === 'paid') throw new Refusal('The order is already paid.');
  if (state.payments.length + attempts.length > MOST_ATTEMPTS)
    throw new Refusal(`The order allows ${MOST_ATTEMPTS} attempts. Begin another one.`);
  const made = attempts.map((status) => addPayment(state, status, refunds));
  const events = made.flatMap((payment) => paymentEvents(state, payment));
  if (webhooks === 'out of order') events.reverse();
  if (webhooks !== 'lost') state.webhooks.push(...events);
  if (webhooks === 'twice') state.webhooks.push(...events);
  return made.at(-1)!;
}

export function addPayment(
  { order, payments }: SandboxOrder,
  status: PaymentStatus,
  refunds: RefundStatus = 'processed',
): SandboxPayment {
  const payment = paymentEntity(order, payments.length, status, refunds);
  payments.push(payment);
  order.attempts = payments.length;
  if (payment.captured) markPaid(order);
  else if (order.status === 'created') order.status = 'attempted';
  return payment;
}

function markPaid(order: OrderEntity): void {
  Object.assign(order, { status: 'paid', amount_paid: order.amount, amount_due: 0 });
}

/** The money of a late payment arrives, even if another payment was faster. */
export function arrive(state: SandboxOrder, id: string): void {
  const payment = findIn(state.payments, id);
  if (payment.status !== 'created') throw new Refusal('The payment is not on its way.');
  Object.assign(payment, { status: 'captured', captured: true });
  markPaid(state.order);
  state.webhooks.push(...paymentEvents(state, payment));
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
  const known = key === undefined ? undefined : state.refunds.find(({ notes }) => notes.key === key);
  if (known) {
    if (known.payment_id === paymentId && known.amount === (amount ?? known.amount)) return known;
    throw new Refusal('Different request with the same idempotency key has already been processed.');
  }
  if (!payment.captured) throw new Refusal('The payment status should be captured for action to be taken');
  const left = payment.amount - payment.amount_refunded;
  const asked = amount ?? left;
  if (asked > left || asked === 0)
    throw new Refusal('The total refund amount is greater than the refund payment amount', 'amount');
  if (state.refunds.length === MOST_REFUNDS) throw new Refusal(`The order allows ${MOST_REFUNDS} refunds.`);
  const made = refundEntity(payment, state.refunds.length, asked, key);
  state.refunds.push(made);
  if (made.status !== 'failed') addRefunded(payment, asked);
  state.webhooks.push(refundEvent(payment, made));
  return made;
}

/** A pending refund counts. A failed one gives its amount back. */
function addRefunded(payment: SandboxPayment, amount: number): void {
  const refunded = payment.amount_refunded + amount;
  const isFull = refunded === payment.amount;
  payment.amount_refunded = refunded;
  payment.refund_status = refunded === 0 ? null : isFull ? 'full' : 'partial';
  payment.status = isFull ? 'refunded' : 'captured';
}

/** Ends a refund that is pending. */
export function settleRefund(state: SandboxOrder, id: string, status: 'processed' | 'failed'): SandboxRefund {
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
    newEvent('payment.authorized', { payment: { ...payment, status: 'authorized', captured: false } }),
    newEvent('payment.captured', { payment }),
    newEvent('order.paid', { payment, order }),
  ];
}

function refundEvent(payment: SandboxPayment, made: SandboxRefund): Webhook {
  const name = made.status === 'pending' ? 'refund.created' : `refund.${made.status}`;
  return newEvent(name, { refund: made, payment });
}
