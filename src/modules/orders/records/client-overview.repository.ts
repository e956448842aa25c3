import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../../platform/lists/bounded-lists.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import { type Funds, fundsOf } from '../../wallet/wallet.service.js';
import type { OrderGroup } from '../rules/order-transitions.js';
import { ON_THE_WAY } from './order-filter.js';
import { UNDERWAY_OF_CLIENT, UNDERWAY_STATES } from '../lifecycle/payments-underway.repository.js';

/** The orders that a client has to pay, and its money. */
interface AccountStanding {
  toPay: { orders: number; total: Minor; firstDueAt: Date | null };
  /** Orders with an open payment; `since` is the time of the newest one. */
  processing: { orders: number; since: Date | null };
  funds: Funds;
}

/** The figures at the top of a client's first page. */
export interface ClientOverview extends AccountStanding {
  onTheWay: BoundedCount;
  /** Within the last day. */
  shipped: BoundedCount;
  delivered: BoundedCount;
}

/** The sizes of a client's groups of orders. */
export interface OrderGroupCounts extends AccountStanding {
  groups: Record<OrderGroup, BoundedCount>;
}

interface OverviewRow {
  unpaid: number;
  unpaidTotal: string;
  processing: number;
  processingTotal: string;
  processingSince: Date | null;
  balance: string;
  reserved: string;
  firstDueAt: Date | null;
}

/** The ORDER BY makes PostgreSQL use the index of these orders, also on an empty table. */
const count = (condition: string, time: string) => `
  (SELECT count(*)::int FROM (SELECT FROM orders o WHERE o.client_id = $1 AND ${condition}
                               ORDER BY o.${time} LIMIT ${MAX_COUNTED + 1}) AS counted)`;

const A_DAY_AGO = `now() - interval '1 day'`;

/** SQL, because one statement reads everything at one moment, from kept totals and ends of indexes. */
const standingWith = (counts: Record<string, string>) => `
    SELECT totals.unpaid_orders AS unpaid, totals.unpaid_value AS "unpaidTotal", underway.processing,
           underway."processingTotal", wallet.balance, wallet.reserved,
           (SELECT max(created_at) FROM (
              SELECT created_at FROM payments WHERE client_id = $1 AND status IN ${UNDERWAY_STATES} OFFSET 0
            ) AS paid) AS "processingSince",
           (SELECT o.payment_due_at FROM orders o
             WHERE o.client_id = $1 AND o.status = 'awaiting_payment'
               AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}
             ORDER BY o.payment_due_at LIMIT 1) AS "firstDueAt",
           ${Object.entries(counts)
             .map(([name, sum]) => `${sum} AS "${name}"`)
             .join(', ')}
      FROM unpaid_totals totals
      JOIN wallets wallet USING (client_id),
           LATERAL (SELECT count(*)::int AS processing, coalesce(sum(o.total), 0) AS "processingTotal"
                      FROM (SELECT DISTINCT order_number FROM ${UNDERWAY_OF_CLIENT} AS paid) AS paid
                     CROSS JOIN LATERAL (SELECT total FROM orders
                                          WHERE client_id = $1 AND order_number = paid.order_number
                                            AND status = 'awaiting_payment' LIMIT 1) AS o) AS underway
     WHERE totals.client_id = $1`;

const OVERVIEW = {
  name: 'client-overview',
  text: standingWith({
    onTheWay: count(ON_THE_WAY, 'shipped_at'),
    shipped: count(`o.status = 'shipped' AND o.shipped_at >= ${A_DAY_AGO}`, 'shipped_at'),
    delivered: count(`o.delivered_at >= ${A_DAY_AGO}`, 'delivered_at'),
  }),
};

const TALLY = {
  name: 'client-tally',
  text: standingWith({
    paid: count(`o.status = 'pending'`, 'placed_at'),
    shipped: count(
      `o.status = 'shipped' AND o.shipped_at IS NOT NULL AND o.goods_state IS NULL`,
      'shipped_at',
    ),
    not_arriving: count(`o.status = 'shipped' AND o.goods_state IS NOT NULL`, 'placed_at'),
    delivered: count(`o.status = 'delivered'`, 'placed_at'),
    cancelled: count(`o.status = 'cancelled'`, 'placed_at'),
  }),
};

/** The first steps that a new client has taken, in the usual order. */
export interface FirstSteps {
  hasToken: boolean;
  hasCalled: boolean;
  hasMoney: boolean;
  hasOrdered: boolean;
  hasPaid: boolean;
}

/** SQL, because one statement asks several tables whether a first row exists. */
const FIRST_STEPS = {
  name: 'client-first-steps',
  text: `
    SELECT EXISTS (SELECT FROM tokens WHERE client_id = $1) AS "hasToken",
           EXISTS (SELECT FROM tokens t JOIN token_uses u ON u.token_id = t.id WHERE t.client_id = $1)
             OR EXISTS (SELECT FROM orders WHERE client_id = $1) AS "hasCalled",
           (SELECT entries > 0 FROM wallets WHERE client_id = $1) AS "hasMoney",
           EXISTS (SELECT FROM orders WHERE client_id = $1) AS "hasOrdered",
           EXISTS (SELECT FROM orders WHERE client_id = $1 AND payment_status IN ('paid', 'refunded'))
             AS "hasPaid"`,
};

/** The figures of a client's first page. */
@Injectable()
export class ClientOverviewRepository {
  constructor(private readonly database: Database) {}

  async overview(clientId: number): Promise<ClientOverview> {
    const [row] = await this.database.query<OverviewRow & Counts<'onTheWay' | 'shipped' | 'delivered'>>(
      OVERVIEW,
      [clientId],
    );
    const { onTheWay, shipped, delivered } = row!;
    return {
      ...standingOf(row!),
      onTheWay: toBoundedCount(onTheWay),
      shipped: toBoundedCount(shipped),
      delivered: toBoundedCount(delivered),
    };
  }

  async tally(clientId: number): Promise<OrderGroupCounts> {
    const [row] = await this.database.query<
      OverviewRow & Counts<'paid' | 'shipped' | 'not_arriving' | 'delivered' | 'cancelled'>
    >(TALLY, [clientId]);
    const { paid, shipped, not_arriving: notArriving, delivered, cancelled } = row!;
    const standing = standingOf(row!);
    return {
      ...standing,
      groups: {
        to_pay: toExactCount(standing.toPay.orders),
        processing: toExactCount(standing.processing.orders),
        paid: toBoundedCount(paid),
        shipped: toBoundedCount(shipped),
        not_arriving: toBoundedCount(notArriving),
        delivered: toBoundedCount(delivered),
        cancelled: toBoundedCount(cancelled),
      },
    };
  }

  async firstSteps(clientId: number): Promise<FirstSteps> {
    const [steps] = await this.database.query<FirstSteps & object>(FIRST_STEPS, [clientId]);
    return steps!;
  }
}

type Counts<Name extends string> = Record<Name, number>;

function standingOf(row: OverviewRow): AccountStanding {
  const { unpaid, processing, firstDueAt, processingSince } = row;
  const processingTotal = minorFromNumeric(row.processingTotal);
  return {
    toPay: {
      orders: unpaid - processing,
      total: minorFromNumeric(row.unpaidTotal) - processingTotal,
      firstDueAt,
    },
    processing: { orders: processing, since: processingSince },
    funds: fundsOf(row),
  };
}

function toExactCount(orders: number): BoundedCount {
  return { count: orders, orMore: false };
}
