import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import type { Repository } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import type { NamedClient } from '../../auth/clients/client-finder.js';
import { columnOf, selectOf } from '../../platform/database/columns-of.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { isoTime, type TimeZone } from '../../platform/time/time.js';
import { Product } from '../../products/product.entity.js';
import { Wallet } from '../../wallet/wallet.entity.js';
import { ClientUnpaidTotals } from '../entities/client-unpaid-totals.entity.js';
import { OrderItem } from '../entities/order-item.entity.js';
import { Order, type OrderKey } from '../entities/order.entity.js';
import { ORDER_STATUSES, type OrderStatus } from '../rules/order-transitions.js';
import { NEAR } from '../rules/unpaid-limits.js';
import { bounded, type BoundedCount, MOST_COUNTED } from '../../platform/lists/bounded-count.js';
import { conditionsOf, type OrderFilter, SORTS, type Start, withStoreOrderId } from '../view/order-filter.js';
import { DESK_LISTED, DESK_ORDER, type DeskOrderListed } from '../view/order-view.js';
import type { OrderShown } from '../view/order.mapper.js';

export interface DeskFilter extends OrderFilter {
  clientId?: number;
}

export interface Sheet<Row = Record<string, string | number>> {
  columns: readonly (keyof Row & string)[];
  rows: AsyncIterable<Row>;
}

/** Names of columns with their expressions over `orders o`, `order_items i`, `products p` and `clients c`. */
type Columns = Record<string, string>;

const order = (field: keyof Order & string) => `o.${columnOf(Order, field)}`;
const item = (field: keyof OrderItem & string) => `i.${columnOf(OrderItem, field)}`;
const orEmpty = (column: string) => `coalesce(${column}, '')`;

const VARIATION = `coalesce(nullif(${item('variationKey')}, ''), ${item('remark')}, '')`;

const SHELF = `p.${columnOf(Product, 'shelf')}`;

/** Units of a line that have not left. */
const LEFT = `${item('quantity')} - ${item('shipped')} - ${item('cancelled')}`;

const ORDERS_LINES = `
  orders o
  JOIN clients c ON c.id = o.client_id
  JOIN order_items i ON i.client_id = o.client_id AND i.order_number = o.order_number`;

const LIST = {
  order_number: order('orderNumber'),
  client_id: order('clientId'),
  client: 'c.name',
  store_order_id: order('storeOrderId'),
  status: order('status'),
  payment_status: order('paymentStatus'),
  total: `${order('total')}::float8`,
  refunded_amount: `${order('refundedAmount')}::float8`,
  currency: order('currency'),
  items_count: order('itemsCount'),
  placed_at: order('placedAt'),
  payment_due_at: order('paymentDueAt'),
  customer_name: order('customerName'),
  city: order('shippingCity'),
  tracking_number: order('trackingNumber'),
};

export interface DeskListed extends Pick<
  OrderShown,
  | 'order_number'
  | 'client_id'
  | 'client'
  | 'store_order_id'
  | 'status'
  | 'payment_status'
  | 'total'
  | 'refunded_amount'
  | 'currency'
  | 'placed_at'
> {
  items_count: number;
  payment_due_at: Date;
  customer_name: string;
  city: string;
  tracking_number: string | null;
}

/** A search looks at so many newest orders first. */
const NEAR_ORDERS = 1_000;

/** The metrics count further than the pages. Counting all would read the whole table. */
const MOST_IN_METRICS = 100_000;

/** SQL, because the index of each status ends the count. */
const COUNTS = {
  text: `
    SELECT asked.status,
           (SELECT count(*)::int
              FROM (SELECT FROM orders o WHERE o.status = asked.status ORDER BY o.placed_at DESC
                     LIMIT $2) AS counted) AS count
      FROM unnest($1::text[]) AS asked (status)`,
};

const COUNTS_OF_CLIENT = {
  text: COUNTS.text.replace('WHERE', 'WHERE o.client_id = $3 AND'),
};

