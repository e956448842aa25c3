import { Inject, Injectable } from '@nestjs/common';
import { Database, type Queries } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { UnpaidTotals } from '../rules/unpaid-limits.js';

/** SQL, because every order runs it, and a function locks the rows. */
const unpaidTotals = (source: string) => `
  SELECT s.client_id AS "clientId", s.unpaid_orders AS orders, s.unpaid_value AS value,
         coalesce(c.unpaid_orders_limit, $2) AS "ordersLimit",
         coalesce(c.unpaid_value_limit, $3) AS "valueLimit"
    FROM ${source} AS s JOIN clients c ON c.id = s.client_id`;

const FIND = {
  name: 'unpaid-totals-find',
  text: `${unpaidTotals('unpaid_totals')} WHERE s.client_id = ANY ($1)`,
};

const LOCK = { name: 'unpaid-totals-lock', text: unpaidTotals('lock_unpaid_totals($1)') };

interface Row {
  clientId: number;
  orders: number;
  value: string;
  ordersLimit: number;
  valueLimit: string;
}

/** What clients have ordered and not paid, and the limits of it. */
@Injectable()
export class UnpaidTotalsRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** As they are now, without a lock. */
  async find(clientId: number, database: Queries = this.database): Promise<UnpaidTotals> {
    const rows = await database.query<Row>(FIND, this.values([clientId]));
    return toUnpaidTotals(rows[0]!);
  }

  /**
   * Until the end of the transaction no other order of the client comes or goes. This is the last lock of
   * every transaction: writes to orders take it through the triggers that count, when all other locks are
   * held.
   */
  async lock(transaction: Queries, clientIds: number[]): Promise<Map<number, UnpaidTotals>> {
    const rows = await transaction.query<Row>(LOCK, this.values(clientIds));
    return new Map(rows.map((row) => [row.clientId, toUnpaidTotals(row)]));
  }

  private values(clientIds: number[]): unknown[] {
    return [clientIds, this.settings.unpaidOrdersLimit, this.settings.unpaidValueLimit];
  }
}

function toUnpaidTotals({ orders, value, ordersLimit, valueLimit }: Row): UnpaidTotals {
  return {
    unpaid: { orders, value: minorFromNumeric(value) },
    limits: { orders: ordersLimit, value: minorFromNumeric(valueLimit) },
  };
}
