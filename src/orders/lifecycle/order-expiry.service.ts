import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Repetition } from '../../platform/background/repetition.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { OrderLifecycleService } from './order-lifecycle.service.js';

const BATCH_SIZE = 100;

/**
 * Cancels unpaid orders after the payment window. Several nodes may run it, because each skips locked orders.
 */
@Injectable()
export class OrderExpiryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OrderExpiryService.name);
  /** For the metrics. */
  readonly runs = { succeeded: 0, failed: 0 };
  expired = 0;
  private readonly repetition: Repetition;
  private stopped = false;

  constructor(
    private readonly lifecycle: OrderLifecycleService,
    @Inject(SETTINGS) { expiryIntervalSeconds }: Settings,
  ) {
    this.repetition = new Repetition(
      expiryIntervalSeconds * 1_000,
      () => this.runCounted(),
      (error) =>
        this.logger.warn(`Orders could not be expired, the next run will try again: ${String(error)}`),
    );
  }

  start(): void {
    this.repetition.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.repetition.stop();
  }

  /** Expires all due orders in batches. Returns their number. */
  async run(): Promise<number> {
    let expired = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE && !this.stopped; expired += batch) {
      batch = await this.lifecycle.expireBatch(BATCH_SIZE);
    }
    this.expired += expired;
    if (expired > 0) this.logger.log(`${expired} unpaid orders expired`);
    return expired;
  }

  private async runCounted(): Promise<void> {
    try {
      await this.run();
      this.runs.succeeded++;
    } catch (error) {
      this.runs.failed++;
      throw error;
    }
  }
}
