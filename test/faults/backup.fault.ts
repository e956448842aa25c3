import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client, Pool } from 'pg';
import { createCluster, passwordOf, SUPERUSER } from '../../src/server/embedded-postgres/cluster.js';
import { attachEmbeddedDatabase } from '../../src/server/embedded-postgres/embedded-postgres.js';
import { findPrograms } from '../../src/server/embedded-postgres/programs.js';
import { contradictions } from '../support/books.js';
import { debianPostgres, runOrFail, startDebianPostgres } from '../support/debian-postgres.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { printedBlocks } from '../support/printed-blocks.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startLeashed, type ThrowAwayPostgres } from '../support/throw-away-postgres.js';

const bin = debianPostgres();

/**
 * The hashes cover all rows of all tables except these, which the service writes beside its work. Stamps are
 * excluded, because they belong to the history of one database.
 */
const EXCLUDED_TABLES = [
  'history',
  'past_histories',
  'tombstones',
  'job_failures',
  'token_uses',
  'store_requests',
  'store_request_counts',
  'sales_sums',
  'sales_sums_kept',
];

async function rowHashes(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1)`,
    [EXCLUDED_TABLES],
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ md5: string; count: number }>(
      `SELECT count(*)::int, md5(string_agg(row, '' ORDER BY row))
       FROM (SELECT (to_jsonb(t) - '{changed,repriced,withdrawn}'::text[])::text AS row
               FROM ${name} t) AS rows`,
    );
    hashes[name] = `${rows[0]!.count} rows, ${rows[0]!.md5}`;
  }
  return hashes;
}

/** A client that places orders and follows the stock with its sync token. */
class Shop {
  constructor(
    readonly url: () => string,
    private readonly store: Store,
    private readonly sku: string,
  ) {}

  static async open(pool: Pool, url: () => string): Promise<Shop> {
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    const store = await fixtures.store();
    const shop = new Shop(url, store, (await fixtures.product({ sku: 'BACKED-UP', stock: 100 })).sku);
    await eventually(async () => (await shop.get('/api/stock')).status === 200);
    await eventually(async () => (await shop.stock()) === 100);
    return shop;
  }

  /** The same client at another node. */
  at(url: string): Shop {
    return new Shop(() => url, this.store, this.sku);
  }

  get(address: string): Promise<Response> {
    return fetch(`${this.url()}${address}`, { headers: this.store.headers });
  }

  async order(id: string): Promise<number> {
    const response = await fetch(`${this.url()}/api/orders`, {
      method: 'POST',
      headers: { ...this.store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody([{ sku: this.sku, quantity: 1 }], { store_order_id: id })),
    });
    return response.status;
  }

  async stock(): Promise<number> {
    return ((await (await this.get(`/api/products/${this.sku}/stock`)).json()) as { stock_qty: number })
      .stock_qty;
  }

  async token(): Promise<string> {
    return ((await (await this.get('/api/stock')).json()) as { sync_token: string }).sync_token;
  }

  async resume(token: string): Promise<number> {
    return (await this.get(`/api/stock?since=${token}`)).status;
  }
}

describe('A backup', () => {
  let server: ThrowAwayPostgres | undefined;

  afterAll(async () => {
    await ServiceProcess.killAll();
    await server?.stop();
  });

  const ofDump = bin === undefined ? it.skip : it;
  if (bin === undefined)
    printFigures('backup', { skipped: "no pg_dump of Debian's: apt-get install postgresql" });

  ofDump('by pg_dump is restored row for row while the service runs, and the service recovers', async () => {
    server = await startDebianPostgres(bin!);
    const admin = new Client(server.url);
    await admin.connect();
    await admin.query('CREATE DATABASE shop');
    const url = Object.assign(new URL(server.url), { pathname: '/shop' }).href;
    const service = await ServiceProcess.start({ DATABASE_URL: url });
    const pool = new Pool({ connectionString: url });
    // The restore ends all connections.
    pool.on('error', () => undefined);
    const shop = await Shop.open(pool, () => service.url);
    for (let count = 0; count < 20; count++) expect(await shop.order(`before-${count}`)).toBe(201);
    const hashes = await rowHashes(pool);
    const directory = await mkdtemp(path.join(os.tmpdir(), 'dump-'));
    const dump = path.join(directory, 'shop.dump');
    const dumpBegan = performance.now();
    await runOrFail(path.join(bin!, 'pg_dump'), ['--format=custom', `--file=${dump}`, url]);
    const dumpSeconds = (performance.now() - dumpBegan) / 1_000;
    for (let count = 0; count < 5; count++) expect(await shop.order(`after-${count}`)).toBe(201);
    const token = await shop.token();
    expect(await shop.resume(token)).toBe(200);

    await admin.query('DROP DATABASE shop WITH (FORCE)');
    await admin.query('CREATE DATABASE shop');
    // Until the restore is complete, requests get 503 and the node is not ready.
    await eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 503);
    expect(await shop.order('meanwhile')).toBe(503);
    expect((await shop.get('/api/orders/before-1/status')).status).toBe(503);
    const restoreBegan = performance.now();
    await runOrFail(path.join(bin!, 'pg_restore'), [
      '--single-transaction',
      '--exit-on-error',
      `--dbname=${url}`,
      dump,
    ]);
    const restoreSeconds = (performance.now() - restoreBegan) / 1_000;
    await eventually(async () => (await shop.stock()) === 80);
    const noticedSeconds = (performance.now() - restoreBegan) / 1_000 - restoreSeconds;

    expect(await rowHashes(pool)).toEqual(hashes);
    expect(await shop.resume(token)).toBe(410);
    expect(await shop.resume(await shop.token())).toBe(200);
    expect((await shop.get('/api/orders/after-1/status')).status).toBe(404);
    expect((await shop.get('/api/orders/before-1/status')).status).toBe(200);
    expect(await shop.order('after-1')).toBe(201);
    expect(await shop.stock()).toBe(79);
    expect(await contradictions(pool)).toEqual([]);
    printFigures('dump and restore', {
      'dump (s)': dumpSeconds,
      'restore (s)': restoreSeconds,
      'noticed by the running service after (s)': noticedSeconds,
      tables: Object.keys(hashes).length,
    });
    await service.end('SIGTERM');
    await pool.end();
    await admin.end();
    await rm(directory, { recursive: true });
  });

  ofDump('is made and restored by the commands of docs/operations.md while the service runs', async () => {
    server ??= await startDebianPostgres(bin!);
    const admin = new Client(server.url);
    await admin.connect();
    await admin.query('CREATE DATABASE wholesale');
    const url = Object.assign(new URL(server.url), { pathname: '/wholesale' }).href;
    const service = await ServiceProcess.start({ DATABASE_URL: url });
    const pool = new Pool({ connectionString: url });
    const shop = await Shop.open(pool, () => service.url);
    expect(await shop.order('kept')).toBe(201);
    const [dump, restore] = printedBlocks('docs/operations.md', '## Backup and restore');
    const { hostname, port, username } = new URL(url);
    const here = `export PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGDATABASE=wholesale`;
    const directory = await mkdtemp(path.join(os.tmpdir(), 'pasted-'));
    const paste = (script: string) =>
      execFileSync('bash', ['-euc', `${here}\n${script}`], {
        cwd: directory,
        env: { PATH: `${bin}:${process.env.PATH}` },
      });
    paste(dump!.text);
    // The page says to repeat it after a deadlock with the running service.
    for (let isRestored = false; !isRestored;) {
      try {
        paste(restore!.text);
        isRestored = true;
      } catch (error) {
        if (!/deadlock detected/.test(String(error))) throw error;
      }
    }
    await eventually(async () => (await shop.get('/api/orders/kept/status')).status === 200);
    await eventually(async () => (await shop.order('after')) === 201);
    await service.end('SIGTERM');
    await pool.end();
    await admin.end();
    await rm(directory, { recursive: true });
  });

  it('by a copy of a stopped DATA_DIR holds every row, and its sync tokens go on', async () => {
    const parent = await makeOpenDirectory('copies-');
    const [original, copy] = [path.join(parent, 'original'), path.join(parent, 'copy')];
    let service = await ServiceProcess.start({ DATA_DIR: original });
    const embedded = await attachEmbeddedDatabase(original);
    const pool = new Pool({ connectionString: embedded.url });
    const shop = await Shop.open(pool, () => service.url);
    for (let count = 0; count < 20; count++) expect(await shop.order(`before-${count}`)).toBe(201);
    const token = await shop.token();
    // The service writes the remaining token uses and request logs when it stops.
    expect(await service.end('SIGTERM')).toBe(0);
    const hashes = await rowHashes(pool);
    await pool.end();
    await embedded.detach();

    await cp(original, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    service = await ServiceProcess.start({ DATA_DIR: copy });
    const copied = await attachEmbeddedDatabase(copy);
    const copiedPool = new Pool({ connectionString: copied.url });
    expect(await rowHashes(copiedPool)).toEqual(hashes);
    expect(await shop.stock()).toBe(80);
    expect(await shop.resume(token)).toBe(200);
    expect(await contradictions(copiedPool)).toEqual([]);
    await copiedPool.end();
    await copied.detach();
    await service.end('SIGTERM');

    await rm(parent, { recursive: true, force: true });
    printFigures('copy of a stopped DATA_DIR', { tables: Object.keys(hashes).length, 'rows that differ': 0 });
  });

  it('of the files of the database begins one new history, put back under nodes or without them', async () => {
    const { account, bin: programs } = await findPrograms(() => undefined);
    const directory = await makeOpenDirectory('files-');
    const data = path.join(directory, 'postgres');
    const saved = path.join(directory, 'saved');
    await createCluster({ account, bin: programs }, data, '--no-sync');
    const password = await passwordOf(data);
    let cluster: Awaited<ReturnType<typeof startLeashed>>;
    const url = () => `postgres://${SUPERUSER}:${password}@127.0.0.1:${cluster.port}/postgres`;
    const begin = async () =>
      (cluster = await startLeashed(account, path.join(programs, 'postgres'), directory));
    const putBack = async () => {
      await cluster.close();
      await rm(data, { recursive: true });
      execFileSync('cp', ['-a', saved, data]);
      await begin();
      proxy.moveTo(url());
    };
    await begin();
    const proxy = await TcpProxy.before(url());
    const start = () => ServiceProcess.start({ DATABASE_URL: proxy.url });
    let nodes = [await start(), await start()];
    const pool = new Pool({ connectionString: url(), max: 1 });
    // The server may end a connection before it hears that the pool did.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const shop = await Shop.open(pool, () => nodes[0]!.url);
    const atEach = (token: string) => Promise.all(nodes.map((node) => shop.at(node.url).resume(token)));
    const order = (id: string) => eventually(async () => (await shop.order(id)) === 201);
    await order('before');
    await pool.end();
    await cluster!.close();
    execFileSync('cp', ['-a', data, saved]);
    await begin();
    proxy.moveTo(url());

    for (let count = 0; count < 5; count++) await order(`lost-${count}`);
    const lost = await shop.token();
    await putBack();
    for (const node of nodes) await eventually(async () => (await shop.at(node.url).stock()) === 99);
    for (let count = 0; count < 40; count++) await order(`since-${count}`);
    expect(await atEach(lost)).toEqual([410, 410]);
    await eventually(async () => expect(await atEach(await shop.token())).toEqual([200, 200]) ?? true);
    const warnings = () =>
      nodes.map(({ output }) => output.match(/is a restored backup or a copy/g)?.length ?? 0);
    expect(warnings().reduce((sum, count) => sum + count)).toBe(1);

    // Now no node remembers anything. Only stores know what is lost.
    for (const node of nodes) await node.end('SIGTERM');
    await putBack();
    nodes = [await start()];
    expect(await shop.stock()).toBe(99);
    expect(await atEach(lost)).toEqual([410]);
    for (let count = 0; count < 40; count++) await order(`again-${count}`);
    expect(await atEach(lost)).toEqual([410]);
    expect(await atEach(await shop.token())).toEqual([200]);
    expect(warnings()).toEqual([1]);
    for (const node of nodes) await node.end('SIGTERM');
    await proxy.close();
    await cluster!.stop();
  });
});
