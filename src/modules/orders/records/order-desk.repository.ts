import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import type { Repository } from 'typeorm';
import { MAX_CLIENT_CANDIDATES, type NamedClient } from '../../clients/client-finder.service.js';
import { Client } from '../../clients/client.entity.js';
import { selectOf } from '../../../platform/database/columns-of.js';
import { Database, type Queries, type Transaction } from '../../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { Wallet } from '../../wallet/wallet.entity.js';
import type { Parcel } from '../entities/after-sale.entity.js';
import { ClientUnpaidTotals, Order, type OrderKey } from '../entities/order.entity.js';
import {
  SHARED_TRACKING,
  type SharedTracking,
  trackedValues,
  type TrackedOrder,
} from '../lifecycle/shared-tracking.repository.js';
import { normaliseOrderNumber, numberEnd, readNumberEnd } from '../rules/order-number.js';
import { ORDER_STATUSES, type OrderStatus } from '../rules/order-transitions.js';
import { MAX_REPORTED_DAYS } from '../rules/late-delivery.js';
import type { ParcelException } from '../rules/goods-state.js';
import { NEAR_LIMIT_SHARE } from '../rules/unpaid-limits.js';
import { order } from './line-columns.js';
import {
  byStep,
  conditionsOf,
  type DeskOrderSort,
  isStepSort,
  type OrderFilter,
  type PageStart,
  SORTS,
  toShipFirst,
  withStoreOrderId,
} from './order-filter.js';
import type { OrderOutput } from './order-for-file.js';
import { DESK_ORDER_LIST, DESK_ORDER, type DeskOrderRecord, type DeskOrderRow } from './order-record.js';
import { findNewestFirst, MAX_NEWEST_ORDERS } from './order-view.repository.js';

export interface DeskFilter extends OrderFilter {
  clientId?: number;
}

/** The columns of an export with a row for each order, of `orders o` and `clients c`. */
const EXPORT_COLUMNS = {
  order_number: order('orderNumber'),
  client_id: order('clientId'),
  client: 'c.name',
  store_order_id: order('storeOrderId'),
  status: order('status'),
  goods_state: order('goodsState'),
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
  origin: order('origin'),
  domain: order('domain'),
};

export const ORDER_EXPORT_COLUMNS = Object.keys(EXPORT_COLUMNS) as (keyof OrderExportRow)[];

export interface OrderExportRow extends Pick<OrderOutput, keyof OrderOutput & keyof typeof EXPORT_COLUMNS> {
  items_count: number;
  payment_due_at: Date;
  customer_name: string;
  city: string;
  tracking_number: string | null;
}

/** The metrics count further than the pages. Counting all would read the whole table. */
const MAX_COUNTED_IN_METRICS = 100_000;

/** SQL, because the index of each status ends the count. */
const countsOf = (condition: string) => ({
  text: `
    SELECT asked.status,
           (SELECT count(*)::int
              FROM (SELECT FROM orders o WHERE o.status = asked.status AND ${condition}
                     ORDER BY o.placed_at DESC LIMIT $2) AS counted) AS count
      FROM unnest($1::text[]) AS asked (status)`,
});
const COUNTS = countsOf('true');
const COUNTS_OF_CLIENT = countsOf('o.client_id = $3');

interface StatusCount extends QueryResultRow {
  status: OrderStatus;
  count: number;
}

/** The money of a client, and the total of its unpaid orders. Amounts are numeric text. */
export interface ClientAccount {
  clientId: number;
  balance: string;
  unpaidOrders: number;
  unpaidTotal: string;
}

export interface ClientAccountRow extends ClientAccount {
  client: string;
  /** The part of the balance that open payments will spend. */
  reserved: string;
}

export interface AccountFilter {
  /** Only wallets with money, or clients with unpaid orders. */
  only?: 'balance' | 'unpaid';
  /** Only clients with larger numbers than this. */
  after?: number;
}

/** Sums over all clients. */
export type AccountTotals = Omit<ClientAccountRow, 'clientId' | 'client'> & { clients: number };

/** Orders and returns that wait for the wholesaler. */
export interface OrdersToDo {
  toShip: BoundedCount;
  /** The payment that waits longest. */
  oldestPaidAt: Date | null;
  toReceive: BoundedCount;
  oldestReturnAt: Date | null;
}

