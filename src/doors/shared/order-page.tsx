import type { ComponentChildren } from 'preact';
import type { DocumentListed } from '../../invoices/tax-documents.repository.js';
import type { Payment } from '../../orders/entities/payment.entity.js';
import type { OrderDetails } from '../../orders/records/client-order.mapper.js';
import { groupOf, type OrderGroup } from '../../orders/rules/order-transitions.js';
import { WithAside } from '../../pages/components/layout.js';
import { When } from '../../pages/components/values.js';
import type { Page } from '../../pages/page.js';
import { type DocumentPaths, DocumentLink, DocumentsCard } from './documents-page.js';
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
} from './order-cards.js';

/** What differs between the doors that show an order. */
export interface OrderDoor<Deed extends object> {
  orders: string;
  documents: DocumentPaths;
  /** Without them there are no links. */
  payment?: (paymentId: string) => string;
  returned?: (returnNumber: string) => string;
  /** "your wallet". */
  wallet: string;
  /** "by the wholesaler". */
  byWords: (deed: Deed) => string;
  /** The author of a refund, if the door shows it. */
  refundedBy?: (actor: string) => string;
  titles: Pick<Record<OrderGroup, string>, 'paid' | 'cancelled'>;
}

interface Props<Deed extends object> {
  door: OrderDoor<Deed>;
  order: OrderDetails<Deed>;
  /** Gateway payments, newest first. */
  payments: readonly Payment[];
  /** Invoices and notes, oldest first. */
  documents: readonly DocumentListed[];
  /** A packer sees no amounts. */
  hidesAmounts?: boolean;
  /** The beginning of the lead: what is placed. */
  what: ComponentChildren;
  /** Further words of the lead. */
  more?: ComponentChildren;
  actions?: ComponentChildren;
  deliveryActions?: ComponentChildren;
  parcelActions?: (parcel: number, isOnItsWay: boolean) => ComponentChildren;
  /** A notice above the cards. */
  notice?: ComponentChildren;
}

const TITLES: Record<Exclude<OrderGroup, 'paid' | 'cancelled'>, string> = {
  to_pay: 'waits for payment',
  processing: 'is being paid',
  shipped: 'is on its way',
  delivered: 'was delivered',
};

/** One order with everything. */
export function orderPage<Deed extends object>(props: Props<Deed>): Page {
  const { door, order, documents, hidesAmounts = false, notice, actions } = props;
  const group = groupOf(order);
  const isPartly = order.status === 'pending' && order.parcels.length > 0;
  return {
    title: `${order.orderNumber} ${isPartly ? 'has left in part' : { ...TITLES, ...door.titles }[group]}`,
    lead: (
      <>
        {props.what} <When at={order.placedAt} />
        {group === 'to_pay' && (
          <>
            , <Due at={order.paymentDueAt} />
          </>
        )}
        {props.more}
        {group === 'cancelled' && `: ${cancelledBecause(order.cancelReason)}`}.
      </>
    ),
    back: { href: door.orders, text: 'Orders' },
    actions,
    content: (
      <>
        {notice}
        <WithAside
          aside={
            <>
              {!hidesAmounts && <Payments {...props} />}
              {!hidesAmounts && <DocumentsCard paths={door.documents} documents={documents} />}
              <ParcelCards order={order} actionsOf={props.parcelActions} />
              <HistoryCard order={order} byWords={door.byWords} hidesAmounts={hidesAmounts} />
            </>
          }
        >
          <LinesCard order={order} hidesAmounts={hidesAmounts} />
          <DeliveryCard order={order} actions={props.deliveryActions} />
          <ReturnCards order={order} pathOf={door.returned} hidesAmounts={hidesAmounts} />
        </WithAside>
      </>
    ),
  };
}

function Payments<Deed extends object>({ door, order, payments, documents }: Props<Deed>) {
  return (
    <PaymentCard
      order={order}
      wallet={door.wallet}
      payments={
        payments.length > 0 &&
        payments.map((payment) => (
          <ThroughGateway payment={payment} path={door.payment?.(payment.paymentId)} />
        ))
      }
      documents={documents}
      linkTo={(document) => <DocumentLink paths={door.documents} document={document} />}
      byWords={door.refundedBy}
    />
  );
}
