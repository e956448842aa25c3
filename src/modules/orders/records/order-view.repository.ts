import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type SqlStatement } from '../../../platform/database/database.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import type { ReadPosition } from '../../../read-model/snapshot/watermark.js';
import type { OrderKey } from '../entities/order.entity.js';
import { UNDERWAY_OF_CLIENT } from '../lifecycle/payments-underway.repository.js';
import { conditionsOf, ON_THE_WAY, type OrderFilter, SORTS, type PageStart } from './order-filter.js';
import {
  CLIENT_ORDER_LIST,
  CLIENT_ORDER,
  type ClientOrderRecord,
  type ClientOrderRow,
  STORE_ORDER_LIST,
  STORE_ORDER,
  STORE_ORDER_DETAILS,
  type StoreOrderRow,
  type StoreOrder,
  type StoreOrderDetails,
  type OrderSelection,
} from './order-record.js';

// SQL, because stores poll these reads: each is one statement that PostgreSQL plans once per connection.
// Orders are looked up one by one, because a join planned on an empty table reads all orders of the client.

/** Newest orders that are read at once: to search a text in them first, or to count their products. */
export const MAX_NEWEST_ORDERS = 1_000;

/**
 * A frequent text is found in the newest orders, a rare one by the text index. PostgreSQL can only guess,
 * and a wrong guess reads all orders.
 */
export async function findNewestFirst<Row>(
  query: (source: string) => Promise<Row[]>,
  newest: string,
  orders: string,
  text: string,
  limit: number,
): Promise<Row[]> {
  const near = await query(`${newest} WHERE ${text}`);
  return near.length === limit ? near : query(`(SELECT * FROM ${orders} AND ${text} OFFSET 0) o`);
}

/** Our number comes first, then the id of the store with this domain. */
const orderNumberOf = (client: string, number: string, domain: string) => `coalesce(
  (SELECT order_number FROM orders WHERE client_id = ${client} AND order_number = ${number}),
  (SELECT order_number FROM domain_order_ids
    WHERE client_id = ${client} AND store_order_id = ${number} AND domain = ${domain}),
  (SELECT order_number FROM store_order_ids AS s
    WHERE client_id = ${client} AND store_order_id = ${number}
      AND (SELECT domain IS NULL OR domain = ${domain} FROM orders AS o
            WHERE o.client_id = ${client} AND o.order_number = s.order_number)))`;

/** JSON, because PostgreSQL knows the length of arrays and plans each poll anew for it. */
const FIND_EACH = {
  name: 'order-find-each',
  text: `
    SELECT asked.place::int, ${STORE_ORDER}
      FROM ROWS FROM (jsonb_to_recordset($1) AS ("clientId" int, domain text, number text))
           WITH ORDINALITY AS asked (client_id, domain, number, place)
     CROSS JOIN LATERAL (
       SELECT * FROM orders
        WHERE client_id = asked.client_id
          AND order_number = ${orderNumberOf('asked.client_id', 'asked.number', 'asked.domain')}
        LIMIT 1) AS o`,
};

/** Other rows of an order change its version too. */
const FIND_VERSION = {
  name: 'order-find-version',
  text: `
    SELECT order_number AS "orderNumber", changed FROM orders
     WHERE client_id = $1 AND order_number = ${orderNumberOf('$1', '$2', '$3')}`,
};

const FIND_KEY = {
  name: 'order-find-key',
  text: `SELECT ${orderNumberOf('$1', '$2', '$3')} AS "orderNumber"`,
};

const findOne = (name: string, columns: string) => ({
  name: `${name}-find`,
  text: `SELECT ${columns} FROM orders o WHERE o.client_id = $1 AND o.order_number = $2`,
});

const FIND_FOR_CLIENT = findOne('client-order', CLIENT_ORDER);

const FIND_FOR_STORE = findOne('store-order-details', STORE_ORDER_DETAILS);