/** The index across all clients begins with the status, so PostgreSQL merges the lists of all statuses. */
const firstOrdersOf = (
  where: string,
  isIndexed: boolean,
  inOrder: string,
  statuses: readonly OrderStatus[] = ORDER_STATUSES,
) => {
  const first = (more = '') => `(SELECT * FROM orders o WHERE ${where}${more} ${inOrder})`;
  return isIndexed
    ? `${first()} o`
    : `(${statuses.map((status) => first(` AND o.status = '${status}'`)).join(' UNION ALL ')}) o`;
};

/** SQL, because one statement reads the ends of two indexes. */
const TO_DO = {
  text: `
    SELECT paid.count AS "toShip", paid.oldest AS "oldestPaidAt",
           asked.count AS "toReceive", asked.oldest AS "oldestReturnAt"
      FROM (SELECT count(*)::int, min(paid_at) AS oldest
              FROM (SELECT paid_at FROM orders WHERE status = 'pending'
                     ORDER BY paid_at LIMIT ${MAX_COUNTED + 1}) AS o) AS paid,
           (SELECT count(*)::int, min(requested_at) AS oldest
              FROM (SELECT requested_at FROM order_returns WHERE state = 'requested'
                     ORDER BY requested_at LIMIT ${MAX_COUNTED + 1}) AS r) AS asked`,
};

/**
 * A parcel needs no person if its goods are returned, or its money is refunded. A box has the goods of its
 * order.
 */
const PARCEL_EXCEPTIONS = {
  text: `
    SELECT p.order_number AS "orderNumber", o.store_order_id AS "storeOrderId", c.name AS client, p.parcel,
           p.courier, p.tracking_number AS "trackingNumber", p.shipped_at AS "shippedAt", p.exception
      FROM parcels p
      JOIN orders o USING (client_id, order_number)
      JOIN clients c ON c.id = p.client_id
     WHERE p.exception IN ('returning', 'lost') AND o.payment_status <> 'refunded'
       AND p.shipped_at > statement_timestamp() - interval '${MAX_REPORTED_DAYS} days'
       AND EXISTS (
             SELECT FROM order_items i
              WHERE (i.client_id, i.order_number) = (p.client_id, p.order_number)
                AND i.shipped > greatest(i.returned, i.refunded - i.cancelled)
                AND (NOT EXISTS (SELECT FROM parcel_items u
                                  WHERE (u.client_id, u.order_number, u.parcel)
                                        = (p.client_id, p.order_number, p.parcel))
                     OR EXISTS (SELECT FROM parcel_items u
                                 WHERE (u.client_id, u.order_number, u.parcel, u.line)
                                       = (p.client_id, p.order_number, p.parcel, i.line))))
     ORDER BY p.shipped_at, p.order_number, p.parcel
     LIMIT $1`,
};

/** A part that may have no invoice yet: `isAboveLimit` of e-way bills, with the tax data of today. */
const WORTH_TO_SHIP = {
  text: `
    SELECT o.order_number AS "orderNumber", o.shipping_state AS "state", open.value::float8 AS value
      FROM (SELECT * FROM orders WHERE status = 'pending' AND total > $1) AS o
     CROSS JOIN LATERAL (
           SELECT sum(i.unit_price * (i.quantity - i.shipped - i.cancelled)) AS value
             FROM order_items i JOIN products p ON p.id = i.product_id
            WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)
              AND p.gst_rate > 0 AND p.hsn NOT LIKE '99%') AS open
     WHERE open.value > $1
     ORDER BY ${toShipFirst('o')} LIMIT $2`,
};

/** A parcel that the courier brings back or has lost. */
export type ParcelExceptionRow = Pick<
  Parcel,
  'orderNumber' | 'parcel' | 'courier' | 'trackingNumber' | 'shippedAt'
> & { storeOrderId: string | null; client: string; exception: ParcelException };

/** An order that a typed text names, and its client. */
export type NamedOrder = NamedClient & { typed: string; orderNumber: string; domain: string | null };

/** Orders that were never paid have other statuses, or are cancelled. */
const PAID: readonly OrderStatus[] = ['pending', 'shipped', 'delivered'];

/** A text is frequent if this many of the newest orders have it. */
const MIN_FREQUENT_MATCHES = MAX_NEWEST_ORDERS / 50;

