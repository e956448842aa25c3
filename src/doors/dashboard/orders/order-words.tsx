import type { ListedOrder } from '../../../orders/view/client-order.mapper.js';
import { groupOf, type OrderGroup } from '../../../orders/rules/order-group.js';
import { type StateKind, StateLabel, When } from '../../../pages/components/values.js';
/** How each group of orders is called, above a list of them and in its filter. */
export const GROUP_NAMES: Record<OrderGroup, string> = {
  to_pay: 'Awaiting payment',
  processing: 'Being processed',
  paid: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

const KINDS: Record<OrderGroup, StateKind> = {
  to_pay: 'warn',
  processing: 'info',
  paid: 'accent',
  shipped: 'accent',
  delivered: 'quiet',
  cancelled: 'bad',
};

type StateOfOrder = Pick<ListedOrder, 'status' | 'isProcessing'>;

export const OrderState = ({ order }: { order: StateOfOrder }) => {
  const group = groupOf(order);
  return <StateLabel kind={KINDS[group]}>{GROUP_NAMES[group]}</StateLabel>;
};

/** What to know about it besides its state. */
export const Meaning = ({ order }: { order: ListedOrder }) => {
  switch (groupOf(order)) {
    case 'to_pay':
      return <Due at={order.paymentDueAt} />;
    case 'processing':
      return <>do not pay again</>;
    case 'paid':
      return <>will be shipped</>;
    case 'shipped':
      return (
        <>
          shipped {order.shippedAt && <When at={order.shippedAt} />} by {order.courier}
        </>
      );
    case 'delivered':
      return <>delivered {order.deliveredAt && <When at={order.deliveredAt} />}</>;
    case 'cancelled':
      return <>{cancelledBecause(order.cancelReason)}</>;
  }
};

/** Nobody is cut off to the second: an order that is overdue can be paid until it is cancelled. */
export const Due = ({ at }: { at: Date }) =>
  at.getTime() < Date.now() ? (
    <>overdue</>
  ) : (
    <>
      due <When at={at} />
    </>
  );

/** Reasons that we give ourselves are told in the words of people. */
export function cancelledBecause(reason: string | null): string {
  return reason === 'expired' ? 'not paid in time' : (reason ?? 'cancelled');
}
