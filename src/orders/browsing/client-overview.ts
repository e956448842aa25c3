import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { UNDERWAY_OF_CLIENT, UNDERWAY_STATES } from '../paying/payments-underway.js';

/** How a client stands. */
export interface Overview {
  toPay: { orders: number; total: Minor; firstDueAt: Date | null };
  /** Awaiting payment, which is on its way; the last one since then. */
  processing: { orders: number; total: Minor; since: Date | null };
  balance: Minor;
  onTheWay: BoundedCount;
  /** Within the last day. */
  shipped: BoundedCount;
  delivered: BoundedCount;
}

/** Nobody needs to know how many thousands there are. */
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
  firstDueAt: Date | null;
  onTheWay: number;
  shipped: number;
  delivered: number;
}

const count = (condition: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM orders o WHERE o.client_id = $1 AND ${condition} LIMIT ${MOST_COUNTED + 1}) AS counted)`;

const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL, because all of it is of one moment and of one statement, which reads what is kept and the beginnings of indexes. */
const OVERVIEW = {
  name: 'client-overview',
  text: `
    SELECT standing.unpaid_orders AS unpaid, standing.unpaid_value AS "unpaidTotal", underway.processing, underway."processingTotal",
           wallet.balance,
           (SELECT max(p.created_at) FROM payments p WHERE p.client_id = $1 AND p.status IN ${UNDERWAY_STATES}) AS "processingSince",
           (SELECT min(o.payment_due_at) FROM orders o
             WHERE o.client_id = $1 AND o.status = 'awaiting_payment' AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}) AS "firstDueAt",
           ${count(`o.status = 'shipped'`)} AS "onTheWay",
           ${count(`o.status = 'shipped' AND o.shipped_at >= ${A_DAY_AGO}`)} AS shipped,
           ${count(`o.delivered_at >= ${A_DAY_AGO}`)} AS delivered
      FROM client_standings standing
      JOIN wallets wallet USING (client_id),
           LATERAL (SELECT count(*)::int AS processing, coalesce(sum(o.total), 0) AS "processingTotal" FROM orders o
                     WHERE o.client_id = $1 AND o.status = 'awaiting_payment' AND o.order_number IN ${UNDERWAY_OF_CLIENT}) AS underway
     WHERE standing.client_id = $1`,
};

@Injectable()
export class ClientOverview {
  constructor(private readonly database: Database) {}

  async of(clientId: number): Promise<Overview> {
    const [row] = await this.database.query<Row>(OVERVIEW, [clientId]);
    const { unpaid, processing, balance, firstDueAt, onTheWay, shipped, delivered } = row!;
    const processingTotal = minorFromNumeric(row!.processingTotal);
    return {
      toPay: {
        orders: unpaid - processing,
        total: minorFromNumeric(row!.unpaidTotal) - processingTotal,
        firstDueAt,
      },
      processing: { orders: processing, total: processingTotal, since: row!.processingSince },
      balance: minorFromNumeric(balance),
      onTheWay: bounded(onTheWay),
      shipped: bounded(shipped),
      delivered: bounded(delivered),
    };
  }
}

function bounded(found: number): BoundedCount {
  return { count: Math.min(found, MOST_COUNTED), orMore: found > MOST_COUNTED };
}
