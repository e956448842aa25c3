import type { ComponentChildren } from 'preact';
import type { ClientOrderRow } from '../../../modules/orders/records/order-record.js';
import type { ClientOverview } from '../../../modules/orders/records/client-overview.repository.js';
import { Button, Form } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts, Notice, WithAside } from '../../../shared/ui/components/layout.js';
import { ListCard } from '../../../shared/ui/components/lists.js';
import { Money, RelativeTime } from '../../../shared/ui/components/values.js';
import { countOf, formatMoney, formatNumber } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import {
  MAX_ORDERS_PER_PAYMENT,
  type PaymentReview,
} from '../../../modules/payments/client-payments.service.js';
import type { PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../modules/payments/payment-outcome-page.js';
import type { Minor } from '../../../platform/money/money.js';
import { CUSTOMER, ORDER, PLACED, TOTAL } from '../orders/orders-table.js';
import { backLink, orderPath, ORDERS, PAY, paymentPath, TOP_UP } from '../paths.js';

interface Props {
  review: PaymentReview;
  back: string;
  /** More orders wait than one payment takes. */
  hasMoreOrders: boolean;
  gateway: PaymentGateway;
  currency: string;
}

/** Shows the amounts and where the money comes from, before anything is paid. */
export function reviewPage(props: Props): Page {
  const { orders, leftOut, total } = props.review;
  const back = backLink(props.back);
  if (orders.length === 0) return { ...nothingToPay(leftOut), back };
  return {
    title: `Pay ${countOf(orders.length, 'order', 'orders')} · ${formatMoney(total, props.currency)}`,
    lead: props.hasMoreOrders
      ? `${LEAD} More orders wait: these are the ${formatNumber(orders.length)} that are due first. ` +
        'Pay them, then the rest.'
      : LEAD,
    back,
    isReview: true,
    content: (
      <>
        {leftOut.length > 0 && <LeftOut orders={leftOut} />}
        <WithAside
          aside={
            <Card title="Payment">
              <PaymentSums {...props} />
              <PayButton {...props} />
            </Card>
          }
        >
          <ListCard title="Orders" columns={[ORDER, CUSTOMER, PLACED, TOTAL]} rows={orders} />
        </WithAside>
      </>
    ),
  };
}

const LEAD = 'Orders ship after payment. Either all of these orders are paid, or none of them.';

function nothingToPay(leftOut: ClientOrderRow[]): Pick<Page, 'title' | 'content'> {
  return {
    title: leftOut.every(({ paidAt }) => paidAt !== null) ? 'Already paid' : 'These orders need no payment',
    content: (
      <>
        <LeftOut orders={leftOut} />
        <Card>
          <Empty next={{ href: `${ORDERS}?group=to_pay`, text: 'See unpaid orders' }}>
            The orders you chose are paid, cancelled or being paid.
          </Empty>
        </Card>
      </>
    ),
  };
}

const LeftOut = ({ orders }: { orders: ClientOrderRow[] }) => (
  <Notice kind="warn">
    Left out:{' '}
    {orders.map((order, at) => (
      <>
        {at > 0 && ', '}
        <a href={orderPath(order.orderNumber)}>{order.orderNumber}</a> <LeftOutReason order={order} />
      </>
    ))}
    .
  </Notice>
);

const LeftOutReason = ({ order: { status, openPayment, paidAt } }: { order: ClientOrderRow }) => {
  if (openPayment !== null)
    return (
      <>
        is being paid (<a href={paymentPath(openPayment)}>see the payment</a>)
      </>
    );
  return status === 'cancelled' ? (
    <>is cancelled</>
  ) : (
    <>
      was already paid <RelativeTime at={paidAt} />
    </>
  );
};

const PaymentSums = ({ review: { total, balance, reserved, charge }, currency }: Props) => {
  const money = (minor: Minor) => <Money minor={minor} currency={currency} />;
  return (
    <Facts
      sums
      of={{
        Total: money(total),
        'Wallet now': money(balance + reserved),
        'Reserved for open payments': reserved > 0 && money(reserved),
        'Through the gateway': charge > 0 && money(charge),
        'Wallet afterwards': money(balance + reserved + charge - total),
      }}
    />
  );
};

const PayButton = ({ review: { orders, total, balance, charge }, back, gateway, currency }: Props) => {
  if (charge > 0 && gateway.name === 'none')
    return (
      <Empty next={{ href: TOP_UP, text: 'Top up by bank transfer' }}>
        Your wallet does not hold enough, and no payment gateway is set up.
      </Empty>
    );
  return (
    <PayForm orders={orders} total={total} balance={balance} back={back}>
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
    </PayForm>
  );
};

/** The text of a link to the review of all waiting orders. */
export const ReviewAll = ({
  toPay: { orders, total },
  currency,
}: Pick<ClientOverview, 'toPay'> & { currency: string }) =>
  orders > MAX_ORDERS_PER_PAYMENT ? (
    <>Review and pay the {formatNumber(MAX_ORDERS_PER_PAYMENT)} due first</>
  ) : (
    <>
      Review and pay all {formatNumber(orders)} · {formatMoney(total, currency)}
    </>
  );

interface PayFormProps {
  orders: readonly { orderNumber: string }[];
  total: Minor;
  balance: Minor;
  back: string;
  bare?: boolean;
  children: ComponentChildren;
}

/** Sends the orders and amounts that the page showed. One field holds all orders: a form has few fields. */
export const PayForm = ({ orders, total, balance, back, ...form }: PayFormProps) => {
  const order = orders.map(({ orderNumber }) => orderNumber).join(' ');
  const hidden = { order, total: String(total), balance: String(balance), back };
  return <Form action={PAY} hidden={hidden} {...form} />;
};