interface StatusCount extends QueryResultRow {
  status: OrderStatus;
  count: number;
}

/** The money of a client, and the total of its unpaid orders. */
export interface Account {
  client_id: number;
  balance: number;
  unpaid_orders: number;
  unpaid_total: number;
}

/** An account with the name of its client. */
export interface AccountListed extends Account {
  client: string;
  /** The part of the balance that open payments will spend. */
  reserved: number;
}

export interface AccountFilter {
  /** Only wallets with money, or clients with unpaid orders. */
  only?: 'balance' | 'unpaid';
  /** Only clients with larger numbers. */
  after?: number;
}

/** Sums over all clients. */
export interface AccountTotals {
  clients: number;
  balance: string;
  reserved: string;
  unpaid_orders: number;
  unpaid_total: string;
}

const PACKING_LIST = {
  order_number: order('orderNumber'),
  client_id: order('clientId'),
  client: 'c.name',
  store_order_id: orEmpty(order('storeOrderId')),
  status: order('status'),
  courier: orEmpty(order('courier')),
  placed_at: order('placedAt'),
  customer_name: order('customerName'),
  customer_phone: order('customerPhone'),
  customer_email: orEmpty(order('customerEmail')),
  address: order('shippingAddress'),
  city: order('shippingCity'),
  state: order('shippingState'),
  pincode: order('shippingPincode'),
  country: order('shippingCountry'),
  line: item('line'),
  sku: item('sku'),
  name: item('name'),
  variation: VARIATION,
  quantity: item('quantity'),
  shelf: SHELF,
  notes: orEmpty(order('notes')),
};

/** What is still to be packed. */
const PACKED_FROM = { packing_list: order('packingList'), ...PACKING_LIST, quantity: LEFT };

export type PackedLine = Record<keyof typeof PACKED_FROM, string | number>;

/**
 * Delivery is charged per order; each line bears its share by value. The shares are differences of a rounded
 * running sum, so they add up to the delivery exactly.
 */
const DELIVERY_SHARE = `
  CASE WHEN o.subtotal = 0 THEN CASE WHEN i.line = min(i.line) OVER lines THEN o.delivery ELSE 0 END
       ELSE round(o.delivery * sum(i.line_total) OVER up_to / o.subtotal, 2)
          - round(o.delivery * (sum(i.line_total) OVER up_to - i.line_total) / o.subtotal, 2) END`;

const SALES = {
  client_id: order('clientId'),
  client: 'c.name',
  order_number: order('orderNumber'),
  store_order_id: orEmpty(order('storeOrderId')),
  status: order('status'),
  payment_status: order('paymentStatus'),
  placed_at: order('placedAt'),
  paid_at: order('paidAt'),
  shipped_at: order('shippedAt'),
  delivered_at: order('deliveredAt'),
  cancelled_at: order('cancelledAt'),
  refunded_at: 'NULL::timestamptz',
  state: order('shippingState'),
  sku: item('sku'),
  name: item('name'),
  variation: VARIATION,
  quantity: item('quantity'),
  unit_price: item('unitPrice'),
  line_total: item('lineTotal'),
  delivery_share: DELIVERY_SHARE,
  paid: `CASE WHEN o.paid_at IS NULL THEN 0 ELSE i.line_total + ${DELIVERY_SHARE} END`,
  refunded_quantity: '0',
  refunded: '0',
  refund_reason: `''`,
  currency: order('currency'),
  payment_method: orEmpty(order('paymentMethod')),
  payment_reference: orEmpty(order('paymentReference')),
};

/** Money that went back, at that time. What no line explains, such as the delivery, has a row without one. */
const REFUNDS: Columns = {
  ...SALES,
  refunded_at: 'r.refunded_at',
  sku: orEmpty(item('sku')),
  name: orEmpty(item('name')),
  quantity: '0',
  unit_price: '0',
  line_total: '0',
  delivery_share: '0',
  paid: '0',
  refunded_quantity: 'r.units',
  refunded: 'r.amount',
  refund_reason: 'r.reason',
};

