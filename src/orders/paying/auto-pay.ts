import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Repetition } from '../../platform/background/repetition.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';
import { AutoPaySetting } from './auto-pay.entity.js';
import { OrderPayments } from './order-payments.js';
import { UNDERWAY } from './payments-underway.js';

const INTERVAL_MS = 2_000;
const AT_ONCE = 100;

/** Who pays, as wallet and timeline tell it; by this name a day's payments are added up, too. */
export const AUTO_PAY_ACTOR = 'auto-pay';

/** Raw, because wallets, wishes and orders are weighed against one another in one statement. */
const payable = (which: string) => `
    SELECT o.client_id AS "clientId", o.order_number AS "orderNumber"
      FROM auto_pay a
      JOIN wallets w USING (client_id)
      JOIN orders o ON o.client_id = a.client_id AND o.status = 'awaiting_payment' AND o.placed_at >= a.enabled_at
     WHERE a.enabled_at IS NOT NULL AND o.total <= w.balance
       AND NOT EXISTS (SELECT FROM ${UNDERWAY} u WHERE (u.client_id, u.order_number) = (o.client_id, o.order_number))
       AND (a.order_cap IS NULL OR o.total <= a.order_cap)
       AND (a.day_cap IS NULL OR o.total <= a.day_cap - (
         SELECT coalesce(-sum(e.amount), 0) FROM wallet_entries e
          WHERE e.client_id = a.client_id AND e.kind = 'order_payment' AND e.actor = '${AUTO_PAY_ACTOR}'
            AND e.created_at >= date_trunc('day', now(), 'UTC')))
       AND ${which}`;

const NEXT = { name: 'auto-pay-next', text: `${payable('true')} ORDER BY o.placed_at LIMIT ${AT_ONCE}` };

/** Whether this one still is. */
const STILL = { name: 'auto-pay-still', text: payable('(o.client_id, o.order_number) = ($1, $2)') };

/** Not payable any more: paid, cancelled, or too dear for what is left by now. */
const PASSED_OVER = new Set(['illegal_transition', 'insufficient_balance', 'payment_underway']);

/**
 * Pays new orders from the wallets of those who wish it, while balance and caps last. It happens behind the order, whose answer does
 * not wait for it. Each client's wish is locked before an order is paid, so that two nodes together keep to a day's cap as well.
 */
@Injectable()
export class AutoPay implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AutoPay.name);
  private readonly repetition = new Repetition(
    INTERVAL_MS,
    () => this.run(),
    (error) =>
      this.logger.warn(
        `Orders could not be paid from wallets, the next run will try again: ${String(error)}`,
      ),
  );
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly payments: OrderPayments,
  ) {}

  start(): void {
    this.repetition.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.repetition.stop();
  }

  /** Pays what can be paid, and says how many orders that were. */
  async run(): Promise<number> {
    const waiting = await this.database.query<OrderKey>(NEXT, []);
    let paid = 0;
    for (const key of waiting) if (!this.stopped && (await this.pay(key))) paid++;
    return paid;
  }

  private async pay(key: OrderKey): Promise<boolean> {
    try {
      return await this.database.transaction((transaction) => this.payWithin(transaction, key));
    } catch (error) {
      if (error instanceof DomainError && PASSED_OVER.has(error.code)) return false;
      throw error;
    }
  }

  private async payWithin(transaction: Transaction, key: OrderKey): Promise<boolean> {
    const { clientId, orderNumber } = key;
    await transaction.manager.findOne(AutoPaySetting, {
      where: { clientId },
      lock: { mode: 'pessimistic_write' },
    });
    const still = await transaction.query<OrderKey>(STILL, [clientId, orderNumber]);
    if (still.length === 0) return false;
    await this.payments.payFromWalletWithin(transaction, [key], AUTO_PAY_ACTOR);
    return true;
  }
}
