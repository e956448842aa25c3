import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Form } from '../../../pages/components/form.js';
import { Card, Fact, Facts, WithAside } from '../../../pages/components/layout.js';
import { ExactTime, Money, type StateKind, StateLabel } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import { lookAgain } from '../../../pages/times.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import type { GatewayForm, PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import type { PaymentWithOrders } from '../../../payments/client-payments.repository.js';
import { isUnderway, type PaymentStatus } from '../../../payments/rules/payment-status.js';
import { TestPayments } from '../../../payments/outcome-page.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { CUSTOMER, ORDER, OrdersTable, STATE, TOTAL } from '../orders/orders-table.js';
import { checkoutPath, ORDERS, paymentPath } from '../paths.js';
import { WALLET } from '../wallet/wallet-query.js';

interface Props extends PaymentWithOrders {
  /** The gateway now set up. An older payment may have used another one. */
  gateway: Pick<PaymentGateway, 'name' | 'isTest'>;
  mayPay: boolean;
}

const LEADS: Record<PaymentStatus, string> = {
  opening: 'The payment is being prepared. Nothing has been paid yet.',
  open: 'Do not pay again. If you have paid, this page confirms it as soon as the gateway does.',
  paid: 'The money reached your wallet and paid the orders that were still waiting.',
  given_up: 'If the money still arrives, it goes to your wallet.',
  failed: 'The gateway could not open the payment. Nothing was paid.',
};

export function paymentPage({ payment, orders, gateway, mayPay }: Props): Page {
  const { status, amount, currency, createdAt, provider } = payment;
  const money = formatMoney(minorFromNumeric(amount), currency);
  const isElsewhere = status === 'open' && provider !== gateway.name;
  return {
    title: isElsewhere ? `A payment of ${money} cannot continue` : titleOf(status, money),
    lead: isElsewhere ? ELSEWHERE : LEADS[status],
    back: orders.length > 0 ? { href: ORDERS, text: 'Orders' } : { href: WALLET, text: 'Wallet' },
    actions: status === 'open' && mayPay && (
      <Actions payment={payment} money={money} canGoOn={!isElsewhere} />
    ),
    refreshSeconds: isUnderway(status) ? lookAgain(createdAt) : undefined,
    content: (
      <>
        {gateway.isTest && status === 'open' && !isElsewhere && <TestPayments />}
        <WithAside aside={<PaymentFacts payment={payment} />}>
          <Card title="Purpose" flush={orders.length > 0}>
            {orders.length > 0 ? (
              <OrdersTable
                caption="Orders in this payment"
                orders={orders}
                columns={[ORDER, CUSTOMER, STATE, TOTAL]}
              />
            ) : (
              <p>A top-up of your wallet.</p>
            )}
          </Card>
        </WithAside>
      </>
    ),
  };
}

const ELSEWHERE =
  'It was started at a payment gateway that is no longer in use. Give it up to pay in another way. If you have already paid, ask the wholesaler first.';

const PaymentFacts = ({ payment }: Pick<Props, 'payment'>) => {
  const { status, amount, currency, createdAt, paidAt, paymentId } = payment;
  return (
    <Card title="The payment" actions={<PaymentState status={status} />}>
      <Facts>
        <Fact term="Amount">
          <Money minor={minorFromNumeric(amount)} currency={currency} />
        </Fact>
        <Fact term="Started">
          <ExactTime at={createdAt} />
        </Fact>
        {paidAt !== null && (
          <Fact term="Paid">
            <ExactTime at={paidAt} />
          </Fact>
        )}
        <Fact term="Reference">
          <code>{paymentId}</code>
        </Fact>
      </Facts>
    </Card>
  );
};

function titleOf(status: PaymentStatus, money: string): string {
  switch (status) {
    case 'opening':
      return `A payment of ${money} is being prepared`;
    case 'open':
      return `A payment of ${money} is being processed`;
    case 'paid':
      return `${money} is paid`;
    case 'given_up':
      return `A payment of ${money} was given up`;
    case 'failed':
      return `A payment of ${money} could not be opened`;
  }
}

interface ActionsProps extends Pick<Props, 'payment'> {
  money: string;
  canGoOn: boolean;
}

const Actions = ({ payment: { paymentId }, money, canGoOn }: ActionsProps) => (
  <>
    <Form
      action={`${paymentPath(paymentId)}/give-up`}
      confirm="Give this payment up? If you have paid at the gateway, the money goes to your wallet."
      bare
    >
      <Button kind="danger">Give up this payment</Button>
    </Form>
    {canGoOn && (
      <ButtonLink href={checkoutPath(paymentId)} kind="primary">
        Continue and pay {money}
      </ButtonLink>
    )}
  </>
);

interface CheckoutProps {
  payment: Payment;
  form: GatewayForm;
  isTest: boolean;
}

/** The form that sends the browser to the gateway. A script submits it at once. */
export function checkoutPage({ payment, form, isTest }: CheckoutProps): Page {
  const money = formatMoney(minorFromNumeric(payment.amount), payment.currency);
  return {
    title: `Pay ${money} at the gateway`,
    lead: 'You pay on the gateway’s page, and then come back here.',
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
            <Button kind="primary">Continue and pay {money}</Button>
          </div>
        </form>
      </Card>
    ),
  };
}

const STATES: Record<PaymentStatus, readonly [kind: StateKind, text: string]> = {
  opening: ['info', 'Being prepared'],
  open: ['info', 'Being processed'],
  paid: ['accent', 'Paid'],
  given_up: ['quiet', 'Given up'],
  failed: ['bad', 'Could not be opened'],
};

export const PaymentState = ({ status }: { status: PaymentStatus }) => {
  const [kind, text] = STATES[status];
  return <StateLabel kind={kind}>{text}</StateLabel>;
};
