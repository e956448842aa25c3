import type { OrderItem } from '../entities/order-item.entity.js';
import type { Order } from '../entities/order.entity.js';
import type { TimelineEntry } from '../entities/timeline-entry.entity.js';

/** What is shown of an order wherever it is shown. */
type ShownColumns =
  | 'orderNumber'
  | 'storeOrderId'
  | 'status'
  | 'paymentStatus'
  | 'currency'
  | 'total'
  | 'courier'
  | 'trackingNumber'
  | 'trackingUrl'
  | 'shippedAt'
  | 'cancelReason'
  | 'placedAt'
  | 'paymentDueAt';

export type ShownOrder = Pick<Order, ShownColumns>;

const SHOWN_COLUMNS = `
  o.order_number AS "orderNumber", o.store_order_id AS "storeOrderId", o.status, o.payment_status AS "paymentStatus", o.currency,
  o.total, o.courier, o.tracking_number AS "trackingNumber", o.tracking_url AS "trackingUrl", o.shipped_at AS "shippedAt",
  o.cancel_reason AS "cancelReason", o.placed_at AS "placedAt", o.payment_due_at AS "paymentDueAt"`;

/** An order with its lines and its timeline. */
export interface OrderRecord extends ShownOrder {
  items: Pick<
    OrderItem,
    'sku' | 'name' | 'variationKey' | 'remark' | 'quantity' | 'unitPrice' | 'lineTotal'
  >[];
  /** The times in milliseconds since 1970. */
  timeline: (Pick<TimelineEntry, 'status'> & { changedAt: number })[];
}

/** The columns of an OrderRecord of `orders o`. */
export const ORDER_RECORD_COLUMNS = `${SHOWN_COLUMNS},
  (SELECT json_agg(json_build_object('sku', i.sku, 'name', i.name, 'variationKey', i.variation_key, 'remark', i.remark,
       'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'lineTotal', i.line_total::text) ORDER BY i.line)
     FROM order_items i WHERE i.client_id = o.client_id AND i.order_number = o.order_number) AS items,
  (SELECT json_agg(json_build_object('status', t.status, 'changedAt', floor(extract(epoch FROM t.changed_at) * 1000)) ORDER BY t.entry)
     FROM order_timeline t WHERE t.client_id = o.client_id AND t.order_number = o.order_number) AS timeline`;

/** An order as lists tell of it. */
export interface OrderSummary extends ShownOrder, Pick<Order, 'itemsCount'> {
  /** Microseconds since 1970. */
  placedAtMicros: string;
  statusChangedAt: Date;
  /** The stamp of its last change. */
  changed: string;
}

/** The columns of an OrderSummary of `orders o`. */
export const ORDER_SUMMARY_COLUMNS = `${SHOWN_COLUMNS},
  o.items_count AS "itemsCount", (extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros",
  (SELECT t.changed_at FROM order_timeline t
    WHERE t.client_id = o.client_id AND t.order_number = o.order_number ORDER BY t.entry DESC LIMIT 1) AS "statusChangedAt",
  o.changed`;
