import type { GatewayForm } from '../../src/modules/payments/gateway/payment-gateway.js';
import type { SandboxOutcomeName } from '../../src/sandbox-gateway/sandbox-order.js';

export type { SandboxOutcomeName as OutcomeName };

/** Uses the sandbox's pages like a browser: it reads their forms and sends them. */
export class SandboxCheckout {
  constructor(private readonly url: string) {}

  /** Goes from our form through the sandbox's pages. Returns the form that sends the browser back. */
  async pay(form: GatewayForm, outcome: SandboxOutcomeName): Promise<GatewayForm> {
    const checkout = formIn(await this.page(form));
    return formIn(await this.page({ action: checkout.action, fields: { ...checkout.fields, outcome } }));
  }

  /** The money of a late payment arrives. */
  arrive(paymentId: string): Promise<string> {
    return this.page({ action: `/sandbox-gateway/payments/${paymentId}/arrive`, fields: {} });
  }

  /** Ends a pending refund. */
  settleRefund(refundId: string, outcome: 'processed' | 'failed'): Promise<string> {
    return this.page({ action: `/sandbox-gateway/refunds/${refundId}/${outcome}`, fields: {} });
  }

  /** The page that answers a form. Always asks the host under test, even under another public address. */
  private async page({ action, fields }: GatewayForm): Promise<string> {
    const response = await this.post(action, fields);
    if (!response.ok) throw new Error(`${action} answers ${response.status}: ${await response.text()}`);
    return response.text();
  }

  post(action: string, fields: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(action, this.url);
    return fetch(`${this.url}${pathname}`, { method: 'POST', body: new URLSearchParams(fields) });
  }
}

/** The first form of a page. */
export function formIn(page: string): GatewayForm {
  const form = /<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page);
  if (!form) throw new Error(`There is no form on this page:\n${page}`);
  const inputs = form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return {
    action: unescaped(form[1]!),
    fields: Object.fromEntries([...inputs].map(([, name, value]) => [unescaped(name!), unescaped(value!)])),
  };
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name]!);
}
