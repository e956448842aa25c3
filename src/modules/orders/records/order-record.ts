import { invoicesWithoutIrn } from '../../invoices/invoices.repository.js';
import { columnsOf, fieldsOf, jsonOf } from '../../../platform/database/columns-of.js';
import { rowBoundOf } from '../../../platform/database/row-bound.js';
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
import { paymentKey } from './line-columns.js';
import { IS_SLIP_OLD } from '../lifecycle/printed-slip.js';
import { underwayOf } from '../lifecycle/payments-underway.repository.js';
import { ORDER_FIELD_NAMES, type OrderFieldName } from '../rules/order-fields.js';

/** Fields for the service alone. */
const INTERNAL_FIELDS = [
  'contentHash',
  'changed',
  'trackingNumbers',
  'printedSlips',
  'paymentsUndone',
] as const;

/** Times in JSON are milliseconds since 1970. */
type InMilliseconds<Row> = {
  [Field in keyof Row]: Date extends Row[Field] ? number | Exclude<Row[Field], Date> : Row[Field];
};

type PartOf<Row, Left extends keyof Row> = InMilliseconds<Omit<Row, keyof OrderKey | Left>>;

export type ItemRecord = PartOf<OrderItem, 'productId'>;

/**
 * An order as the database gives it. Amounts are numeric text, and lists without rows are null. Each reader
 * selects some of the fields.
 */
export interface OrderRecord extends Omit<Order, (typeof INTERNAL_FIELDS)[number]> {
  /** The version of its last change. Test orders have none. */
  changed?: string;
  statusChangedAt: Date;
  /** Its position in a list, in microseconds since 1970. A Date would cut them off. */
  placedAtMicros: string;
  items: ItemRecord[];
  timeline: PartOf<TimelineEntry, 'entry'>[];
  corrections: PartOf<OrderCorrection, 'id'>[] | null;
  /** The number of earlier corrections and returns that the order has besides these. */
  unlisted: number;
  parcels: PartOf<Parcel, 'recordedAt' | 'actor'>[] | null;
  parcelItems: PartOf<ParcelItem, never>[] | null;
  returns: PartOf<OrderReturn, 'acceptedBy' | 'decidedBy' | 'refundOpen'>[] | null;
  returnItems: PartOf<OrderReturnItem, never>[] | null;
  refunds: PartOf<OrderRefund, 'key' | 'reasonCode' | 'isCommercial'>[] | null;
  refundItems: PartOf<OrderRefundItem, never>[] | null;
  /** The id of its open payment, besides which it must not be paid. */
  openPayment: string | null;
  /** For its client: the ids of its people. */
  ownPeople: number[];
  /** For its client: the next parcel, if its invoice is issued. */
  preparedParcel: number | null;
  /** The name of its client. */
  client: string;
  /** It was changed after its slip was printed. */
  isSlipOld: boolean;
  /** The next parcel, if its invoice is issued. */
  prepared: PartOf<PreparedParcel, never> | null;
  /** The invoice of the prepared parcel has no IRN. */
  awaitsIrn: boolean;
  /** Its client has a GSTIN. */
  isRegistered: boolean;
  /** Its client is suspended. */
  isSuspended: boolean;
  /** A person recorded its payment. */
  isPaymentRecorded: boolean;
}

/** Columns of `orders o` for a list. The name is part of the statements' names. */
export interface OrderSelection<Row> {
  name: string;
  columns: string;
  /** Only for the compiler. */
  row?: Row;
}

// SQL, because one statement reads an order with its lines, parcels, returns and refunds. All columns are of
// `orders o`.

