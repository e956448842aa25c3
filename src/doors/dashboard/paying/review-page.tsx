import type { ListedOrder } from '../../../orders/view/client-order.mapper.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card, Empty, Fact, Facts, WithAside } from '../../../pages/components/layout.js';
import { Notice, Refused } from '../../../pages/components/notice.js';
import { Money } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import type { PaymentReview } from '../../../payments/client-payments.js';
import type { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../payments/test-payments.js';
import type { Minor } from '../../../platform/money/money.js';
import { countOf } from '../count-of.js';
import { CUSTOMER, ORDER, OrdersTable, PLACED, TOTAL } from '../orders/orders-table.js';
import { orderPath, ORDERS, PAY } from '../paths.js';

interface Props {
  review: PaymentReview;
  gateway: PaymentGateway;
  currency: string;
  /** Why the previous attempt did not pay. */
  refusal?: string;
}

/** Shows the amounts and where the money comes from, before anything is paid. */
export function reviewPage({ review, gateway, currency, refusal }: Props): Page {
  const { orders, leftOut, total } = review;
  const back = { href: ORDERS, text: 'Orders' };
  const status = refusal === undefined ? 200 : 409;
  if (orders.length === 0) return { ...nothingToPay(leftOut, refusal), back, status };
  return {
    title: `Pay ${countOf(orders.length, 'order', 'orders')} · ${formatMoney(total, currency)}`,
    lead: 'Paid orders are shipped. What you see here is what is paid, or nothing is.',
    back,
    status,
    content: (
      <>
        {refusal !== undefined && <Refused>{refusal}</Refused>}
        {leftOut.length > 0 && <LeftOut orders={leftOut} />}
        <WithAside
          aside={
            <Card title="From where">
              <Sums review={review} currency={currency} />
              <PayButton review={review} gateway={gateway} currency={currency} />
            </Card>
          }
        >
          <Card title="What is paid" flush>
            <OrdersTable
              caption="Orders to be paid"
              orders={orders}
              columns={[ORDER, CUSTOMER, PLACED, TOTAL]}
            />
          </Card>
        </WithAside>
      </>
    ),
  };
}

function nothingToPay(leftOut: ListedOrder[], refusal: string | undefined): Pick<Page, 'title' | 'content'> {
  return {
    title: 'Nothing of it is left to pay',
    content: (
      <>
        {refusal !== undefined && <Refused>{refusal}</Refused>}
        <LeftOut orders={leftOut} />
        <Card>
          <Empty action={<ButtonLink href={`${ORDERS}?group=to_pay`}>See what waits for payment</ButtonLink>}>
            <p>What you chose was paid or cancelled meanwhile, or is being paid.</p>
          </Empty>
        </Card>
      </>
    ),
  };
}

const LeftOut = ({ orders }: { orders: ListedOrder[] }) => (
  <Notice kind="warn">
    Left out:{' '}
    {orders.map(({ orderNumber, status, isProcessing }, at) => (
      <>
        {at > 0 && ', '}
        <a href={orderPath(orderNumber)}>{orderNumber}</a>{' '}
        {isProcessing ? 'is being paid' : status === 'cancelled' ? 'is cancelled' : 'is paid already'}
      </>
    ))}
    .
  </Notice>
);

const Sums = ({ review: { total, balance, charge }, currency }: Pick<Props, 'review' | 'currency'>) => (
  <Facts sums>
    <Fact term="Total">
      <Money minor={total} currency={currency} />
    </Fact>
    <Fact term="Wallet now">
      <Money minor={balance} currency={currency} />
    </Fact>
    {charge > 0 && (
      <Fact term="Through the gateway">
        <Money minor={charge} currency={currency} />
      </Fact>
    )}
    <Fact term="Wallet afterwards">
      <Money minor={balance + charge - total} currency={currency} />
    </Fact>
  </Facts>
);

const PayButton = ({ review, gateway, currency }: Pick<Props, 'review' | 'gateway' | 'currency'>) => {
  const { orders, total, balance, charge } = review;
  if (charge > 0 && gateway.name === 'none')
    return (
      <Empty action={<ButtonLink href="/dashboard/wallet/top-up">Top up by bank transfer</ButtonLink>}>
        <p>The wallet holds too little, and there is no payment gateway.</p>
      </Empty>
    );
  return (
    <form method="post" action={PAY} class="form">
      <HiddenOrders orders={orders} total={total} balance={balance} />
      {charge > 0 && (
        <p class="hint">
          What your wallet lacks goes through the payment gateway, in one step. The orders are paid as soon as
          it has come.
        </p>
      )}
      {charge > 0 && gateway.isTest && <TestPayments />}
      <div class="actions">
        <Button kind="primary">
          {charge > 0
            ? `Pay ${formatMoney(charge, currency)} through the gateway`
            : `Pay ${formatMoney(total, currency)} from wallet`}
        </Button>
      </div>
    </form>
  );
};

interface HiddenOrdersProps {
  orders: readonly { orderNumber: string }[];
  total: Minor;
  balance: Minor;
}

/** The orders and amounts that the page showed; they are posted with the form. */
export const HiddenOrders = ({ orders, total, balance }: HiddenOrdersProps) => (
  <>
    {orders.map(({ orderNumber }) => (
      <input type="hidden" name="order" value={orderNumber} />
    ))}
    <input type="hidden" name="total" value={total} />
    <input type="hidden" name="balance" value={balance} />
  </>
);
