import { createHmac } from 'node:crypto';
import type { SandboxPayment } from '../entities/sandbox-payment.entity.js';
import { FAILURE } from '../protocol.js';

const STILL_PROCESSED = {
  code: 'GATEWAY_ERROR',
  description: 'The bank has not said yet whether it pays.',
  source: 'bank',
  step: 'payment_authorization',
  reason: 'payment_pending',
};

/** What the browser is to bring back of an attempt. Only success is signed. */
export function returnFields(
  { id, orderId, status }: SandboxPayment,
  keySecret: string,
): Record<string, string> {
  if (status === 'captured') {
    const signature = createHmac('sha256', keySecret).update(`${orderId}|${id}`).digest('hex');
    return { razorpay_payment_id: id, razorpay_order_id: orderId, razorpay_signature: signature };
  }
  const error = {
    ...(status === 'failed' ? FAILURE : STILL_PROCESSED),
    metadata: JSON.stringify({ payment_id: id, order_id: orderId }),
  };
  return Object.fromEntries(Object.entries(error).map(([name, value]) => [`error[${name}]`, value]));
}
