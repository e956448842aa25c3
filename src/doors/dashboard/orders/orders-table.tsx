import type { ListedOrder } from '../../../orders/view/client-order.mapper.js';
import { isPayable } from '../../../orders/rules/order-group.js';
import { ChooseRow } from '../../../pages/components/choose.js';
import { Money, When } from '../../../pages/components/values.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { orderPath } from '../paths.js';
import { Meaning, OrderState } from './order-words.js';

type OrderColumn = Column<ListedOrder>;

export const ORDER: OrderColumn = {
  heading: 'Order',
  as: 'title',
  nowrap: true,
  cell: ({ orderNumber, storeOrderId }) => (
    <>
      <a href={orderPath(orderNumber)}>{orderNumber}</a>
      {storeOrderId !== null && <small>{storeOrderId}</small>}
    </>
  ),
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
    <>
      <When at={order.placedAt} />
      <small>
        <Meaning order={order} />
      </small>
    </>
  ),
};

export const SHIPPED: OrderColumn = {
  heading: 'Shipped',
  as: 'line',
  cell: ({ shippedAt, courier }) => (
    <>
      {shippedAt && <When at={shippedAt} />}
      <small>by {courier}</small>
    </>
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

const choice = (form: string): OrderColumn => ({
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

const USUAL = [ORDER, CUSTOMER, PLACED, STATE, TOTAL];

interface Props {
  caption: string;
  orders: readonly ListedOrder[];
  columns?: OrderColumn[];
  /** The form by which those are paid that are chosen; without one none can be. */
  payForm?: string;
}

export const OrdersTable = ({ caption, orders, columns = USUAL, payForm }: Props) => (
  <Table
    caption={caption}
    columns={payForm === undefined ? columns : [choice(payForm), ...columns]}
    rows={orders}
  />
);
