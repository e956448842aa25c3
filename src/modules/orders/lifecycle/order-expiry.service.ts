import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { OrderLifecycleService } from './order-lifecycle.service.js';

const BATCH_SIZE = 100;

/**
 * Cancels unpaid orders after the payment window. Several nodes may run it, because each skips locked orders.
 */
@Injectable()
export class OrderExpiryService extends BackgroundJob {
  /** For the metrics. */
  readonly outcomes = { expired: 0 };
  override readonly counted = {
    name: 'orders_expired_total',
    help: 'Unpaid orders that this node cancelled.',
    label: 'reason',
    counts: this.outcomes,
  };

  constructor(
    private readonly lifecycle: OrderLifecycleService,
    @Inject(SETTINGS) { expiryIntervalSeconds }: Settings,
  ) {
    super('order_expiry', expiryIntervalSeconds * 1_000);
  }

  /** Expires all due orders in batches. Returns their number. */
  async run(): Promise<number> {
    let expired = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE && !this.isStopping; expired += batch) {
      batch = await this.lifecycle.expireBatch(BATCH_SIZE);
    }
    this.outcomes.expired += expired;
    if (expired > 0) this.logger.log(`${expired} unpaid orders expired`);
    return expired;
  }
}
