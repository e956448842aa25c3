import { ButtonLink, Button } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/card.js';
import { Fact, Facts } from '../../../pages/components/facts.js';
import { Form } from '../../../pages/components/form.js';
import { Money } from '../../../pages/components/money.js';
import { ExactTime } from '../../../pages/components/when.js';
import { WithAside } from '../../../pages/components/with-aside.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import type { PaymentWithOrders } from '../../../payments/payment-look-ups.js';
import type { PaymentStatus } from '../../../payments/rules/payment-status.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { lookAgain } from '../matter.js';
import { CUSTOMER, ORDER, OrdersTable, STATE, TOTAL } from '../orders/orders-table.js';
import { checkoutPath, ORDERS, paymentPath } from '../paths.js';
import { PaymentState } from './payment-words.js';
import { TestPayments } from './test-payments.js';

interface Props extends PaymentWithOrders {
  isTest: boolean;
  mayPay: boolean;
}

const LEADS: Record<PaymentStatus, string> = {
  opening: 'It is being prepared. Nothing has been paid yet.',
  open: 'Do not pay the same in another way. If you have paid, this page says so as soon as the gateway does.',
  paid: 'The money is in your wallet, and has paid those of the orders it was meant for that still waited.',
  given_up: 'Should the money come all the same, it goes to your wallet.',
  failed: 'The gateway did not open it. Nothing was paid.',
};

export function paymentPage({ payment, orders, isTest, mayPay }: Props): Page {
  const { status, paymentId, amount, currency, createdAt } = payment;
  const money = formatMoney(minorFromNumeric(amount), currency);
  return {
    title: titleOf(status, money),
    lead: LEADS[status],
    back: { href: ORDERS, text: 'Orders' },
    actions: status === 'open' && mayPay && <Actions paymentId={paymentId} money={money} />,
    refreshSeconds: status === 'open' || status === 'opening' ? lookAgain(createdAt) : undefined,
    content: (
      <>
        {isTest && status === 'open' && <TestPayments />}
        <WithAside aside={<PaymentFacts payment={payment} />}>
          <Card title="What it is for" flush={orders.length > 0}>
            {orders.length > 0 ? (
              <OrdersTable
                caption="Orders that the payment is for"
                orders={orders}
                columns={[ORDER, CUSTOMER, STATE, TOTAL]}
              />
            ) : (
              <p>It goes into your wallet.</p>
            )}
          </Card>
        </WithAside>
      </>
    ),
  };
}

const PaymentFacts = ({ payment }: Pick<Props, 'payment'>) => {
  const { status, amount, currency, createdAt, paidAt, paymentId } = payment;
  return (
    <Card title="The payment" actions={<PaymentState status={status} />}>
      <Facts>
        <Fact term="Amount">
          <Money minor={minorFromNumeric(amount)} currency={currency} />
        </Fact>
        <Fact term="Begun">
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

const Actions = ({ paymentId, money }: { paymentId: string; money: string }) => (
  <>
    <Form
      action={`${paymentPath(paymentId)}/give-up`}
      confirm="Give this payment up? If you have paid at the gateway, the money goes to your wallet."
      bare
    >
      <Button kind="danger">Give up this payment</Button>
    </Form>
    <ButtonLink href={checkoutPath(paymentId)} kind="primary">
      Go on and pay {money}
    </ButtonLink>
  </>
);
