import { Client } from 'pg';
import type { TestDatabase } from './test-database.js';

const real = { Date, date: Date.now.bind(Date), performance: performance.now.bind(performance) };

/** `new Date()` reads the same clock as `Date.now()`. */
const MovedDate = new Proxy(Date, {
  construct: (date, given: unknown[], target) =>
    Reflect.construct(date, given.length === 0 ? [Date.now()] : given, target) as Date,
});

let aheadMs = 0;
let wrongMs = 0;

/**
 * Moves the time of the service in this process forward. It never goes back while an app runs, and timers do
 * not change. The database keeps its own clock: tests of its decisions, such as expiry, make the rows older
 * instead, or set both clocks with `setClocks`.
 */
export function forwardClock(seconds: number): void {
  aheadMs += seconds * 1_000;
  setDate();
  performance.now = () => real.performance() + aheadMs;
}

/** Sets the clock of this machine wrong. No time passes, so the monotonic clock stays. */
export function setClockWrong(seconds: number): void {
  wrongMs = seconds * 1_000;
  setDate();
}

function setDate(): void {
  globalThis.Date = MovedDate;
  Date.now = () => real.date() + aheadMs + wrongMs;
}

export function resetClock(): void {
  aheadMs = 0;
  wrongMs = 0;
  Date.now = real.date;
  globalThis.Date = real.Date;
  performance.now = real.performance;
}

/** The clocks of PostgreSQL that the SQL of the service reads. */
const DATABASE_CLOCKS = { now: 'STABLE', statement_timestamp: 'STABLE', clock_timestamp: 'VOLATILE' };

/** Defaults of columns, and functions with a search path, were bound to the clocks of PostgreSQL. */
const USE_CLOCKS_OF_TEST = `
  DO $$ DECLARE bound record; BEGIN
    FOR bound IN SELECT oid::regprocedure AS name FROM pg_proc
                  WHERE pronamespace = 'public'::regnamespace AND proconfig::text LIKE '%search_path%' LOOP
      EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_catalog, pg_temp', bound.name);
    END LOOP;
    FOR bound IN SELECT adrelid::regclass AS "table", attname, pg_get_expr(adbin, adrelid) AS value
                   FROM pg_attrdef JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum)
                  WHERE pg_get_expr(adbin, adrelid) LIKE '%now()%' LOOP
      EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT %s', bound."table", bound.attname,
                     replace(bound.value, 'pg_catalog.', ''));
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
  END $$`;

/**
 * Sets the clocks of the service and of its database, which then go on. The first call comes before an app
 * uses the database, later ones go forward. Functions of `public` hide the clocks of PostgreSQL.
 */
export async function setClocks({ url }: TestDatabase, at: Date): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query(`SELECT FROM pg_proc WHERE proname = 'now' HAVING count(*) > 1`);
    await client.query('SET search_path = public, pg_catalog');
    const ahead = at.getTime() - real.date();
    for (const [name, volatility] of Object.entries(DATABASE_CLOCKS))
      await client.query(
        `CREATE OR REPLACE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql ${volatility} PARALLEL SAFE
         RETURN pg_catalog.${name}() + interval '${ahead} ms'`,
      );
    if (rowCount === 0) await client.query(USE_CLOCKS_OF_TEST);
    forwardClock((ahead - aheadMs) / 1_000);
  } finally {
    await client.end();
  }
}
