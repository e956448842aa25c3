import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Visitor } from '../../read-model/access/caller.js';
import type { Unpaid } from '../rules/unpaid-limits.js';

/** How a client's order is placed beside its others: with them, or while none of them is. */
export type Company = 'together' | 'alone';

export interface Standing {
  unpaid: Unpaid;
  limits: Unpaid;
  /** So many orders can be under way at a time: the database has no more connections than that, and each holds one transaction. */
  atOnce: number;
}

/** The first of the two numbers of the locks that are taken by client. */
const LOCK_OF_CLIENTS = 1_704_120;

const LOCK: Record<Company, { name: string; text: string }> = {
  together: {
    name: 'order-placed-together',
    text: `SELECT pg_advisory_xact_lock_shared(${LOCK_OF_CLIENTS}, $1)`,
  },
  alone: { name: 'order-placed-alone', text: `SELECT pg_advisory_xact_lock(${LOCK_OF_CLIENTS}, $1)` },
};

/**
 * SQL, because it is one more of the handful of statements of every order. Counting reads each unpaid order of the client, so it is
 * left out where there is no limit.
 */
const STANDING = {
  name: 'order-standing',
  text: `
    SELECT open.orders, open.value, c."ordersLimit", c."valueLimit",
           current_setting('max_connections')::int AS "atOnce"
      FROM (SELECT coalesce(unpaid_orders_limit, $2) AS "ordersLimit", coalesce(unpaid_value_limit, $3) AS "valueLimit"
              FROM clients WHERE id = $1) AS c,
           LATERAL (SELECT count(*)::int AS orders, coalesce(sum(o.total), 0) AS value
                      FROM orders o
                     WHERE o.client_id = $1 AND o.status = 'awaiting_payment'
                       AND (c."ordersLimit" > 0 OR c."valueLimit" > 0)) AS open`,
};

/** SQL, because it is the database's clock that says, as it says when the order was placed. */
const RIGHTS = {
  name: 'order-rights',
  text: `
    SELECT EXISTS (SELECT FROM tokens token JOIN clients client ON client.id = token.client_id
                    WHERE token.id = $2 AND token.revoked_at IS NULL AND client.suspended_at IS NULL) AS "isAdmitted",
           (SELECT plan_id FROM subscriptions
             WHERE client_id = $1 AND starts_at <= clock_timestamp() AND ends_at > clock_timestamp()) AS "planId"`,
};

/** What lets a caller order, as the database has it. */
export interface Rights {
  isAdmitted: boolean;
  /** Of the active subscription, if there is one. */
  planId: number | null;
}

interface Row {
  orders: number;
  value: string;
  ordersLimit: number;
  valueLimit: string;
  atOnce: number;
}

/** What decides about a client's orders besides what is ordered. */
@Injectable()
export class StandingRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Before any other lock. What is asked in a later statement sees all that was placed before. */
  async join(clientId: number, transaction: Transaction, company: Company): Promise<void> {
    await transaction.query(LOCK[company], [clientId]);
  }

  async find(clientId: number, transaction: Transaction): Promise<Standing> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const rows = await transaction.query<Row>(STANDING, [clientId, unpaidOrdersLimit, unpaidValueLimit]);
    const { orders, value, ordersLimit, valueLimit, atOnce } = rows[0]!;
    return {
      unpaid: { orders, value: minorFromNumeric(value) },
      limits: { orders: ordersLimit, value: minorFromNumeric(valueLimit) },
      atOnce,
    };
  }

  async rights({ client, token }: Visitor, transaction: Transaction): Promise<Rights> {
    const rows = await transaction.query<Rights>(RIGHTS, [client.id, token.id]);
    return rows[0]!;
  }
}
