import { amountFromNumeric, amountFromMinor } from '../../../platform/money/money.js';
import type { OrderDeliveryResponse } from '../placing/placing.responses.js';
import type { DocumentResponse } from '../../invoices/document.responses.js';
import type {
  OrderDetailsResponse,
  OrderItemResponse,
  OrderedItemResponse,
  OrderStatusResponse,
  OrderSummaryResponse,
  ReturnResponse,
  TrackingResponse,
} from '../order.responses.js';
import { metadataField } from '../rules/order-metadata.js';
import { withWarnings } from '../rules/pincode-of-state.js';
import { isReceived } from '../rules/return-request.js';
import { type DeliveryName, nest } from '../rules/order-fields.js';
import { cancelledUnits } from '../rules/order-units.js';
import {
  type ParcelDetails,
  parcelsOf,
  type RefundDetails,
  refundsOf,
  type ReturnDetails,
  returnsOf,
} from './order-details.js';
import type {
  ItemRecord,
  OrderRecord,
  StoreOrder,
  StoreOrderDetails,
  StoreOrderRow,
} from './order-record.js';

// The store sees only the fields that are named here.

export function toOrderStatus(order: StoreOrder): OrderStatusResponse {
  return {
    success: true,
    ...toHead(order),
    tracking: toTracking(order),
    timeline: order.timeline.map(({ status, changedAt }) => ({
      status,
      changed_at: new Date(changedAt).toISOString(),
    })),
    items: toOrderedItems(order),
    created_at: order.placedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    shipments: parcelsOf(order).map((one) => ({ ...toParcel(one), parcel: one.parcel, lines: one.lines })),
    returns: returnsOf(order).map((one) => toReturn(toReturnFacts(one))),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
    ...metadataField(order),
  };
}

/** The whole order for its store, with its documents. */
export function toStoreOrderDetails(
  order: StoreOrderDetails,
  documents: DocumentResponse[],
): OrderDetailsResponse {
  return {
    ...toOrderStatus(order),
    subtotal: amountFromNumeric(order.subtotal),
    delivery: amountFromNumeric(order.delivery),
    ...nest(order),
    refunds: refundsOf(order).map((one) => ({
      ...toRefund(one),
      delivery: amountFromMinor(one.delivery),
      lines: one.lines.map(({ line, refunded, amount }) => ({
        line,
        quantity: refunded,
        amount: amountFromMinor(amount),
      })),
      documents: documents.filter(({ refund }) => refund === one.refund).map(({ number }) => number),
    })),
    documents,
  };
}

export function toRefund(one: RefundDetails) {
  return {
    refund: one.refund,
    kind: one.kind,
    amount: amountFromMinor(one.amount),
    reason: one.reason,
    return_number: one.returnNumber,
    takes_back: one.takesBack,
    refunded_at: one.refundedAt.toISOString(),
  };
}

/** A return with all that a program of the wholesaler sees. */
export function toReturnFacts(one: ReturnDetails) {
  return {
    number: one.returnNumber,
    store_return_id: one.storeReturnId,
    state: one.state,
    reason: one.reason,
    note: one.note,
    requested_at: one.requestedAt,
    by: one.actor,
    accepted_at: one.acceptedAt,
    send_to: one.sendTo,
    send_by: one.sendBy,
    decided_at: one.decidedAt,
    decision: one.decision,
    refunded: amountFromMinor(one.refunded),
    lines: one.lines.map((line) => ({ ...line, refunded: amountFromMinor(line.refunded) })),
  };
}

export type ReturnFacts = Omit<ReturnType<typeof toReturnFacts>, 'by'>;

export function toReturn({ number, store_return_id: id, state, ...rest }: ReturnFacts): ReturnResponse {
  return {
    number,
    ...(id !== null && { store_return_id: id }),
    state,
    reason: rest.reason,
    ...(rest.accepted_at !== null && {
      accepted_at: rest.accepted_at.toISOString(),
      send_to: rest.send_to!,
      send_by: rest.send_by!,
    }),
    lines: rest.lines.map(({ line, quantity, received, restocked, refunded }) => ({
      line,
      quantity,
      received,
      restocked,
      written_off: (received ?? 0) - restocked,
      refunded_amount: refunded,
    })),
    refunded: rest.refunded,
    ...(state === 'refused' && rest.decision !== null && { refusal_reason: rest.decision }),
    ...(isReceived(state) && rest.decision !== null && { answer: rest.decision }),
  };
}

export function toOrderDelivery(
  order: Pick<OrderRecord, 'orderNumber' | 'storeOrderId' | 'status' | DeliveryName>,
): OrderDeliveryResponse {
  const { customer, shipping } = nest({ ...order, customerEmail: undefined, notes: undefined });
  const { name, phone } = customer;
  const answer = {
    success: true,
    order_number: order.orderNumber,
    store_order_id: order.storeOrderId,
    status: order.status,
    customer: { name, phone },
    shipping,
  } as const;
  return withWarnings(answer, shipping);
}

export function toOrderSummary(order: StoreOrderRow): OrderSummaryResponse {
  return {
    ...toHead(order),
    items_count: order.itemsCount,
    tracking: toTracking(order),
    created_at: order.placedAt.toISOString(),
    status_changed_at: order.statusChangedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
    ...metadataField(order),
  };
}

function toHead(order: StoreOrder | StoreOrderRow) {
  return {
    order_number: order.orderNumber,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    total_amount: amountFromNumeric(order.total),
    refunded_amount: amountFromNumeric(order.refundedAmount),
    currency: order.currency,
  };
}

export function toOrderedItems({
  status,
  items,
}: Pick<OrderRecord, 'status' | 'items'>): OrderedItemResponse[] {
  return items.map((item) => ({
    line: item.line,
    ...toOrderItem(item),
    shipped: item.shipped,
    cancelled: cancelledUnits(item, status),
    refunded: item.refunded,
    returned: item.returned,
    ...metadataField(item),
  }));
}

/** A stored line as it was understood. */
export function toOrderItem(item: ItemRecord): OrderItemResponse {
  return {
    sku: item.sku,
    name: item.name,
    variation: item.variationKey || item.remark,
    quantity: item.quantity,
    unit_price: amountFromNumeric(item.unitPrice),
    line_total: amountFromNumeric(item.lineTotal),
  };
}

type TrackingFields = 'courier' | 'trackingNumber' | 'trackingUrl' | 'shippedAt';

export const toParcel = (one: Pick<ParcelDetails, TrackingFields | 'deliveredAt'>) => ({
  courier: one.courier,
  tracking_number: one.trackingNumber,
  tracking_url: one.trackingUrl,
  shipped_at: one.shippedAt.toISOString(),
  delivered_at: one.deliveredAt?.toISOString() ?? null,
});

/** Null until shipped. */
export function toTracking(order: Pick<OrderRecord, TrackingFields>): TrackingResponse | null {
  const { courier, trackingNumber, trackingUrl, shippedAt } = order;
  if (shippedAt === null || courier === null) return null;
  return {
    courier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
    shipped_at: shippedAt.toISOString(),
  };
}
