import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import type { OrderSummaryResponse } from './order-list.response.js';
import type { OrderStatus, PaymentStatus } from '../rules/order-transitions.js';
import { toTracking } from './tracking.mapper.js';

/** An order as lists read it: amounts as numeric text, times as Date. */
export interface OrderSummary {
  orderNumber: string;
  storeOrderId: string | null;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  currency: string;
  total: string;
  itemsCount: number;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: Date | null;
  cancelReason: string | null;
  placedAt: Date;
  /** The same to the microsecond, counted since 1970. */
  placedAtMicros: string;
  paymentDueAt: Date;
  statusChangedAt: Date;
  changed: string;
}

/** The columns of an OrderSummary of `orders o`. */
export const ORDER_SUMMARY_COLUMNS = `
  o.order_number AS "orderNumber", o.store_order_id AS "storeOrderId", o.status, o.payment_status AS "paymentStatus", o.currency,
  o.total, o.items_count AS "itemsCount", o.courier, o.tracking_number AS "trackingNumber", o.tracking_url AS "trackingUrl",
  o.shipped_at AS "shippedAt", o.cancel_reason AS "cancelReason", o.placed_at AS "placedAt",
  (extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros", o.payment_due_at AS "paymentDueAt",
  (SELECT t.changed_at FROM order_timeline t
    WHERE t.client_id = o.client_id AND t.order_number = o.order_number ORDER BY t.entry DESC LIMIT 1) AS "statusChangedAt",
  o.changed`;

export function toOrderSummary(order: OrderSummary): OrderSummaryResponse {
  return {
    order_number: order.orderNumber,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    total_amount: amountFromMinor(minorFromNumeric(order.total)),
    currency: order.currency,
    items_count: order.itemsCount,
    tracking: toTracking(order),
    created_at: order.placedAt.toISOString(),
    status_changed_at: order.statusChangedAt.toISOString(),
    payment_due_at: order.paymentDueAt.toISOString(),
    ...(order.cancelReason !== null && { cancel_reason: order.cancelReason }),
  };
}
