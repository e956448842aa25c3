import type { PaymentKey } from '../../src/payments/entities/payment.entity.js';
import { ClientPayments } from '../../src/payments/client-payments.js';
import type { OutcomeName } from '../../src/sandbox-gateway/checkout/outcomes.js';
import type { TestApp } from './test-app.js';

/** What the gateway's page sends a browser back with. */
export interface WayBack {
  address: string;
  fields: Record<string, string>;
  /** Of the last attempt. */
  gatewayPaymentId: string;
}

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)"/g;

/** Somebody who is sent to the sandbox's pages, presses a button there, and comes back or not. It keeps no cookie. */
export class SandboxBrowser {
  constructor(private readonly test: TestApp) {}

  /** From our page to the gateway's, and the button there. */
  async press(payment: PaymentKey, outcome: OutcomeName): Promise<WayBack> {
    const { action, fields } = await this.test.app.get(ClientPayments, { strict: false }).form(payment);
    const checkout = await this.page(action, fields);
    const ended = await this.page(`${this.test.url}/sandbox-gateway/checkout`, {
      ...hiddenIn(checkout),
      outcome,
    });
    return {
      address: /<form method="post" action="([^"]*)"/.exec(ended)![1]!,
      fields: hiddenIn(ended),
      gatewayPaymentId: /pay_\w+/.exec(ended)![0],
    };
  }

  /** Gives the answer, a redirection if all is well. */
  comeBack({ address, fields }: Pick<WayBack, 'address' | 'fields'>): Promise<Response> {
    return this.post(address, fields);
  }

  /** The money of one who paid late. */
  async arrive({ gatewayPaymentId }: WayBack): Promise<void> {
    await this.post(`${this.test.url}/sandbox-gateway/payments/${gatewayPaymentId}/arrive`, {});
  }

  /** What becomes of a refund that waits. */
  async endRefund(gatewayRefundId: string, how: 'processed' | 'failed'): Promise<void> {
    await this.post(`${this.test.url}/sandbox-gateway/refunds/${gatewayRefundId}/${how}`, {});
  }

  private async page(address: string, fields: Record<string, string>): Promise<string> {
    const response = await this.post(address, fields);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The sandbox answers ${response.status}: ${text}`);
    return text;
  }

  private post(address: string, fields: Record<string, string>): Promise<Response> {
    return fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  }
}

function hiddenIn(page: string): Record<string, string> {
  return Object.fromEntries([...page.matchAll(HIDDEN)].map(([, name, value]) => [name!, value!]));
}