const FIND_SELECTED = {
  name: 'client-orders-chosen',
  text: `
    SELECT ${CLIENT_ORDER_LIST.columns}
      FROM (SELECT DISTINCT unnest($2::text[]) AS order_number) AS chosen
     CROSS JOIN LATERAL (
       SELECT * FROM orders WHERE client_id = $1 AND order_number = chosen.order_number LIMIT 1) AS o
     ORDER BY o.placed_at, o.order_number`,
};

const STORE_IDS = {
  name: 'client-orders-store-ids',
  text: `
    SELECT chosen.order_number AS number, o.store_order_id AS id
      FROM unnest($2::text[]) AS chosen (order_number)
     CROSS JOIN LATERAL (
       SELECT store_order_id FROM orders
        WHERE client_id = $1 AND order_number = chosen.order_number LIMIT 1) AS o
     WHERE o.store_order_id IS NOT NULL`,
};

/** The number of orders is bounded before their lines are read. A cancelled order is not replaced. */
const TOP_PRODUCTS = {
  name: 'client-most-ordered',
  text: `
    SELECT line.sku, max(line.name) AS name, sum(line.quantity)::int AS quantity,
           count(DISTINCT newest.order_number)::int AS orders
      FROM (SELECT order_number, status FROM orders
             WHERE client_id = $1 ORDER BY placed_at DESC, order_number DESC
             LIMIT ${MAX_NEWEST_ORDERS}) AS newest
     CROSS JOIN LATERAL (
           SELECT sku, name, quantity FROM order_items
            WHERE client_id = $1 AND order_number = newest.order_number OFFSET 0) AS line
     WHERE newest.status <> 'cancelled'
     GROUP BY line.sku ORDER BY sum(line.quantity) DESC, line.sku LIMIT $2`,
};

export interface TopProduct {
  sku: string;
  name: string;
  quantity: number;
  orders: number;
}

const FIRST_DUE = {
  name: 'client-orders-first-due',
  text: `
    SELECT ${CLIENT_ORDER_LIST.columns} FROM orders o
     WHERE o.client_id = $1 AND o.status = 'awaiting_payment' AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}
     ORDER BY o.payment_due_at LIMIT $2`,
};

const LAST_SHIPPED = {
  name: 'client-orders-last-shipped',
  text: `
    SELECT ${CLIENT_ORDER_LIST.columns} FROM orders o
     WHERE o.client_id = $1 AND ${ON_THE_WAY} ORDER BY o.shipped_at DESC LIMIT $2`,
};

/**
 * Adds the state of the database to every row, or returns it alone. The limit tells the planner that it is
 * one row; otherwise it expects a thousand.
 */
const withDatabaseState = (orders: string, order: string) => `
  SELECT seen.*, listed.*
    FROM (SELECT identity, pg_snapshot_xmin(snapshot)::text AS "seenBelow",
                 (SELECT coalesce(max(changed), 0) FROM orders
                   WHERE client_id = $1 AND changed > 0
                     AND changed < pg_snapshot_xmax(snapshot)::text::bigint) AS "highestStamp"
            FROM history_identity(), pg_current_snapshot() AS snapshot LIMIT 1) AS seen
    LEFT JOIN LATERAL (${orders}) AS listed ON true
   ORDER BY ${order}`;

const CHANGED = {
  name: 'order-list-changed',
  text: withDatabaseState(
    `SELECT ${STORE_ORDER_LIST} FROM orders o
      WHERE o.client_id = $1 AND o.changed > 0 AND o.changed >= $2 AND (o.domain IS NULL OR o.domain = $4)
      ORDER BY o.changed FETCH FIRST $3 ROWS WITH TIES`,
    'listed.changed, listed."orderNumber"',
  ),
};

/** A list is sorted by total among this many newest orders. An index for it would slow every order down. */
export const SORTED_BY_TOTAL = 5_000;

export interface OrdersWithState {
  /** The state of all orders of the client, however few are listed. */
  state: ReadPosition;
  orders: StoreOrderRow[];
}

