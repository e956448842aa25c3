import { Fixtures } from '../support/fixtures.js';
import { makeRequests } from '../support/every-request.js';
import { CATALOG, fillDatabase, keepSums } from '../support/filled-database.js';
import { signInAtDesk } from '../support/sign-in.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { TestPool } from '../support/test-pool.js';

interface Size {
  orders: number;
  clients: number;
  products: number;
}

/** `ORDERS=1000000` measures an installation with 50,000 clients instead. */
const ORDERS = Number(process.env.ORDERS ?? 40_000);
const LARGE: Size = { orders: ORDERS, clients: Math.min(ORDERS / 4, 50_000), products: ORDERS / 20 };
const SMALL: Size = { orders: 8_000, clients: 1_000, products: 400 };

/** A higher tree costs a page for each look-up. PostgreSQL reads a small table where it makes less than these. */
const TIMES_MORE = 1.5;
const MORE = 150;

const ROUNDS = 3;

/** Statements that may read more in a larger database, by a part of their text, with the reason. */
const GROWING: [RegExp, string][] = [
  [
    /^DECLARE page .* AS day, .* AS net FROM|^FETCH \? FROM page/,
    'today has more sales, which have no sums yet',
  ],
  [/^SELECT line\.sku, max\(line\.name\)/, 'reads the lines of the newest 1,000 orders'],
  [/^SELECT schedule\.id AS change/, 'counts the prices of each change on the page'],
  [/^SELECT p\.code, p\.name, p\.discount/, 'counts prices and clients of each plan'],
  [/^SELECT count\(\*\)::int AS orders, min\(paid_at\)/, 'counts up to 1,000 orders'],
  [/^SELECT count\(\*\)::int AS count FROM \(SELECT FROM orders .*goods_state/, 'counts up to 1,000 orders'],
  [/^WITH bound AS .* AS spent/, 'adds up a month of one wallet'],
  [/^SELECT p\.payment_id, p\.client_id/, 'lists the payments that need a person'],
];

/** Pages of the desk without a parameter. Files are read whole. */
const PAGES = `
  / /audit /clients /goods /goods/changes /goods/low /goods/prices /imports /money /money/e-invoices
  /money/invoices /money/month /money/payments /money/wallets /orders /packing /people /reports /returns
  /search /settings`
  .split(/\s+/)
  .slice(1);

/** Statements of the service, and those that its triggers, functions and foreign keys run. */
const STATEMENTS = `
  SELECT query AS text, max((shared_blks_hit + shared_blks_read + temp_blks_written) / calls)::int AS buffers
    FROM pg_stat_statements
   WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND (userid = $1::regrole OR NOT toplevel)
   GROUP BY query`;

/** Clients without orders, with former subscriptions. */
const CLIENTS = (count: number) => `
  SELECT setval(pg_get_serial_sequence('clients', 'id'), (SELECT max(id) FROM clients));
  INSERT INTO clients (name, email) SELECT 'Small', 'small@example.com' FROM generate_series(1, ${count});
  INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
  SELECT id, 1, now() - year * interval '1 year', now() - (year - 1) * interval '1 year'
    FROM clients, generate_series(0, 3) AS year WHERE name = 'Small';
  INSERT INTO tokens (client_id, hash, prefix, domain)
  SELECT id, sha256(id::text::bytea), 'small', 'small.example.com' FROM clients WHERE name = 'Small';
  INSERT INTO people (client_id, email, name, role)
  SELECT id, 'small-' || id, 'Owner', 'owner' FROM clients WHERE name = 'Small'`;

/** PostgreSQL replaces most values in the texts, but not all. */
function highestByText(rows: { text: string; buffers: number }[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const row of rows) {
    const text = row.text
      .replace(/\$\d+|'[^']*'|\b\d+\b/g, '?')
      .replace(/\s+/g, ' ')
      .trim();
    highest.set(text, Math.max(row.buffers, highest.get(text) ?? 0));
  }
  return highest;
}

describe('A larger database', () => {
  const databases: TestDatabase[] = [];

  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  /** The buffers of each statement in a database of this size: the lowest figure of some rounds. */
  async function measure({ orders, clients, products }: Size): Promise<Map<string, number>> {
    const database = await createTestDatabase();
    databases.push(database);
    const pool = new TestPool({ connectionString: database.url, max: 2 });
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    const { id: planId } = await fixtures.plan({ code: 'bench' });
    const store = await fixtures.store({ planId, state: '29' });
    await pool.query(CATALOG(products));
    const ordersOfEach = [orders / 2];
    // Younger than what any job removes: what was removed would be read again until a VACUUM.
    const size = { ordersOfEach, smallClients: orders / 100, time: '20 days' };
    await fillDatabase({ url: database.serviceUrl, products, store, pool }, size);
    await pool.query(CLIENTS(clients));
    await keepSums({ url: database.serviceUrl, products, store, pool });
    await pool.query('VACUUM ANALYZE');
    await pool.query('CREATE EXTENSION pg_stat_statements');
    await pool.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET pg_stat_statements.track = 'all'`,
    );
    await pool.end();
    const test = await startTestApp({ unpaidOrdersLimit: 0, unpaidValueLimit: 0 }, database);
    const { requests, runJobs } = await makeRequests(test, store);
    const desk = await signInAtDesk(test);
    // Jobs do what has waited.
    await runJobs();
    const lowest = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      await test.pool.query('SELECT pg_stat_statements_reset()');
      for (const [what, request] of Object.entries(requests)) {
        const status = await request();
        if (status >= 500) throw new Error(`${what}: ${status}`);
      }
      for (const page of PAGES) await desk.get(`/desk${page === '/' ? '' : page}`).expect(200);
      const { rows } = await test.pool.query<{ text: string; buffers: number }>(STATEMENTS, [
        new URL(database.serviceUrl).username,
      ]);
      for (const [text, buffers] of highestByText(rows))
        lowest.set(text, Math.min(buffers, lowest.get(text) ?? Infinity));
    }
    await test.close();
    return lowest;
  }

  it('is read no more by any statement of orders, guards, jobs and pages', async () => {
    const small = await measure(SMALL);
    const grown = (large: Map<string, number>) => {
      // Jobs also run by their own clock, so a statement may run between two rounds of one of the two.
      const inBoth = [...large].filter(([text]) => small.has(text));
      expect(inBoth.length).toBeGreaterThan(150);
      return inBoth.filter(([text, after]) => {
        const isListed = GROWING.some(([pattern]) => pattern.test(text));
        // Also these grow no faster than the database.
        const times = isListed ? (TIMES_MORE * LARGE.orders) / SMALL.orders : TIMES_MORE;
        return after > small.get(text)! * times + MORE;
      });
    };
    let more = grown(await measure(LARGE));
    if (more.length > 0) {
      // A plan may follow from the sample that ANALYZE took: another database has another one.
      const again = new Map(grown(await measure(LARGE)));
      more = more.filter(([text]) => again.has(text));
    }
    expect(more.map(([text, after]) => ({ text, before: small.get(text), after }))).toEqual([]);
  });
});
