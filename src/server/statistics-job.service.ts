import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { Database } from '../platform/database/database.js';

const INTERVAL_MS = 3_000;

/** An arbitrary number, the same on all nodes. */
export const STATISTICS_LOCK = 7_214_005;

/** Autovacuum analyses larger tables. */
const MAX_ROWS = 10_000;

/** Plans of larger tables stay right until autovacuum comes. */
const ENOUGH_ROWS = 1_000;

/** SQL, because only the server knows its statistics. The service has no right to ANALYZE a table itself. */
const ANALYSE = {
  text: `
    SELECT analyse_grown($1)
     WHERE EXISTS (SELECT FROM pg_class
                    WHERE oid = ANY ('{orders,order_items,payments,parcels}'::regclass[]) AND reltuples < $2)
       AND pg_try_advisory_xact_lock($3)`,
};

/**
 * Gives a new or emptied database its statistics within seconds. Autovacuum takes up to a minute, and
 * connections keep the plans that they made meanwhile. The job does nothing once the database has grown.
 */
@Injectable()
export class StatisticsJob extends BackgroundJob {
  constructor(private readonly database: Database) {
    super('statistics', INTERVAL_MS);
  }

  async run(): Promise<void> {
    await this.database.query(ANALYSE, [MAX_ROWS, ENOUGH_ROWS, STATISTICS_LOCK]);
  }
}
