import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool, type PoolClient } from 'pg';
import { postgresAccount } from '../../src/server/embedded-postgres/programs.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { Fixtures } from '../support/fixtures.js';
import { freePort } from '../support/free-port.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { runCommandIn } from '../support/run-command.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { Daemon, missingPrograms } from './daemon.js';

const missing = missingPrograms();
if (missing) printFigures('pooler', { skipped: missing });

const IGNORE =
  'ignore_startup_parameters = extra_float_digits, options, statement_timeout, idle_in_transaction_session_timeout';
const SESSIONS = 3;
const ORDERS = 60;

(missing ? describe.skip : describe)('Behind PgBouncer', () => {
  let database: TestDatabase;
  let pool: Pool;
  let fixtures: Fixtures;
  const daemons: Daemon[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    fixtures = new Fixtures(pool, () => Promise.resolve());
  });
  afterEach(() => Promise.all([ServiceProcess.killAll(), ...daemons.splice(0).map((each) => each.kill())]));
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The environment of a node behind a new pooler. */
  async function pooledBy(...settings: string[]): Promise<{ DATABASE_URL: string }> {
    const { hostname, port, username, password } = new URL(database.serviceUrl);
    const own = await freePort();
    const file = path.join(await makeOpenDirectory('wholesale-pooler-'), 'pgbouncer.ini');
    const lines = [
      `[databases]\n* = host=${hostname} port=${port} user=${username} password=${password}`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any`,
      `default_pool_size = ${SESSIONS}`,
      ...settings,
    ];
    await writeFile(file, lines.join('\n'));
    daemons.push(new Daemon('pgbouncer', [file], await postgresAccount()));
    const url = Object.assign(new URL(database.serviceUrl), { host: `127.0.0.1:${own}` });
    const probe = new Pool({ connectionString: url.href });
    await eventually(() => probe.query('SELECT'));
    await probe.end();
    return { DATABASE_URL: url.href };
  }

  const past = () => ({ DATABASE_DIRECT_URL: database.serviceUrl });

  const refused: [string, string[], () => Record<string, string>, string][] = [
    ['without a way past it', ['pool_mode = transaction', IGNORE], () => ({}), 'Set DATABASE_DIRECT_URL to'],
    [
      'that loses named statements',
      ['pool_mode = transaction', IGNORE, 'max_prepared_statements = 0'],
      past,
      'It does not keep named statements.',
    ],
    [
      'that refuses a setting',
      ['pool_mode = transaction'],
      past,
      'It refuses a setting (unsupported startup',
    ],
  ];

  it.each(refused)('a node does not start %s, and says why', async (_, settings, direct, why) => {
    const service = ServiceProcess.spawn({ ...(await pooledBy(...settings)), ...direct() });
    expect(await service.ended).toBe(1);
    expect(service.output).toContain(why);
    expect(service.output).not.toMatch(/\n +at /);
  });

  it('in session mode, the way past it may be the same', async () => {
    const { DATABASE_URL: url } = await pooledBy('pool_mode = session', IGNORE);
    await ServiceProcess.start({ DATABASE_URL: url, DATABASE_DIRECT_URL: url });
  });

  const full: [string, string, number, string][] = [
    ['lets no more clients in', 'max_client_conn = 12', 12, 'The database has no connection left'],
    [
      'has no session free in time',
      'query_wait_timeout = 1',
      SESSIONS,
      'No connection to the database was free in time',
    ],
  ];

  it.each(full)('that %s, the log of requests has this reason', async (_, setting, clients, reason) => {
    const { DATABASE_URL: url } = await pooledBy('pool_mode = transaction', IGNORE, setting);
    const service = await ServiceProcess.start({ DATABASE_URL: url, ...past(), DATABASE_POOL_SIZE: '20' });
    const store = await fixtures.store();
    const ask = async () => (await fetch(`${service.url}/api/orders`, { headers: store.headers })).status;
    await eventually(async () => (await ask()) === 200);
    // Others take all sessions, and in the first case all places of clients that the node leaves.
    const others = new Pool({ connectionString: url, max: clients });
    const taken: PoolClient[] = [];
    for (let isFull = false; !isFull && taken.length < clients;) {
      const client = await others.connect().catch(() => undefined);
      isFull = client === undefined;
      if (client && taken.push(client) <= SESSIONS) await client.query('BEGIN');
    }
    await eventually(async () => {
      await Promise.all(Array.from({ length: 20 }, ask));
      const lines = service.output.split('\n').filter((line) => line.includes('"status":503'));
      return lines.some((line) => line.includes(`"reason":"${reason}"`));
    });
    for (const client of taken) client.release(true);
    await others.end();
    await eventually(async () => (await ask()) === 200);
  });

  it('in transaction mode, a node and commands share few sessions', async () => {
    const environment = {
      ...(await pooledBy('pool_mode = transaction', IGNORE, 'max_prepared_statements = 500')),
      ...past(),
    };
    const service = await ServiceProcess.start({ ...environment, DATABASE_POOL_SIZE: '20' });
    const store = await fixtures.store();
    const { sku } = await fixtures.product({ stock: ORDERS });
    const call = (address: string, body?: object) =>
      fetch(`${service.url}${address}`, {
        headers: { ...store.headers, 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    await eventually(async () => (await call('/api/account')).status === 200);
    const statuses = await Promise.all(
      Array.from({ length: ORDERS + 1 }, async (__, n) => {
        const { status } = await call('/api/orders', orderBody([{ sku, quantity: 1 }]));
        await call(`/api/orders?limit=${n + 1}`);
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(ORDERS);
    expect(statuses.filter((status) => status === 422)).toHaveLength(1);
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wholesale-order-api'`,
    );
    expect(rowCount).toBeLessThanOrEqual(SESSIONS);

    const file = path.join(await makeOpenDirectory('wholesale-counts-'), 'stock.csv');
    await writeFile(file, `sku,variation,quantity\n${sku},,${ORDERS + 7}\n`);
    const keyed = await runCommandIn(environment, ...'key add --name Test --role admin --json'.split(' '));
    const access = {
      WHOLESALE_URL: service.url,
      WHOLESALE_KEY: (JSON.parse(keyed.stdout) as { key: string }).key,
    };
    expect(await runCommandIn(access, 'stock', 'import', file)).toMatchObject({ exitCode: 0 });
    await eventually(async () => {
      const { stock_qty: quantity } = (await (await call(`/api/products/${sku}/stock`)).json()) as {
        stock_qty: number;
      };
      return quantity === 7;
    });
    expect(await contradictions(pool)).toEqual([]);
  });
});