type OrderWithStateRow = { identity: string; seenBelow: string; highestStamp: string } & (
  StoreOrderRow | { orderNumber: null }
);

/** A store of a client. An order without a domain is of all its stores. */
export interface StoreScope {
  clientId: number;
  domain: string;
}

export type OrderVersion = Pick<StoreOrder, 'orderNumber' | 'changed'>;

/** The orders of one client. Every method takes the client first, so that no query can forget it. */
@Injectable()
export class OrderViewRepository {
  constructor(private readonly database: Database) {}

  /** The order of each request by our number or the store's id, or undefined. */
  async findEach(keys: readonly (StoreScope & { number: string })[]): Promise<(StoreOrder | undefined)[]> {
    const values = [JSON.stringify(keys)];
    const orders = await this.database.query<StoreOrder & { place: number }>(FIND_EACH, values);
    const byPosition = new Map(orders.map((order) => [order.place, order]));
    return keys.map((_, index) => byPosition.get(index + 1));
  }

  async findKey({ clientId, domain }: StoreScope, number: string): Promise<OrderKey | undefined> {
    const values = [clientId, number, domain];
    const [found] = await this.database.query<{ orderNumber: string | null }>(FIND_KEY, values);
    return found?.orderNumber ? { clientId, orderNumber: found.orderNumber } : undefined;
  }

  /** Which order has the number, and the version of its last change. */
  async findVersion({ clientId, domain }: StoreScope, number: string): Promise<OrderVersion | undefined> {
    const values = [clientId, number, domain];
    return (await this.database.query<OrderVersion & object>(FIND_VERSION, values))[0];
  }

  async findForClient(clientId: number, orderNumber: string): Promise<ClientOrderRecord | undefined> {
    const values = [clientId, orderNumber];
    return (await this.database.query<ClientOrderRecord & object>(FIND_FOR_CLIENT, values))[0];
  }

  /** Without what only people see: corrections, actors and notes. */
  async findForStore(clientId: number, orderNumber: string): Promise<StoreOrderDetails | undefined> {
    const values = [clientId, orderNumber];
    return (await this.database.query<StoreOrderDetails & object>(FIND_FOR_STORE, values))[0];
  }

  /** The selected orders that belong to the client. */
  findSelected(clientId: number, orderNumbers: string[]): Promise<ClientOrderRow[]> {
    return this.database.query<ClientOrderRow>(FIND_SELECTED, [clientId, orderNumbers]);
  }

  async storeOrderIds(clientId: number, orderNumbers: readonly string[]): Promise<Map<string, string>> {
    const values = [clientId, orderNumbers];
    const rows = await this.database.query<{ number: string; id: string }>(STORE_IDS, values);
    return new Map(rows.map(({ number, id }) => [number, id]));
  }

  /** Unpaid orders without an open payment. */
  firstDue(clientId: number, limit: number): Promise<ClientOrderRow[]> {
    return this.database.query<ClientOrderRow>(FIRST_DUE, [clientId, limit]);
  }

  lastShipped(clientId: number, limit: number): Promise<ClientOrderRow[]> {
    return this.database.query<ClientOrderRow>(LAST_SHIPPED, [clientId, limit]);
  }

  /** The products of the newest orders, those with most units first. */
  topProducts(clientId: number, limit: number): Promise<TopProduct[]> {
    return this.database.query<TopProduct & object>(TOP_PRODUCTS, [clientId, limit]);
  }

