import { invoicesWithoutIrn } from '../../invoices/invoices.repository.js';
import { columnsOf, fieldsOf, jsonOf } from '../../../platform/database/columns-of.js';
import {
  OrderRefund,
  OrderRefundItem,
  OrderReturn,
  OrderReturnItem,
  Parcel,
  ParcelItem,
  PreparedParcel,
} from '../entities/after-sale.entity.js';
import { OrderItem, Order, type OrderKey, TimelineEntry, OrderCorrection } from '../entities/order.entity.js';
import { IS_SLIP_OLD } from '../lifecycle/printed-slip.js';
import { underwayOf } from '../lifecycle/payments-underway.repository.js';
import { ORDER_FIELD_NAMES, type OrderFieldName } from '../rules/order-fields.js';

// SQL, because one statement reads an order with its lines, parcels, returns and refunds.

/** Fields of an order that every page, answer and command shows. */
const FIELDS = [
  'orderNumber',
  'storeOrderId',
  'status',
  'paymentStatus',
  'currency',
  'total',
  'refundedAmount',
  'courier',
  'trackingNumber',
  'trackingUrl',
  'shippedAt',
  'cancelReason',
  'placedAt',
  'paymentDueAt',
] as const;

export type OrderView = Pick<Order, (typeof FIELDS)[number]>;

/** Columns of `orders o`. The name is part of the statements' names. */
export interface ViewOf<Row> {
  name: string;
  columns: string;
  /** Only for the compiler. */
  row?: Row;
}

const view = (...fields: (keyof Order & string)[]) => columnsOf(Order, 'o', [...FIELDS, ...fields]);

const ITEM_FIELDS = [
  'line',
  'sku',
  'name',
  'variationKey',
  'remark',
  'metadata',
  'quantity',
  'unitPrice',
  'lineTotal',
  'shipped',
  'cancelled',
  'refunded',
  'returned',
] as const;

export type ItemView = Pick<OrderItem, (typeof ITEM_FIELDS)[number]>;

/** Times in JSON are milliseconds since 1970. */
type InMilliseconds<Row> = {
  [Field in keyof Row]: Date extends Row[Field] ? number | Exclude<Row[Field], Date> : Row[Field];
};

const IS_OF_ORDER = 'client_id = o.client_id AND order_number = o.order_number';

/** Rows of an order as a JSON array; null without rows. The alias is `a`. */
function arrayOf<Row>(
  entity: abstract new () => Row,
  table: string,
  fields: readonly (keyof Row & string)[],
  by: string,
): string {
  const json = jsonOf(entity, 'a', fields);
  return `(SELECT json_agg(${json} ORDER BY ${by}) FROM ${table} a WHERE ${IS_OF_ORDER})`;
}

const items = `${arrayOf(OrderItem, 'order_items', ITEM_FIELDS, 'a.line')} AS items`;

const timeline = (...fields: (keyof TimelineEntry & string)[]) =>
  `${arrayOf(TimelineEntry, 'order_timeline', fields, 'a.entry')} AS timeline`;

const PARCEL = [
  'parcel',
  'courier',
  'trackingNumber',
  'trackingUrl',
  'shippedAt',
  'deliveredAt',
  'exception',
  'noInvoice',
  'withoutIrn',
] as const;
const PARCEL_ITEM = ['parcel', 'line', 'quantity'] as const;
const RETURN = [
  'returnNumber',
  'key',
  'storeReturnId',
  'state',
  'reason',
  'note',
  'requestedAt',
  'acceptedAt',
  'sendTo',
  'sendBy',
  'decidedAt',
  'decision',
  'actor',
] as const;
const RETURN_ITEM = ['returnNumber', 'line', 'quantity', 'received', 'restocked'] as const;
const REFUND = [
  'refund',
  'kind',
  'amount',
  'reason',
  'returnNumber',
  'takesBack',
  'actor',
  'refundedAt',
] as const;
const REFUND_ITEM = ['refund', 'line', 'refunded', 'cancelled', 'writtenOff', 'amount'] as const;

