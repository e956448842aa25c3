import { Button } from '../../pages/components/button.js';
import { Form } from '../../pages/components/form.js';
import { Money } from '../../pages/components/values.js';
import type { Page } from '../../pages/page.js';
import type { SandboxPayment } from '../entities/sandbox-payment.entity.js';
import type { SandboxRefund } from '../entities/sandbox-refund.entity.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { orderJson, type OrderState, paymentJson } from '../protocol.js';
import { SANDBOX_PATH } from '../sandbox-path.js';
import type { CheckoutBegun } from './checkout-fields.js';
import { OUTCOMES } from './outcomes.js';

/** Where somebody says how the attempt shall end. */
export function checkoutPage({ order }: OrderState, begun: CheckoutBegun): Page {
  const hidden = {
    order_id: order.id,
    callback_url: begun.returnUrl,
    ...(begun.cancelUrl !== undefined && { cancel_url: begun.cancelUrl }),
  };
  return {
    title: begun.name,
    lead: begun.description,
    content: (
      <>
        <p class="figure">
          <Money minor={minorFromNumeric(order.amount)} currency={order.currency} />
        </p>
        <Form action={`/${SANDBOX_PATH}/checkout`} hidden={hidden}>
          {Object.entries(OUTCOMES).map(([name, { label }], at) => (
            <Button name="outcome" value={name} kind={at === 0 ? 'primary' : 'plain'}>
              {label}
            </Button>
          ))}
        </Form>
        {begun.cancelUrl !== undefined && (
          <p>
            <a href={begun.cancelUrl}>Cancel</a>
          </p>
        )}
      </>
    ),
  };
}

/** Without a script somebody has to press a button to be sent back. */
export function outcomePage(
  payment: SandboxPayment,
  returnUrl: string,
  hidden: Record<string, string>,
): Page {
  const { origin, host } = new URL(returnUrl);
  return {
    title: TITLES[payment.status],
    formTargets: [origin],
    content: (
      <>
        <Form action={returnUrl} hidden={hidden}>
          <Button kind="primary">Return to {host}</Button>
        </Form>
        <p>
          <a href={`/${SANDBOX_PATH}/payments/${payment.id}`}>What becomes of this payment</a>
        </p>
      </>
    ),
  };
}

const TITLES: Record<SandboxPayment['status'], string> = {
  captured: 'Paid',
  failed: 'Failed',
  created: 'On its way',
};

/** Where somebody says how it goes on with what is still on its way. */
export function paymentPage(payment: SandboxPayment, state: OrderState): Page {
  const { status } = paymentJson(payment, state);
  const refunds = state.refunds.filter(({ paymentId }) => paymentId === payment.id);
  return {
    title: `Payment ${payment.id}`,
    lead: `It is ${status}. The order is ${orderJson(state).status}.`,
    content: (
      <>
        <p class="figure">
          <Money minor={minorFromNumeric(state.order.amount)} currency={state.order.currency} />
        </p>
        {status === 'created' && (
          <Form action={`/${SANDBOX_PATH}/payments/${payment.id}/arrive`}>
            <Button kind="primary">The money has come</Button>
          </Form>
        )}
        {refunds.length > 0 && <h2>Refunds</h2>}
        {refunds.map((refund) => (
          <Refund refund={refund} currency={state.order.currency} />
        ))}
      </>
    ),
  };
}

const Refund = ({
  refund: { id, amount, status },
  currency,
}: {
  refund: SandboxRefund;
  currency: string;
}) => (
  <div>
    <p>
      <Money minor={minorFromNumeric(amount)} currency={currency} />: {status}.
    </p>
    {status === 'pending' && (
      <div class="actions">
        <Form bare action={`/${SANDBOX_PATH}/refunds/${id}/processed`}>
          <Button>It went through</Button>
        </Form>
        <Form bare action={`/${SANDBOX_PATH}/refunds/${id}/failed`}>
          <Button>It failed</Button>
        </Form>
      </div>
    )}
  </div>
);
