import type { DocumentListed } from '../../../invoices/tax-documents.repository.js';
import type { DeskOrderPage } from '../../../orders/records/order-desk.service.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { groupOf, type OrderGroup } from '../../../orders/rules/order-transitions.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { Notice, WithAside } from '../../../pages/components/layout.js';
import { When } from '../../../pages/components/values.js';
import { dayOf } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import { DocumentLink, DocumentsCard } from '../../shared/documents-page.js';
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
import { authorWords } from '../author-words.js';
import { clientPath, DOCUMENT_PATHS, ORDERS, orderPath, packingPath, returnPath } from '../paths.js';
import { ACTIONS, type ActionName } from './order-actions.js';
import { Late } from './orders-page.js';

interface Props {
  order: DeskOrderPage;
  /** Gateway payments, newest first. */
  payments: readonly Payment[];
  /** Invoices and credit notes, oldest first. */
  documents: readonly DocumentListed[];
  isStaff: boolean;
}

const TITLES: Record<OrderGroup, string> = {
  to_pay: 'waits for payment',
  processing: 'is being paid',
  paid: 'is paid and can be shipped',
  shipped: 'is on its way',
  delivered: 'was delivered',
  cancelled: 'is cancelled: do not ship it',
};

/** One order with everything. Packers see no amounts. */
export function deskOrderPage({ order, payments, documents, isStaff }: Props): Page {
  const { orderNumber, status, parcels } = order;
  const offered = (name: ActionName) =>
    (isStaff || ACTIONS[name].role === 'packer') && ACTIONS[name].isOffered(order);
  const kindOf = (name: ActionName) => {
    if (ACTIONS[name].isDanger) return 'danger';
    return name === (status === 'pending' ? 'ship' : 'deliver') ? 'primary' : 'plain';
  };
  const button = (name: ActionName, query?: Record<string, string>) =>
    offered(name) && (
      <ButtonLink
        href={withQuery(`${orderPath(orderNumber)}/${name}`, query ?? {})}
        kind={query ? 'plain' : kindOf(name)}
      >
        {ACTIONS[name].name}
      </ButtonLink>
    );
  const left = status === 'pending' && parcels.length > 0 ? 'has left in part' : TITLES[groupOf(order)];
  return {
    title: `${orderNumber} ${left}`,
    lead: <Lead order={order} isStaff={isStaff} />,
    back: { href: ORDERS, text: 'Orders' },
    actions: (
      <>
        {button('cancel')}
        {button('refund')}
        {button('return')}
        {button('box')}
        {button('deliver')}
        {button('ship')}
      </>
    ),
    content: (
      <>
        {status === 'pending' && order.packingList !== null && (
          <Notice kind="info">
            It is on <a href={packingPath(order.packingList)}>packing list {order.packingList}</a>. A change
            of its lines or its address needs a new slip.
          </Notice>
        )}
        <WithAside
          aside={
            <>
              {isStaff && (
                <>
                  <PaymentCard
                    order={order}
                    wallet="the client’s wallet"
                    payments={
                      payments.length > 0 && payments.map((payment) => <ThroughGateway payment={payment} />)
                    }
                    documents={documents}
                    linkTo={(document) => <DocumentLink paths={DOCUMENT_PATHS} document={document} />}
                    byWords={authorWords}
                  />
                  <DocumentsCard paths={DOCUMENT_PATHS} documents={documents} />
                </>
              )}
              <ParcelCards
                order={order}
                actionsOf={(parcel, isOnItsWay) => (
                  <>
                    {button('correct', { parcel: String(parcel) })}
                    {isOnItsWay && parcels.length > 1 && button('deliver', { parcel: String(parcel) })}
                  </>
                )}
              />
              <HistoryCard order={order} byWords={({ actor }) => authorWords(actor)} />
            </>
          }
        >
          <LinesCard order={order} hidesAmounts={!isStaff} />
          <DeliveryCard order={order} actions={button('delivery')} />
          <ReturnCards order={order} pathOf={returnPath} hidesAmounts={!isStaff} />
        </WithAside>
      </>
    ),
  };
}

const Lead = ({ order, isStaff }: Pick<Props, 'order' | 'isStaff'>) => (
  <>
    {order.storeOrderId === null ? 'An order' : `Order ${order.storeOrderId}`} of{' '}
    {isStaff ? <a href={clientPath(order.clientId)}>{order.client}</a> : order.client}, placed{' '}
    <When at={order.placedAt} />
    {groupOf(order) === 'to_pay' && (
      <>
        , <Due at={order.paymentDueAt} />
      </>
    )}
    {order.shipBy && (
      <>
        , to ship by {dayOf(Date.parse(order.shipBy.day), 'UTC')}
        {order.shipBy.daysLate > 0 && (
          <>
            {' '}
            <Late days={order.shipBy.daysLate} />
          </>
        )}
      </>
    )}
    {order.status === 'cancelled' && `: ${cancelledBecause(order.cancelReason)}`}
    {order.packingList !== null && order.status !== 'pending' && (
      <>
        , on <a href={packingPath(order.packingList)}>packing list {order.packingList}</a>
      </>
    )}
    .
  </>
);
