import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import { STATISTICS_LOCK } from '../../../src/server/statistics-job.service.js';
import { DueChecksRepository } from '../../../src/modules/payments/due-checks.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { withoutTriggers } from '../../support/direct-changes.js';
import { type EveryRequest, makeRequests } from '../../support/every-request.js';
import { Fixtures, type Store } from '../../support/fixtures.js';
import { growDatabase } from '../../support/grown-database.js';
import { checksOfForeignKeys, lessThanKeys, type Prepared } from '../../support/look-ups.js';
import { orderBody } from '../../support/order-body.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestDatabase } from '../../support/test-database.js';
import { TestPool } from '../../support/test-pool.js';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));

const ORDERS = 30_000;

/** Between 100 and 1,000 rows the trees of the indexes become higher, one after the other. */
const SIZES = [...Array.from({ length: 41 }, (_, step) => step * 16), 1_000, 3_000];
const SOME_SIZES = SIZES.filter((size) => size > 0 && (size % 80 === 0 || size > 640));
const LARGE_SIZES = [10_000, ORDERS];

/** Look-ups in a larger index read a few pages more. A plan with unnecessary reads takes hundreds. */
const TIMES_MORE = 3;
const MORE = 150;

/** Home reads the lines of the newest 1,000 orders, however many there are. */
const BOUNDED: Record<string, number> = { Home: 6_000 };

/**
 * Named statements that no request below runs, by reason. A new statement must be run below or listed here.
 */
const NOT_RUN = new Set(
  Object.values({
    'read no table': 'act-as request-log-try-turn take-turns transaction-holder',
    'look up a row by its whole key': 'session-seen',
    'read a table that stays small':
      'migrations-done plan-list sign-in-attempts-count sign-in-attempts-forget',
    'read short lists, in the order of an index': 'outbox-take request-log-forget request-log-forget-counts',
    'run on a connection of its own that takes no sequential scan': 'snapshot-changes',
    'run by a command, whose connection is new': `demo-count-real demo-withdraw
      open-orders-of-product test-money-held test-money-left`,
    'read counts by hour, of which there are few': `request-figures-by-period request-figures-known
      request-figures-since`,
  }).flatMap((names) => names.split(/\s+/)),
);

const TOUCHED = `
  SELECT coalesce(sum(heap_blks_hit + heap_blks_read +
                      coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)), 0)::int AS pages
    FROM pg_statio_user_tables
   WHERE relname = ANY ($1)`;

/** Only the statements of the service: a foreign key's check has no name here. */
const PREPARED = `
  SELECT name, statement AS text, cardinality(parameter_types) AS parameters
    FROM pg_prepared_statements WHERE NOT from_sql`;

/** Indexes of tables that foreign keys refer to: only these could take the place of the key. */
const AGAINST_THE_RULE = `
  SELECT DISTINCT indexrelid::regclass::text AS index
    FROM pg_index JOIN pg_constraint ON contype = 'f' AND confrelid = indrelid
   WHERE indkey[0] = confkey[1] AND indpred IS NULL AND NOT confkey <@ string_to_array(indkey::text, ' ')::int2[]`;

const WITHOUT_STATISTICS = `
  SELECT count(*)::int AS tables FROM pg_class
   WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples < 0`;

/** The tables that grow below. Jobs of the service do not read these during the measurement. */
const GROWN = [
  'subscriptions',
  'orders',
  'order_items',
  'order_timeline',
  'store_order_ids',
  'domain_order_ids',
  'products',
  'stock_items',
  'unpaid_totals',
  'wallet_entries',
  'payments',
  'payment_orders',
  'parcels',
  'parcel_items',
  'order_refunds',
  'order_refund_items',
  'order_returns',
  'order_return_items',
  'tax_documents',
  'tax_document_items',
];