/** A search over everything answers in this time, or says how to narrow. */
const SEARCH_MS = 300;

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

  /** Reads in one statement, so that all parts of the order are from the same moment. */
  async find(
    orderNumber: string,
    within: Pick<Transaction, 'query'> = this.database,
  ): Promise<DeskOrderRecord | undefined> {
    const text = `
      SELECT ${DESK_ORDER}
        FROM orders o JOIN clients c ON c.id = o.client_id WHERE o.order_number = $1`;
    const [row] = await within.query<DeskOrderRecord & object>({ text }, [orderNumber]);
    if (!row?.prepared) return row;
    const { eInvoicesFrom } = this.settings;
    const day = dayAt(row.prepared.preparedAt, LAW_TIME_ZONE);
    return { ...row, awaitsIrn: row.awaitsIrn && eInvoicesFrom !== undefined && day >= eInvoicesFrom };
  }

  /** A page of the list. */
  async page(filter: DeskFilter, start: PageStart<DeskOrderSort>, limit: number): Promise<DeskOrderRow[]> {
    const read = (each: DeskFilter) => this.read(each, start, limit);
    if (filter.search === undefined || start.after !== undefined) return read(filter);
    const rows = (await this.exactFirst(filter, limit, read))!;
    // The next page goes on after the last row before the limit, which must stand where the list is sorted.
    const id = filter.search.trim();
    return rows.length === limit && rows.at(-2)?.storeOrderId === id ? read(filter) : rows;
  }

  /** A search is sorted by time. */
  private async read(
    { clientId, ...filter }: DeskFilter,
    start: PageStart<DeskOrderSort>,
    limit: number,
    queries: Queries = this.database,
  ): Promise<DeskOrderRow[]> {
    const { where, text: searched, values } = conditionsOf(clientId, filter, start);
    const { sort = 'newest' } = start;
    const direction = !isStepSort(sort) && SORTS[sort].descending ? 'DESC' : 'ASC';
    const key = isStepSort(sort)
      ? byStep(sort, 'o')
      : `o.placed_at ${direction}, o.order_number ${direction}`;
    const inOrder = `ORDER BY ${key} LIMIT`;
    const orders = `orders o WHERE ${where}`;
    const isOne = (filter.search ?? filter.storeOrderId) !== undefined && searched === undefined;
    // The indexes of steps have all statuses.
    const isIndexed = clientId !== undefined || filter.status !== undefined || isOne || isStepSort(sort);
    const first = (max: number | string) =>
      firstOrdersOf(where, isIndexed, `${inOrder} ${max}`, filter.wasPaid ? PAID : undefined);
    const read = (source: string) =>
      queries.query<DeskOrderRow & object>(
        { text: `SELECT ${DESK_ORDER_LIST} FROM ${source} ${inOrder} $${values.length + 1}` },
        [...values, limit],
      );
    if (searched === undefined) return read(first(`$${values.length + 1}`));
    return findNewestFirst(read, first(MAX_NEWEST_ORDERS), orders, searched, limit);
  }

  /** Undefined if too many match to find them in time. */
  search(filter: DeskFilter, limit: number): Promise<DeskOrderRow[] | undefined> {
    return this.exactFirst(filter, limit, (each) =>
      this.database.readWithin(SEARCH_MS, (queries) => this.read(each, {}, limit, queries)),
    );
  }

  /**
   * Orders with this very id of a store come first, unless it is a number of ours, which a store could send
   * too.
   */
  private async exactFirst(
    { search, ...filter }: DeskFilter,
    limit: number,
    read: (filter: DeskFilter) => Promise<DeskOrderRow[] | undefined>,
  ): Promise<DeskOrderRow[] | undefined> {
    const isId = search !== undefined && normaliseOrderNumber(search) === null;
    const exact = (isId && (await read({ ...filter, storeOrderId: search.trim() }))) || [];
    const numbers = new Set(exact.map(({ orderNumber }) => orderNumber));
    const found = await read({ ...filter, search });
    if (found === undefined && exact.length === 0) return undefined;
    const others = (found ?? []).filter(({ orderNumber }) => !numbers.has(orderNumber));
    return [...exact, ...others].slice(0, limit);
  }

  findMany(orderNumbers: readonly string[]): Promise<DeskOrderRow[]> {
    const text = `SELECT ${DESK_ORDER_LIST} FROM orders o WHERE o.order_number = ANY ($1)`;
    return this.database.query<DeskOrderRow & object>({ text }, [orderNumbers]);
  }

  /** The orders to ship whose payment waits longest. */
  firstToShip(limit: number): Promise<DeskOrderRow[]> {
    const text = `
      SELECT ${DESK_ORDER_LIST}
        FROM orders o WHERE o.status = 'pending' ORDER BY ${toShipFirst('o')} LIMIT $1`;
    return this.database.query<DeskOrderRow & object>({ text }, [limit]);
  }

  /** Orders in each status, counted up to a bound. */
  async counts(clientId?: number): Promise<Record<OrderStatus, BoundedCount>> {
    const parameters = [ORDER_STATUSES, MAX_COUNTED + 1];
    const rows = await (clientId === undefined
      ? this.database.query<StatusCount>(COUNTS, parameters)
      : this.database.query<StatusCount>(COUNTS_OF_CLIENT, [...parameters, clientId]));
    const counts = rows.map(({ status, count }) => [status, toBoundedCount(count)] as const);
    return Object.fromEntries(counts) as Record<OrderStatus, BoundedCount>;
  }

  /** Matching orders, counted up to a bound. */
  async count({ clientId, ...filter }: DeskFilter): Promise<BoundedCount> {
    const { where, values } = conditionsOf(clientId, filter);
    const text = `
      SELECT count(*)::int AS count
        FROM (SELECT FROM orders o WHERE ${where} LIMIT ${MAX_COUNTED + 1}) AS counted`;
    const [row] = await this.database.query<{ count: number }>({ text }, values);
    return toBoundedCount(row!.count);
  }

  /**
   * The orders of all clients, or of one, with these ids of stores or ends of our numbers. Of each as many as
   * a refusal names.
   */
  findNamed(names: readonly string[], clientId?: number): Promise<NamedOrder[]> {
    const text = `
      SELECT asked.typed, c.id, c.name, c.email, found.order_number AS "orderNumber",
             (SELECT domain FROM orders o
               WHERE o.client_id = c.id AND o.order_number = found.order_number) AS domain
        FROM unnest($1::text[], $2::text[]) AS asked (typed, number_end) CROSS JOIN LATERAL (
               (SELECT c.id, s.order_number FROM ${withStoreOrderId('asked.typed')}
                 WHERE c.id = coalesce($4, c.id) ORDER BY c.id, s.order_number LIMIT $3)
               UNION
               (SELECT o.client_id, o.order_number FROM orders o
                 WHERE ${numberEnd('o.order_number')} = asked.number_end
                   AND o.client_id = coalesce($4, o.client_id) LIMIT $3)) AS found
        JOIN clients c USING (id)
       ORDER BY c.id, found.order_number`;
    const ends = names.map(readNumberEnd);
    return this.database.query({ text }, [names, ends, MAX_CLIENT_CANDIDATES, clientId ?? null]);
  }

  /** The accounts of all clients, or of these. */
  accounts(clientIds?: readonly number[]): Promise<ClientAccount[]> {
    return this.accountsOf()
      .where(clientIds === undefined ? 'true' : 'w.clientId = ANY (:clientIds)', { clientIds })
      .getRawMany<ClientAccount>();
  }

  /** Sorted by the numbers of the clients. */
  accountsPage({ only, after = 0 }: AccountFilter, limit: number): Promise<ClientAccountRow[]> {
    const query = this.accountsOf()
      .innerJoin(Client, 'c', 'c.id = w.clientId')
      .addSelect('c.name', 'client')
      .addSelect('w.reserved', 'reserved')
      .where('w.clientId > :after', { after });
    if (only === 'balance') query.andWhere('w.balance > 0');
    if (only === 'unpaid') query.andWhere('s.unpaidOrders > 0');
    return query.orderBy('w.clientId').limit(limit).getRawMany<ClientAccountRow>();
  }

  async accountTotals(): Promise<AccountTotals> {
    const totals = await this.accountsOf()
      .select('count(*)::int', 'clients')
      .addSelect('coalesce(sum(w.balance), 0)', 'balance')
      .addSelect('coalesce(sum(w.reserved), 0)', 'reserved')
      .addSelect('coalesce(sum(s.unpaidOrders), 0)::int', 'unpaidOrders')
      .addSelect('coalesce(sum(s.unpaidValue), 0)', 'unpaidTotal')
      .getRawOne<AccountTotals>();
    return totals!;
  }

  private accountsOf() {
    return this.orders.manager
      .createQueryBuilder(Wallet, 'w')
      .innerJoin(ClientUnpaidTotals, 's', 's.clientId = w.clientId')
      .select('w.clientId', 'clientId')
      .addSelect('w.balance', 'balance')
      .addSelect('s.unpaidOrders', 'unpaidOrders')
      .addSelect('s.unpaidValue', 'unpaidTotal');
  }

  /** A text in many orders filters the whole list as it is read. The index of a rare one is sorted first. */
  async *list({ clientId, ...filter }: DeskFilter, limit?: number): AsyncGenerator<OrderExportRow, number> {
    const { where, text: searched, values } = conditionsOf(clientId, filter);
    const newest = (max: number | string) => `ORDER BY o.placed_at DESC, o.order_number DESC LIMIT ${max}`;
    const { status, from: _, to: __, search, ...others } = filter;
    const isIndexed = clientId !== undefined || status !== undefined;
    const isFrequent = async () => {
      if (searched === undefined) return false;
      const text = `
        SELECT count(*)::int AS found
          FROM ${firstOrdersOf(where, isIndexed, newest(MAX_NEWEST_ORDERS))} WHERE ${searched}`;
      const [near] = await this.database.query<{ found: number }>({ text }, values);
      return near!.found >= MIN_FREQUENT_MATCHES;
    };
    const isOther = Object.values(others).some((value) => value !== undefined);
    const isSorted = isOther || (search !== undefined && !(await isFrequent()));
    const inOrder = newest(limit === undefined ? 'ALL' : limit + MAX_COUNTED + 1);
    // OFFSET 0: otherwise PostgreSQL may read all orders, newest first, until some match. CASE hides the text
    // from its index.
    const source = isSorted
      ? `(SELECT * FROM orders o WHERE ${where} ${searched ? `AND ${searched}` : ''} OFFSET 0) o`
      : firstOrdersOf(
          searched ? `${where} AND CASE WHEN ${searched} THEN true END` : where,
          isIndexed,
          inOrder,
        );
    const text = `
      SELECT ${selectOf(EXPORT_COLUMNS)} FROM ${source} JOIN clients c ON c.id = o.client_id ${inOrder}`;
    return yield* this.database.stream<OrderExportRow>(text, values, limit);
  }

  /** Parcels that need a person, the oldest first. */
  parcelExceptions(limit: number): Promise<ParcelExceptionRow[]> {
    return this.database.query<ParcelExceptionRow>(PARCEL_EXCEPTIONS, [limit]);
  }

  /** The orders to ship with taxed goods worth more than this, in rupees. */
  worthToShip(
    value: number,
    limit: number,
  ): Promise<{ orderNumber: string; state: string; value: number }[]> {
    return this.database.query(WORTH_TO_SHIP, [value, limit]);
  }

  /** Other orders with parcels of these tracking numbers. */
  sharedTracking(tracked: readonly TrackedOrder[]): Promise<SharedTracking[]> {
    return this.database.query<SharedTracking>(SHARED_TRACKING, trackedValues(tracked));
  }

  /** Counts stop at 1,000. */
  async toDo(): Promise<OrdersToDo> {
    const [row] = await this.database.query<
      Record<'oldestPaidAt' | 'oldestReturnAt', Date | null> & Record<'toShip' | 'toReceive', number>
    >(TO_DO, []);
    return { ...row!, toShip: toBoundedCount(row!.toShip), toReceive: toBoundedCount(row!.toReceive) };
  }

  /** For the metrics. Counts stop at 100,000. */
  async countByStatus(): Promise<Record<string, number>> {
    const rows = await this.database.query<StatusCount>(COUNTS, [ORDER_STATUSES, MAX_COUNTED_IN_METRICS]);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Clients that have used up four fifths of their limit of unpaid orders. */
  countClientsNearLimit(): Promise<number> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const share = (used: string, limit: string) =>
      `coalesce(${used} / nullif(${limit}, 0), 0) >= ${NEAR_LIMIT_SHARE}`;
    return this.orders.manager
      .createQueryBuilder(ClientUnpaidTotals, 's')
      .innerJoin(Client, 'c', 'c.id = s.clientId')
      .where(share('cast(s.unpaidOrders AS numeric)', 'coalesce(c.unpaidOrdersLimit, :unpaidOrdersLimit)'))
      .orWhere(share('s.unpaidValue', 'coalesce(c.unpaidValueLimit, :unpaidValueLimit)'))
      .setParameters({ unpaidOrdersLimit, unpaidValueLimit })
      .getCount();
  }
}
