import type { Queries } from './database.js';

const CLOCK = { name: 'clock', text: 'SELECT clock_timestamp() AS now' };

/**
 * The time by the database's clock, which all nodes share. It decides what cannot be undone, such as a
 * deletion, because the clock of one machine may be wrong by days.
 */
export async function readDatabaseClock(queries: Queries): Promise<Date> {
  const [row] = await queries.query<{ now: Date }>(CLOCK, []);
  return row!.now;
}

export async function secondsSince(moment: Date, queries: Queries): Promise<number> {
  return ((await readDatabaseClock(queries)).getTime() - moment.getTime()) / 1_000;
}
