import { Button, Form } from '../shared/ui/components/controls.js';
import { NarrowShell } from '../shared/ui/components/shell.js';
import { Money } from '../shared/ui/components/values.js';
import type { Frame, Page } from '../shared/ui/page.js';
import type { SandboxCheckoutRequest } from './requests.js';
import { returnFields, SANDBOX_PATH } from './protocol.js';
import { findIn, OUTCOMES, type SandboxOrder } from './sandbox-order.js';

/** Every page says that it is a test. */
const TEST = { kind: 'warn', text: 'Test payments: no money moves.' } as const;

export const sandboxFrame: Frame = {
  name: 'Sandbox gateway',
  isPlain: true,
  home: { href: '/', text: 'Back to the service' },
  renderBody: (page) => <NarrowShell brand="Sandbox gateway" page={page} notice={TEST} />,
};

/** One button for each outcome of the attempt. */
export function checkoutPage(
  { order: { id, amount, currency } }: SandboxOrder,
  { name, description, returnUrl, cancelUrl }: SandboxCheckoutRequest,
): Page {
  const hidden = {
    order_id: id,
    callback_url: returnUrl,
    ...(cancelUrl !== undefined && { cancel_url: cancelUrl }),
  };
  return {
    title: name,
    lead: description,
    content: (
      <>
        <p class="figure">
          <Money minor={amount} currency={currency} />
        </p>
        <Form action={`/${SANDBOX_PATH}/checkout`} hidden={hidden}>
          {Object.entries(OUTCOMES).map(([outcome, { label }], at) => (
            <Button name="outcome" value={outcome} kind={at === 0 ? 'primary' : 'plain'}>
              {label}
            </Button>
          ))}
        </Form>
        {cancelUrl !== undefined && (
          <p>
            <a href={cancelUrl}>Cancel</a>
          </p>
        )}
      </>
    ),
  };
}

/**
 * A payment, on which a tester decides about late money or a pending refund. After an attempt, a button sends
 * the browser back: the sandbox runs no script.
 */
export function paymentPage(
  { order, payments, refunds: all }: SandboxOrder,
  id: string,
  back?: { returnUrl: string; keySecret: string },
): Page {
  const payment = findIn(payments, id);
  const { amount, currency, status } = payment;
  const refunds = all.filter(({ payment_id: paymentId }) => paymentId === id);
  return {
    title: `Payment ${id}`,
    lead: `The payment is ${status}. The order is ${order.status}.`,
    ...(back && { formTargets: [new URL(back.returnUrl).origin] }),
    content: (
      <>
        <p class="figure">
          <Money minor={amount} currency={currency} />
        </p>
        {back && (
          <Form action={back.returnUrl} hidden={returnFields(payment, back.keySecret)}>
            <Button kind="primary">Return to {new URL(back.returnUrl).host}</Button>
          </Form>
        )}
        {status === 'created' && (
          <Form action={`/${SANDBOX_PATH}/payments/${id}/arrive`}>
            <Button>The money arrives</Button>
          </Form>
        )}
        {refunds.length > 0 && <h2>Refunds</h2>}
        {refunds.map((refund) => (
          <div>
            <p>
              <Money minor={refund.amount} currency={currency} />: {refund.status}.
            </p>
            {refund.status === 'pending' && (
              <div class="actions">
                <Form bare action={`/${SANDBOX_PATH}/refunds/${refund.id}/processed`}>
                  <Button>The refund succeeds</Button>
                </Form>
                <Form bare action={`/${SANDBOX_PATH}/refunds/${refund.id}/failed`}>
                  <Button>The refund fails</Button>
                </Form>
              </div>
            )}
          </div>
        ))}
      </>
    ),
  };
}
