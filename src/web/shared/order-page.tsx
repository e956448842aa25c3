import type { ComponentChildren } from 'preact';
import type { DocumentListed } from '../../modules/invoices/tax-documents.repository.js';
import type { Payment } from '../../modules/orders/entities/payment.entity.js';
import type { OrderDetails } from '../../modules/orders/records/client-order.mapper.js';
import { groupOf, type OrderGroup } from '../../modules/orders/rules/order-transitions.js';
import { WithAside } from '../../shared/ui/components/layout.js';
import { When } from '../../shared/ui/components/values.js';
import type { Page } from '../../shared/ui/page.js';
import { DocumentsCard } from './documents-page.js';
import {
  cancelledBecause,
  DeliveryCard,
  Due,
  HistoryCard,
  LinesCard,
  type OrderDoor,
  type ParcelActions,
  ParcelCards,
  PaymentCard,
  ReturnCards,
} from './order-cards.js';

interface Props<Deed extends object> extends ParcelActions {
  door: OrderDoor<Deed>;
  order: OrderDetails<Deed>;
  /** Gateway payments, newest first. */
  payments: readonly Payment[];
  /** Invoices and notes, oldest first. */
  documents: readonly DocumentListed[];
  /** A packer sees no amounts. */
  hidesAmounts?: boolean;
  /** The beginning of the lead, before the time of the order. */
  what: ComponentChildren;
  /** Further text of the lead. */
  more?: ComponentChildren;
  actions?: ComponentChildren;
  deliveryActions?: ComponentChildren;
  /** A notice above the cards. */
  notice?: ComponentChildren;
}

const TITLES: Record<Exclude<OrderGroup, 'paid' | 'cancelled'>, string> = {
  to_pay: 'waits for payment',
  processing: 'is being paid',
  shipped: 'is on its way',
  delivered: 'was delivered',
};

export function orderPage<Deed extends object>(props: Props<Deed>): Page {
  const { door, order, documents, hidesAmounts = false, notice, actions } = props;
  const group = groupOf(order);
  const isPartly = order.status === 'pending' && order.parcels.length > 0;
  return {
    title: `${order.orderNumber} ${isPartly ? 'is partly shipped' : { ...TITLES, ...door.titles }[group]}`,
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
              {!hidesAmounts && <PaymentCard {...props} />}
              {!hidesAmounts && <DocumentsCard paths={door.documents} documents={documents} />}
              <ParcelCards {...props} />
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
