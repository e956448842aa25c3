import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import type { CorrectedFields } from '../entities/order-correction.entity.js';
import type { Order } from '../entities/order.entity.js';
import { type DeedBy, deedBy } from '../rules/deed-by.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { LISTED, type ListedOrder, type ListedRow, toListedOrder } from './listed-order.js';

/** All that its client is told of an order. */
export interface OrderDetails extends ListedOrder, MoreFacts {
  subtotal: Minor;
  delivery: Minor;
  items: OrderLine[];
  /** In the order in which it happened. */
  timeline: ({ status: OrderStatus; note: string | null; changedAt: Date } & DeedBy)[];
  /** What the wholesaler has put right since. */
  corrections: (Pick<RowOfCorrection, 'before' | 'after'> & { changedAt: Date })[];
}

export interface OrderLine {
  sku: string;
  name: string;
  /** As it was resolved, or as it was sent for a product that has none. */
  variation: string | null;
  quantity: number;
  unitPrice: Minor;
  lineTotal: Minor;
}

type MoreFacts = Pick<
  Order,
  | 'customerPhone'
  | 'customerEmail'
  | 'shippingAddress'
  | 'shippingState'
  | 'shippingPincode'
  | 'shippingCountry'
  | 'notes'
  | 'paymentStatus'
  | 'paidAt'
  | 'paymentMethod'
  | 'paymentReference'
  | 'trackingNumber'
  | 'trackingUrl'
  | 'cancelledAt'
>;

/** JSON has its times in milliseconds since 1970. */
interface RowOfCorrection {
  changedAt: number;
  before: CorrectedFields;
  after: CorrectedFields;
}

export type DetailsRow = ListedRow &
  MoreFacts & {
    subtotal: string;
    delivery: string;
    items: (Omit<OrderLine, 'unitPrice' | 'lineTotal'> & { unitPrice: string; lineTotal: string })[];
    timeline: { status: OrderStatus; note: string | null; actor: string; changedAt: number }[];
    corrections: RowOfCorrection[] | null;
  };

const OF_ORDER = 'WHERE client_id = o.client_id AND order_number = o.order_number';

const MILLISECONDS = 'floor(extract(epoch FROM changed_at) * 1000)';

/** The columns of a DetailsRow of `orders o`, of the client `$1`. */
export const DETAILS = `${LISTED},
  o.payment_status AS "paymentStatus", o.subtotal, o.delivery, o.customer_phone AS "customerPhone", o.customer_email AS "customerEmail", o.shipping_address AS "shippingAddress",
  o.shipping_state AS "shippingState", o.shipping_pincode AS "shippingPincode", o.shipping_country AS "shippingCountry", o.notes,
  o.paid_at AS "paidAt", o.payment_method AS "paymentMethod", o.payment_reference AS "paymentReference",
  o.tracking_number AS "trackingNumber", o.tracking_url AS "trackingUrl", o.cancelled_at AS "cancelledAt",
  (SELECT json_agg(json_build_object('sku', sku, 'name', name, 'variation', coalesce(nullif(variation_key, ''), remark), 'quantity', quantity,
       'unitPrice', unit_price::text, 'lineTotal', line_total::text) ORDER BY line) FROM order_items ${OF_ORDER}) AS items,
  (SELECT json_agg(json_build_object('status', status, 'note', note, 'actor', actor, 'changedAt', ${MILLISECONDS}) ORDER BY entry)
     FROM order_timeline ${OF_ORDER}) AS timeline,
  (SELECT json_agg(json_build_object('before', before, 'after', after, 'changedAt', ${MILLISECONDS}) ORDER BY id)
     FROM order_changes ${OF_ORDER}) AS corrections`;

export function toOrderDetails(row: DetailsRow): OrderDetails {
  const { subtotal, delivery, items, timeline, corrections } = row;
  return {
    ...row,
    ...toListedOrder(row),
    subtotal: minorFromNumeric(subtotal),
    delivery: minorFromNumeric(delivery),
    items: items.map(({ unitPrice, lineTotal, ...item }) => ({
      ...item,
      unitPrice: minorFromNumeric(unitPrice),
      lineTotal: minorFromNumeric(lineTotal),
    })),
    timeline: timeline.map(({ status, note, actor, changedAt }) => ({
      status,
      note,
      changedAt: new Date(changedAt),
      ...deedBy(actor),
    })),
    corrections: (corrections ?? []).map(({ changedAt, before, after }) => ({
      changedAt: new Date(changedAt),
      before,
      after,
    })),
  };
}
