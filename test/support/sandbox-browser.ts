import type { PaymentKey } from '../../src/orders/entities/payment.entity.js';
import type { GatewayForm } from '../../src/payments/gateway/payment-gateway.js';
import { Buyer } from './buyer.js';
import { type OutcomeName, SandboxCheckout } from './sandbox-checkout.js';
import type { TestApp } from './test-app.js';

/** What the gateway's page sends a browser back with. */
export interface WayBack extends GatewayForm {
  /** Of the last attempt. */
  gatewayPaymentId: string;
}

/** Somebody who is sent from our page to the sandbox's, presses a button there, and comes back or not. */
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

  /** Gives the answer, a redirection if all is well. */
  comeBack({ action, fields }: GatewayForm): Promise<Response> {
    const { pathname } = new URL(action);
    const body = new URLSearchParams(fields);
    return fetch(`${this.test.url}${pathname}`, { method: 'POST', body, redirect: 'manual' });
  }

  /** The money of one who paid late. */
  async arrive({ gatewayPaymentId }: WayBack): Promise<void> {
    await this.sandbox.arrive(gatewayPaymentId);
  }

  /** What becomes of a refund that waits. */
  async endRefund(gatewayRefundId: string, how: 'processed' | 'failed'): Promise<void> {
    await this.sandbox.settleRefund(gatewayRefundId, how);
  }
}
