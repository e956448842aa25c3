import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import type { Seen } from '../../read-model/snapshot/horizon.js';
import { orderConditions } from './order-conditions.js';
import type { OrderCursor } from './order-cursor.js';
import type { OrderListQuery } from './order.queries.js';
import { ORDER_SUMMARY_COLUMNS, type OrderSummary } from './order-record.js';

export interface ListedOrders {
  /** What was seen of all orders of the client, however few are listed. */
  view: Seen;
  orders: OrderSummary[];
}

type Row = { identity: string; seenBelow: string; highestStamp: string } & (
  OrderSummary | { orderNumber: null }
);

/**
 * Beside every row, and alone where there is none. SQL, because stores poll this, and because it is one statement, so that view and
 * orders are of one moment. The limit tells the planner that there is one view: it takes `history` for a thousand rows.
 */
const viewAnd = (orders: string, order: string) => `
  SELECT view.*, listed.*
    FROM (SELECT identity, pg_snapshot_xmin(snapshot)::text AS "seenBelow",
                 (SELECT coalesce(max(changed), 0) FROM orders
                   WHERE client_id = $1 AND changed < pg_snapshot_xmax(snapshot)::text::bigint) AS "highestStamp"
            FROM history_identity(), pg_current_snapshot() AS snapshot LIMIT 1) AS view
    LEFT JOIN LATERAL (${orders}) AS listed ON true
   ORDER BY ${order}`;

const CHANGED = {
  name: 'order-list-changed',
  text: viewAnd(
    `SELECT ${ORDER_SUMMARY_COLUMNS} FROM orders o WHERE o.client_id = $1 AND o.changed >= $2
      ORDER BY o.changed FETCH FIRST $3 ROWS WITH TIES`,
    'listed.changed, listed."orderNumber"',
  ),
};

/** A client's orders, many at a time. */
@Injectable()
export class OrderListRepository {
  constructor(private readonly database: Database) {}

  /** The newest that fit the query and come after the cursor, at most so many. */
  page(
    clientId: number,
    query: OrderListQuery,
    after: OrderCursor | undefined,
    limit: number,
  ): Promise<ListedOrders> {
    const { kind, texts, values } = orderConditions(query, after);
    const where = ['o.client_id = $1', ...texts].join(' AND ');
    const statement = {
      name: `order-list-page-${kind}`,
      text: viewAnd(
        `SELECT ${ORDER_SUMMARY_COLUMNS} FROM orders o WHERE ${where}
          ORDER BY o.placed_at DESC, o.order_number DESC LIMIT $${values.length + 2}`,
        'listed."placedAt" DESC, listed."orderNumber" DESC',
      ),
    };
    return this.list(statement, [clientId, ...values, limit]);
  }

  /** Those stamped at this stamp or later, the earliest changes first; all of one transaction, or none. */
  changedSince(clientId: number, stamp: number, limit: number): Promise<ListedOrders> {
    return this.list(CHANGED, [clientId, stamp, limit]);
  }

  private async list(statement: Statement, values: unknown[]): Promise<ListedOrders> {
    const rows = await this.database.query<Row>(statement, values);
    const { identity, seenBelow, highestStamp } = rows[0]!;
    return {
      view: { identity, seenBelow: Number(seenBelow), highestStamp: Number(highestStamp) },
      orders: rows.filter((row): row is Row & OrderSummary => row.orderNumber !== null),
    };
  }
}
