import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { affordable } from '../rules/order-totals.js';
import { AUTO_PAY_ACTOR, AutoPayRepository } from './auto-pay.repository.js';
import { AutoPaySetting } from './auto-pay.entity.js';

const INTERVAL_MS = 2_000;

/** The wallet now holds less, or an order is paid in another way. The next run sees the rest. */
const EXPECTED_REFUSALS = new Set(['insufficient_balance', 'payment_underway']);

/**
 * Pays new orders from the wallets of clients that turned auto-pay on, while balance and caps last. It runs
 * after the order was answered. Each client's setting is locked first, so that two nodes keep the day's cap.
 */
@Injectable()
export class AutoPayJobService extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly repository: AutoPayRepository,
    private readonly payments: OrderLifecycleService,
  ) {
    super('auto_pay', INTERVAL_MS);
  }

  /** Returns the number of orders that were paid. */
  async run(): Promise<number> {
    const clients = await this.repository.payableClients();
    let paid = 0;
    for (const { clientId } of clients) paid += await this.payFor(clientId);
    return paid;
  }

  private async payFor(clientId: number): Promise<number> {
    for (let paid = 0; ;) {
      const count = this.isStopping ? 0 : await this.payBatch(clientId);
      if (count === 0) return paid;
      paid += count;
    }
  }

  private async payBatch(clientId: number): Promise<number> {
    try {
      return await this.database.transaction((transaction) => this.payWithin(transaction, clientId));
    } catch (error) {
      // The database does not answer, so the next client would fail too.
      if (error instanceof DomainError && !EXPECTED_REFUSALS.has(error.code)) throw error;
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
    const payable = await this.repository.payableOrders(transaction, clientId);
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
