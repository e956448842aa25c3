import { createHmac, randomInt } from 'node:crypto';

/** The root of all addresses of the sandbox. The paths below it are Razorpay's. */
export const SANDBOX_PATH = 'sandbox-gateway';

/*
 * The ids, events and signatures of Razorpay's protocol. https://razorpay.com/docs/api/
 */

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function random(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

export interface Webhook {
  eventId: string;
  /** The exact text that is signed and sent. */
  body: string;
}

export function newEvent(event: string, entities: Record<string, object>): Webhook {
  const body = {
    entity: 'event',
    account_id: 'acc_sandbox',
    event,
    contains: Object.keys(entities),
    payload: Object.fromEntries(Object.entries(entities).map(([kind, entity]) => [kind, { entity }])),
    created_at: Math.floor(Date.now() / 1_000),
  };
  return { eventId: `evt_${random(14)}`, body: JSON.stringify(body) };
}

export function webhookHeaders({ eventId, body }: Webhook, secret: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Razorpay-Event-Id': eventId,
    'X-Razorpay-Signature': signed(body, secret),
  };
}

export const FAILURE = {
  code: 'BAD_REQUEST_ERROR',
  description: 'Payment failed because the test asked for it.',
  source: 'customer',
  step: 'payment_authentication',
  reason: 'payment_failed',
};

const PENDING = {
  code: 'GATEWAY_ERROR',
  description: 'The bank has not confirmed the payment yet.',
  source: 'bank',
  step: 'payment_authorization',
  reason: 'payment_pending',
};

/** The fields with which the browser returns from an attempt. Only a success is signed. */
export function returnFields(
  { id, order_id: orderId, status }: { id: string; order_id: string; status: string },
  keySecret: string,
): Record<string, string> {
  if (status === 'captured') {
    const signature = signed(`${orderId}|${id}`, keySecret);
    return { razorpay_payment_id: id, razorpay_order_id: orderId, razorpay_signature: signature };
  }
  const metadata = JSON.stringify({ payment_id: id, order_id: orderId });
  const error = { ...(status === 'failed' ? FAILURE : PENDING), metadata };
  return Object.fromEntries(Object.entries(error).map(([name, value]) => [`error[${name}]`, value]));
}

function signed(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
