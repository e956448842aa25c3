import { columnsOf, fieldsOf, jsonOf } from '../../platform/database/columns-of.js';
import { OrderCorrection } from '../entities/order-correction.entity.js';
import { OrderItem } from '../entities/order-item.entity.js';
import { Order } from '../entities/order.entity.js';
import { UNDERWAY_OF_CLIENT } from '../paying/payments-underway.js';
import { TimelineEntry } from '../entities/timeline-entry.entity.js';

/** The fields of an order that every door shows, in its lists and on its own. */
const FIELDS = [
  'orderNumber',
  'storeOrderId',
  'status',
  'paymentStatus',
  'currency',
  'total',
  'courier',
  'trackingNumber',
  'trackingUrl',
  'shippedAt',
  'cancelReason',
  'placedAt',
  'paymentDueAt',
] as const;

/** An order as every door shows it. */
export type OrderView = Pick<Order, (typeof FIELDS)[number]>;

/** A kind of view: what it selects of `orders o`. Its name is part of the names of its statements. */
export interface ViewOf<Row> {
  name: string;
  columns: string;
  /** Only for the compiler. */
  row?: Row;
}

const view = (...fields: (keyof Order & string)[]) => columnsOf(Order, 'o', [...FIELDS, ...fields]);

const ITEM_FIELDS = ['sku', 'name', 'variationKey', 'remark', 'quantity', 'unitPrice', 'lineTotal'] as const;

/** A line of an order that was placed. */
export type ItemView = Pick<OrderItem, (typeof ITEM_FIELDS)[number]>;

/** JSON has its times in milliseconds since 1970. */
export type InMilliseconds<Row extends { changedAt: Date }> = Omit<Row, 'changedAt'> & { changedAt: number };

const OF_ORDER = 'client_id = o.client_id AND order_number = o.order_number';

const items = `
  (SELECT json_agg(${jsonOf(OrderItem, 'i', ITEM_FIELDS)} ORDER BY i.line) FROM order_items i WHERE ${OF_ORDER}) AS items`;

const timeline = (...fields: (keyof TimelineEntry & string)[]) => `
  (SELECT json_agg(${jsonOf(TimelineEntry, 't', fields)} ORDER BY t.entry)
     FROM order_timeline t WHERE ${OF_ORDER}) AS timeline`;

/** Microseconds since 1970: where an order stands in its list. A Date would cut them off. */
const PLACE = '(extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros"';

interface Placed {
  placedAtMicros: string;
}

/** A list's rows of an order for its store. */
export interface StoreListed extends OrderView, Placed, Pick<Order, 'itemsCount'> {
  statusChangedAt: Date;
  /** The stamp of its last change. */
  changed: string;
}

export const STORE_LISTED: ViewOf<StoreListed> = {
  name: 'store-listed',
  columns: `${view('itemsCount', 'changed')}, ${PLACE},
    (SELECT t.changed_at FROM order_timeline t WHERE ${OF_ORDER} ORDER BY t.entry DESC LIMIT 1) AS "statusChangedAt"`,
};

/** An order for its store. It has no column too many, because stores poll it. */
export interface StoreOrder extends OrderView {
  items: ItemView[];
  timeline: InMilliseconds<Pick<TimelineEntry, 'status' | 'changedAt'>>[];
}

export const STORE_ORDER: ViewOf<StoreOrder> = {
  name: 'store-order',
  columns: `${view()}, ${items}, ${timeline('status', 'changedAt')}`,
};

/** A list's row of an order for its client's people. */
export interface ClientListed
  extends OrderView, Placed, Pick<Order, 'customerName' | 'shippingCity' | 'deliveredAt'> {
  /** A payment for it is on its way: it must not be paid again. */
  isProcessing: boolean;
}

const IS_PROCESSING = `o.status = 'awaiting_payment' AND o.order_number IN ${UNDERWAY_OF_CLIENT} AS "isProcessing"`;

/** Of the client `$1`. */
export const CLIENT_LISTED: ViewOf<ClientListed> = {
  name: 'client-listed',
  columns: `${view('customerName', 'shippingCity', 'deliveredAt')}, ${IS_PROCESSING}, ${PLACE}`,
};

/** Only the service needs these. */
const INTERNAL = ['contentHash', 'changed'] as const;

/** An order with its lines, its timeline and its corrections: all but what only the service needs. */
export interface WholeOrder extends Omit<Order, (typeof INTERNAL)[number]> {
  items: ItemView[];
  timeline: InMilliseconds<Pick<TimelineEntry, 'status' | 'changedAt' | 'actor' | 'note'>>[];
  corrections: InMilliseconds<Pick<OrderCorrection, 'changedAt' | 'actor' | 'before' | 'after'>>[] | null;
}

const WHOLE = `${columnsOf(Order, 'o', fieldsOf(Order, { without: INTERNAL }))}, ${items},
  ${timeline('status', 'changedAt', 'actor', 'note')},
  (SELECT json_agg(${jsonOf(OrderCorrection, 'k', ['changedAt', 'actor', 'before', 'after'])} ORDER BY k.id)
     FROM order_changes k WHERE ${OF_ORDER}) AS corrections`;

/** For its client's people, of the client `$1`. */
export const CLIENT_ORDER: ViewOf<WholeOrder & Pick<ClientListed, 'isProcessing'>> = {
  name: 'client-order',
  columns: `${WHOLE}, ${IS_PROCESSING}`,
};

/** For the wholesaler, with the name of `clients c`. */
export const DESK_ORDER: ViewOf<WholeOrder & { client: string }> = {
  name: 'desk-order',
  columns: `${WHOLE}, c.name AS client`,
};

/** A row of the file of orders that a client's people download. */
const FILE_FIELDS = [
  'orderNumber',
  'storeOrderId',
  'status',
  'paymentStatus',
  'placedAt',
  'paymentDueAt',
  'paidAt',
  'paymentMethod',
  'shippedAt',
  'deliveredAt',
  'cancelledAt',
  'cancelReason',
  'customerName',
  'customerPhone',
  'customerEmail',
  'shippingAddress',
  'shippingCity',
  'shippingState',
  'shippingPincode',
  'shippingCountry',
  'notes',
  'itemsCount',
  'subtotal',
  'delivery',
  'total',
  'currency',
  'courier',
  'trackingNumber',
  'trackingUrl',
] as const;

export type FileField = (typeof FILE_FIELDS)[number];

export const ORDERS_FILE: ViewOf<Pick<Order, FileField> & Placed> & { fields: readonly FileField[] } = {
  name: 'orders-file',
  columns: `${columnsOf(Order, 'o', FILE_FIELDS)}, ${PLACE}`,
  fields: FILE_FIELDS,
};
