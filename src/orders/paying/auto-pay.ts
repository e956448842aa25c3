import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Repetition } from '../../platform/background/repetition.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { asFarAsItLasts } from '../rules/as-far-as-it-lasts.js';
import { AutoPaySetting } from './auto-pay.entity.js';
import { OrderPayments } from './order-payments.js';

const INTERVAL_MS = 2_000;
const AT_ONCE = 100;

/** Who pays, as wallet and timeline tell it; by this name a day's payments are added up, too. */
export const AUTO_PAY_ACTOR = 'auto-pay';

/** An order that could be paid by itself, and what may be spent on all of its client's together: the balance, or what is left for the day. */
type Payable = OrderKey & { total: string; room: string };

/** Raw, because wallets, wishes and orders are weighed against one another in one statement, for all clients or for one. */
const PAYABLE = {
  name: 'auto-pay-payable',
  text: `
    SELECT o.client_id AS "clientId", o.order_number AS "orderNumber", o.total, purse.room
      FROM auto_pay a
      JOIN wallets w USING (client_id)
      JOIN LATERAL (SELECT least(w.balance, a.day_cap - (
             SELECT coalesce(-sum(e.amount), 0) FROM wallet_entries e
              WHERE e.client_id = a.client_id AND e.kind = 'order_payment' AND e.actor = '${AUTO_PAY_ACTOR}'
                AND e.created_at >= date_trunc('day', now(), 'UTC'))) AS room) AS purse ON true
      JOIN orders o ON o.client_id = a.client_id AND o.status = 'awaiting_payment' AND o.placed_at >= a.enabled_at
     WHERE a.enabled_at IS NOT NULL AND a.client_id = coalesce($1, a.client_id) AND o.total <= purse.room
       AND NOT EXISTS (SELECT FROM payment_orders m JOIN payments p USING (client_id, payment_id)
                        WHERE (m.client_id, m.order_number) = (o.client_id, o.order_number) AND p.status IN ('opening', 'open'))
       AND (a.order_cap IS NULL OR o.total <= a.order_cap)
     ORDER BY o.placed_at LIMIT ${AT_ONCE}`,
};

/** Not payable any more: paid, cancelled, or too dear for what is left by now. */
const PASSED_OVER = new Set(['illegal_transition', 'insufficient_balance', 'payment_underway']);

/**
 * Pays new orders from the wallets of those who wish it, while balance and caps last. It happens behind the order, whose answer does
 * not wait for it. Those of one client are paid together. Its wish is locked before, so that two nodes together keep to a day's cap as well.
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
    for (let paid = 0; ;) {
      const payable = await this.database.query<Payable>(PAYABLE, [null]);
      const before = paid;
      for (const orders of byClient(payable)) if (!this.stopped) paid += await this.pay(orders);
      // There may be more of them than were looked at.
      if (payable.length < AT_ONCE || paid === before || this.stopped) return paid;
    }
  }

  /** All of them, but for those that cannot be paid any more: such a one is found by paying the halves by themselves. */
  private async pay(orders: readonly OrderKey[]): Promise<number> {
    try {
      return await this.database.transaction((transaction) => this.payWithin(transaction, orders));
    } catch (error) {
      if (!(error instanceof DomainError && PASSED_OVER.has(error.code))) throw error;
      if (orders.length === 1) return 0;
      const middle = Math.ceil(orders.length / 2);
      return (await this.pay(orders.slice(0, middle))) + (await this.pay(orders.slice(middle)));
    }
  }

  private async payWithin(transaction: Transaction, orders: readonly OrderKey[]): Promise<number> {
    const { clientId } = orders[0]!;
    await transaction.manager.findOne(AutoPaySetting, {
      where: { clientId },
      lock: { mode: 'pessimistic_write' },
    });
    const wanted = new Set(orders.map(({ orderNumber }) => orderNumber));
    const payable = await transaction.query<Payable>(PAYABLE, [clientId]);
    const room = minorFromNumeric(payable[0]?.room ?? '0');
    const found = payable.filter(({ orderNumber }) => wanted.has(orderNumber));
    const paid = asFarAsItLasts(found, ({ total }) => minorFromNumeric(total), room);
    if (paid.length > 0) await this.payments.payFromWalletWithin(transaction, paid, AUTO_PAY_ACTOR);
    return paid.length;
  }
}

/** The oldest first, as they came. */
function byClient(orders: readonly Payable[]): Payable[][] {
  const clients = new Map<number, Payable[]>();
  for (const order of orders) {
    const others = clients.get(order.clientId);
    if (others) others.push(order);
    else clients.set(order.clientId, [order]);
  }
  return [...clients.values()];
}
