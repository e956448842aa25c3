import {
  groupOf,
  isPayable,
  type OrderGroup,
  redirectRefusal,
} from '../../../orders/rules/order-transitions.js';
import type { DocumentListed } from '../../../invoices/tax-documents.repository.js';
import type { DeedBy, OrderDetails } from '../../../orders/records/client-order.mapper.js';
import { Button, ButtonLink, ConfirmForm, FormCard } from '../../../pages/components/controls.js';
import { Card, Empty, Notice, WithAside } from '../../../pages/components/layout.js';
import { When } from '../../../pages/components/values.js';
import { formatMoney, lookAgain } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import { PayForm } from '../paying/review-page.js';
import { Wholesaler } from '../home/help-page.js';
import {
  DOCUMENT_PATHS,
  deliveryPath,
  orderPath,
  ORDERS,
  paymentPath,
  returnPath,
  reviewPath,
} from '../paths.js';
import {
  cancelledBecause,
  DeliveryCard,
  Due,
  HistoryCard,
  LinesCard,
  ParcelCards,
  PaymentCard,
  ReturnCards,
  ThroughGateway,
} from '../../shared/order-cards.js';
import { DocumentLink, DocumentsCard } from '../../shared/documents-page.js';
import { DeliveryFields } from '../../shared/order-forms.js';
import { isReturnable } from './after-sale.js';

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
              <PaymentCard
                order={order}
                wallet="your wallet"
                payments={
                  payments.length > 0 &&
                  payments.map((payment) => (
                    <ThroughGateway payment={payment} path={paymentPath(payment.paymentId)} />
                  ))
                }
                documents={documents}
                linkTo={(document) => <DocumentLink paths={DOCUMENT_PATHS} document={document} />}
              />
              <DocumentsCard paths={DOCUMENT_PATHS} documents={documents} />
              <ParcelCards order={order} />
              <HistoryCard order={order} byWords={byWords} />
            </>
          }
        >
          <LinesCard order={order} />
          <DeliveryCard
            order={order}
            actions={
              mayPay &&
              redirectRefusal(order) === undefined && (
                <ButtonLink href={deliveryPath(order.orderNumber)}>Change</ButtonLink>
              )
            }
          />
          <ReturnCards order={order} />
        </WithAside>
      </>
    ),
  };
}

const AUTHORS: Record<Exclude<DeedBy['by'], 'person'>, string> = {
  store: 'by your store',
  'auto-pay': 'by auto-pay',
  gateway: 'by gateway payment',
  service: 'automatically',
  wholesaler: 'by the wholesaler',
};

function byWords(deed: DeedBy): string {
  return deed.by === 'person' ? `by ${deed.email}` : AUTHORS[deed.by];
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
      <FormCard
        action={deliveryPath(order.orderNumber)}
        hidden={{ corrections: String(order.corrections.length) }}
      >
        <DeliveryFields order={order} />
        <Button kind="primary">Save</Button>
      </FormCard>
    ),
  };
}
