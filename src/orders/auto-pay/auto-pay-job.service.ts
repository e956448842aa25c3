import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/background/background-job.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { OrderKey } from '../entities/order.entity.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { underwayOf } from '../lifecycle/payments-underway.js';
import { affordable } from '../rules/order-totals.js';
import { AutoPaySetting } from './auto-pay.entity.js';

const INTERVAL_MS = 2_000;

/** Orders of one client per transaction. */
const MOST_TOGETHER = 100;

/** The actor in wallet and timeline. The day's payments are summed by this name. */
export const AUTO_PAY_ACTOR = 'auto-pay';

/** The ORDER BY makes PostgreSQL use the index by time, also on an empty table. */
export const paidSince = (client: string, since: string) => `
  (SELECT amount FROM wallet_entries
    WHERE client_id = ${client} AND created_at >= ${since}
      AND kind = 'order_payment' AND actor = '${AUTO_PAY_ACTOR}'
    ORDER BY created_at OFFSET 0) AS paid_today`;

/** The client's day. `$1` is the zone of the settings. */
const TODAY = `date_trunc('day', now(), coalesce(c.time_zone, $1))`;

/** What the wallet and the day's cap leave for a client. */
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
     ORDER BY o.placed_at LIMIT ${MOST_TOGETHER}
       FOR UPDATE OF o SKIP LOCKED`,
};

type PayableOrder = OrderKey & { total: string; available: string };

/** The wallet now holds less, or an order is paid in another way. The next run sees the rest. */
const PASSED_OVER = new Set(['insufficient_balance', 'payment_underway']);

/**
 * Pays new orders from the wallets of clients that turned auto-pay on, while balance and caps last. It runs
 * after the order was answered. Each client's setting is locked first, so that two nodes keep the day's cap.
 */
@Injectable()
export class AutoPayJobService extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly payments: OrderLifecycleService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super('auto_pay', INTERVAL_MS);
  }

  /** Returns the number of orders that were paid. */
  async run(): Promise<number> {
    const clients = await this.database.query<{ clientId: number }>(PAYABLE_CLIENTS, [
      this.settings.timeZone,
    ]);
    let paid = 0;
    for (const { clientId } of clients) paid += await this.payFor(clientId);
    return paid;
  }

  private async payFor(clientId: number): Promise<number> {
    for (let paid = 0; ;) {
      const together = this.isStopping ? 0 : await this.payTogether(clientId);
      if (together === 0) return paid;
      paid += together;
    }
  }

  private async payTogether(clientId: number): Promise<number> {
    try {
      return await this.database.transaction((transaction) => this.payWithin(transaction, clientId));
    } catch (error) {
      // The database does not answer, so the next client would fail too.
      if (error instanceof DomainError && !PASSED_OVER.has(error.code)) throw error;
      if (!(error instanceof DomainError))
        this.logger.error(`Orders of client ${clientId} could not be paid from its wallet: ${String(error)}`);
      return 0;
    }
  }

  private async payWithin(transaction: Transaction, clientId: number): Promise<number> {
    await transaction.manager.findOne(AutoPaySetting, {
      where: { clientId },
      lock: { mode: 'pessimistic_write' },
    });
    const payable = await transaction.query<PayableOrder>(PAYABLE_ORDERS, [this.settings.timeZone, clientId]);
    if (payable.length === 0) return 0;
    const paid = affordable(
      payable,
      ({ total }) => minorFromNumeric(total),
      minorFromNumeric(payable[0]!.available),
    );
    await this.payments.payFromWalletWithin(transaction, paid, AUTO_PAY_ACTOR);
    return paid.length;
  }
}