describe('Generic plans that were made on empty tables', () => {
  let test: TestApp;
  let store: Store;
  let requests: EveryRequest['requests'];
  let runJobs: EveryRequest['runJobs'];
  /** Keeps the job of statistics from running. */
  let otherNode: PoolClient;
  let small: Record<string, { status: number; pages: number }>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    const url = new URL(database.serviceUrl);
    url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
    // One connection runs every statement and keeps its plan.
    const settings = { databasePoolSize: 1 };
    test = await startTestApp(settings, { ...database, serviceUrl: url.href, drop: () => database.drop() });
    otherNode = await test.pool.connect();
    await otherNode.query('SELECT pg_advisory_lock($1)', [STATISTICS_LOCK]);
    store = await test.fixtures.store({ state: '29' });
    ({ requests, runJobs } = await makeRequests(test, store));
  });

  afterAll(async () => {
    otherNode?.release();
    await test?.close();
    await test?.database.drop();
  });

  /** Returns the lowest number of pages of these tables that the request reads in three runs. */
  async function pagesOf(request: () => Promise<number>): Promise<{ status: number; pages: number }> {
    const service = test.app.get(Database);
    const touched = async () => {
      await service.query({ text: 'SELECT pg_stat_force_next_flush()' }, []);
      return (await test.pool.query<{ pages: number }>(TOUCHED, [GROWN])).rows[0]!.pages;
    };
    const runs: { status: number; pages: number }[] = [];
    for (let run = 0; run < 3; run++) {
      const before = await touched();
      const status = await request();
      runs.push({ status, pages: (await touched()) - before });
    }
    return { status: runs[0]!.status, pages: Math.min(...runs.map(({ pages }) => pages)) };
  }

  /** Returns the number of whole-table scans, and of rows that indexes found. */
  async function readOf(...tables: string[]): Promise<{ scans: number; rows: number }> {
    await test.app.get(Database).query({ text: 'SELECT pg_stat_force_next_flush()' }, []);
    const { rows } = await test.pool.query<{ scans: number; rows: number }>(
      `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS rows
       FROM pg_stat_user_tables WHERE relname = ANY ($1)`,
      [tables],
    );
    return rows[0]!;
  }

  /** The checks of foreign keys, and all named statements of the requests. */
  async function lookUps(): Promise<Prepared[]> {
    const named = await test.app.get(Database).query<Prepared>({ text: PREPARED }, []);
    expect(named.length).toBeGreaterThan(50);
    return [...(await checksOfForeignKeys(test.pool)), ...named];
  }

  /** Plans all look-ups in a database of each size. */
  async function grow(sizes: number[], atEach: (pool: Pool) => Promise<unknown>): Promise<void> {
    const statements = await lookUps();
    const database = await createTestDatabase();
    const pool = new TestPool({ connectionString: database.url, max: 1 });
    try {
      const { clientId } = await new Fixtures(pool, () => Promise.resolve()).store();
      for (const [index, size] of sizes.entries()) {
        if (size > 0) await growDatabase(pool, clientId, (sizes[index - 1] ?? 0) + 1, size);
        await atEach(pool);
        expect({ size, found: await lessThanKeys(database.url, statements) }).toEqual({ size, found: [] });
      }
    } finally {
      await pool.end();
      await database.drop();
    }
  }

  async function measure() {
    const measured: typeof small = {};
    for (const [what, request] of Object.entries(requests)) measured[what] = await pagesOf(request);
    return measured;
  }

  /** Requests that read much more than on empty tables, or answer otherwise. */
  const tooMuchOf = (measured: typeof small) =>
    Object.entries(measured)
      .filter(
        ([what, { status, pages }]) =>
          status !== small[what]!.status || pages > small[what]!.pages * TIMES_MORE + (BOUNDED[what] ?? MORE),
      )
      .map(([what, now]) => ({ what, before: small[what], now }));

  it('find no other index for a key: each has a condition, begins otherwise or contains the whole key', async () => {
    expect((await test.pool.query(AGAINST_THE_RULE)).rows).toEqual([]);
  });

  it('look up rows by whole keys at any size, without statistics', async () => {
    small = await measure();
    await grow(SIZES, () => Promise.resolve());
  });

  it('look up rows by whole keys at any size, with statistics', async () => {
    await grow(SOME_SIZES, (pool) => pool.query('ANALYZE'));
  });

  it('read no more after the tables have grown', async () => {
    const statements = await lookUps();
    for (const [index, size] of LARGE_SIZES.entries()) {
      await growDatabase(test.pool, store.clientId, (LARGE_SIZES[index - 1] ?? 0) + 1, size);
      expect({ size, found: await lessThanKeys(test.database.url, statements) }).toEqual({ size, found: [] });
    }
    await test.fixtures.observed();
    expect(tooMuchOf(await measure())).toEqual([]);
  });

  it('of jobs read no more beside many unpaid orders, when only their table has statistics', async () => {
    await test.fixtures.sql(
      withoutTriggers(
        `UPDATE orders SET status = 'awaiting_payment', payment_status = 'unpaid'
          WHERE store_order_id LIKE 'grown-%5'`,
      ),
    );
    await test.pool.query('ANALYZE orders');
    expect(tooMuchOf({ 'all jobs': await pagesOf(() => runJobs()) })).toEqual([]);
  });

  it('get statistics from a job, in one node at a time, until the database has grown', async () => {
    const without = async () => {
      await runJobs('statistics');
      const { rows } = await test.pool.query<{ tables: number }>(WITHOUT_STATISTICS);
      return rows[0]!.tables;
    };
    expect(await without()).toBeGreaterThan(50);
    await otherNode.query('SELECT pg_advisory_unlock_all()');
    expect(await without()).toBe(0);
    await test.fixtures.sql(withoutTriggers('TRUNCATE order_changes'));
    expect(await without()).toBe(1);
    await test.fixtures.sql(withoutTriggers('TRUNCATE parcels CASCADE'));
    expect(await without()).toBe(0);
  });

  it('of due payments use only indexes with many due and many finished payments', async () => {
    const due = () => test.app.get(DueChecksRepository, { strict: false }).take('sandbox');
    await due();
    const { clientId } = await test.fixtures.store();
    for (const [count, next] of [
      [50_000, 'NULL'],
      [5_000, `now() - n * interval '1 second'`],
    ] as const) {
      const payments = `SELECT gen_random_uuid() AS id, n FROM generate_series(1, ${count}) AS n`;
      await test.fixtures.sql(
        `WITH made AS MATERIALIZED (${payments}), paid AS (
           INSERT INTO payments
             (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
              next_check_at)
           SELECT $1, id, 'sandbox', id, 1, 'INR', 'paid', 'test', ${next} FROM made)
         INSERT INTO gateway_refunds
           (client_id, refund_id, payment_id, gateway_payment_id, amount, actor, next_check_at)
         SELECT $1, id, id, 'pay', 1, 'test', ${next} FROM made`,
        [clientId],
      );
    }
    const rows: number[] = [];
    for (let run = 0; run < 3; run++) {
      const before = await readOf('payments', 'gateway_refunds');
      const taken = await due();
      const after = await readOf('payments', 'gateway_refunds');
      expect([taken.payments.length, taken.refunds.length]).toEqual([4, 4]);
      expect(after.scans).toBe(before.scans);
      rows.push(after.rows - before.rows);
    }
    // The regular run of the service may take some at the same moment.
    expect(Math.min(...rows)).toBeLessThan(5_000);
  });

  it('are tested for all named statements except the listed ones', async () => {
    const database = test.app.get(Database);
    const kept = await database.query<{ name: string }>(
      { text: 'SELECT name FROM pg_prepared_statements' },
      [],
    );
    const observed = new Set(kept.map(({ name }) => name));
    const named = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(spec|entity)\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(/name: '([a-z-]+)',\s+text:/g),
      ])
      .map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !observed.has(name) && !NOT_RUN.has(name))).toEqual([]);
    expect([...NOT_RUN].filter((name) => !named.includes(name))).toEqual([]);
  });

  it('are never compiled', async () => {
    expect(await test.app.get(Database).query({ text: 'SHOW jit' }, [])).toEqual([{ jit: 'off' }]);
  });
});

