import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** SQL, because of the condition of its update: all nodes together report a job once a day. */
const RECORD = {
  text: `
    INSERT INTO job_failures (job, failed_at) VALUES ($1, now())
    ON CONFLICT (job) DO UPDATE SET failed_at = now()
     WHERE job_failures.failed_at < now() - interval '1 day'`,
};

/** Failures of background jobs, for the notice of admins. */
@Injectable()
export class JobFailures {
  constructor(private readonly database: Database) {}

  async record(job: string): Promise<void> {
    await this.database.query(RECORD, [job]);
  }
}
