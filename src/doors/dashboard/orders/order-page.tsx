import { groupOf, isPayable } from '../../../orders/rules/order-transitions.js';
import type { OrderDetails } from '../../../orders/view/client-order.mapper.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Form } from '../../../pages/components/form.js';
import { Card, Empty, WithAside } from '../../../pages/components/layout.js';
import { Notice } from '../../../pages/components/notice.js';
import { When } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import { lookAgain } from '../../../pages/times.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import { orderPath, ORDERS, PAY, paymentPath, reviewPath } from '../paths.js';
import { DeliveryCard, HistoryCard, LinesCard, ParcelCard, PaymentCard } from './order-cards.js';
import { cancelledBecause, Due } from './orders-table.js';

interface Props {
  order: OrderDetails;
  /** Gateway payments, newest first. */
  payments: Payment[];
  balance: Minor;
  mayPay: boolean;
}

export function orderPage({ order, payments, balance, mayPay }: Props): Page {
  const underway = payments.find(({ status }) => isUnderway(status));
  return {
    title: titleOf(order),
    lead: <Lead order={order} />,
    back: { href: ORDERS, text: 'Orders' },
    actions: mayPay && groupOf(order) === 'to_pay' && <Actions order={order} balance={balance} />,
    refreshSeconds: lookAgain(underway?.createdAt ?? null),
    content: (
      <>
        {underway && (
          <Notice kind="info">
            A payment for this order is being processed: do not pay it again.{' '}
            <a href={paymentPath(underway.paymentId)}>See the payment</a>
          </Notice>
        )}
        <WithAside
          aside={
            <>
              <PaymentCard order={order} payments={payments} />
              <ParcelCard order={order} />
              <HistoryCard order={order} />
            </>
          }
        >
          <LinesCard order={order} />
          <DeliveryCard order={order} />
        </WithAside>
      </>
    ),
  };
}

function titleOf(order: OrderDetails): string {
  const { orderNumber } = order;
  switch (groupOf(order)) {
    case 'to_pay':
      return `${orderNumber} waits for payment`;
    case 'processing':
      return `${orderNumber} is being paid`;
    case 'paid':
      return `${orderNumber} is paid and will be shipped`;
    case 'shipped':
      return `${orderNumber} is on its way`;
    case 'delivered':
      return `${orderNumber} was delivered`;
    case 'cancelled':
      return `${orderNumber} is cancelled`;
  }
}

const Lead = ({ order }: Pick<Props, 'order'>) => (
  <>
    {order.storeOrderId === null ? 'Placed' : `Your ${order.storeOrderId}, placed`}{' '}
    <When at={order.placedAt} />
    {groupOf(order) === 'to_pay' && (
      <>
        , <Due at={order.paymentDueAt} />
      </>
    )}
    {order.status === 'cancelled' && `: ${cancelledBecause(order.cancelReason)}`}.
  </>
);

const Actions = ({ order, balance }: Pick<Props, 'order' | 'balance'>) => (
  <>
    <ButtonLink href={`${orderPath(order.orderNumber)}/cancel`} kind="danger">
      Cancel order
    </ButtonLink>
    <PayOrder order={order} balance={balance} />
  </>
);

/** Pays at once if the wallet has enough; otherwise leads to the review page. */
const PayOrder = ({ order: { orderNumber, total, currency }, balance }: Pick<Props, 'order' | 'balance'>) => {
  const money = formatMoney(total, currency);
  if (balance < total)
    return (
      <ButtonLink href={reviewPath([orderNumber])} kind="primary">
        Review and pay · {money}
      </ButtonLink>
    );
  return (
    <Form action={PAY} hidden={{ order: orderNumber, total: String(total), balance: String(balance) }} bare>
      <Button kind="primary">Pay from wallet · {money}</Button>
    </Form>
  );
};

/** Asks for confirmation: a cancelled order cannot be restored. */
export function cancelPage(order: OrderDetails): Page {
  const { orderNumber, customerName } = order;
  const back = { href: orderPath(orderNumber), text: orderNumber };
  if (!isPayable(order))
    return {
      title: `${orderNumber} cannot be cancelled here`,
      back,
      content: (
        <Card>
          <Empty action={<ButtonLink href={back.href}>Back to the order</ButtonLink>}>
            <p>You can cancel only unpaid orders. To cancel a paid order, ask the wholesaler.</p>
          </Empty>
        </Card>
      ),
    };
  return {
    title: `Cancel ${orderNumber}?`,
    lead: `The order of ${customerName} will not be shipped, and its stock is released at once. This cannot be undone.`,
    back,
    content: (
      <Form action={`${back.href}/cancel`} bare>
        <div class="actions">
          <ButtonLink href={back.href}>Keep the order</ButtonLink>
          <Button kind="danger">Cancel the order</Button>
        </div>
      </Form>
    ),
  };
}
