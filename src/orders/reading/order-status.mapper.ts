import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import type { OrderRecord } from './order-record.js';
import { toTracking } from './tracking.mapper.js';
import type { OrderStatusResponse } from './order-status.response.js';

/** The one way in which an order is shown to its store; what is not named here stays inside. */
export function toOrderStatus(order: OrderRecord): OrderStatusResponse {
  return {
    success: true,
    order_number: order.orderNumber,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    total_amount: amount(order.total),
    currency: order.currency,
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
      unit_price: amount(item.unitPrice),
      line_total: amount(item.lineTotal),
    })),
    created_at: order.placedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
  };
}

function amount(numeric: string): number {
  return amountFromMinor(minorFromNumeric(numeric));
}
