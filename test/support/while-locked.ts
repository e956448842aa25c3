import type { Pool } from 'pg';
import { STATISTICS_LOCK } from '../../src/server/statistics-job.service.js';
import { eventually } from './eventually.js';

/**
 * Starts the works while this connection holds a lock, and releases it when all of them wait for it. So they
 * meet, however busy the machine is. Returns their outcomes.
 */
export async function whileLocked<Result>(
  pool: Pool,
  lock: string,
  values: unknown[],
  works: (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(lock, values);
    const outcomes = Promise.allSettled(works.map((work) => work()));
    await eventually(async () => (await lockWaits(pool)) === works.length, 15_000);
    await client.query('ROLLBACK');
    return await outcomes;
  } finally {
    client.release();
  }
}

/** The number of connections that wait for a lock. */
export async function lockWaits(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount!;
}

export const ORDER_ROW = 'SELECT FROM orders WHERE order_number = $1 FOR UPDATE';

/**
 * Locks a table against all readers until the returned function is called. The job of statistics pauses, since
 * it would wait for the table as well.
 */
export async function lockTable(pool: Pool, table: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(${STATISTICS_LOCK}); LOCK TABLE ${table}`);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** Returns the number of statements that wait for the tables. */
export async function countWaitingFor(pool: Pool, ...tables: string[]): Promise<number> {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_locks WHERE NOT granted AND relation = ANY ($1::text[]::regclass[])',
    [tables],
  );
  return rowCount!;
}
