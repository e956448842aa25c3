import type { OrderStatus, PaymentStatus } from '../rules/order-transitions.js';

/** An order as the queries read it whole: amounts as numeric text, times as Date. */
export interface OrderRecord {
  clientId: number;
  orderNumber: string;
  storeOrderId: string | null;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  currency: string;
  total: string;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: Date | null;
  cancelReason: string | null;
  placedAt: Date;
  paymentDueAt: Date;
  changed: string;
  items: OrderItemRecord[];
  timeline: TimelineRecord[];
}

export interface OrderItemRecord {
  sku: string;
  name: string;
  variationKey: string;
  remark: string | null;
  quantity: number;
  unitPrice: string;
  lineTotal: string;
}

export interface TimelineRecord {
  status: OrderStatus;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** The columns of an OrderRecord of `orders o`. */
export const ORDER_RECORD_COLUMNS = `
  o.client_id AS "clientId", o.order_number AS "orderNumber", o.store_order_id AS "storeOrderId", o.status,
  o.payment_status AS "paymentStatus", o.currency, o.total, o.courier, o.tracking_number AS "trackingNumber",
  o.tracking_url AS "trackingUrl", o.shipped_at AS "shippedAt", o.cancel_reason AS "cancelReason", o.placed_at AS "placedAt",
  o.payment_due_at AS "paymentDueAt", o.changed,
  (SELECT json_agg(json_build_object('sku', i.sku, 'name', i.name, 'variationKey', i.variation_key, 'remark', i.remark,
       'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'lineTotal', i.line_total::text) ORDER BY i.line)
     FROM order_items i WHERE i.client_id = o.client_id AND i.order_number = o.order_number) AS items,
  (SELECT json_agg(json_build_object('status', t.status, 'changedAt', floor(extract(epoch FROM t.changed_at) * 1000)) ORDER BY t.entry)
     FROM order_timeline t WHERE t.client_id = o.client_id AND t.order_number = o.order_number) AS timeline`;