  /** The orders of one store, newest first. Each part is read in the order of an index. */
  page(
    { clientId, domain }: StoreScope,
    filter: OrderFilter,
    start: PageStart,
    limit: number,
  ): Promise<OrdersWithState> {
    const { kind, orders, values } = conditionsOf(clientId, filter, start);
    const [limitAt, domainAt] = [`$${values.length + 1}`, `$${values.length + 2}`];
    const and = filter.storeOrderId === undefined ? 'AND' : 'WHERE';
    const newestOf = (condition: string) => `
      (SELECT * FROM ${orders} ${and} o.changed > 0 AND o.domain ${condition}
        ORDER BY o.placed_at DESC, o.order_number DESC LIMIT ${limitAt})`;
    const statement = {
      name: `order-list-page-${kind}`,
      text: withDatabaseState(
        `SELECT ${STORE_ORDER_LIST}
           FROM (${newestOf(`= ${domainAt}`)} UNION ALL ${newestOf('IS NULL')}) AS o
          ORDER BY o.placed_at DESC, o.order_number DESC LIMIT ${limitAt}`,
        'listed."placedAt" DESC, listed."orderNumber" DESC',
      ),
    };
    return this.queryWithState(statement, [...values, limit, domain]);
  }

  /** Orders with this change version or a later one, earliest first. A transaction is never split. */
  changedSince(
    { clientId, domain }: StoreScope,
    changeVersion: number,
    limit: number,
  ): Promise<OrdersWithState> {
    return this.queryWithState(CHANGED, [clientId, changeVersion, limit, domain]);
  }

  async list<Row extends QueryResultRow>(
    view: OrderSelection<Row>,
    clientId: number,
    filter: OrderFilter,
    start: PageStart,
    limit: number,
  ): Promise<Row[]> {
    const { by, descending } = SORTS[start.sort ?? 'newest'];
    const direction = descending ? 'DESC' : 'ASC';
    if (by === 'total') return this.listByTotal(view, clientId, filter, start, direction, limit);
    const { kind, orders, text, values } = conditionsOf(clientId, filter, start);
    const inOrder = `ORDER BY o.placed_at ${direction}, o.order_number ${direction} LIMIT`;
    const query = (source: string, name?: string) =>
      this.database.query<Row>(
        { name, text: `SELECT ${view.columns} FROM ${source} ${inOrder} $${values.length + 1}` },
        [...values, limit],
      );
    if (filter.search === undefined) return query(orders, `${view.name}-${kind}-${direction}`);
    if (text === undefined) return query(orders);
    return findNewestFirst(
      query,
      `(SELECT * FROM ${orders} ${inOrder} ${MAX_NEWEST_ORDERS}) o`,
      orders,
      text,
      limit,
    );
  }

  /** Ignores the search: its orders may be older than the sorted ones. */
  private listByTotal<Row extends QueryResultRow>(
    view: OrderSelection<Row>,
    clientId: number,
    { search: _, ...filter }: OrderFilter,
    { after }: PageStart,
    direction: 'ASC' | 'DESC',
    limit: number,
  ): Promise<Row[]> {
    const { kind, orders, values } = conditionsOf(clientId, filter);
    const next = values.length + 1;
    const comparison = direction === 'DESC' ? '<' : '>';
    const cursor = `$${next + 1}::numeric, $${next + 2}`;
    return this.database.query<Row>(
      {
        name: `${view.name}-by-total-${kind}-${direction}-${after ? 'on' : 'top'}`,
        text: `
          SELECT ${view.columns}
            FROM (SELECT * FROM ${orders}
                   ORDER BY o.placed_at DESC, o.order_number DESC LIMIT ${SORTED_BY_TOTAL}) AS o
           ${after ? `WHERE (o.total, o.order_number) ${comparison} (${cursor})` : ''}
           ORDER BY o.total ${direction}, o.order_number ${direction} LIMIT $${next}`,
      },
      [...values, limit, ...(after ? [numericFromMinor(after.key), after.orderNumber] : [])],
    );
  }

  private async queryWithState(statement: SqlStatement, values: unknown[]): Promise<OrdersWithState> {
    const rows = await this.database.query<OrderWithStateRow>(statement, values);
    const { identity, seenBelow, highestStamp } = rows[0]!;
    return {
      state: { identity, visibleBelow: Number(seenBelow), highestVersion: Number(highestStamp) },
      orders: rows.filter((row): row is OrderWithStateRow & StoreOrderRow => row.orderNumber !== null),
    };
  }
}
