import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import type { Order } from '../entities/order.entity.js';
import { UNDERWAY_OF_CLIENT } from '../paying/payments-underway.js';

/** An order as a line of a list. */
export interface ListedOrder extends Pick<
  Order,
  | 'orderNumber'
  | 'storeOrderId'
  | 'status'
  | 'currency'
  | 'customerName'
  | 'shippingCity'
  | 'placedAt'
  | 'paymentDueAt'
  | 'courier'
  | 'shippedAt'
  | 'deliveredAt'
  | 'cancelReason'
> {
  total: Minor;
  /** A payment for it is on its way: it is not to be paid again. */
  isProcessing: boolean;
  /** Microseconds since 1970. */
  placedAtMicros: string;
}

export type ListedRow = Omit<ListedOrder, 'total' | 'placedAt'> & { total: string };

/** The columns of a ListedRow of `orders o`, of the client `$1`. */
export const LISTED = `
  o.order_number AS "orderNumber", o.store_order_id AS "storeOrderId", o.status, o.currency, o.total,
  o.customer_name AS "customerName", o.shipping_city AS "shippingCity", o.payment_due_at AS "paymentDueAt",
  o.courier, o.shipped_at AS "shippedAt", o.delivered_at AS "deliveredAt", o.cancel_reason AS "cancelReason",
  o.status = 'awaiting_payment' AND o.order_number IN ${UNDERWAY_OF_CLIENT} AS "isProcessing",
  (extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros"`;

export function toListedOrder(row: ListedRow): ListedOrder {
  const placedAt = new Date(Number(row.placedAtMicros) / 1_000);
  return { ...row, total: minorFromNumeric(row.total), placedAt };
}
