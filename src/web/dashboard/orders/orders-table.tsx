import type { ClientOrderRow } from '../../../modules/orders/records/order-record.js';
import { describeGoods } from '../../../modules/orders/rules/goods-state.js';
import { groupOf, isPayable } from '../../../modules/orders/rules/order-transitions.js';
import { RowCheckbox } from '../../../shared/ui/components/controls.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import type { ListColumn } from '../../../shared/ui/components/lists.js';
import { Money, NameWithDetail, RelativeTime } from '../../../shared/ui/components/values.js';
import {
  cancelReasonText,
  isPartlyShipped,
  orderColumn,
  PaymentDue,
  OrderState,
} from '../../shared/order-cards.js';
import { orderPath, paymentPath } from '../paths.js';

export type OrderColumn = ListColumn<ClientOrderRow>;

export const ORDER: OrderColumn = orderColumn(
  ({ orderNumber, storeOrderId }) => [orderNumber, storeOrderId],
  orderPath,
);

export const CUSTOMER: OrderColumn = {
  heading: 'Customer',
  as: 'line',
  cell: ({ customerName, shippingCity }) => `${customerName}, ${shippingCity}`,
};

/** For a client with several stores. Orders of people have none. */
export const DOMAIN: OrderColumn = { heading: 'Domain', as: 'line', cell: ({ domain }) => domain ?? '' };

export const PLACED: OrderColumn = {
  heading: 'Placed',
  as: 'line',
  cell: (order) => (
    <NameWithDetail detail={<StateDetail order={order} />}>
      <RelativeTime at={order.placedAt} />
    </NameWithDetail>
  ),
};

export const SHIPPED: OrderColumn = {
  heading: 'Shipped',
  as: 'line',
  cell: ({ shippedAt, courier }) => (
    <NameWithDetail detail={`by ${courier}`}>
      <RelativeTime at={shippedAt} />
    </NameWithDetail>
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
  cell: ({ total, currency }) => <Money minor={minorFromNumeric(total)} currency={currency} />,
};

/** The checkbox of an unpaid order, in the form that pays the selected orders. */
export const selectColumn = (form: string): OrderColumn => ({
  heading: '',
  as: 'choice',
  cell: (order) =>
    isPayable(order) && (
      <RowCheckbox
        name="order"
        value={order.orderNumber}
        label={`Choose order ${order.orderNumber}`}
        minor={minorFromNumeric(order.total)}
        form={form}
      />
    ),
});

export const ORDER_LIST_COLUMNS = [ORDER, CUSTOMER, PLACED, STATE, TOTAL];

/** The detail below the state. */
const StateDetail = ({ order }: { order: ClientOrderRow }) => {
  switch (groupOf(order)) {
    case 'to_pay':
      return <PaymentDue at={order.paymentDueAt} />;
    case 'processing':
      return <a href={paymentPath(order.openPayment!)}>see the payment</a>;
    case 'paid':
      return isPartlyShipped(order) ? <>{partWords(order)}</> : <>will be shipped</>;
    case 'shipped':
    case 'not_arriving':
      return (
        <>
          shipped <RelativeTime at={order.shippedAt} /> by {order.courier}
        </>
      );
    case 'delivered':
      return (
        <>
          delivered <RelativeTime at={order.deliveredAt} />
        </>
      );
    case 'cancelled':
      return <>{cancelReasonText(order.cancelReason)}</>;
  }
};

/** The rest waits to be shipped. */
const partWords = ({ goodsState }: ClientOrderRow) =>
  goodsState === null ? 'a parcel is on its way' : `what left ${describeGoods(goodsState)}`;
