import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '../../src/platform/version.js';
import { Balancer } from '../support/balancer.js';
import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { orderBody } from '../support/order-body.js';
import { OrderLoad } from '../support/order-load.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { setUpDatabase } from '../support/suite-database.js';

const NEXT = '1.1.0';

/** A migration by the rules: it adds a column, and fills it. Old nodes know nothing of it. */
const MIGRATION = `
export class Next4000000000001 {
  async up(runner) {
    await runner.query("ALTER TABLE orders ADD COLUMN next_text text NOT NULL DEFAULT 'new'");
    await runner.query("UPDATE orders SET next_text = 'old'");
  }
}`;

/** The files beside the build that it reads. */
const BESIDE = ['node_modules', 'examples', 'docs', 'CHANGELOG.md'];

/** Makes the build of the next release: this one with another version and one more migration. */
async function buildNext(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wholesale-next-'));
  await cp('dist/src', path.join(folder, 'dist/src'), { recursive: true });
  await writeFile(
    path.join(folder, 'dist/src/platform/database/migrations/4000000000001-next.js'),
    MIGRATION,
  );
  for (const name of BESIDE) await symlink(path.resolve(name), path.join(folder, name));
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as object;
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, version: NEXT }));
  return folder;
}

describe('An upgrade of two nodes under a load of orders', () => {
  const database = setUpDatabase();
  let next: string;

  beforeAll(async () => {
    next = await buildNext();
  });
  afterAll(() => rm(next, { recursive: true, force: true }));

  it('loses and doubles nothing, and can be taken back by one release', async () => {
    const store = await database.fixtures.store();
    const { sku } = await database.fixtures.product({ stock: 1_000_000 });
    const environment = {
      DATABASE_URL: database.serviceUrl,
      SHUTDOWN_DRAIN_SECONDS: '1',
      SHUTDOWN_GRACE_SECONDS: '8',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    const nodes = [await ServiceProcess.start(environment), await ServiceProcess.start(environment)];
    const balancer = await Balancer.before(() => nodes.map(({ url }) => url));
    const load = new OrderLoad({
      url: () => balancer.url,
      store,
      items: () => [{ sku, quantity: 1 }],
      workers: 3,
    });
    const ordersGoOn = async () => {
      const known = load.acknowledged.size;
      await eventually(() => load.acknowledged.size > known + 20);
    };
    const versionOf = async ({ url }: ServiceProcess) =>
      ((await (await fetch(`${url}/health/live`)).json()) as { version: string }).version;

    await ordersGoOn();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(next, 'dist/src/cli.js'), 'migrate'],
      { cwd: os.tmpdir(), env: { PATH: process.env.PATH, DATABASE_URL: database.url } },
    );
    expect(stdout).toContain('Done: Next4000000000001.');
    await ordersGoOn();
    for (const [index, node] of nodes.entries()) {
      const { url } = node;
      expect(await node.end('SIGTERM')).toBe(0);
      const entry = path.join(next, 'dist/src/main.js');
      nodes[index] = await ServiceProcess.start({ ...environment, PORT: new URL(url).port }, entry);
      await eventually(() => balancer.isReady(url));
      await ordersGoOn();
      // After the first: one old and one new node.
      const versions = await Promise.all(nodes.map(versionOf));
      expect(versions).toEqual(index === 0 ? [NEXT, VERSION] : [NEXT, NEXT]);
    }
    await load.stop();

    expect(balancer.failures).toEqual([]);
    expect([...load.statuses.keys()].filter((status) => ![201, 409, 503].includes(Number(status)))).toEqual(
      [],
    );
    expect(await contradictions(database.pool)).toEqual([]);
    expect(await lostOrders(database.pool, store.clientId, load.acknowledged)).toEqual([]);
    const { rows } = await database.pool.query<{ text: string; count: number }>(
      'SELECT next_text AS text, count(*)::int FROM orders GROUP BY 1 ORDER BY 1 DESC',
    );
    expect(rows.map(({ text }) => text)).toEqual(['old', 'new']);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(load.acknowledged.size);

    const alone = ServiceProcess.spawn(environment);
    expect(await alone.ended).toBe(1);
    expect(alone.output).toMatch(
      new RegExp(`^The schema .* newer than this version \\(${VERSION}\\): it has Next4000000000001\\..*\n$`),
    );
    const back = await ServiceProcess.start({ ...environment, ALLOW_NEWER_SCHEMA: 'on' });
    expect(back.output).toContain('Warning: the schema is newer');
    const answer = await fetch(`${back.url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody([{ sku, quantity: 1 }])),
    });
    expect(answer.status).toBe(201);
    printFigures('rolling upgrade of two nodes', {
      orders: load.acknowledged.size,
      repeated: load.statuses.get(503) ?? 0,
      failed: balancer.failures.length,
    });
  });
});
