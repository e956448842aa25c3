import type { IncomingHttpHeaders } from 'node:http';
import type { Minor } from '../../platform/money/money.js';

/** What a browser posts to the gateway's page. */
export interface GatewayForm {
  action: string;
  fields: Record<string, string>;
}

/** A payment that is to be opened at the gateway. */
export interface PaymentToOpen {
  /** Ours; the gateway keeps it as its receipt. */
  paymentId: string;
  amount: Minor;
  currency: string;
}

/** What the gateway's page shows to whoever pays, and where it sends them afterwards. */
export interface Checkout {
  gatewayOrderId: string;
  amount: Minor;
  currency: string;
  description: string;
  /** Where the outcome is posted to. */
  returnUrl: string;
  /** Where those go who change their mind. */
  cancelUrl: string;
}

/** An attempt to pay one order of the gateway. Only what is captured has been paid. */
export interface GatewayPayment {
  gatewayPaymentId: string;
  amount: Minor;
  currency: string;
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  /** What of it went back to its source. */
  amountRefunded: Minor;
  /** `card`, `upi`, … */
  method: string | null;
  /** Why it failed, in the gateway's words. */
  failure: string | null;
}

export interface GatewayRefund {
  gatewayRefundId: string;
  gatewayPaymentId: string;
  amount: Minor;
  status: 'pending' | 'processed' | 'failed';
}

/** What the browser brought back: a payment, when its signature is good, or a failure, which nobody signs. Anyone can claim one. */
export type GatewayReturn = { gatewayPaymentId: string } | { failure: string };

/** What the gateway tells by itself, when its signature is good: that something about an order or a refund is worth asking for. */
export interface GatewayEvent {
  eventId: string;
  gatewayOrderId?: string;
  gatewayRefundId?: string;
  /** Whose refund it is. */
  gatewayPaymentId?: string;
}

/** Gateways with which no money moves. The wallets of their clients hold test money. */
export const TEST_GATEWAYS = ['sandbox', 'razorpay_test'] as const;

export type GatewayName = 'none' | 'razorpay' | (typeof TEST_GATEWAYS)[number];

/**
 * Somebody who takes money for us. What it says of amounts and states is believed only where it was asked: what a browser or an
 * event brings is a reason to ask. A gateway that is away throws `gateway_unavailable`, one that refuses `gateway_refused`, and
 * what is not signed by it `signature_invalid`.
 */
export abstract class PaymentGateway {
  /** Payments of one gateway are unknown to another. Razorpay's test mode and live mode are two. */
  abstract readonly name: GatewayName;

  /** Whether no real money moves. */
  get isTest(): boolean {
    return TEST_GATEWAYS.some((test) => test === this.name);
  }

  /** Gives the id by which the gateway knows the payment from now on. */
  abstract open(payment: PaymentToOpen): Promise<string>;

  /** Made without asking anybody, as often as it is needed. */
  abstract form(checkout: Checkout): GatewayForm;

  /** Verified against our own order id, never against one that was brought. */
  abstract readReturn(fields: Record<string, unknown>, gatewayOrderId: string): GatewayReturn;

  /** Verified against the raw bytes. */
  abstract readEvent(raw: Buffer, headers: IncomingHttpHeaders): GatewayEvent;

  /** All attempts to pay an order. The only source of amounts and states. */
  abstract payments(gatewayOrderId: string): Promise<GatewayPayment[]>;

  /** Sends money back to its source. With the same key it is the same refund. */
  abstract refund(gatewayPaymentId: string, amount: Minor, key: string): Promise<GatewayRefund>;

  abstract refundStatus(gatewayPaymentId: string, gatewayRefundId: string): Promise<GatewayRefund>;
}
