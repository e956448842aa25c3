import type { Pool } from 'pg';
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
