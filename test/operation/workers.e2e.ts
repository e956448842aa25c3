import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { OrderItemRequest } from '../../src/orders/placing/create-order.request.js';
import { readPostmaster } from '../../src/embedded-postgres/postmaster.js';
import { freePort } from '../../src/embedded-postgres/free-port.js';
import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { OrderLoad } from '../support/order-load.js';
import { childrenOf, isRunning } from '../support/process-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.js';

const WORKER = 'dist/src/worker.js';

/** Several processes start in each of these. */
const SLOW_MS = 120_000;

interface Logged {
  event: string;
  worker?: number;
  request_id?: string;
  status?: number;
  message?: string;
}

describe('Several workers', () => {
  let database: TestDatabase;
  let pool: Pool;
  let fixtures: Fixtures;
  let store: Store;
  let items: OrderItemRequest[];
  let metricsPort: number;
  /** Of most tests: not every one is about starting. */
  let shared: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    fixtures = new Fixtures(pool, () => Promise.resolve());
    store = await fixtures.store();
    const { sku } = await fixtures.product({ stock: 1_000_000 });
    items = [{ sku, quantity: 1 }];
    metricsPort = await freePort();
    shared = await start({
      ACCESS_LOG: 'all',
      METRICS_PORT: String(metricsPort),
      PORT: String(await freePort()),
      SHUTDOWN_GRACE_SECONDS: '60',
    });
  }, SLOW_MS);

  afterAll(async () => {
    await ServiceProcess.killAll();
    await pool.end();
    await database.drop();
  });

  const start = async (environment: Record<string, string> = {}) => {
    const service = await ServiceProcess.start({
      DATABASE_URL: database.serviceUrl,
      WORKERS: '2',
      ...environment,
    });
    await allServe(service);
    return service;
  };

  const allServe = (service: ServiceProcess) =>
    eventually(() => service.output.includes('2 workers serve.'), 60_000);

  const workersOf = (service: ServiceProcess) => childrenOf(service.child.pid!, WORKER);

  /** On a connection of its own: they are given to the workers in turn. */
  const get = (service: ServiceProcess, path: string, of = store) =>
    fetch(`${service.url}${path}`, { headers: { ...of.headers, Connection: 'close' } });

  /** From here on in its output. */
  const logged = (service: ServiceProcess, from = 0): Logged[] =>
    service.output
      .slice(from)
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Logged);

  const requestsOf = (service: ServiceProcess, from?: number) =>
    logged(service, from).filter(({ event }) => event === 'request');

  /** Which of them have answered so. */
  const whoAnswered = (service: ServiceProcess, status: number, from?: number) => {
    const answers = requestsOf(service, from).filter((line) => line.status === status);
    return [...new Set(answers.map(({ worker }) => worker))].toSorted();
  };

  const kill = (pid: number | undefined) => process.kill(pid!, 'SIGKILL');

  const metric = async (line: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length));
  };

  /** That somebody waits for a lock. */
  const waiting = (least: number) =>
    eventually(async () => {
      const { rows } = await pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length >= least;
    });

  it('answer on one port, each request with an id of its own, and say in the log which of them it was', async () => {
    const service = shared;
    const ids = new Set<string | null>();
    await eventually(async () => {
      ids.add((await get(service, '/api/account')).headers.get('X-Request-Id'));
      return whoAnswered(service, 200).length === 2;
    });
    expect(whoAnswered(service, 200)).toEqual([1, 2]);
    await eventually(() => requestsOf(service).length === ids.size);
    expect(new Set(requestsOf(service).map(({ request_id: id }) => id))).toEqual(ids);
    expect(service.output.match(/listens at/g)).toHaveLength(1);
  });

  it('refuse a token that was revoked, each of them', async () => {
    const service = shared;
    const leaving = await fixtures.store();
    await eventually(async () => (await get(service, '/api/account', leaving)).ok);
    await fixtures.revoke(leaving.tokenId);
    const from = service.output.length;
    await eventually(async () => {
      await get(service, '/api/account', leaving);
      return whoAnswered(service, 401, from).length === 2;
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => get(service, '/api/account', leaving)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
  });

  it(
    'are counted as one by the metrics, which never go back when one of them dies',
    async () => {
      const service = shared;
      const account = 'http_request_duration_seconds_count{method="GET",route="/api/account",status="200"}';
      const before = await metric(account);
      for (let n = 0; n < 10; n++) await get(service, '/api/account');
      expect(await metric(account)).toBe(before + 10);
      expect(await metric('orders{status="shipped"}')).toBe(0);
      expect(await metric('workers')).toBe(2);
      for (const worker of ['none', '1', '2'])
        expect(await metric(`process_resident_memory_bytes{worker="${worker}"}`)).toBeGreaterThan(0);
      kill((await workersOf(service))[0]);
      await eventually(async () => (await metric('worker_deaths_total')) === 1);
      expect(await metric(account)).toBe(before + 10);
      await get(service, '/api/account');
      expect(await metric(account)).toBe(before + 11);
      await eventually(async () => (await metric('workers')) === 2, 60_000);
    },
    SLOW_MS,
  );

  it(
    'go on when one is killed under a load of orders, and another takes its place; and when all are',
    async () => {
      const service = shared;
      const [first, second] = await workersOf(service);
      const load = new OrderLoad({ url: () => service.url, store, items: () => items });
      await eventually(() => load.acknowledged.size > 20);
      kill(first);
      const before = load.acknowledged.size;
      const successor = await eventually(async () =>
        (await workersOf(service)).find((pid) => pid !== first && pid !== second),
      );
      await eventually(() => load.acknowledged.size > before + 20);
      kill(second);
      await eventually(async () => (await get(service, '/api/account')).ok, 60_000);
      await load.stop();
      expect(await isRunning(successor!, WORKER)).toBe(true);
      const told = logged(service).filter(({ event }) => event === 'log');
      for (const pid of [first, second])
        expect(told.map(({ message }) => message)).toContainEqual(
          expect.stringMatching(
            new RegExp(`^Worker \\d \\(process ${pid}\\) ended with SIGKILL; another takes its place\\.$`),
          ),
        );
      expect(await contradictions(pool)).toEqual([]);
      expect(await lostOrders(pool, store.clientId, load.acknowledged)).toEqual([]);
      await eventually(async () => (await metric('workers')) === 2, 60_000);
    },
    SLOW_MS,
  );

  it(
    'answer what is in flight when the service is told to stop, each of them, and leave nothing running',
    async () => {
      const service = shared;
      const pids = await workersOf(service);
      const from = service.output.length;
      const locker = await pool.connect();
      await locker.query('BEGIN');
      await locker.query('SELECT 1 FROM stock_items FOR UPDATE');
      const order = (id: string) =>
        fetch(`${service.url}/api/orders`, {
          method: 'POST',
          headers: { ...store.headers, 'Content-Type': 'application/json', Connection: 'close' },
          body: JSON.stringify(orderBody(items, { store_order_id: id })),
        });
      const inFlight = [order('in-flight-1'), order('in-flight-2')];
      await waiting(2);
      // As a terminal and a service manager do it: everybody is told.
      for (const pid of [service.child.pid!, ...pids]) process.kill(pid, 'SIGINT');
      await eventually(() => service.output.includes('Stopping'));
      await locker.query('COMMIT');
      locker.release();
      const answers = await Promise.all(inFlight);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(await service.ended).toBe(0);
      expect(whoAnswered(service, 201, from)).toEqual([1, 2]);
      expect(service.output.match(/^Stop/gm)).toHaveLength(2);
      for (const pid of pids) expect(await isRunning(pid, WORKER)).toBe(false);
    },
    SLOW_MS,
  );

  it(
    'have one small limit for a token, exactly',
    async () => {
      const service = await start({ RATE_LIMIT_PER_MINUTE: '1', ACCESS_LOG: 'all' });
      const poor = await fixtures.store();
      await eventually(async () => (await get(service, '/api/account', poor)).status !== 401);
      await eventually(async () => {
        await get(service, '/api/account', poor);
        return whoAnswered(service, 429).length === 2;
      });
      const answers = logged(service).filter(({ event }) => event === 'request');
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await service.end();
    },
    SLOW_MS,
  );

  it(
    'have one large limit for a token, but for a hundredth that the other may hold in advance',
    async () => {
      const LIMIT = 600;
      const service = await start({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
      const [one, other] = [await fixtures.store(), await fixtures.store()];
      for (const each of [one, other])
        await eventually(async () => (await get(service, '/api/account', each)).status !== 401);
      const beganAt = performance.now();
      let granted = 0;
      const ask = async () => {
        for (let n = 0; n < LIMIT / 10; n++)
          if ((await get(service, '/api/account', other)).status === 200) granted++;
      };
      await Promise.all(Array.from({ length: 15 }, ask));
      const grown = ((performance.now() - beganAt) / 60_000) * LIMIT;
      // One unit went to whoever found out that the token is known.
      expect(granted + 1).toBeLessThanOrEqual(LIMIT + grown + 1);
      expect(granted + 1).toBeGreaterThanOrEqual(LIMIT - LIMIT / 100);
      expect((await get(service, '/api/account', one)).status).toBe(200);
      await service.end();
    },
    SLOW_MS,
  );

  it(
    'end by themselves when the process that started them is killed, after what they have begun',
    async () => {
      const service = await start();
      const pids = await workersOf(service);
      const locker = await pool.connect();
      await locker.query('BEGIN');
      await locker.query('SELECT 1 FROM stock_items FOR UPDATE');
      const inFlight = fetch(`${service.url}/api/orders`, {
        method: 'POST',
        headers: { ...store.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(orderBody(items)),
      });
      await waiting(1);
      kill(service.child.pid);
      await locker.query('COMMIT');
      locker.release();
      expect((await inFlight).status).toBe(201);
      await eventually(async () =>
        (await Promise.all(pids.map((pid) => isRunning(pid, WORKER)))).every((running) => !running),
      );
    },
    SLOW_MS,
  );

  it(
    'share the embedded database, which ends with them',
    async () => {
      const dataDir = await makeOpenDirectory('workers-');
      const environment = { DATABASE_URL: '', DATA_DIR: dataDir };
      const service = await start(environment);
      const { token, domain } = JSON.parse(
        await readFile(join(dataDir, 'demo-credentials.json'), 'utf8'),
      ) as Record<string, string>;
      const asked = await fetch(`${service.url}/api/account`, {
        headers: { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain! },
      });
      expect(asked.status).toBe(200);
      const second = ServiceProcess.spawn({ ...environment, WORKERS: '2' });
      expect(await second.ended).toBe(1);
      expect(second.output.match(/Another service is already running on/g)).toHaveLength(1);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(await readPostmaster(join(dataDir, 'postgres'))).toBeUndefined();

      const killed = await start(environment);
      const pids = await workersOf(killed);
      const postgres = (await readPostmaster(join(dataDir, 'postgres')))!.pid;
      kill(killed.child.pid);
      await eventually(async () => {
        const left = [...pids.map((pid) => isRunning(pid, WORKER)), isRunning(postgres, dataDir)];
        return (await Promise.all(left)).every((running) => !running);
      });
      await rm(dataDir, { recursive: true, force: true });
    },
    SLOW_MS,
  );

  it(
    'are not started without a database that can be used, and that is said once',
    async () => {
      const empty = await createEmptyDatabase();
      const service = ServiceProcess.spawn({ DATABASE_URL: empty.serviceUrl, WORKERS: '2' });
      expect(await service.ended).toBe(1);
      expect(service.output.match(/permission denied/g)?.length).toBeGreaterThan(0);
      expect(service.output.match(/^\S*Error/gm)).toHaveLength(1);
      await empty.drop();
    },
    SLOW_MS,
  );

  it('are counted in clear words', async () => {
    for (const given of ['0', 'abc']) {
      const service = ServiceProcess.spawn({ WORKERS: given });
      expect(await service.ended).toBe(1);
      expect(service.output).toContain(
        `WORKERS must be a whole number from 1 to 64, or auto, but is "${given}".`,
      );
    }
  });
});
