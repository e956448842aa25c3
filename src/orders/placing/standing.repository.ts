import { Inject, Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Standing } from '../rules/unpaid-limits.js';

/** SQL, because every order runs it, and the rows it locks are those it reads. */
const standings = (source: string) => `
  SELECT s.client_id AS "clientId", s.unpaid_orders AS orders, s.unpaid_value AS value,
         coalesce(c.unpaid_orders_limit, $2) AS "ordersLimit",
         coalesce(c.unpaid_value_limit, $3) AS "valueLimit"
    FROM ${source} AS s JOIN clients c ON c.id = s.client_id`;

const FIND = { name: 'standing-find', text: `${standings('client_standings')} WHERE s.client_id = ANY ($1)` };

const LOCK = { name: 'standing-lock', text: standings('lock_standings($1)') };

interface Row {
  clientId: number;
  orders: number;
  value: string;
  ordersLimit: number;
  valueLimit: string;
}

/** Unpaid totals of clients with their limits. */
@Injectable()
export class StandingRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** The current totals, inside or outside a transaction. */
  async find(database: Queries, clientId: number): Promise<Standing> {
    const rows = await database.query<Row>(FIND, this.values([clientId]));
    return toStanding(rows[0]!);
  }

  /**
   * Locks the totals until the transaction ends. It is always the last lock: other changes of orders take it
   * through the counting trigger, after all their other locks.
   */
  async lock(transaction: Queries, clientIds: number[]): Promise<Map<number, Standing>> {
    const rows = await transaction.query<Row>(LOCK, this.values(clientIds));
    return new Map(rows.map((row) => [row.clientId, toStanding(row)]));
  }

  private values(clientIds: number[]): unknown[] {
    return [clientIds, this.settings.unpaidOrdersLimit, this.settings.unpaidValueLimit];
  }
}

function toStanding({ orders, value, ordersLimit, valueLimit }: Row): Standing {
  return {
    unpaid: { orders, value: minorFromNumeric(value) },
    limits: { orders: ordersLimit, value: minorFromNumeric(valueLimit) },
  };
}
