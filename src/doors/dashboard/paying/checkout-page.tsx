import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import type { GatewayForm } from '../../../payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../payments/test-payments.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { paymentPath } from '../paths.js';

interface Props {
  payment: Payment;
  form: GatewayForm;
  isTest: boolean;
}

/** The form that takes the browser to the gateway: scripts send it at once. */
export function checkoutPage({ payment, form, isTest }: Props): Page {
  const money = formatMoney(minorFromNumeric(payment.amount), payment.currency);
  return {
    title: `On to the gateway: ${money} to pay`,
    lead: 'You pay on the page of the payment gateway, and come back here.',
    back: { href: paymentPath(payment.paymentId), text: 'The payment' },
    formTargets: [new URL(form.action).origin],
    content: (
      <Card>
        {isTest && <TestPayments />}
        <form method="post" action={form.action} class="bare" data-goes-on>
          {Object.entries(form.fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <div class="actions">
            <ButtonLink href={paymentPath(payment.paymentId)}>Not now</ButtonLink>
            <Button kind="primary">Go on and pay {money}</Button>
          </div>
        </form>
      </Card>
    ),
  };
}