const REFUND_PARTS = `
  SELECT r.client_id, r.order_number, r.refund, r.refunded_at, r.reason, part.line, part.units, part.amount
    FROM order_refunds r,
         LATERAL (
           SELECT line, refunded AS units, amount FROM order_refund_items u
            WHERE (u.client_id, u.order_number, u.refund) = (r.client_id, r.order_number, r.refund)
           UNION ALL
           SELECT NULL, 0, r.amount - coalesce(sum(amount), 0) FROM order_refund_items u
            WHERE (u.client_id, u.order_number, u.refund) = (r.client_id, r.order_number, r.refund)) AS part
   WHERE part.amount > 0`;

/** The same conditions for refunds: those of placed orders apply to the time of the refund. */
const ofRefunds = (where: string) => where.replaceAll('o.placed_at', 'r.refunded_at');

/** A row for each line of an order, and for each part of a refund. */
export const salesRows = (where: string, refunds: string) => `
  SELECT ${selectOf(SALES)}, o.placed_at AS since, i.line, 0 AS refund
    FROM ${ORDERS_LINES}
   WHERE ${where}
  WINDOW lines AS (PARTITION BY o.placed_at, o.order_number, o.client_id),
         up_to AS (lines ORDER BY i.line)
  UNION ALL
  SELECT ${selectOf(REFUNDS)}, r.refunded_at, i.line, r.refund
    FROM (${REFUND_PARTS}) AS r
    JOIN orders o USING (client_id, order_number)
    JOIN clients c ON c.id = o.client_id
    LEFT JOIN order_items i ON (i.client_id, i.order_number, i.line)
                               = (r.client_id, r.order_number, r.line)
   WHERE ${refunds}`;

const TOTALS = (where: string, zone: string, shown: string) => `
  SELECT to_char(t.at AT TIME ZONE ${zone}, ${shown}) AS period, t.client_id, c.name AS client, t.currency,
         sum(t.orders)::int AS orders, sum(t.cancelled)::int AS cancelled, sum(t.goods)::float8 AS goods,
         sum(t.delivery)::float8 AS delivery, sum(t.total)::float8 AS total, sum(t.paid)::float8 AS paid,
         sum(t.refunded)::float8 AS refunded
    FROM (SELECT o.placed_at AS at, o.client_id, o.currency, 1 AS orders,
                 (o.status = 'cancelled')::int AS cancelled,
                 o.subtotal AS goods, o.delivery, o.total,
                 CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.total END AS paid, 0 AS refunded
            FROM orders o WHERE ${where}
          UNION ALL
          SELECT r.refunded_at, o.client_id, o.currency, 0, 0, 0, 0, 0, 0, r.amount
            FROM order_refunds r JOIN orders o USING (client_id, order_number)
           WHERE ${ofRefunds(where)}) AS t
    JOIN clients c ON c.id = t.client_id
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 2, 4`;

const PERIODS = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' };

export type Period = keyof typeof PERIODS;

/** Orders and returns that wait for the wholesaler. */
export interface OrdersToDo {
  toShip: BoundedCount;
  /** The payment that waits longest. */
  oldestPaidAt: Date | null;
  toReceive: BoundedCount;
  oldestReturnAt: Date | null;
}

export interface SalesTotal {
  period: string;
  client_id: number;
  client: string;
  currency: string;
  orders: number;
  cancelled: number;
  goods: number;
  delivery: number;
  total: number;
  paid: number;
  refunded: number;
}

/** The index across all clients begins with the status, so each status has its own look-up. */
const firstOf = (where: string, isIndexed: boolean, inOrder: string) =>
  isIndexed
    ? `(SELECT * FROM orders o WHERE ${where} ${inOrder}) o`
    : `unnest('{${ORDER_STATUSES.join()}}'::text[]) AS each (status) CROSS JOIN LATERAL (
         SELECT * FROM orders o WHERE ${where} AND o.status = each.status ${inOrder}) o`;

