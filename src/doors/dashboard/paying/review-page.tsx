import type { ListedOrder } from '../../../orders/view/client-order.mapper.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card, Empty, Fact, Facts, WithAside } from '../../../pages/components/layout.js';
import { Notice, Refused } from '../../../pages/components/notice.js';
import { Money } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import type { PaymentReview } from '../../../payments/client-payments.service.js';
import type { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../payments/outcome-page.js';
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
    lead: 'Orders ship after payment. Either exactly this is paid, or nothing is.',
    back,
    status,
    content: (
      <>
        {refusal !== undefined && <Refused>{refusal}</Refused>}
        {leftOut.length > 0 && <LeftOut orders={leftOut} />}
        <WithAside
          aside={
            <Card title="Payment">
              <Sums review={review} currency={currency} />
              <PayButton review={review} gateway={gateway} currency={currency} />
            </Card>
          }
        >
          <Card title="Orders" flush>
            <OrdersTable caption="Orders to pay" orders={orders} columns={[ORDER, CUSTOMER, PLACED, TOTAL]} />
          </Card>
        </WithAside>
      </>
    ),
  };
}

function nothingToPay(leftOut: ListedOrder[], refusal: string | undefined): Pick<Page, 'title' | 'content'> {
  return {
    title: 'These orders need no payment',
    content: (
      <>
        {refusal !== undefined && <Refused>{refusal}</Refused>}
        <LeftOut orders={leftOut} />
        <Card>
          <Empty action={<ButtonLink href={`${ORDERS}?group=to_pay`}>See unpaid orders</ButtonLink>}>
            <p>The orders you chose are paid, cancelled or being paid.</p>
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
        {isProcessing ? 'is being paid' : status === 'cancelled' ? 'is cancelled' : 'is already paid'}
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
        <p>Your wallet does not hold enough, and no payment gateway is set up.</p>
      </Empty>
    );
  return (
    <form method="post" action={PAY} class="form">
      <HiddenOrders orders={orders} total={total} balance={balance} />
      {charge > 0 && (
        <p class="hint">
          You pay the missing amount through the payment gateway. The orders are paid when it arrives.
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
