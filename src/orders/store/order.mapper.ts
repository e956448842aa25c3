import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import type { OrderView, StoreListed, StoreOrder } from '../view/order-view.js';
import type { OrderStatusResponse, OrderSummaryResponse, TrackingResponse } from './order.responses.js';

// An order as its store sees it. A field that is not named here stays inside.

export function toOrderStatus(order: StoreOrder): OrderStatusResponse {
  return {
    success: true,
    ...toHead(order),
    tracking: toTracking(order),
    timeline: order.timeline.map(({ status, changedAt }) => ({
      status,
      changed_at: new Date(changedAt).toISOString(),
    })),
    items: order.items.map((item) => ({
      sku: item.sku,
      name: item.name,
      variation: item.variationKey || item.remark,
      quantity: item.quantity,
      unit_price: toAmount(item.unitPrice),
      line_total: toAmount(item.lineTotal),
    })),
    created_at: order.placedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
  };
}

export function toOrderSummary(order: StoreListed): OrderSummaryResponse {
  return {
    ...toHead(order),
    items_count: order.itemsCount,
    tracking: toTracking(order),
    created_at: order.placedAt.toISOString(),
    status_changed_at: order.statusChangedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
  };
}

function toHead(order: OrderView) {
  return {
    order_number: order.orderNumber,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    total_amount: toAmount(order.total),
    currency: order.currency,
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

function toAmount(numeric: string): number {
  return amountFromMinor(minorFromNumeric(numeric));
}
