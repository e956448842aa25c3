import type { ListedOrder } from '../../../orders/browsing/listed-order.js';
import { ChooseRow } from '../../../pages/components/choose.js';
import { Money } from '../../../pages/components/money.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { When } from '../../../pages/components/when.js';
import { orderPath } from '../paths.js';
import { isPayable, Meaning, OrderState } from './order-words.js';

interface Props {
  caption: string;
  orders: readonly ListedOrder[];
  /** The form by which those are paid that are chosen; without one none can be. */
  payForm?: string;
}

export const OrdersTable = ({ caption, orders, payForm }: Props) => (
  <Table
    caption={caption}
    columns={payForm === undefined ? COLUMNS : [choice(payForm), ...COLUMNS]}
    rows={orders}
  />
);

const choice = (form: string): Column<ListedOrder> => ({
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

const COLUMNS: readonly Column<ListedOrder>[] = [
  {
    heading: 'Order',
    as: 'title',
    cell: ({ orderNumber, storeOrderId }) => (
      <>
        <a href={orderPath(orderNumber)}>{orderNumber}</a>
        {storeOrderId !== null && <small>{storeOrderId}</small>}
      </>
    ),
  },
  {
    heading: 'Customer',
    as: 'line',
    cell: ({ customerName, shippingCity }) => `${customerName}, ${shippingCity}`,
  },
  {
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
  },
  { heading: 'Status', as: 'state', cell: (order) => <OrderState order={order} /> },
  {
    heading: 'Total',
    as: 'amount',
    align: 'end',
    cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
  },
];
