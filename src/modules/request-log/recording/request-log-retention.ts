import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import { readDatabaseClock } from '../../../platform/database/database-clock.js';
import { Database } from '../../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { RequestLogRepository } from './request-log.repository.js';
import { DAY_MS } from '../../../platform/time/time.js';

const INTERVAL_MS = 600_000;
const BATCH_SIZE = 1_000;

/** Deletes old requests and counts by whole UTC days. Any number of nodes may try at once; one deletes. */
@Injectable()
export class RequestLogRetention extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly repository: RequestLogRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super('request_log_retention', INTERVAL_MS);
  }

  /** Deletes in batches. Returns the number of requests that this node deleted. */
  async run(): Promise<number> {
    const now = await readDatabaseClock(this.database);
    const today = Math.floor(now.getTime() / DAY_MS);
    const before = new Date((today - this.settings.requestLogDays) * DAY_MS);
    const forgotten = await this.forget('requests', before);
    await this.forget('counts', before);
    return forgotten;
  }

  private async forget(table: 'requests' | 'counts', before: Date): Promise<number> {
    let forgotten = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE && !this.isStopping; forgotten += batch)
      batch = await this.repository.forget(table, before, BATCH_SIZE);
    return forgotten;
  }
}
