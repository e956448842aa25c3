import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '../../../../platform/http/parse-json.js';
import type { Minor } from '../../../../platform/money/money.js';
import {
  gatewayRefused,
  signatureInvalid,
  type PaymentCheckout,
  type GatewayEvent,
  type GatewayForm,
  type GatewayPayment,
  type GatewayRefund,
  type GatewayReturn,
  PaymentGateway,
  type PaymentToOpen,
} from '../payment-gateway.js';
import { type RazorpayAccount, RazorpayClient } from './razorpay-client.js';
import { toOneLine, readEventBody, isId, readOrder, readPayments, readRefund } from './read-answers.js';
import { isSigned } from './signature.js';

/**
 * Payments that are never captured are refunded after days. Three days is the longest time that Razorpay
 * allows.
 */
const CAPTURE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 4_320, manual_expiry_period: 4_320, refund_speed: 'normal' },
};

/** Razorpay's rule for idempotency keys. */
const REFUND_KEY = /^[\w-]{10,}$/;

const EVENT_ID = /^[\w.:-]{1,100}$/;

/** Speaks Razorpay's protocol, with Razorpay or with the sandbox. */
export class RazorpayGateway extends PaymentGateway {
  readonly name: RazorpayAccount['name'];

  constructor(
    private readonly account: RazorpayAccount,
    private readonly client = new RazorpayClient(account),
  ) {
    super();
    this.name = account.name;
  }

  /** Safe to repeat: a gateway order that stays unused costs nothing. */
  open({ paymentId, amount, currency }: PaymentToOpen): Promise<string> {
    const body = { amount, currency, receipt: paymentId, payment: CAPTURE };
    return this.client.request({ method: 'POST', path: '/orders', body }, (json) =>
      readOrder(json, { amount, currency }),
    );
  }

  /** Hosted Checkout: a form sends the browser there, so our pages run no foreign script. */
  form({
    gatewayOrderId,
    amount,
    currency,
    description,
    returnUrl,
    cancelUrl,
  }: PaymentCheckout): GatewayForm {
    return {
      action: `${this.account.pageUrl()}/v1/checkout/embedded`,
      fields: {
        key_id: this.account.keyId,
        order_id: gatewayOrderId,
        amount: String(amount),
        currency,
        name: 'Wholesale orders',
        description,
        callback_url: returnUrl,
        cancel_url: cancelUrl,
      },
    };
  }

  readReturn(fields: Record<string, unknown>, gatewayOrderId: string): GatewayReturn {
    const { razorpay_payment_id: paymentId, razorpay_signature: signature } = fields;
    if (
      isId(paymentId, 'pay') &&
      isSigned(`${gatewayOrderId}|${paymentId}`, signature, this.account.keySecret)
    )
      return { gatewayPaymentId: paymentId };
    // A failure is unsigned and anyone can claim one. It is only a reason to ask.
    const { 'error[code]': code, 'error[description]': description } = fields;
    if (paymentId !== undefined || typeof code !== 'string' || typeof description !== 'string')
      throw signatureInvalid();
    return { failure: toOneLine(description) };
  }

  readEvent(raw: Buffer, headers: IncomingHttpHeaders): GatewayEvent {
    if (!isSigned(raw, headers['x-razorpay-signature'], this.account.webhookSecret)) throw signatureInvalid();
    const eventId = headers['x-razorpay-event-id'];
    if (typeof eventId !== 'string' || !EVENT_ID.test(eventId)) throw signatureInvalid();
    return { eventId, ...readEventBody(parseJson(raw)) };
  }

  payments(gatewayOrderId: string): Promise<GatewayPayment[]> {
    return this.client.request(
      { method: 'GET', path: `/orders/${encodeURIComponent(gatewayOrderId)}/payments` },
      (json) => readPayments(json, gatewayOrderId),
    );
  }

  /** Safe to repeat: the gateway makes one refund per key. */
  async refund(gatewayPaymentId: string, amount: Minor, key: string): Promise<GatewayRefund> {
    if (!REFUND_KEY.test(key))
      throw gatewayRefused('The key of a refund has at least 10 letters, digits, hyphens or underscores.');
    return this.client.request(
      {
        method: 'POST',
        path: `/payments/${encodeURIComponent(gatewayPaymentId)}/refund`,
        headers: { 'X-Refund-Idempotency': key },
        body: { amount, speed: 'normal' },
      },
      (json) => readRefund(json, { paymentId: gatewayPaymentId, amount }),
    );
  }

  refundStatus(gatewayPaymentId: string, gatewayRefundId: string): Promise<GatewayRefund> {
    const [payment, refund] = [gatewayPaymentId, gatewayRefundId].map(encodeURIComponent);
    return this.client.request({ method: 'GET', path: `/payments/${payment}/refunds/${refund}` }, (json) =>
      readRefund(json, { paymentId: gatewayPaymentId, refundId: gatewayRefundId }),
    );
  }
}
