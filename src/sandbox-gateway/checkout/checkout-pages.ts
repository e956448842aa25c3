import type { SandboxPayment } from '../entities/sandbox-payment.entity.js';
import type { SandboxRefund } from '../entities/sandbox-refund.entity.js';
import { form } from '../pages/form.js';
import { type Html, html } from '../pages/html.js';
import { orderJson, type OrderState, paymentJson } from '../protocol.js';
import { SANDBOX_PATH } from '../sandbox-path.js';
import type { CheckoutFields } from './checkout-fields.js';
import { OUTCOMES } from './outcomes.js';

/** Where somebody says how the attempt shall end. */
export function checkoutPage({ order }: OrderState, fields: CheckoutFields, description: string): Html {
  const buttons = Object.entries(OUTCOMES).map(
    ([name, { label }]) => html`<button name="outcome" value="${name}">${label}</button>`,
  );
  const hidden = {
    order_id: order.id,
    callback_url: fields.returnUrl,
    ...(fields.cancelUrl !== undefined && { cancel_url: fields.cancelUrl }),
  };
  return html`<p>${description}</p>
    <p><strong>${order.currency} ${order.amount}</strong></p>
    ${form(`/${SANDBOX_PATH}/checkout`, hidden, html`${buttons}`)}
    ${fields.cancelUrl === undefined ? '' : html`<p><a href="${fields.cancelUrl}">Cancel</a></p>`}`;
}

/** Without a script somebody has to press a button to be sent back. */
export function outcomePage(
  payment: SandboxPayment,
  returnUrl: string,
  fields: Record<string, string>,
): Html {
  return html`${form(returnUrl, fields, html`<button>Return to ${new URL(returnUrl).host}</button>`)}
    <p><a href="/${SANDBOX_PATH}/payments/${payment.id}">What becomes of this payment</a></p>`;
}

/** Where somebody says how it goes on with what is still on its way. */
export function paymentPage(payment: SandboxPayment, state: OrderState): Html {
  const { status } = paymentJson(payment, state);
  const refunds = state.refunds.filter(({ paymentId }) => paymentId === payment.id);
  const path = `/${SANDBOX_PATH}/payments/${payment.id}`;
  return html`<p>
      ${state.order.currency} ${state.order.amount}: ${status}. The order is ${orderJson(state).status}.
    </p>
    ${status === 'created' ? form(`${path}/arrive`, {}, html`<button>The money has come</button>`) : ''}
    ${refunds.length > 0 ? html`<h2>Refunds</h2>` : ''} ${refunds.map((refund) => refundLine(refund, state))}`;
}

function refundLine({ id, amount, status }: SandboxRefund, { order }: OrderState): Html {
  const path = `/${SANDBOX_PATH}/refunds/${id}`;
  return html`<p>${order.currency} ${amount}: ${status}.</p>
    ${
      status === 'pending'
        ? html`${form(`${path}/processed`, {}, html`<button>It went through</button>`)}
          ${form(`${path}/failed`, {}, html`<button>It failed</button>`)}`
        : ''
    }`;
}