const LISTED = [
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
type Listed = (typeof LISTED)[number];

const columns = (...fields: (keyof Order & string)[]) => columnsOf(Order, 'o', fields);
const listed = (...fields: (keyof Order & string)[]) => columns(...LISTED, ...fields);

const IS_OF_ORDER = 'client_id = o.client_id AND order_number = o.order_number';

/** The newest rows of an order as a JSON array, oldest first; null without rows. */
function arrayOf<Row extends object>(
  entity: abstract new () => Row,
  fields: readonly (keyof Row & string)[],
  ...by: string[]
): string {
  const { table, max } = rowBoundOf(entity);
  return `(SELECT json_agg(${jsonOf(entity, 'a', fields)} ORDER BY ${by.join(', ')})
             FROM (SELECT * FROM ${table} WHERE ${IS_OF_ORDER}
                    ORDER BY ${by.map((column) => `${column} DESC`).join(', ')} LIMIT ${max}) AS a)`;
}

/** The same with all fields but the key of the order and these. */
const partOf = <Row extends OrderKey>(
  entity: abstract new () => Row,
  without: readonly (keyof Row & string)[],
  ...by: string[]
) => arrayOf(entity, fieldsOf(entity, { without: ['clientId', 'orderNumber', ...without] }), ...by);

/** The rows that `arrayOf` leaves out: older releases had no bounds. */
const beyondBound = (entity: abstract new () => object) => {
  const { table, max } = rowBoundOf(entity);
  return `(SELECT greatest(count(*) - ${max}, 0) FROM ${table} WHERE ${IS_OF_ORDER})`;
};

const items = `${partOf(OrderItem, ['productId'], 'line')} AS items`;

const timeline = (...fields: (keyof TimelineEntry & string)[]) =>
  `${arrayOf(TimelineEntry, fields, 'entry')} AS timeline`;

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

const AFTER_SALE = `
  ${partOf(Parcel, ['recordedAt', 'actor'], 'parcel')} AS parcels,
  ${partOf(ParcelItem, [], 'parcel', 'line')} AS "parcelItems",
  ${arrayOf(OrderReturn, RETURN, 'requested_at', 'return_number')} AS returns,
  ${partOf(OrderReturnItem, [], 'return_number', 'line')} AS "returnItems",
  ${partOf(OrderRefund, ['key', 'reasonCode', 'isCommercial'], 'refund')} AS refunds,
  ${partOf(OrderRefundItem, [], 'refund', 'line')} AS "refundItems"`;

/** Parcels, returns and refunds with their lines. */
export type AfterSaleRecord = Pick<
  OrderRecord,
  'parcels' | 'parcelItems' | 'returns' | 'returnItems' | 'refunds' | 'refundItems'
>;

const LIST_POSITION = '(extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros"';

export type StoreOrderRow = Pick<
  OrderRecord,
  Listed | 'itemsCount' | 'metadata' | 'changed' | 'placedAtMicros' | 'statusChangedAt'
>;

export const STORE_ORDER_LIST = `${listed('itemsCount', 'metadata', 'changed')}, ${LIST_POSITION},
    (SELECT t.changed_at FROM order_timeline t WHERE ${IS_OF_ORDER}
      ORDER BY t.entry DESC LIMIT 1) AS "statusChangedAt"`;

/** An order for its store, without extra columns, because stores poll it. */
export interface StoreOrder
  extends Pick<OrderRecord, Listed | 'metadata' | 'changed' | 'items'>, AfterSaleRecord {
  timeline: Pick<OrderRecord['timeline'][number], 'status' | 'changedAt'>[];
}

export const STORE_ORDER = [
  listed('metadata', 'changed'),
  items,
  timeline('status', 'changedAt'),
  AFTER_SALE,
].join(', ');

/** The same with the facts that only tokens with full access see. */
export type StoreOrderDetails = StoreOrder & Pick<OrderRecord, OrderFieldName | 'subtotal' | 'delivery'>;

export const STORE_ORDER_DETAILS = `${STORE_ORDER}, ${columns(...ORDER_FIELD_NAMES, 'subtotal', 'delivery')}`;

const CLIENT_LISTED = [
  'domain',
  'customerName',
  'shippingCity',
  'paidAt',
  'deliveredAt',
  'goodsState',
] as const;

/** An order in a list of its client. */
export type ClientOrderRow = Pick<
  OrderRecord,
  Listed | (typeof CLIENT_LISTED)[number] | 'openPayment' | 'placedAtMicros'
>;

const OPEN_PAYMENT = `
  CASE WHEN o.status = 'awaiting_payment' THEN ${underwayOf('o')} END AS "openPayment"`;

export const CLIENT_ORDER_LIST: OrderSelection<ClientOrderRow> = {
  name: 'client-listed',
  columns: [listed(...CLIENT_LISTED), OPEN_PAYMENT, LIST_POSITION].join(', '),
};

export type DeskOrderRow = ClientOrderRow &
  Pick<OrderRecord, 'clientId' | 'itemsCount' | 'origin' | 'packingList' | 'client' | 'isSuspended'>;

export const DESK_ORDER_LIST = `${CLIENT_ORDER_LIST.columns},
    ${columns('clientId', 'itemsCount', 'origin', 'packingList')},
    (SELECT c.name FROM clients c WHERE c.id = o.client_id) AS client,
    (SELECT c.suspended_at IS NOT NULL FROM clients c WHERE c.id = o.client_id) AS "isSuspended"`;

const WHOLE_ORDER = `${columns(...fieldsOf(Order, { without: INTERNAL_FIELDS }))}, ${items},
  ${timeline('status', 'changedAt', 'actor', 'note')},
  ${partOf(OrderCorrection, ['id'], 'id')} AS corrections,
  (${beyondBound(OrderCorrection)} + ${beyondBound(OrderReturn)})::int AS unlisted, ${AFTER_SALE}`;

type DeskField =
  'client' | 'isSlipOld' | 'prepared' | 'awaitsIrn' | 'isRegistered' | 'isSuspended' | 'isPaymentRecorded';

/** An order for its client or the wholesaler. */
export type WholeOrderRecord = Omit<
  OrderRecord,
  'changed' | 'statusChangedAt' | 'placedAtMicros' | 'ownPeople' | 'preparedParcel' | DeskField
> &
  Partial<Pick<OrderRecord, 'preparedParcel'>>;

export type ClientOrderRecord = WholeOrderRecord & Pick<OrderRecord, 'ownPeople'>;

export const CLIENT_ORDER = `${WHOLE_ORDER}, ${OPEN_PAYMENT},
    ARRAY(SELECT p.id FROM people p WHERE p.client_id = o.client_id) AS "ownPeople",
    (SELECT a.parcel FROM prepared_parcels a WHERE ${IS_OF_ORDER}) AS "preparedParcel"`;

export type DeskOrderRecord = WholeOrderRecord & Pick<OrderRecord, DeskField>;

/** With the client's name from `clients c`. */
export const DESK_ORDER = `${WHOLE_ORDER}, ${OPEN_PAYMENT}, c.name AS client, ${IS_SLIP_OLD} AS "isSlipOld",
    (SELECT ${jsonOf(PreparedParcel, 'a', ['parcel', 'lines', 'preparedAt', 'actor'])}
       FROM prepared_parcels a WHERE ${IS_OF_ORDER}) AS prepared,
    EXISTS (SELECT FROM prepared_parcels a
             WHERE ${IS_OF_ORDER} AND EXISTS (SELECT ${invoicesWithoutIrn('a')})) AS "awaitsIrn",
    c.gstin IS NOT NULL AS "isRegistered", c.suspended_at IS NOT NULL AS "isSuspended",
    EXISTS (SELECT FROM wallet_entries e
             WHERE (e.client_id, e.key) = (o.client_id, ${paymentKey('for')})) AS "isPaymentRecorded"`;

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
  'goodsState',
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
  'domain',
] as const;

export type FiledOrder = Pick<OrderRecord, (typeof FILE_FIELDS)[number] | 'placedAtMicros' | 'openPayment'>;

const FILE_COLUMNS = `${columns(...FILE_FIELDS)}, ${OPEN_PAYMENT}, ${LIST_POSITION}`;

export const ORDERS_FILE: OrderSelection<FiledOrder> = { name: 'orders-file', columns: FILE_COLUMNS };

export const LINES_FILE: OrderSelection<FiledOrder & Pick<OrderRecord, 'items'>> = {
  name: 'lines-file',
  columns: `${FILE_COLUMNS}, ${items}`,
};
