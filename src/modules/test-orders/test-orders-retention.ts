import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { readDatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { TEST_ORDER_RETENTION_DAYS, TestOrdersRepository } from './test-orders.repository.js';
import { DAY_MS } from '../../platform/time/time.js';

const INTERVAL_MS = 3_600_000;

/** Any number of nodes may run it at once. */
@Injectable()
export class TestOrdersRetention extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly orders: TestOrdersRepository,
  ) {
    super('test_orders_retention', INTERVAL_MS);
  }

  /** Returns how many orders this node deleted. */
  async run(): Promise<number> {
    const now = await readDatabaseClock(this.database);
    return this.orders.deleteBefore(new Date(now.getTime() - TEST_ORDER_RETENTION_DAYS * DAY_MS));
  }
}