describe('The statements of reads that stores poll', () => {
  /** PostgreSQL plans a statement this often before it keeps a plan that costs no more. */
  const FIRST_PLANS = 5;

  it('keep a plan, which costs less than planning them each time', async () => {
    const test = await startTestApp({ databasePoolSize: 1 });
    try {
      const store = await test.fixtures.store();
      const { sku } = await test.fixtures.product();
      const { headers } = await test
        .post(store, '/api/orders', orderBody([{ sku, quantity: 1 }]))
        .expect(201);
      const { body: list } = await test.get(store, '/api/orders').expect(200);
      const status = headers.location!;
      const polled = [status, status.replace('/status', ''), '/api/orders', '/api/documents'];
      const changed = `/api/orders?since=${list.sync_token}`;
      for (let poll = 0; poll < 10 * FIRST_PLANS; poll++)
        for (const read of [...polled, changed]) await test.get(store, read).expect(200);
      const planned = await test.app.get(Database).query<{ name: string; often: number }>(
        {
          text: `SELECT name, custom_plans::int AS often FROM pg_prepared_statements
                  WHERE name ~ '^(order|client-order|documents)' ORDER BY name`,
        },
        [],
      );
      expect(planned.length).toBeGreaterThan(5);
      expect(planned.filter(({ often }) => often > FIRST_PLANS)).toEqual([]);
    } finally {
      await test.close();
    }
  });
});