/** Parcels, returns and refunds of an order with their lines. Null without rows. */
export interface AfterSaleRows {
  parcels: InMilliseconds<Pick<Parcel, (typeof PARCEL)[number]>>[] | null;
  parcelItems: Pick<ParcelItem, (typeof PARCEL_ITEM)[number]>[] | null;
  returns: InMilliseconds<Pick<OrderReturn, (typeof RETURN)[number]>>[] | null;
  returnItems: Pick<OrderReturnItem, (typeof RETURN_ITEM)[number]>[] | null;
  refunds: InMilliseconds<Pick<OrderRefund, (typeof REFUND)[number]>>[] | null;
  refundItems: Pick<OrderRefundItem, (typeof REFUND_ITEM)[number]>[] | null;
}

const AFTER_SALE = `
  ${arrayOf(Parcel, 'parcels', PARCEL, 'a.parcel')} AS parcels,
  ${arrayOf(ParcelItem, 'parcel_items', PARCEL_ITEM, 'a.parcel, a.line')} AS "parcelItems",
  ${arrayOf(OrderReturn, 'order_returns', RETURN, 'a.requested_at, a.return_number')} AS returns,
  ${arrayOf(OrderReturnItem, 'order_return_items', RETURN_ITEM, 'a.return_number, a.line')} AS "returnItems",
  ${arrayOf(OrderRefund, 'order_refunds', REFUND, 'a.refund')} AS refunds,
  ${arrayOf(OrderRefundItem, 'order_refund_items', REFUND_ITEM, 'a.refund, a.line')} AS "refundItems"`;

/** The position of an order in its list, in microseconds since 1970. A Date would cut them off. */
const LIST_POSITION = '(extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros"';

interface WithListPosition {
  placedAtMicros: string;
}

export interface StoreOrderRow extends OrderView, WithListPosition, Pick<Order, 'itemsCount' | 'metadata'> {
  statusChangedAt: Date;
  /** The version of its last change. */
  changed: string;
}

export const STORE_ORDER_LIST: ViewOf<StoreOrderRow> = {
  name: 'store-listed',
  columns: `${view('itemsCount', 'metadata', 'changed')}, ${LIST_POSITION},
    (SELECT t.changed_at FROM order_timeline t WHERE ${IS_OF_ORDER}
      ORDER BY t.entry DESC LIMIT 1) AS "statusChangedAt"`,
};

/** An order for its store, without extra columns, because stores poll it. */
export interface StoreOrder extends OrderView, Pick<Order, 'metadata'>, AfterSaleRows {
  items: ItemView[];
  timeline: InMilliseconds<Pick<TimelineEntry, 'status' | 'changedAt'>>[];
}

export const STORE_ORDER: ViewOf<StoreOrder> = {
  name: 'store-order',
  columns: `${view('metadata')}, ${items}, ${timeline('status', 'changedAt')}, ${AFTER_SALE}`,
};

/** The same with the facts that only tokens with full access see. */
export type StoreOrderDetails = StoreOrder & Pick<Order, OrderFieldName | 'subtotal' | 'delivery'>;

/** An order in a list of its client. */
export interface ClientOrderRow
  extends
    OrderView,
    WithListPosition,
    Pick<Order, 'customerName' | 'shippingCity' | 'paidAt' | 'deliveredAt'> {
  /** The id of its open payment, besides which it must not be paid. */
  openPayment: string | null;
}

const OPEN_PAYMENT = `
  CASE WHEN o.status = 'awaiting_payment' THEN ${underwayOf('o')} END AS "openPayment"`;

export const CLIENT_ORDER_LIST: ViewOf<ClientOrderRow> = {
  name: 'client-listed',
  columns: [view('customerName', 'shippingCity', 'paidAt', 'deliveredAt'), OPEN_PAYMENT, LIST_POSITION].join(
    ', ',
  ),
};

export interface DeskOrderRow extends ClientOrderRow, Pick<Order, 'clientId' | 'itemsCount' | 'packingList'> {
  client: string;
  isSuspended: boolean;
}

export const DESK_ORDER_LIST: ViewOf<DeskOrderRow> = {
  name: 'desk-listed',
  columns: `${CLIENT_ORDER_LIST.columns}, ${columnsOf(Order, 'o', ['clientId', 'itemsCount', 'packingList'])},
    (SELECT c.name FROM clients c WHERE c.id = o.client_id) AS client,
    (SELECT c.suspended_at IS NOT NULL FROM clients c WHERE c.id = o.client_id) AS "isSuspended"`,
};

/** Fields for the service alone. */
const INTERNAL_FIELDS = ['contentHash', 'changed', 'trackingNumbers', 'printedSlips'] as const;

