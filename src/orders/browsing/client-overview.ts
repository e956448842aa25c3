import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { UNDERWAY } from './underway.js';

/** How a client stands. */
export interface Overview {
  toPay: { orders: number; total: Minor; firstDueAt: Date | null; dueWithinADay: number };
  /** Awaiting payment, which is on its way. */
  processing: { orders: number; total: Minor };
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
  toPay: number;
  toPayTotal: string;
  firstDueAt: Date | null;
  dueWithinADay: number;
  processing: number;
  processingTotal: string;
  balance: string;
  onTheWay: number;
  shipped: number;
  delivered: number;
}

const count = (condition: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM orders WHERE client_id = $1 AND ${condition} LIMIT ${MOST_COUNTED + 1}) AS some)`;

const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL, because all of it is one statement, answered from indexes alone; there are no more unpaid orders than a client may have. */
const OVERVIEW = {
  name: 'client-overview',
  text: `
    WITH unpaid AS (
           SELECT o.total, o.payment_due_at AS due_at, o.order_number IN ${UNDERWAY} AS is_processing
             FROM orders o WHERE o.client_id = $1 AND o.status = 'awaiting_payment')
    SELECT count(*) FILTER (WHERE NOT is_processing)::int AS "toPay",
           coalesce(sum(total) FILTER (WHERE NOT is_processing), 0) AS "toPayTotal",
           min(due_at) FILTER (WHERE NOT is_processing) AS "firstDueAt",
           count(*) FILTER (WHERE NOT is_processing AND due_at < now() + interval '1 day')::int AS "dueWithinADay",
           count(*) FILTER (WHERE is_processing)::int AS "processing",
           coalesce(sum(total) FILTER (WHERE is_processing), 0) AS "processingTotal",
           (SELECT balance FROM wallets WHERE client_id = $1) AS balance,
           ${count(`status = 'shipped'`)} AS "onTheWay",
           ${count(`status = 'shipped' AND shipped_at >= ${A_DAY_AGO}`)} AS shipped,
           ${count(`delivered_at >= ${A_DAY_AGO}`)} AS delivered
      FROM unpaid`,
};

@Injectable()
export class ClientOverview {
  constructor(private readonly database: Database) {}

  async of(clientId: number): Promise<Overview> {
    const [row] = await this.database.query<Row>(OVERVIEW, [clientId]);
    const { toPay, toPayTotal, firstDueAt, dueWithinADay, processing, processingTotal } = row!;
    return {
      toPay: { orders: toPay, total: minorFromNumeric(toPayTotal), firstDueAt, dueWithinADay },
      processing: { orders: processing, total: minorFromNumeric(processingTotal) },
      balance: minorFromNumeric(row!.balance),
      onTheWay: bounded(row!.onTheWay),
      shipped: bounded(row!.shipped),
      delivered: bounded(row!.delivered),
    };
  }
}

function bounded(found: number): BoundedCount {
  return { count: Math.min(found, MOST_COUNTED), orMore: found > MOST_COUNTED };
}
