import { minorFromNumeric } from '../platform/money/money.js';
import type { SandboxOrder } from './entities/sandbox-order.entity.js';
import type { PaymentStatus, SandboxPayment } from './entities/sandbox-payment.entity.js';
import type { SandboxRefund } from './entities/sandbox-refund.entity.js';

/** An order with what has become of it. */
export interface OrderState {
  order: SandboxOrder;
  payments: SandboxPayment[];
  refunds: SandboxRefund[];
}

/*
 * The entities of Razorpay's protocol, as its documentation shows them. https://razorpay.com/docs/api/
 */

export function orderJson({ order, payments }: OrderState) {
  const amount = minorFromNumeric(order.amount);
  const paid = isPaid(payments);
  return {
    id: order.id,
    entity: 'order',
    amount,
    amount_paid: paid ? amount : 0,
    amount_due: paid ? 0 : amount,
    currency: order.currency,
    receipt: order.receipt,
    offer_id: null,
    status: paid ? 'paid' : payments.length > 0 ? 'attempted' : 'created',
    attempts: payments.length,
    notes: [],
    created_at: seconds(order.createdAt),
  };
}

export function isPaid(payments: SandboxPayment[]): boolean {
  return payments.some(({ status }) => status === 'captured');
}

/** An event tells of a state in which the payment may no longer be. */
export function paymentJson(
  payment: SandboxPayment,
  { order, refunds }: OrderState,
  told: PaymentStatus | 'authorized' = payment.status,
) {
  const amount = minorFromNumeric(order.amount);
  const refunded = refundedOf(payment, refunds);
  const failed = told === 'failed';
  return {
    id: payment.id,
    entity: 'payment',
    amount,
    currency: order.currency,
    status: refunded === amount ? 'refunded' : told,
    order_id: order.id,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded === amount ? 'full' : 'partial',
    captured: told === 'captured',
    description: null,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: 'test@sandbox',
    email: 'test@example.com',
    contact: '+919000090000',
    notes: [],
    fee: told === 'captured' ? 0 : null,
    tax: told === 'captured' ? 0 : null,
    error_code: failed ? FAILURE.code : null,
    error_description: failed ? FAILURE.description : null,
    error_source: failed ? FAILURE.source : null,
    error_step: failed ? FAILURE.step : null,
    error_reason: failed ? FAILURE.reason : null,
    acquirer_data: {},
    created_at: seconds(payment.createdAt),
  };
}

/** With what is still on its way: only a refund that failed was none. */
export function refundedOf(payment: SandboxPayment, refunds: SandboxRefund[]): number {
  return refunds
    .filter(({ paymentId, status }) => paymentId === payment.id && status !== 'failed')
    .reduce((sum, { amount }) => sum + minorFromNumeric(amount), 0);
}

export function refundJson(refund: SandboxRefund, { order }: OrderState) {
  return {
    id: refund.id,
    entity: 'refund',
    amount: minorFromNumeric(refund.amount),
    currency: order.currency,
    payment_id: refund.paymentId,
    notes: [],
    receipt: null,
    acquirer_data: { arn: null },
    created_at: seconds(refund.createdAt),
    batch_id: null,
    status: refund.status,
    speed_processed: 'normal',
    speed_requested: 'normal',
  };
}

export const FAILURE = {
  code: 'BAD_REQUEST_ERROR',
  description: 'Payment failed because the test asked for it.',
  source: 'customer',
  step: 'payment_authentication',
  reason: 'payment_failed',
} as const;

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
