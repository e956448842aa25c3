import type { ListedOrder } from '../../../modules/orders/records/client-order.mapper.js';
import { groupOf, isPayable } from '../../../modules/orders/rules/order-transitions.js';
import { ChooseRow } from '../../../shared/ui/components/controls.js';
import { type Column, titles } from '../../../shared/ui/components/lists.js';
import { Money, Named, When } from '../../../shared/ui/components/values.js';
import { cancelledBecause, Due, OrderState } from '../../shared/order-cards.js';
import { orderPath, paymentPath } from '../paths.js';

export type OrderColumn = Column<ListedOrder>;

export const ORDER: OrderColumn = {
  ...titles('Order', ({ orderNumber, storeOrderId }) => ({
    text: orderNumber,
    href: orderPath(orderNumber),
    detail: storeOrderId,
  })),
  nowrap: true,
};

export const CUSTOMER: OrderColumn = {
  heading: 'Customer',
  as: 'line',
  cell: ({ customerName, shippingCity }) => `${customerName}, ${shippingCity}`,
};

export const PLACED: OrderColumn = {
  heading: 'Placed',
  as: 'line',
  cell: (order) => (
    <Named detail={<Meaning order={order} />}>
      <When at={order.placedAt} />
    </Named>
  ),
};

export const SHIPPED: OrderColumn = {
  heading: 'Shipped',
  as: 'line',
  cell: ({ shippedAt, courier }) => (
    <Named detail={`by ${courier}`}>
      <When at={shippedAt} />
    </Named>
  ),
};

export const STATE: OrderColumn = {
  heading: 'Status',
  as: 'state',
  cell: (order) => <OrderState order={order} />,
};

export const TOTAL: OrderColumn = {
  heading: 'Total',
  as: 'amount',
  align: 'end',
  cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
};

/** The checkbox of an unpaid order, in the form that pays the selected orders. */
export const choice = (form: string): OrderColumn => ({
  heading: '',
  as: 'choice',
  cell: (order) =>
    isPayable(order) && (
      <ChooseRow
        name="order"
        value={order.orderNumber}
        label={`Choose order ${order.orderNumber}`}
        minor={order.total}
        form={form}
      />
    ),
});

export const USUAL = [ORDER, CUSTOMER, PLACED, STATE, TOTAL];

/** The detail below the state. */
const Meaning = ({ order }: { order: ListedOrder }) => {
  switch (groupOf(order)) {
    case 'to_pay':
      return <Due at={order.paymentDueAt} />;
    case 'processing':
      return <a href={paymentPath(order.openPayment!)}>see the payment</a>;
    case 'paid':
      return <>will be shipped</>;
    case 'shipped':
      return (
        <>
          shipped <When at={order.shippedAt} /> by {order.courier}
        </>
      );
    case 'delivered':
      return (
        <>
          delivered <When at={order.deliveredAt} />
        </>
      );
    case 'cancelled':
      return <>{cancelledBecause(order.cancelReason)}</>;
  }
};
