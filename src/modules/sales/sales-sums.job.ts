import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { SoldRepository } from './sold.repository.js';

const INTERVAL_MS = 60_000;

/** Adds up finished days. Several nodes may run it: they take turns. */
@Injectable()
export class SalesSumsJob extends BackgroundJob {
  constructor(private readonly sold: SoldRepository) {
    super('sales_sums', INTERVAL_MS);
  }

  /** Reports wait for the sums of a restored database. */
  override start(): void {
    super.start();
    void this.runSoon();
  }

  async run(): Promise<void> {
    while (!this.isStopping && (await this.sold.keepNextDay()));
  }
}
