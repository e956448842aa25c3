import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SnapshotConnection } from '../../src/read-model/snapshot/snapshot-connection.js';
import { freePort } from '../../test/support/free-port.js';
import { signIn, signInAtDesk } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { type BenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { BenchPostgres } from '../database/bench-postgres.js';
import { fillHouse } from '../database/fill-house.js';
import { megabytes, milliseconds } from '../figures.js';
import { against, type Finding } from '../finding.js';
import { compare, measure } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { compressedLists, orders, reads } from '../load/polls.js';
import { median } from '../median.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const LARGE = {
  name: 'large',
  products: 100_000,
  ordersOfEach: [300_000, ...Array<number>(7).fill(100_000)],
};
const SMALL = { name: 'small', products: 1_000, ordersOfEach: [20_000] };

interface House {
  database: BenchDatabase;
  server: ServerProcess;
  metrics: string;
  /** Headers of the store, of a person of its client, and of one at the desk. */
  as: Record<'store' | 'client' | 'desk', Record<string, string>>;
}

/** PostgreSQL of a distribution has JIT, which can cost more than it saves. */
export const largeHouse: Row = {
  id: 'large-house',
  async measure(bench) {
    const postgres = await BenchPostgres.startDebian();
    if (!postgres)
      return [{ work: 'large house', measured: 'no such PostgreSQL', against: '–', aim: 'reported' }];
    const houses: House[] = [];
    try {
      for (const house of [LARGE, SMALL]) houses.push(await openHouse(bench, postgres, house));
      const [large, small] = houses as [House, House];
      const findings: Finding[] = [];
      const add = async (
        work: string,
        figure: (house: House) => Promise<number> | number,
        shown = milliseconds,
      ) => {
        const [of, other] = [await figure(large), await figure(small)];
        const ratio = of / other;
        findings.push({
          work,
          measured: shown(of),
          against: `small: ${shown(other)}`,
          ratio,
          aim: 'reported',
        });
      };
      const { pace } = bench;
      for (const [work, loadOf, aim] of WORKS) {
        const of = async (house: House) => ({ server: house.server, load: await loadOf(house) });
        const comparison = await compare({ postgres, pace }, await of(large), await of(small));
        findings.push(...against(work, comparison, [{ name: 'small', aim }], 'rate'));
      }
      await add('start until ready', ({ server }) => server.startedInMs);
      await add('memory after these requests', ({ server }) => server.residentMemory(), megabytes);
      await add('refresh of the snapshot after an idle moment', (house) => refresh(house));
      await add('refresh of the snapshot after one change', (house) => refresh(house, CHANGE));
      await add('metrics, all counted', ({ metrics }) => timeOf(() => download(metrics)));
      for (const words of COMMANDS)
        await add(`command: ${words}`, ({ database }) => timeOf(() => command(bench, database, words)));
      for (const [work, path, who] of FILES)
        await add(work, ({ server, as }) => timeOf(() => download(server.url + path, as[who])));
      await add('highest memory of the node', ({ server }) => server.highestMemory(), megabytes);
      for (const pages of ['on', 'off']) {
        await postgres.query(`ALTER SYSTEM SET full_page_writes = ${pages}`);
        await postgres.query('SELECT pg_reload_conf()');
        const perOrder = (house: House) => walOfOrders(postgres, house);
        await add(`WAL of an order after a checkpoint, full pages ${pages}`, perOrder, bytes);
      }
      await bench.stopServers();
      await add('database', size('pg_database_size(current_database())'), megabytes);
      for (const relation of await largest(large))
        await add(relation, size(`pg_relation_size('${relation}')`), megabytes);
      await add('VACUUM of orders', timed('VACUUM orders'));
      const written = new Map<House, number>();
      await add('new history', async (house) => {
        const before = await wal(house);
        const time = await timed('SELECT begin_history()')(house);
        written.set(house, (await wal(house)) - before);
        return time;
      });
      await add('new history: WAL', (house) => written.get(house)!, megabytes);
      await add(
        'new history: orders with indexes after it',
        size(`pg_total_relation_size('orders')`),
        megabytes,
      );
      await add('new history: VACUUM of orders after it', timed('VACUUM orders'));
      return findings.map((finding) => ({ ...finding, work: `1,000,000 orders: ${finding.work}` }));
    } finally {
      await bench.stopServers();
      await Promise.all(houses.map(({ database }) => database.pool.end()));
      await postgres.stop();
    }
  },
};

async function openHouse(
  bench: Bench,
  postgres: BenchPostgres,
  { name, products, ordersOfEach }: typeof LARGE,
) {
  const database = await createNewDatabase(postgres, name, products);
  await fillHouse(database, ordersOfEach);
  const [port, people] = [await freePort(), { pool: database.pool, url: '' }];
  const client = { Cookie: (await signIn(people, database.store.clientId)).cookie };
  const desk = { Cookie: (await signInAtDesk(people, 'staff')).cookie };
  const server = await bench.service(database, { METRICS_PORT: String(port) });
  const as = { store: database.store.headers, client, desk };
  return { database, server, metrics: `http://127.0.0.1:${port}/metrics`, as };
}