const CORRECTION_FIELDS = ['changedAt', 'actor', 'before', 'after', 'reason'] as const;

/** An order with its lines, timeline and corrections. */
export interface FullOrderRow extends Omit<Order, (typeof INTERNAL_FIELDS)[number]>, AfterSaleRows {
  items: ItemView[];
  timeline: InMilliseconds<Pick<TimelineEntry, 'status' | 'changedAt' | 'actor' | 'note'>>[];
  corrections: InMilliseconds<Pick<OrderCorrection, (typeof CORRECTION_FIELDS)[number]>>[] | null;
}

export type WholeOrderRow = FullOrderRow & Pick<ClientOrderRow, 'openPayment'>;

const FULL_ORDER_COLUMNS = `${columnsOf(Order, 'o', fieldsOf(Order, { without: INTERNAL_FIELDS }))}, ${items},
  ${timeline('status', 'changedAt', 'actor', 'note')},
  ${arrayOf(OrderCorrection, 'order_changes', CORRECTION_FIELDS, 'a.id')} AS corrections, ${AFTER_SALE}`;

/** For its client. */
export const CLIENT_ORDER: ViewOf<WholeOrderRow & { ownPeople: number[]; preparedParcel: number | null }> = {
  name: 'client-order',
  columns: `${FULL_ORDER_COLUMNS}, ${OPEN_PAYMENT},
    ARRAY(SELECT p.id FROM people p WHERE p.client_id = o.client_id) AS "ownPeople",
    (SELECT a.parcel FROM prepared_parcels a WHERE ${IS_OF_ORDER}) AS "preparedParcel"`,
};

/** Fields of an order for the wholesaler only. */
export interface DeskFields {
  client: string;
  /** It was changed after its slip was printed. */
  isSlipOld: boolean;
  /** The next parcel, if its invoice is issued. */
  prepared: InMilliseconds<Omit<PreparedParcel, keyof OrderKey>> | null;
  /** The invoice of the prepared parcel has no IRN. */
  awaitsIrn: boolean;
  /** Its client has a GSTIN. */
  isRegistered: boolean;
  /** Its client is suspended. */
  isSuspended: boolean;
}

/** For the wholesaler, with the client's name from `clients c`. */
export const DESK_ORDER: ViewOf<WholeOrderRow & DeskFields> = {
  name: 'desk-order',
  columns: `${FULL_ORDER_COLUMNS}, ${OPEN_PAYMENT}, c.name AS client, ${IS_SLIP_OLD} AS "isSlipOld",
    (SELECT ${jsonOf(PreparedParcel, 'a', ['parcel', 'lines', 'preparedAt', 'actor'])}
       FROM prepared_parcels a WHERE ${IS_OF_ORDER}) AS prepared,
    EXISTS (SELECT FROM prepared_parcels a
             WHERE ${IS_OF_ORDER} AND EXISTS (SELECT ${invoicesWithoutIrn('a')})) AS "awaitsIrn",
    c.gstin IS NOT NULL AS "isRegistered", c.suspended_at IS NOT NULL AS "isSuspended"`,
};

/** A row of the file that a client downloads. */
const FILE_FIELDS = [
  'orderNumber',
  'storeOrderId',
  'status',
  'paymentStatus',
  'placedAt',
  'origin',
  'paymentDueAt',
  'paidAt',
  'paymentMethod',
  'shippedAt',
  'deliveredAt',
  'cancelledAt',
  'cancelReason',
  ...ORDER_FIELD_NAMES,
  'metadata',
  'itemsCount',
  'subtotal',
  'delivery',
  'total',
  'refundedAmount',
  'currency',
  'courier',
  'trackingNumber',
  'trackingUrl',
] as const;

export type OrderFileFields = Pick<Order, (typeof FILE_FIELDS)[number]> &
  WithListPosition &
  Pick<ClientOrderRow, 'openPayment'>;

const FILE_COLUMNS = `${columnsOf(Order, 'o', FILE_FIELDS)}, ${OPEN_PAYMENT}, ${LIST_POSITION}`;

export const ORDERS_FILE: ViewOf<OrderFileFields> = { name: 'orders-file', columns: FILE_COLUMNS };

export const LINES_FILE: ViewOf<OrderFileFields & { items: ItemView[] }> = {
  name: 'lines-file',
  columns: `${FILE_COLUMNS}, ${items}`,
};
