import type { SandboxPayment } from '../entities/sandbox-payment.entity.js';
import type { SandboxRefund } from '../entities/sandbox-refund.entity.js';
import { newId } from '../new-id.js';
import { type OrderState, orderJson, paymentJson, refundJson } from '../protocol.js';

export interface SandboxEvent {
  eventId: string;
  body: string;
}

/** What Razorpay tells of an attempt, in the order in which it happened. */
export function paymentEvents(payment: SandboxPayment, state: OrderState): SandboxEvent[] {
  if (payment.status === 'created') return [];
  if (payment.status === 'failed') return [event('payment.failed', { payment: paymentJson(payment, state) })];
  const captured = paymentJson(payment, state);
  return [
    event('payment.authorized', { payment: paymentJson(payment, state, 'authorized') }),
    event('payment.captured', { payment: captured }),
    event('order.paid', { payment: captured, order: orderJson(state) }),
  ];
}

export function refundEvent(refund: SandboxRefund, payment: SandboxPayment, state: OrderState): SandboxEvent {
  const name = refund.status === 'pending' ? 'refund.created' : `refund.${refund.status}`;
  return event(name, { refund: refundJson(refund, state), payment: paymentJson(payment, state) });
}

function event(name: string, entities: Record<string, object>): SandboxEvent {
  const body = {
    entity: 'event',
    account_id: 'acc_sandbox',
    event: name,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([kind, entity]) => [kind, { entity }])),
    created_at: Math.floor(Date.now() / 1_000),
  };
  return { eventId: newId('evt'), body: JSON.stringify(body) };
}
