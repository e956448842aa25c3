import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import type { JobName } from '../../platform/jobs/job-names.js';
import { DAY_MS, HOUR_MS } from '../../platform/time/time.js';
import { JobFailure } from './notices.entity.js';

/** SQL, because of the condition of its update: all nodes together report a job once a day. */
const RECORD = {
  text: `
    INSERT INTO job_failures (job, failed_at) VALUES ($1, now())
    ON CONFLICT (job) DO UPDATE SET failed_at = now()
     WHERE job_failures.failed_at < now() - interval '1 day'`,
};

/** A job that still fails is recorded again after a day, at the latest two hours later. */
const RECENT_MS = DAY_MS + 2 * HOUR_MS;

/** Failures of background jobs, for admins. */
@Injectable()
export class JobFailures {
  constructor(
    private readonly database: Database,
    @InjectRepository(JobFailure) private readonly failures: Repository<JobFailure>,
  ) {}

  async record(job: JobName): Promise<void> {
    await this.database.query(RECORD, [job]);
  }

  /** The jobs that still fail, and those that failed in the last day. */
  recent(): Promise<JobFailure[]> {
    const failedAt = MoreThan(new Date(Date.now() - RECENT_MS));
    return this.failures.find({ where: { failedAt }, order: { failedAt: 'DESC', job: 'ASC' } });
  }
}
