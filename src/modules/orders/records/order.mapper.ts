import { amountFromNumeric, amountFromMinor } from '../../../platform/money/money.js';
import type { Order } from '../entities/order.entity.js';
import type { OrderDeliveryResponse } from '../placing/placing.responses.js';
import type { DocumentResponse } from '../../invoices/document.responses.js';
import type {
  OrderDetailsResponse,
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
  returnLinesInAmounts,
  parcelsOf,
  refundsOf,
  type RefundView,
  returnsOf,
  type ReturnView,
} from './after-sale.mapper.js';
import { toPreparedView } from './client-order.mapper.js';
import type { DESK_ORDER, OrderView, StoreOrderDetails, StoreOrderRow, StoreOrder } from './order-view.js';

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
    items: itemsOf(order),
    created_at: order.placedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    shipments: parcelsOf(order).map(({ parcel, lines, ...shipped }) => ({
      ...toParcel(shipped),
      parcel,
      lines,
    })),
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

function toRefund(one: RefundView) {
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

export type ReturnFacts = Pick<ReturnResponse, 'number' | 'state' | 'reason' | 'refunded'> & {
  store_return_id: string | null;
  accepted_at: Date | null;
  send_to: string | null;
  send_by: string | null;
  decision: string | null;
  lines: { line: number; quantity: number; received: number | null; restocked: number; refunded: number }[];
};

export function toReturnFacts(one: ReturnView): ReturnFacts {
  const { returnNumber: number, storeReturnId: store_return_id, state, reason, decision } = one;
  const { acceptedAt: accepted_at, sendTo: send_to, sendBy: send_by } = one;
  const refunded = amountFromMinor(one.refunded);
  const accepted = { accepted_at, send_to, send_by };
  const lines = returnLinesInAmounts(one);
  return { number, store_return_id, state, reason, ...accepted, decision, refunded, lines };
}

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

type DeliveryFields = Pick<Order, 'orderNumber' | 'storeOrderId' | 'status' | DeliveryName>;

export function toOrderDelivery(order: DeliveryFields): OrderDeliveryResponse {
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

function toHead(order: OrderView) {
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

function itemsOf({ status, items }: Pick<StoreOrder, 'status' | 'items'>): OrderedItemResponse[] {
  return items.map((item) => ({
    line: item.line,
    sku: item.sku,
    name: item.name,
    variation: item.variationKey || item.remark,
    quantity: item.quantity,
    unit_price: amountFromNumeric(item.unitPrice),
    line_total: amountFromNumeric(item.lineTotal),
    shipped: item.shipped,
    cancelled: cancelledUnits(item, status),
    refunded: item.refunded,
    returned: item.returned,
    ...metadataField(item),
  }));
}

type ParcelTracking = Pick<
  ReturnType<typeof parcelsOf>[number],
  'courier' | 'trackingNumber' | 'trackingUrl' | 'shippedAt'
> & {
  deliveredAt: Date | null;
};

function toParcel({ courier, trackingNumber, trackingUrl, shippedAt, deliveredAt }: ParcelTracking) {
  return {
    courier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
    shipped_at: shippedAt.toISOString(),
    delivered_at: deliveredAt?.toISOString() ?? null,
  };
}

/** Null until shipped. */
function toTracking({ courier, trackingNumber, trackingUrl, shippedAt }: OrderView): TrackingResponse | null {
  if (shippedAt === null || courier === null) return null;
  return {
    courier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
    shipped_at: shippedAt.toISOString(),
  };
}

/** The order for the command line. */
export type OrderOutput = ReturnType<typeof toOrderOutput>;

export function toOrderOutput(order: NonNullable<(typeof DESK_ORDER)['row']>) {
  const prepared = toPreparedView(order);
  return {
    order_number: order.orderNumber,
    client_id: order.clientId,
    client: order.client,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    plan: order.planCode,
    currency: order.currency,
    subtotal: amountFromNumeric(order.subtotal),
    delivery: amountFromNumeric(order.delivery),
    total: amountFromNumeric(order.total),
    refunded_amount: amountFromNumeric(order.refundedAmount),
    origin: order.origin,
    placed_at: order.placedAt,
    ...nest(order),
    ...metadataField(order),
    packing_list: order.packingList,
    payment: {
      method: order.paymentMethod,
      reference: order.paymentReference,
      due_at: order.paymentDueAt.toISOString(),
      paid_at: order.paidAt?.toISOString() ?? null,
    },
    tracking: toTracking(order),
    delivered_at: order.deliveredAt,
    cancelled_at: order.cancelledAt,
    cancel_reason: order.cancelReason,
    items: itemsOf(order),
    parcels: parcelsOf(order).map(({ parcel, lines, exception, ...shipped }) => ({
      parcel,
      ...toParcel(shipped),
      ...(exception !== null && { exception }),
      no_invoice: shipped.noInvoice,
      without_irn: shipped.withoutIrn,
      lines,
    })),
    prepared: prepared && {
      parcel: prepared.parcel,
      lines: prepared.lines,
      invoiced_at: prepared.preparedAt.toISOString(),
      by: prepared.actor,
      awaits_irn: order.awaitsIrn,
    },
    returns: returnsOf(order).map((one) => ({
      number: one.returnNumber,
      store_return_id: one.storeReturnId,
      state: one.state,
      reason: one.reason,
      note: one.note,
      requested_at: one.requestedAt.toISOString(),
      by: one.actor,
      accepted_at: one.acceptedAt?.toISOString() ?? null,
      send_to: one.sendTo,
      send_by: one.sendBy,
      decided_at: one.decidedAt?.toISOString() ?? null,
      decision: one.decision,
      refunded: amountFromMinor(one.refunded),
      lines: returnLinesInAmounts(one),
    })),
    refunds: refundsOf(order).map((one) => ({
      ...toRefund(one),
      by: one.actor,
      lines: one.lines.map(({ amount, writtenOff, ...line }) => ({
        ...line,
        written_off: writtenOff,
        amount: amountFromMinor(amount),
      })),
    })),
    timeline: order.timeline.map(({ status, changedAt, actor, note }) => ({
      status,
      changed_at: new Date(changedAt).toISOString(),
      actor,
      note,
    })),
    changes: (order.corrections ?? []).map(({ changedAt, actor, before, after, reason }) => ({
      changed_at: new Date(changedAt).toISOString(),
      actor,
      before,
      after,
      reason,
    })),
  };
}
