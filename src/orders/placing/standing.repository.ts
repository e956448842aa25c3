import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Unpaid } from '../rules/unpaid-limits.js';

/** How a client's order is placed beside its others: with them, or while none of them is. */
export type Company = 'together' | 'alone';

export interface Standing {
  unpaid: Unpaid;
  limits: Unpaid;
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

/** SQL, because it is one more of the handful of statements of every order. */
const STANDING = {
  name: 'order-standing',
  text: `
    SELECT open.orders, open.value, c.unpaid_orders_limit AS "ordersLimit", c.unpaid_value_limit AS "valueLimit"
      FROM clients c,
           LATERAL (SELECT count(*)::int AS orders, coalesce(sum(o.total), 0) AS value
                      FROM orders o WHERE o.client_id = c.id AND o.status = 'awaiting_payment') AS open
     WHERE c.id = $1`,
};

/** SQL, because it is the database's clock that says, as it says when the order was placed. */
const SUBSCRIBED = {
  name: 'order-subscribed',
  text: `
    SELECT FROM subscriptions
     WHERE client_id = $1 AND starts_at <= clock_timestamp() AND ends_at > clock_timestamp()`,
};

interface Row {
  orders: number;
  value: string;
  ordersLimit: number | null;
  valueLimit: string | null;
}

/** What decides about a client's orders besides what is ordered. */
@Injectable()
export class StandingRepository {
  private readonly usual: Unpaid;

  constructor(@Inject(SETTINGS) { unpaidOrdersLimit, unpaidValueLimit }: Settings) {
    this.usual = { orders: unpaidOrdersLimit, value: unpaidValueLimit * 100 };
  }

  /** Before any other lock. What is asked in a later statement sees all that was placed before. */
  async join(clientId: number, transaction: Transaction, company: Company): Promise<void> {
    await transaction.query(LOCK[company], [clientId]);
  }

  async find(clientId: number, transaction: Transaction): Promise<Standing> {
    const rows = await transaction.query<Row>(STANDING, [clientId]);
    const { orders, value, ordersLimit, valueLimit } = rows[0]!;
    return {
      unpaid: { orders, value: minorFromNumeric(value) },
      limits: {
        orders: ordersLimit ?? this.usual.orders,
        value: valueLimit === null ? this.usual.value : minorFromNumeric(valueLimit),
      },
    };
  }

  async isSubscribed(clientId: number, transaction: Transaction): Promise<boolean> {
    return (await transaction.query(SUBSCRIBED, [clientId])).length > 0;
  }
}
