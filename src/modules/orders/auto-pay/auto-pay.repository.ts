import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { OrderKey } from '../entities/order.entity.js';
import { underwayOf } from '../lifecycle/payments-underway.repository.js';

/** Orders of one client per transaction. */
const MAX_ORDERS_PER_TRANSACTION = 100;

/** The actor in wallet and timeline. The day's payments are summed by this name. */
export const AUTO_PAY_ACTOR = 'auto-pay';

/** The ORDER BY makes PostgreSQL use the index by time, also on an empty table. */
const paidSince = (client: string, since: string) => `
  (SELECT amount FROM wallet_entries
    WHERE client_id = ${client} AND created_at >= ${since}
      AND kind = 'order_payment' AND actor = '${AUTO_PAY_ACTOR}'
    ORDER BY created_at OFFSET 0) AS paid_today`;

/** The client's day. `$1` is the zone of the settings. */
const TODAY = `date_trunc('day', now(), coalesce(c.time_zone, $1))`;

/** The amount that the wallet and the day's cap leave for a client. */
const AVAILABLE = `
  least(w.balance - w.reserved, a.day_cap - (
    SELECT coalesce(-sum(amount), 0) FROM ${paidSince('a.client_id', TODAY)}))`;

const USERS = 'FROM auto_pay a JOIN clients c ON c.id = a.client_id JOIN wallets w USING (client_id)';

/** An order that can be paid now, on its own, if its total is available. */
const PAYABLE = `
  a.enabled_at IS NOT NULL AND o.client_id = a.client_id AND o.status = 'awaiting_payment'
  AND o.placed_at >= a.enabled_at AND (a.order_cap IS NULL OR o.total <= a.order_cap)
  AND ${underwayOf('o')} IS NULL`;

/**
 * SQL, because one statement compares wallets, settings and orders of all clients. The minimum of each client
 * makes PostgreSQL start at the settings: as a join it started at all unpaid orders.
 */
const PAYABLE_CLIENTS = {
  name: 'auto-pay-clients',
  text: `
    SELECT a.client_id AS "clientId" ${USERS}
     CROSS JOIN LATERAL (SELECT min(o.total) AS total FROM orders o WHERE ${PAYABLE}) AS cheapest
     WHERE cheapest.total IS NOT NULL AND cheapest.total <= ${AVAILABLE}`,
};

/** The same for one client. Skips locked orders, because another transaction is changing them. */
const PAYABLE_ORDERS = {
  name: 'auto-pay-orders',
  text: `
    SELECT o.client_id AS "clientId", o.order_number AS "orderNumber", o.total, available.amount AS available
      ${USERS} CROSS JOIN LATERAL (SELECT ${AVAILABLE} AS amount) AS available JOIN orders o ON ${PAYABLE}
     WHERE a.client_id = $2 AND o.total <= available.amount
     ORDER BY o.placed_at LIMIT ${MAX_ORDERS_PER_TRANSACTION}
       FOR UPDATE OF o SKIP LOCKED`,
};

type PayableOrder = OrderKey & { total: string; available: string };

const PAID_TODAY = {
  name: 'auto-pay-today',
  text: `SELECT coalesce(-sum(amount), 0) AS paid FROM ${paidSince('$1', '$2')}`,
};

/** Orders that auto-pay may pay, and the sum that it has paid. */
@Injectable()
export class AutoPayRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  payableClients(): Promise<{ clientId: number }[]> {
    return this.database.query(PAYABLE_CLIENTS, [this.settings.timeZone]);
  }

  payableOrders(transaction: Transaction, clientId: number): Promise<PayableOrder[]> {
    return transaction.query<PayableOrder>(PAYABLE_ORDERS, [this.settings.timeZone, clientId]);
  }

  async paidSince(clientId: number, time: Date): Promise<Minor> {
    const [since] = await this.database.query<{ paid: string }>(PAID_TODAY, [clientId, time]);
    return minorFromNumeric(since!.paid);
  }
}
