import type { Database } from '../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { type Funds, fundsOf } from '../../wallet/wallet.service.js';
import { UNDERWAY_OF_CLIENT, UNDERWAY_STATES } from '../lifecycle/payments-underway.js';

/** The figures at the top of a client's pages. */
export interface Overview {
  toPay: { orders: number; total: Minor; firstDueAt: Date | null };
  /** Orders with an open payment; `since` is the time of the newest one. */
  processing: { orders: number; total: Minor; since: Date | null };
  funds: Funds;
  onTheWay: BoundedCount;
  /** Within the last day. */
  shipped: BoundedCount;
  delivered: BoundedCount;
}

/** Counts stop at 1,000. */
export interface BoundedCount {
  count: number;
  orMore: boolean;
}

const MOST_COUNTED = 1_000;

interface Row {
  unpaid: number;
  unpaidTotal: string;
  processing: number;
  processingTotal: string;
  processingSince: Date | null;
  balance: string;
  reserved: string;
  firstDueAt: Date | null;
  onTheWay: number;
  shipped: number;
  delivered: number;
}

/** The ORDER BY makes PostgreSQL use the index of these orders, also on an empty table. */
const count = (condition: string, time: string) => `
  (SELECT count(*)::int FROM (SELECT FROM orders o WHERE o.client_id = $1 AND ${condition}
                               ORDER BY o.${time} LIMIT ${MOST_COUNTED + 1}) AS counted)`;

const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL, because one statement reads everything at one moment, from kept totals and ends of indexes. */
const OVERVIEW = {
  name: 'client-overview',
  text: `
    SELECT totals.unpaid_orders AS unpaid, totals.unpaid_value AS "unpaidTotal", underway.processing,
           underway."processingTotal", wallet.balance, wallet.reserved,
           (SELECT max(created_at) FROM (
              SELECT created_at FROM payments WHERE client_id = $1 AND status IN ${UNDERWAY_STATES} OFFSET 0
            ) AS paid) AS "processingSince",
           (SELECT o.payment_due_at FROM orders o
             WHERE o.client_id = $1 AND o.status = 'awaiting_payment'
               AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}
             ORDER BY o.payment_due_at LIMIT 1) AS "firstDueAt",
           ${count(`o.status = 'shipped'`, 'shipped_at')} AS "onTheWay",
           ${count(`o.status = 'shipped' AND o.shipped_at >= ${A_DAY_AGO}`, 'shipped_at')} AS shipped,
           ${count(`o.delivered_at >= ${A_DAY_AGO}`, 'delivered_at')} AS delivered
      FROM unpaid_totals totals
      JOIN wallets wallet USING (client_id),
           LATERAL (SELECT count(*)::int AS processing, coalesce(sum(o.total), 0) AS "processingTotal"
                      FROM (SELECT DISTINCT order_number FROM ${UNDERWAY_OF_CLIENT} AS paid) AS paid
                     CROSS JOIN LATERAL (SELECT total FROM orders
                                          WHERE client_id = $1 AND order_number = paid.order_number
                                            AND status = 'awaiting_payment' LIMIT 1) AS o) AS underway
     WHERE totals.client_id = $1`,
};

/** The figures at the top of a client's pages. */
export async function readOverview(database: Database, clientId: number): Promise<Overview> {
  const [row] = await database.query<Row>(OVERVIEW, [clientId]);
  const { unpaid, processing, firstDueAt, onTheWay, shipped, delivered } = row!;
  const processingTotal = minorFromNumeric(row!.processingTotal);
  return {
    toPay: {
      orders: unpaid - processing,
      total: minorFromNumeric(row!.unpaidTotal) - processingTotal,
      firstDueAt,
    },
    processing: { orders: processing, total: processingTotal, since: row!.processingSince },
    funds: fundsOf(row!),
    onTheWay: bounded(onTheWay),
    shipped: bounded(shipped),
    delivered: bounded(delivered),
  };
}

function bounded(found: number): BoundedCount {
  return { count: Math.min(found, MOST_COUNTED), orMore: found > MOST_COUNTED };
}
