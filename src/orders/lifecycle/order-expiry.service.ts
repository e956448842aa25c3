import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/background/background-job.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { OrderLifecycleService } from './order-lifecycle.service.js';

const BATCH_SIZE = 100;

/**
 * Cancels unpaid orders after the payment window. Several nodes may run it, because each skips locked orders.
 */
@Injectable()
export class OrderExpiryService extends BackgroundJob {
  /** For the metrics. */
  expired = 0;

  constructor(
    private readonly lifecycle: OrderLifecycleService,
    @Inject(SETTINGS) { expiryIntervalSeconds }: Settings,
  ) {
    super(expiryIntervalSeconds * 1_000);
  }

  /** Expires all due orders in batches. Returns their number. */
  async run(): Promise<number> {
    let expired = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE && !this.isStopping; expired += batch) {
      batch = await this.lifecycle.expireBatch(BATCH_SIZE);
    }
    this.expired += expired;
    if (expired > 0) this.logger.log(`${expired} unpaid orders expired`);
    return expired;
  }
}
