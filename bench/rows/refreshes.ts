import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { type Finding, milliseconds, type Row } from '../finding.js';
import { measure } from '../load/compare.js';
import { stockChecks } from '../load/loads.js';
import type { ServerProcess } from '../processes.js';

const PRODUCTS = 100_000;

/** Few, so that the time of an answer tells of the service and not of a queue. */
const CONNECTIONS = 4;

/** A change of these rows, as a full import of stock and a list of prices make it. */
const CHANGES = [
  { what: '300,000 rows of stock', sql: 'UPDATE stock_items SET on_hand = on_hand + 1' },
  {
    what: '100,000 prices of a plan',
    sql: `INSERT INTO plan_prices (plan_id, product_id, price) SELECT min(plans.id), products.id, 77
            FROM plans, products GROUP BY products.id
          ON CONFLICT (plan_id, product_id) DO UPDATE SET price = plan_prices.price + 1`,
  },
];

/** How long answers take while a node reads many changed rows, and what an open transaction costs it. */
export const refreshes: Row = {
  id: 'refresh',
  async measure(bench) {
    const database = await bench.database(PRODUCTS);
    const server = await bench.service(database);
    const findings = [];
    for (const change of CHANGES) findings.push(await whileReading(bench, database, server, change));
    findings.push(
      await withOpenTransaction(bench, database, server),
      await ofOneChange(bench, database, server),
    );
    return findings;
  },
};

async function whileReading(
  bench: Bench,
  database: BenchDatabase,
  server: ServerProcess,
  { what, sql }: (typeof CHANGES)[number],
): Promise<Finding> {
  const load = { ...stockChecks(database, 2_000), connections: CONNECTIONS };
  const seconds = 4;
  await measure(bench, { server, load }, seconds);
  const quiet = await measure(bench, { server, load }, seconds);
  const writer = await database.pool.connect();
  await writer.query('BEGIN');
  await writer.query(sql);
  const committed = delay(500).then(() => writer.query('COMMIT'));
  const busy = await measure(bench, { server, load }, seconds);
  await committed;
  writer.release();
  const times = busy.p99 / quiet.p99;
  return {
    work: `stock checks while a node reads ${what}`,
    measured: `p99 ${milliseconds(busy.p99)}`,
    against: `quiet: p99 ${milliseconds(quiet.p99)}`,
    ratio: times,
    aim: '≤ 3',
    reached: times <= 3,
  };
}

/** Another database of the same PostgreSQL has an open transaction, and 30,000 rows changed since it began. */
async function withOpenTransaction(
  bench: Bench,
  { pool }: BenchDatabase,
  server: ServerProcess,
): Promise<Finding> {
  const idle = await costOfASecond(server);
  const other = new pg.Client(await bench.postgres.createDatabase('other'));
  await other.connect();
  await other.query('BEGIN; CREATE TABLE forgotten ()');
  await pool.query('UPDATE stock_items SET on_hand = on_hand + 1 WHERE id <= 30000');
  await delay(3_000);
  const held = await costOfASecond(server);
  await other.query('ROLLBACK');
  await other.end();
  return {
    work: 'a node beside an open transaction of another database, 30,000 rows changed since',
    measured: `${milliseconds(held)} of processor a second`,
    against: `without it: ${milliseconds(idle)}`,
    ratio: held / idle,
    aim: '≤ 1.5',
    reached: held / idle <= 1.5,
  };
}

async function costOfASecond(server: ServerProcess): Promise<number> {
  const seconds = 5;
  const before = server.processorMs();
  await delay(seconds * 1_000);
  return (server.processorMs() - before) / seconds;
}

/** The whole list after the change of one product, beside the list unchanged. */
async function ofOneChange(
  bench: Bench,
  { pool, store }: BenchDatabase,
  server: ServerProcess,
): Promise<Finding> {
  const rounds = bench.options.quick ? 5 : 20;
  const list = async () => {
    const headers = { ...store.headers, 'Accept-Encoding': 'gzip' };
    const answer = await fetch(`${server.url}/api/products`, { headers });
    await answer.arrayBuffer();
  };
  const cost = async (change: (round: number) => Promise<unknown>) => {
    await list();
    const before = server.processorMs();
    for (let round = 1; round <= rounds; round++) {
      await change(round);
      await list();
    }
    return (server.processorMs() - before) / rounds;
  };
  const unchanged = await cost(() => delay(300));
  const changed = await cost(async (round) => {
    await pool.query('UPDATE products SET name = $1 WHERE id = $2', [`Changed ${Date.now()}`, round * 4_000]);
    await delay(300);
  });
  return {
    work: 'whole list of 100,000 products after the change of one',
    measured: `${milliseconds(changed)} of processor`,
    against: `unchanged: ${milliseconds(unchanged)}`,
    ratio: changed / unchanged,
    aim: 'reported',
  };
}
