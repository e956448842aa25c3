import type { PaymentKey } from '../../src/modules/orders/entities/payment.entity.js';
import type { GatewayForm } from '../../src/modules/payments/gateway/payment-gateway.js';
import { Buyer } from './buyer.js';
import { type OutcomeName, SandboxCheckout } from './sandbox-checkout.js';
import type { TestApp } from './test-app.js';

/** The form with which the page of the gateway sends the browser back. */
interface WayBack extends GatewayForm {
  /** The payment of the last attempt. */
  gatewayPaymentId: string;
}

/** A buyer who goes to the page of the sandbox, presses a button there, and may return. */
export class SandboxBrowser {
  private readonly sandbox: SandboxCheckout;

  constructor(private readonly test: TestApp) {
    this.sandbox = new SandboxCheckout(test.url);
  }

  async press({ clientId, paymentId }: PaymentKey, outcome: OutcomeName): Promise<WayBack> {
    const form = await (await Buyer.of(this.test, clientId)).form(paymentId);
    const back = await this.sandbox.pay(form, outcome);
    return { ...back, gatewayPaymentId: /pay_\w+/.exec(JSON.stringify(back.fields))![0] };
  }

  /** The page to which the gateway sends the browser, which needs no session. */
  open({ paymentId }: PaymentKey, path = ''): Promise<Response> {
    return fetch(`${this.test.url}/payments/${paymentId}${path}`);
  }

  /** Returns the answer: a redirect on success. */
  comeBack({ action, fields }: GatewayForm): Promise<Response> {
    const { pathname } = new URL(action);
    const body = new URLSearchParams(fields);
    return fetch(`${this.test.url}${pathname}`, { method: 'POST', body, redirect: 'manual' });
  }

  /** The money of a late payment arrives. */
  async arrive({ gatewayPaymentId }: WayBack): Promise<void> {
    await this.sandbox.arrive(gatewayPaymentId);
  }

  /** Ends a pending refund. */
  async endRefund(gatewayRefundId: string, how: 'processed' | 'failed'): Promise<void> {
    await this.sandbox.settleRefund(gatewayRefundId, how);
  }
}
