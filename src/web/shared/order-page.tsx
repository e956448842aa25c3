import type { ComponentChildren } from 'preact';
import type { TaxDocumentRow } from '../../modules/invoices/tax-documents.repository.js';
import type { OrderPayment } from '../../modules/payments/payment-history.repository.js';
import type { OrderDetails } from '../../modules/orders/records/order-details.js';
import { groupOf, type OrderGroup } from '../../modules/orders/rules/order-transitions.js';
import { describeGoods } from '../../modules/orders/rules/goods-state.js';
import { WithAside } from '../../shared/ui/components/layout.js';
import { RelativeTime } from '../../shared/ui/components/values.js';
import type { Page } from '../../shared/ui/page.js';
import { DocumentsCard } from './documents-page.js';
import {
  cancelReasonText,
  DeliveryCard,
  PaymentDue,
  HistoryCard,
  isPartlyShipped,
  LinesCard,
  type OrderPageOptions,
  type ParcelActions,
  ParcelCards,
  PaymentCard,
  type ReturnActions,
  ReturnCards,
} from './order-cards.js';

export interface OrderPageProps<Action extends object> extends ParcelActions, ReturnActions {
  options: OrderPageOptions<Action>;
  order: OrderDetails<Action>;
  /** Gateway payments, newest first. */
  payments: readonly OrderPayment[];
  /** Invoices and notes, oldest first. */
  documents: readonly TaxDocumentRow[];
  /** Follows a document. */
  documentDetail?: (document: TaxDocumentRow) => ComponentChildren;
  /** A packer sees no amounts. */
  hidesAmounts?: boolean;
  /** Follows the names of prices. */
  priceNote?: string | undefined;
  /** The beginning of the lead, before the time of the order. */
  placedText: ComponentChildren;
  /** Further text of the lead. */
  leadDetail?: ComponentChildren;
  actions?: ComponentChildren;
  deliveryActions?: ComponentChildren;
  /** A notice above the cards. */
  notice?: ComponentChildren;
}

const TITLES: Record<Exclude<OrderGroup, 'paid' | 'not_arriving' | 'cancelled'>, string> = {
  to_pay: 'waits for payment',
  processing: 'is being paid',
  shipped: 'is on its way',
  delivered: 'was delivered',
};

export function orderPage<Action extends object>(props: OrderPageProps<Action>): Page {
  const { options, order, documents, hidesAmounts = false, notice, actions } = props;
  const group = groupOf(order);
  const stated = isPartlyShipped(order)
    ? 'is partly shipped'
    : { ...TITLES, ...options.titles, not_arriving: describeGoods(order.goodsState) }[group];
  return {
    title: `${order.orderNumber} ${stated}`,
    lead: (
      <>
        {props.placedText} <RelativeTime at={order.placedAt} />
        {group === 'to_pay' && (
          <>
            , <PaymentDue at={order.paymentDueAt} />
          </>
        )}
        {props.leadDetail}
        {group === 'cancelled' && `: ${cancelReasonText(order.cancelReason)}`}.
      </>
    ),
    back: { href: options.orders, text: 'Orders' },
    actions,
    content: (
      <>
        {notice}
        <WithAside
          aside={
            <>
              {!hidesAmounts && <PaymentCard {...props} />}
              {!hidesAmounts && (
                <DocumentsCard paths={options.documents} documents={documents} more={props.documentDetail} />
              )}
              <ParcelCards {...props} />
              <HistoryCard order={order} describeActor={options.describeActor} hidesAmounts={hidesAmounts} />
            </>
          }
        >
          <LinesCard order={order} hidesAmounts={hidesAmounts} priceNote={props.priceNote} />
          <DeliveryCard
            order={order}
            pathOf={hidesAmounts ? undefined : options.order}
            actions={props.deliveryActions}
          />
          <ReturnCards {...props} pathOf={options.returned} />
        </WithAside>
      </>
    ),
  };
}