/** SQL, because one statement reads the ends of two indexes. */
const TO_DO = {
  text: `
    SELECT paid.count AS "toShip", paid.oldest AS "oldestPaidAt",
           asked.count AS "toReceive", asked.oldest AS "oldestReturnAt"
      FROM (SELECT count(*)::int, min(paid_at) AS oldest
              FROM (SELECT paid_at FROM orders WHERE status = 'pending'
                     ORDER BY paid_at LIMIT ${MOST_COUNTED + 1}) AS o) AS paid,
           (SELECT count(*)::int, min(requested_at) AS oldest
              FROM (SELECT requested_at FROM order_returns WHERE state = 'requested'
                     ORDER BY requested_at LIMIT ${MOST_COUNTED + 1}) AS r) AS asked`,
};

// Lists are SQL: a cursor reads them row by row, which TypeORM's stream() does only with another driver.

/** Reads across all clients. No answer to a store may use them. */
@Injectable()
export class OrderDeskRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Numbers have 50 random bits per day, so they are unique among all clients. */
  findKey(orderNumber: string): Promise<OrderKey | null> {
    return this.orders.findOne({ select: { clientId: true, orderNumber: true }, where: { orderNumber } });
  }

  /** One statement, so that all parts of the order are from the same moment. */
  async find(
    orderNumber: string,
    within: Pick<Transaction, 'query'> = this.database,
  ): Promise<NonNullable<(typeof DESK_ORDER)['row']> | undefined> {
    const text = `
      SELECT ${DESK_ORDER.columns}
        FROM orders o JOIN clients c ON c.id = o.client_id WHERE o.order_number = $1`;
    const [found] = await within.query<NonNullable<(typeof DESK_ORDER)['row']>>({ text }, [orderNumber]);
    return found;
  }

  /** A page of the list. A search is sorted by time. */
  async page({ clientId, ...filter }: DeskFilter, start: Start, limit: number): Promise<DeskOrderListed[]> {
    const { where, text: searched, values } = conditionsOf(clientId, filter, start);
    const direction = SORTS[start.sort ?? 'newest'].falls ? 'DESC' : 'ASC';
    const inOrder = `ORDER BY o.placed_at ${direction}, o.order_number ${direction} LIMIT`;
    const orders = `orders o WHERE ${where}`;
    const isOne = filter.search !== undefined && searched === undefined;
    const isIndexed = clientId !== undefined || filter.status !== undefined || isOne;
    const first = (most: number | string) => firstOf(where, isIndexed, `${inOrder} ${most}`);
    const read = (source: string) =>
      this.database.query<DeskOrderListed & object>(
        { text: `SELECT ${DESK_LISTED.columns} FROM ${source} ${inOrder} $${values.length + 1}` },
        [...values, limit],
      );
    if (searched === undefined) return read(first(`$${values.length + 1}`));
    // A frequent text is found in the newest orders, a rare one by the text index.
    const near = await read(`${first(NEAR_ORDERS)} WHERE ${searched}`);
    return near.length === limit ? near : read(`(SELECT * FROM ${orders} AND ${searched} OFFSET 0) o`);
  }

  /** The orders to ship whose payment waits longest. */
  firstToShip(limit: number): Promise<DeskOrderListed[]> {
    const text = `
      SELECT ${DESK_LISTED.columns}
        FROM orders o WHERE o.status = 'pending' ORDER BY o.paid_at, o.order_number LIMIT $1`;
    return this.database.query<DeskOrderListed & object>({ text }, [limit]);
  }

  /** Orders in each status, counted up to a bound. */
  async counts(clientId?: number): Promise<Record<OrderStatus, BoundedCount>> {
    const asked = [ORDER_STATUSES, MOST_COUNTED + 1];
    const rows = await (clientId === undefined
      ? this.database.query<StatusCount>(COUNTS, asked)
      : this.database.query<StatusCount>(COUNTS_OF_CLIENT, [...asked, clientId]));
    const counts = rows.map(({ status, count }) => [status, bounded(count)] as const);
    return Object.fromEntries(counts) as Record<OrderStatus, BoundedCount>;
  }

  /** The orders of all clients with these ids of stores, for each id up to the limit. */
  findByStoreOrderIds(
    ids: readonly string[],
    limit: number,
  ): Promise<(NamedClient & { storeOrderId: string; orderNumber: string })[]> {
    const text = `
      SELECT asked.id AS "storeOrderId", found.*
        FROM unnest($1::text[]) AS asked (id) CROSS JOIN LATERAL (
               SELECT c.id, c.name, c.email, s.order_number AS "orderNumber"
                 FROM ${withStoreOrderId('asked.id')} ORDER BY c.id LIMIT $2) AS found`;
    return this.database.query({ text }, [ids, limit]);
  }

  /** Of all clients, or of these. */
  accounts(clientIds?: readonly number[]): Promise<Account[]> {
    return this.accountsOf()
      .where(clientIds === undefined ? 'true' : 'w.clientId = ANY (:clientIds)', { clientIds })
      .getRawMany<Account>();
  }

  /** Sorted by the numbers of the clients. */
  accountsPage({ only, after = 0 }: AccountFilter, most: number): Promise<AccountListed[]> {
    const query = this.accountsOf()
      .innerJoin(Client, 'c', 'c.id = w.clientId')
      .addSelect('c.name', 'client')
      .addSelect('cast(w.reserved AS float8)', 'reserved')
      .where('w.clientId > :after', { after });
    if (only === 'balance') query.andWhere('w.balance > 0');
    if (only === 'unpaid') query.andWhere('s.unpaidOrders > 0');
    return query.orderBy('w.clientId').limit(most).getRawMany<AccountListed>();
  }

  async accountTotals(): Promise<AccountTotals> {
    const totals = await this.accountsOf()
      .select('count(*)::int', 'clients')
      .addSelect('coalesce(sum(w.balance), 0)', 'balance')
      .addSelect('coalesce(sum(w.reserved), 0)', 'reserved')
      .addSelect('coalesce(sum(s.unpaidOrders), 0)::int', 'unpaid_orders')
      .addSelect('coalesce(sum(s.unpaidValue), 0)', 'unpaid_total')
      .getRawOne<AccountTotals>();
    return totals!;
  }

  private accountsOf() {
    return this.orders.manager
      .createQueryBuilder(Wallet, 'w')
      .innerJoin(ClientUnpaidTotals, 's', 's.clientId = w.clientId')
      .select('w.clientId', 'client_id')
      .addSelect('cast(w.balance AS float8)', 'balance')
      .addSelect('s.unpaidOrders', 'unpaid_orders')
      .addSelect('cast(s.unpaidValue AS float8)', 'unpaid_total');
  }

  hasClient(id: number): Promise<boolean> {
    return this.orders.manager.existsBy(Client, { id });
  }

  list({ clientId, ...filter }: DeskFilter, limit?: number): AsyncGenerator<DeskListed, number> {
    const { where, text: searched, values } = conditionsOf(clientId, filter);
    const most = limit === undefined ? 'ALL' : limit + MOST_COUNTED + 1;
    const newest = `ORDER BY o.placed_at DESC, o.order_number DESC LIMIT ${most}`;
    const { status, from: _, to: __, ...others } = filter;
    const isOther = Object.values(others).some((value) => value !== undefined);
    const isIndexed = clientId !== undefined || status !== undefined || limit === undefined;
    // OFFSET 0: otherwise PostgreSQL may read all orders, newest first, until some match.
    const found = isOther
      ? `(SELECT * FROM orders o WHERE ${where} ${searched ? `AND ${searched}` : ''} OFFSET 0) o`
      : firstOf(where, isIndexed, newest);
    const text = `SELECT ${selectOf(LIST)} FROM ${found} JOIN clients c ON c.id = o.client_id ${newest}`;
    return this.database.stream<DeskListed>(text, values, limit);
  }

  packingList({ clientId, ...filter }: DeskFilter): Sheet {
    const { where, values } = conditionsOf(clientId, filter);
    const text = `
      SELECT ${selectOf(PACKING_LIST)}
        FROM ${ORDERS_LINES} JOIN products p ON p.id = i.product_id
       WHERE ${where} ORDER BY o.placed_at, o.order_number, i.line`;
    return this.sheet(PACKING_LIST, text, values);
  }

  /** The lines of a packing list that have not left: the oldest payment first, and by shelf. */
  packedFrom(list: number): Sheet<PackedLine> {
    const text = `
      SELECT ${selectOf(PACKED_FROM)}
        FROM ${ORDERS_LINES} JOIN products p ON p.id = i.product_id
       WHERE o.packing_list = $1 AND o.status = 'pending' AND ${LEFT} > 0
       ORDER BY o.paid_at, o.order_number, nullif(${SHELF}, '') NULLS LAST, i.line`;
    return this.sheet(PACKED_FROM, text, [list]);
  }

  sales({ clientId, ...filter }: DeskFilter): Sheet {
    const { where, values } = conditionsOf(clientId, filter);
    const text = `
      SELECT ${Object.keys(SALES).join(', ')} FROM (${salesRows(where, ofRefunds(where))}) AS row
       ORDER BY since, order_number, client_id, refund, line`;
    return this.sheet(SALES, text, values);
  }

  totals({ clientId, ...filter }: DeskFilter, period: Period): AsyncGenerator<SalesTotal, number> {
    const { where, values } = conditionsOf(clientId, filter);
    const next = values.length + 1;
    const text = TOTALS(where, `$${next}`, `$${next + 1}`);
    return this.database.stream<SalesTotal>(text, [...values, this.settings.timeZone, PERIODS[period]]);
  }

  /** Times are those of the settings' zone. */
  private sheet<Column extends string>(
    columns: Record<Column, string>,
    text: string,
    values: unknown[],
  ): Sheet<Record<Column, string | number>> {
    const { timeZone } = this.settings;
    const rows = this.database.stream<Record<string, string | number | Date | null>>(text, values);
    async function* inZone() {
      for await (const row of rows) yield inCells(row, timeZone) as Record<Column, string | number>;
    }
    return { columns: Object.keys(columns) as Column[], rows: inZone() };
  }

  /** Counts stop at 1,000. */
  async toDo(): Promise<OrdersToDo> {
    const [row] = await this.database.query<
      Record<'oldestPaidAt' | 'oldestReturnAt', Date | null> & Record<'toShip' | 'toReceive', number>
    >(TO_DO, []);
    return { ...row!, toShip: bounded(row!.toShip), toReceive: bounded(row!.toReceive) };
  }

  /** For the metrics. Counts stop at 100,000. */
  async countByStatus(): Promise<Record<string, number>> {
    const rows = await this.database.query<StatusCount>(COUNTS, [ORDER_STATUSES, MOST_IN_METRICS]);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Clients that have used up four fifths of their limit of unpaid orders. */
  countClientsNearLimit(): Promise<number> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const share = (used: string, limit: string) => `coalesce(${used} / nullif(${limit}, 0), 0) >= ${NEAR}`;
    return this.orders.manager
      .createQueryBuilder(ClientUnpaidTotals, 's')
      .innerJoin(Client, 'c', 'c.id = s.clientId')
      .where(share('cast(s.unpaidOrders AS numeric)', 'coalesce(c.unpaidOrdersLimit, :unpaidOrdersLimit)'))
      .orWhere(share('s.unpaidValue', 'coalesce(c.unpaidValueLimit, :unpaidValueLimit)'))
      .setParameters({ unpaidOrdersLimit, unpaidValueLimit })
      .getCount();
  }
}

/** A missing value becomes an empty cell. */
function inCells(row: Record<string, string | number | Date | null>, timeZone: TimeZone) {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? isoTime(value, timeZone) : (value ?? ''),
  ]);
  return Object.fromEntries(cells) as Record<string, string | number>;
}
