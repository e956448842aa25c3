import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../../platform/database/database.js';
import { numberConditions } from '../reading/conditions.js';
import { newerThan, olderThan, type OrderCursor } from '../reading/order-cursor.js';
import { type BrowseFilter, filterConditions, textCondition } from './browse-filter.js';
import { EXPORTED, type ExportRow } from './exported-order.js';
import { LISTED, type ListedOrder, type ListedRow, toListedOrder } from './listed-order.js';
import { DETAILS, type DetailsRow, type OrderDetails, toOrderDetails } from './order-details.js';
import { UNDERWAY_OF_CLIENT } from '../paying/payments-underway.js';

/** Where a piece of a list begins: behind an order of it or, backwards, before one; else at its top. */
export interface Start {
  after?: OrderCursor;
  before?: OrderCursor;
}

const FIND = {
  name: 'client-order-find',
  text: `SELECT ${DETAILS} FROM orders o WHERE o.client_id = $1 AND o.order_number = $2`,
};

const CHOSEN = {
  name: 'client-orders-chosen',
  text: `SELECT ${LISTED} FROM orders o WHERE o.client_id = $1 AND o.order_number = ANY ($2) ORDER BY o.placed_at, o.order_number`,
};

const FIRST_DUE = {
  name: 'client-orders-first-due',
  text: `
    SELECT ${LISTED} FROM orders o
     WHERE o.client_id = $1 AND o.status = 'awaiting_payment' AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}
     ORDER BY o.payment_due_at LIMIT $2`,
};

const LAST_SHIPPED = {
  name: 'client-orders-last-shipped',
  text: `SELECT ${LISTED} FROM orders o WHERE o.client_id = $1 AND o.status = 'shipped' ORDER BY o.shipped_at DESC LIMIT $2`,
};

/**
 * What a client's people see of its orders. Every method takes the client first. SQL, because a page of a list is one statement of just those
 * conditions that were asked for, which an index answers in the order of the list however many orders there are.
 */
@Injectable()
export class ClientOrdersRepository {
  constructor(private readonly database: Database) {}

  /** The newest first; backwards, those that are next come first. */
  async list(clientId: number, filter: BrowseFilter, start: Start, limit: number): Promise<ListedOrder[]> {
    const rows = await this.select<ListedRow>('listed', LISTED, clientId, filter, start, limit);
    return rows.map(toListedOrder);
  }

  export(clientId: number, filter: BrowseFilter, start: Start, limit: number): Promise<ExportRow[]> {
    return this.select<ExportRow>('exported', EXPORTED, clientId, filter, start, limit);
  }

  async find(clientId: number, orderNumber: string): Promise<OrderDetails | undefined> {
    const [row] = await this.database.query<DetailsRow>(FIND, [clientId, orderNumber]);
    return row && toOrderDetails(row);
  }

  /** Those of them that are the client's. */
  async chosen(clientId: number, orderNumbers: string[]): Promise<ListedOrder[]> {
    return (await this.database.query<ListedRow>(CHOSEN, [clientId, orderNumbers])).map(toListedOrder);
  }

  /** Of those to be paid. */
  async firstDue(clientId: number, limit: number): Promise<ListedOrder[]> {
    return (await this.database.query<ListedRow>(FIRST_DUE, [clientId, limit])).map(toListedOrder);
  }

  /** Of those on their way. */
  async lastShipped(clientId: number, limit: number): Promise<ListedOrder[]> {
    return (await this.database.query<ListedRow>(LAST_SHIPPED, [clientId, limit])).map(toListedOrder);
  }

  private async select<Row extends QueryResultRow>(
    what: string,
    columns: string,
    clientId: number,
    filter: BrowseFilter,
    start: Start,
    limit: number,
  ): Promise<Row[]> {
    const { kind, conditions, text, values } = conditionsOf(filter, start);
    const direction = start.before ? 'ASC' : 'DESC';
    const inOrder = `ORDER BY o.placed_at ${direction}, o.order_number ${direction} LIMIT`;
    const query = (orders: string, name?: string) =>
      this.database.query<Row>(
        { name, text: `SELECT ${columns} FROM ${orders} ${inOrder} $${values.length + 2}` },
        [clientId, ...values, limit],
      );
    const all = `orders o WHERE ${conditions}`;
    if (filter.search === undefined)
      return query(all, `client-orders-${what}-${filter.group ?? 'all'}-${kind}`);
    if (text === undefined) return query(all);
    const near = await query(`(SELECT * FROM ${all} ${inOrder} ${NEAR}) o WHERE ${text}`);
    return near.length === limit ? near : query(`(SELECT * FROM ${all} AND ${text} OFFSET 0) o`);
  }
}

/**
 * A text that many orders have is found among so many next ones; what is rare is found by the index for texts, and sorted. PostgreSQL, which can
 * only guess how rare it is, is left no choice: with the wrong one it reads them all.
 */
const NEAR = 1_000;

function conditionsOf(filter: BrowseFilter, { after, before }: Start) {
  const text = textCondition(filter);
  const { kind, texts, values } = numberConditions([
    ...filterConditions(filter),
    after && olderThan(after),
    before && newerThan(before),
    text,
  ]);
  const conditions = ['o.client_id = $1', ...texts];
  return { kind, values, text: text && conditions.pop(), conditions: conditions.join(' AND ') };
}
