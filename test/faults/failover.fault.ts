import { Pool } from 'pg';
import { contradictions } from '../support/books.js';
import { debianPostgres, startDebianPostgres, startStandby } from '../support/debian-postgres.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import type { ThrowAwayPostgres } from '../support/throw-away-postgres.js';

const bin = debianPostgres();
const withStandby = bin === undefined ? it.skip : it;
if (bin === undefined) printFigures('failover', { skipped: "no PostgreSQL of Debian's" });

const LISTS = ['/api/products', '/api/stock', '/api/orders'];

describe('When a standby takes over', () => {
  let primary: ThrowAwayPostgres;
  let standby: ThrowAwayPostgres;
  let proxy: TcpProxy;
  let nodes: ServiceProcess[];
  let pool: Pool;
  let successor: Pool;
  let store: Store;
  let sku: string;

  async function start(): Promise<void> {
    primary = await startDebianPostgres(bin!);
    standby = await startStandby(bin!, primary.url);
    proxy = await TcpProxy.before(primary.url);
    pool = new Pool({ connectionString: primary.url });
    successor = new Pool({ connectionString: standby.url });
    for (const each of [pool, successor]) each.on('error', () => undefined);
    const environment = { DATABASE_URL: proxy.url };
    nodes = [await ServiceProcess.start(environment), await ServiceProcess.start(environment)];
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    store = await fixtures.store();
    ({ sku } = await fixtures.product({ stock: 1_000 }));
    for (const node of nodes) await eventually(async () => (await order(`first-${node.url}`, node)) === 201);
  }

  afterEach(async () => {
    await ServiceProcess.killAll();
    await Promise.all([pool?.end(), successor?.end()]);
    await proxy?.close();
    await Promise.all([primary?.stop(), standby?.stop()]);
  });

  const get = (path: string, node = nodes[0]!) => fetch(`${node.url}${path}`, { headers: store.headers });

  async function order(id: string, node = nodes[0]!): Promise<number> {
    const response = await fetch(`${node.url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody([{ sku, quantity: 1 }], { store_order_id: id })),
    });
    return response.status;
  }

  const tokens = () =>
    Promise.all(
      LISTS.map(async (path) => {
        const { sync_token: token } = (await (await get(path)).json()) as { sync_token: string };
        return `${path}?since=${token}`;
      }),
    );

  /** The status at each node. */
  const statuses = (polls: string[]) =>
    Promise.all(nodes.flatMap((node) => polls.map(async (poll) => (await get(poll, node)).status)));

  async function failOver(): Promise<void> {
    const beganAt = performance.now();
    await primary.stop();
    await successor.query('SELECT pg_promote()');
    proxy.moveTo(standby.url);
    for (const node of nodes) await eventually(async () => (await order(`then-${node.url}`, node)) === 201);
    printFigures('a standby takes over', { 'orders again after (s)': (performance.now() - beganAt) / 1_000 });
  }

  withStandby('that was behind, every sync token gets 410, and the next one goes on', async () => {
    await start();
    const polls = await tokens();
    await successor.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await successor.query('SELECT pg_reload_conf()');
    await eventually(async () => (await successor.query('SELECT FROM pg_stat_wal_receiver')).rowCount === 0);
    expect(await order('lost')).toBe(201);
    const ahead = await tokens();
    await failOver();
    for (const known of [polls, ahead])
      await eventually(async () => expect(await statuses(known)).toEqual(Array(6).fill(410)) ?? true);
    expect(await statuses(await tokens())).toEqual(Array(6).fill(200));
    // The store asks for its order, learns that it is lost, and sends it again.
    expect((await get('/api/orders/lost/status')).status).toBe(404);
    expect(await order('lost')).toBe(201);
    expect(await contradictions(successor)).toEqual([]);
  });
});