/** Of all days. */
const REPORT = `/desk/reports?to=${new Date().toISOString().slice(0, 10)}`;

const page =
  (who: keyof House['as'], path: string) =>
  ({ as }: House): Load =>
    reads(as[who], [path], 1);

const delta =
  (path: string) =>
  async ({ server, as }: House) => {
    const { sync_token: token } = JSON.parse(await download(server.url + path, as.store)) as {
      sync_token: string;
    };
    return reads(as.store, [`${path}?since=${encodeURIComponent(token)}`], 1);
  };

/** What should not grow with the house has an aim. */
const WORKS: [work: string, loadOf: (house: House) => Load | Promise<Load>, aim?: number][] = [
  ['order of two lines, 8 clients', ({ database }) => orders(database, 8), 0.8],
  ['GET /api/orders?limit=100', page('store', '/api/orders?limit=100'), 0.8],
  ['delta of products without changes', delta('/api/products'), 0.8],
  ['delta of stock without changes', delta('/api/stock'), 0.8],
  ['delta of orders without changes', delta('/api/orders'), 0.8],
  ['whole list of products, gzip', ({ database }) => compressedLists(database, 1)],
  ['whole list of stock', page('store', '/api/stock')],
  ['dashboard: first page', page('client', '/dashboard'), 0.8],
  ['dashboard: orders', page('client', '/dashboard/orders'), 0.8],
  ['dashboard: search for a frequent name', page('client', '/dashboard/orders?search=kumar'), 0.8],
  ['dashboard: search for a rare name', page('client', '/dashboard/orders?search=zacharias')],
  ['desk: orders to ship', page('desk', '/desk/orders'), 0.8],
  ['desk: all orders', page('desk', '/desk/orders?status=all'), 0.8],
  ['desk: search for a frequent name', page('desk', '/desk/orders?status=all&search=kumar'), 0.8],
  ['desk: search for a rare name', page('desk', '/desk/orders?status=all&search=zacharias')],
  ['desk: search for a product', page('desk', '/desk/goods?search=syn-0000777')],
  ['desk: all sales by month', page('desk', `${REPORT}&by=month`)],
  ['desk: all sales by client', page('desk', `${REPORT}&by=client`)],
  ['desk: all sales by state', page('desk', `${REPORT}&by=state`)],
];

/** Files, and who may have them. */
const FILES: [work: string, path: string, who: keyof House['as']][] = [
  ['all orders of the client as a file', '/dashboard/orders.csv', 'client'],
  ['catalog as a file', '/desk/goods/catalog.csv', 'desk'],
];

const CHANGE = `UPDATE products SET name = name || '.' WHERE id = 500`;

/** Returns the median in milliseconds. */
async function refresh({ database: { pool, url } }: House, change = 'SELECT'): Promise<number> {
  const connection = new SnapshotConnection(url);
  const once = async () => {
    const { rows } = await pool.query<{ xmin: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin',
    );
    await pool.query(change);
    return timeOf(() => connection.changesSince(Number(rows[0]!.xmin), () => {}));
  };
  const times = [];
  for (let turn = 0; turn < 30; turn++) times.push(await once());
  connection.close();
  return median(times);
}

const ORDER_SECONDS = 10;

async function walOfOrders(postgres: BenchPostgres, house: House): Promise<number> {
  await house.database.pool.query('CHECKPOINT');
  const before = await wal(house);
  const { rate } = await measure(
    { postgres },
    { server: house.server, load: orders(house.database, 8) },
    ORDER_SECONDS,
  );
  return ((await wal(house)) - before) / (rate * ORDER_SECONDS);
}

const wal = size(`pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`);

function size(expression: string) {
  return async ({ database }: House): Promise<number> => {
    const { rows } = await database.pool.query<{ size: number }>(`SELECT (${expression})::float8 AS size`);
    return rows[0]!.size;
  };
}

const timed = (statement: string) => (house: House) => timeOf(() => house.database.pool.query(statement));

/** The names of the ten largest tables and indexes. */
async function largest({ database }: House): Promise<string[]> {
  const { rows } = await database.pool.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') ORDER BY pg_relation_size(oid) DESC LIMIT 10`,
  );
  return rows.map(({ relname }) => relname);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}

async function download(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer.text();
}

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** Unlike pages they may take longer than DATABASE_TIMEOUT_MS. */
const COMMANDS = [
  'order list',
  'report sales --by product --output sales.csv',
  'report sales --by state --client 1 --output sales.csv',
];

async function command({ directory }: Bench, { url }: BenchDatabase, words: string): Promise<void> {
  const options = { cwd: directory, env: { PATH: process.env.PATH, DATABASE_URL: url } };
  await promisify(execFile)(process.execPath, [CLI, ...words.split(' ')], options);
}

const bytes = (count: number) => `${Math.round(count).toLocaleString('en')} bytes`;
