import {
  groupOf,
  isPayable,
  type OrderGroup,
  redirectRefusal,
} from '../../../orders/rules/order-transitions.js';
import type { DocumentListed } from '../../../invoices/tax-documents.repository.js';
import { ORDER_LIMITS } from '../../../orders/placing/create-order.request.js';
import type { OrderDetails } from '../../../orders/view/client-order.mapper.js';
import { Button, ButtonLink, ConfirmForm, Field, Form } from '../../../pages/components/controls.js';
import { Card, Empty, Notice, WithAside } from '../../../pages/components/layout.js';
import { When } from '../../../pages/components/values.js';
import { formatMoney, lookAgain } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import { PayForm } from '../paying/review-page.js';
import { Wholesaler } from '../home/help-page.js';
import { deliveryPath, orderPath, ORDERS, paymentPath, returnPath, reviewPath } from '../paths.js';
import { isReturnable, ParcelCards, ReturnCards } from './after-sale.js';
import { DocumentsCard } from '../invoices/invoices-page.js';
import { DeliveryCard, HistoryCard, LinesCard, PaymentCard } from './order-cards.js';
import { cancelledBecause, Due } from './orders-table.js';

interface Props {
  order: OrderDetails;
  /** Gateway payments, newest first. */
  payments: Payment[];
  /** Invoices and credit notes, oldest first. */
  documents: DocumentListed[];
  /** What the wallet holds beyond its reserved part. */
  available: Minor;
  mayPay: boolean;
}

export function orderPage({ order, payments, documents, available, mayPay }: Props): Page {
  const underway = payments.find(({ status }) => isUnderway(status));
  return {
    title: `${order.orderNumber} ${isPartlyShipped(order) ? 'has left in part' : TITLES[groupOf(order)]}`,
    lead: <Lead order={order} />,
    back: { href: ORDERS, text: 'Orders' },
    actions: mayPay && <Actions order={order} available={available} />,
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
              <PaymentCard order={order} payments={payments} documents={documents} />
              <DocumentsCard documents={documents} />
              <ParcelCards order={order} />
              <HistoryCard order={order} />
            </>
          }
        >
          <LinesCard order={order} />
          <DeliveryCard order={order} mayChange={mayPay && redirectRefusal(order) === undefined} />
          <ReturnCards order={order} />
        </WithAside>
      </>
    ),
  };
}

const isPartlyShipped = ({ status, parcels }: OrderDetails) => status === 'pending' && parcels.length > 0;

const TITLES: Record<OrderGroup, string> = {
  to_pay: 'waits for payment',
  processing: 'is being paid',
  paid: 'is paid and will be shipped',
  shipped: 'is on its way',
  delivered: 'was delivered',
  cancelled: 'is cancelled',
};

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

const Actions = ({ order, available }: Pick<Props, 'order' | 'available'>) => (
  <>
    {groupOf(order) === 'to_pay' && (
      <>
        <ButtonLink href={`${orderPath(order.orderNumber)}/cancel`} kind="danger">
          Cancel order
        </ButtonLink>
        <PayOrder order={order} available={available} />
      </>
    )}
    {isReturnable(order) && <ButtonLink href={returnPath(order.orderNumber)}>Return items</ButtonLink>}
  </>
);

/** Pays at once if the wallet has enough; otherwise leads to the review page. */
const PayOrder = ({ order, available }: Pick<Props, 'order' | 'available'>) => {
  const { orderNumber, total, currency } = order;
  const money = formatMoney(total, currency);
  if (available < total)
    return (
      <ButtonLink href={reviewPath([orderNumber], orderPath(orderNumber))} kind="primary">
        Review and pay · {money}
      </ButtonLink>
    );
  return (
    <PayForm orders={[order]} total={total} balance={available} back={orderPath(orderNumber)} bare>
      <Button kind="primary">Pay from wallet · {money}</Button>
    </PayForm>
  );
};

export function cancelPage(order: OrderDetails): Page {
  const { orderNumber, customerName } = order;
  const back = { href: orderPath(orderNumber), text: orderNumber };
  if (!isPayable(order))
    return {
      title: `${orderNumber} cannot be cancelled here`,
      back,
      content: (
        <Card>
          <Empty next={{ href: back.href, text: 'Back to the order' }}>
            <p>
              You can cancel only unpaid orders. To cancel a paid order, ask <Wholesaler />.
            </p>
          </Empty>
        </Card>
      ),
    };
  return {
    title: `Cancel ${orderNumber}?`,
    lead: `The order of ${customerName} will not be shipped. Its stock is released. This cannot be undone.`,
    back,
    content: (
      <ConfirmForm
        action={`${back.href}/cancel`}
        confirm="Cancel the order"
        keep={{ href: back.href, text: 'Keep the order' }}
      />
    ),
  };
}

/** The fields of a delivery, with the longest text that an order takes. */
const FIELDS = [
  { name: 'name', label: 'Name', of: 'customerName', maxlength: ORDER_LIMITS.name },
  { name: 'phone', label: 'Phone', of: 'customerPhone', maxlength: ORDER_LIMITS.phone, type: 'tel' },
  { name: 'address', label: 'Address', of: 'shippingAddress', maxlength: ORDER_LIMITS.longText },
  { name: 'city', label: 'City', of: 'shippingCity', maxlength: ORDER_LIMITS.name },
  { name: 'state', label: 'State', of: 'shippingState', maxlength: ORDER_LIMITS.name },
  { name: 'pincode', label: 'PIN code', of: 'shippingPincode', maxlength: 12 },
  { name: 'country', label: 'Country', of: 'shippingCountry', maxlength: ORDER_LIMITS.name },
] as const;

export function deliveryPage(order: OrderDetails): Page {
  const back = { href: orderPath(order.orderNumber), text: order.orderNumber };
  const refusal = redirectRefusal(order);
  if (refusal !== undefined)
    return {
      title: `The delivery of ${order.orderNumber} cannot be changed here`,
      back,
      content: (
        <Card>
          <Empty next={{ href: back.href, text: 'Back to the order' }}>
            <p>
              {refusal}
              {order.status === 'pending' && (
                <>
                  {' '}
                  To change the delivery, ask <Wholesaler />.
                </>
              )}
            </p>
          </Empty>
        </Card>
      ),
    };
  return {
    title: `Change the delivery of ${order.orderNumber}`,
    lead: 'You can change it until the order is packed. The history of the order keeps the old values.',
    back,
    content: (
      <Card>
        <Form
          action={deliveryPath(order.orderNumber)}
          hidden={{ corrections: String(order.corrections.length) }}
        >
          {FIELDS.map(({ of, ...field }) => (
            <Field {...field} value={order[of]} required autocomplete="off" />
          ))}
          <Button kind="primary">Save</Button>
        </Form>
      </Card>
    ),
  };
}
