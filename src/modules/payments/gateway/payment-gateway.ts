import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import type { Attempt } from '../rules/evaluate-attempts.js';

/** The form that a browser posts to the gateway's page. */
export interface GatewayForm {
  action: string;
  fields: Record<string, string>;
}

export interface PaymentToOpen {
  /** Our id. The gateway stores it as its receipt. */
  paymentId: string;
  amount: Minor;
  currency: string;
}

/** The content of the gateway's page, and the addresses to which it sends the browser. */
export interface PaymentCheckout {
  gatewayOrderId: string;
  amount: Minor;
  currency: string;
  description: string;
  /** The address that receives the result. */
  returnUrl: string;
  /** The address for a browser that cancels. */
  cancelUrl: string;
}

/** An attempt to pay one order of the gateway. Only captured attempts are paid. */
export interface GatewayPayment extends Attempt {
  /** `card`, `upi`, … */
  method: string | null;
  /** The reason of a failure, in the gateway's words. */
  failure: string | null;
}

export interface GatewayRefund {
  gatewayRefundId: string;
  gatewayPaymentId: string;
  amount: Minor;
  status: 'pending' | 'processed' | 'failed';
}

/**
 * A browser's return: a payment with a good signature, or a failure. Failures are unsigned, so anyone can
 * claim one.
 */
export type GatewayReturn = { gatewayPaymentId: string } | { failure: string };

/** An event with a good signature: a reason to ask about an order or a refund. */
export interface GatewayEvent {
  eventId: string;
  gatewayOrderId?: string;
  gatewayRefundId?: string;
  /** The payment of the refund. */
  gatewayPaymentId?: string;
}

/** Gateways with which no money moves. The wallets of their clients hold test money. */
export const TEST_GATEWAYS = ['sandbox', 'razorpay_test'] as const;

export type GatewayName = 'none' | 'razorpay' | (typeof TEST_GATEWAYS)[number];

/**
 * A payment gateway. Only its answers to our own questions are trusted for amounts and statuses; a browser or
 * an event is a reason to ask. It throws `gateway_unavailable` if it does not answer, `gateway_refused` if it
 * refuses, and `signature_invalid` for a wrong signature.
 */
export abstract class PaymentGateway {
  /** A gateway does not know payments of another one. Razorpay's test mode and live mode are two gateways. */
  abstract readonly name: GatewayName;

  /** No real money moves. */
  get isTest(): boolean {
    return TEST_GATEWAYS.some((test) => test === this.name);
  }

  /** Returns the gateway's id of the payment. */
  abstract open(payment: PaymentToOpen): Promise<string>;

  /** Builds the form without a call to the gateway, so it can be repeated. */
  abstract form(checkout: PaymentCheckout): GatewayForm;

  /** Verified against our own order id, not the one in the fields. */
  abstract readReturn(fields: Record<string, unknown>, gatewayOrderId: string): GatewayReturn;

  /** Verified against the raw bytes. */
  abstract readEvent(raw: Buffer, headers: IncomingHttpHeaders): GatewayEvent;

  /** All attempts to pay an order. The only source of amounts and states. */
  abstract payments(gatewayOrderId: string): Promise<GatewayPayment[]>;

  /** Sends money back to its source. The key makes it idempotent. */
  abstract refund(gatewayPaymentId: string, amount: Minor, key: string): Promise<GatewayRefund>;

  abstract refundStatus(gatewayPaymentId: string, gatewayRefundId: string): Promise<GatewayRefund>;
}

/** The outcome is unknown. The same call may be repeated. */
export function gatewayUnavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('gateway_unavailable', message, { retryAfterSeconds: 30, cause });
}

/** The gateway refused the call, so nothing was done. */
export function gatewayRefused(message: string): DomainError {
  return new DomainError('gateway_refused', message);
}

export function signatureInvalid(): DomainError {
  return new DomainError('signature_invalid', 'The signature is not from the payment gateway.');
}
