import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OrderItemRequest } from '../../src/modules/orders/placing/create-order.request.js';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { requestOnNewConnection } from '../support/request-on-new-connection.js';
import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { freePort } from '../support/free-port.js';
import { setUpDatabase } from '../support/suite-database.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { OrderLoad } from '../support/order-load.js';
import { childrenOf, isRunning, runningWith } from '../support/process-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { createEmptyDatabase } from '../support/test-database.js';

const WORKER = 'dist/src/worker.js';

/** Limit for short steps, so that an error shows soon. */
const PATIENCE_MS = 10_000;

interface Logged {
  event: string;
  worker?: number;
  request_id?: string;
  status?: number;
  message?: string;
}

describe('Several workers', () => {
  const database = setUpDatabase();
  let store: Store;
  let items: OrderItemRequest[];
  let metricsPort: number;
  /** Of most tests: not every one is about starting. */
  let shared: ServiceProcess;

  beforeAll(async () => {
    store = await database.fixtures.store();
    const { sku } = await database.fixtures.product({ stock: 1_000_000 });
    items = [{ sku, quantity: 1 }];
    metricsPort = await freePort();
    shared = await start({
      ACCESS_LOG: 'all',
      METRICS_PORT: String(metricsPort),
      PORT: String(await freePort()),
      SHUTDOWN_GRACE_SECONDS: '60',
    });
  });

  afterAll(async () => {
    await killAll();
  });

  /** What all processes of this suite, and no others, have in their environment. */
  const mark = () => ['SUITE', database.serviceUrl] as const;

  const spawn = (environment: Record<string, string> = {}) => {
    const [name, value] = mark();
    return ServiceProcess.spawn({
      DATABASE_URL: database.serviceUrl,
      // An order may wait for its stock as long as a test wants it to.
      DATABASE_TIMEOUT_MS: '30000',
      WORKERS: '2',
      [name]: value,
      ...environment,
    });
  };

  /** Returns when all of them serve. */
  const start = async (environment: Record<string, string> = {}) => {
    const service = spawn(environment);
    // Three processes load the service at once.
    await eventually(() => !service.isRunning || service.output.includes('2 workers serve.'));
    if (!service.isRunning) throw new Error(`It did not start:\n${service.output}`);
    return service;
  };

  /** Workers too: by a fault they could outlive the process that started them. */
  const killAll = async () => {
    const services = ServiceProcess.killAll();
    await eventually(async () => {
      const left = await runningWith(WORKER, mark().join('='));
      for (const pid of left) kill(pid);
      return left.length === 0;
    });
    await services;
  };

  const workersOf = (service: ServiceProcess) => childrenOf(service.child.pid!, WORKER);

  /** Connections are given to the workers in turn. */
  const account = (service: ServiceProcess, { headers } = store, patienceMs?: number) =>
    requestOnNewConnection(`${service.url}/api/account`, { headers, timeoutMs: patienceMs });

  const order = (service: ServiceProcess) =>
    requestOnNewConnection(`${service.url}/api/orders`, {
      method: 'POST',
      headers: store.headers,
      body: orderBody(items),
    }).then(({ status }) => status, String);

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

  /** The series whose name and labels begin so, by worker. */
  const series = async (begin: string): Promise<Record<string, number>> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(begin));
    return Object.fromEntries(
      lines.map((line) => [/worker="(\d)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
    );
  };

  /** Of all workers together. */
  const metric = async (begin: string): Promise<number> =>
    Object.values(await series(begin)).reduce((sum, value) => sum + value, 0);

  /** In so many connections: each worker has what it places wait in one. */
  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    }, PATIENCE_MS);

  /** No order gets its stock until the work is done. */
  async function whileStockIsLocked<Result>(work: () => Promise<Result>): Promise<Result> {
    const locker = await database.pool.connect();
    try {
      await locker.query('BEGIN; SELECT FROM stock_items FOR UPDATE');
      return await work();
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
  }

  /** None of them runs any more. */
  const gone = (pids: number[], script: string) =>
    eventually(async () => {
      const running = await Promise.all(pids.map((pid) => isRunning(pid, script)));
      return !running.includes(true);
    }, PATIENCE_MS);

  it('answer on one port, give each request its own id, and log their number', async () => {
    const service = shared;
    const ids = new Set<unknown>();
    await eventually(async () => {
      ids.add((await account(service)).headers['x-request-id']);
      return whoAnswered(service, 200).length === 2;
    });
    expect(whoAnswered(service, 200)).toEqual([1, 2]);
    await eventually(() => requestsOf(service).length === ids.size);
    expect(new Set(requestsOf(service).map(({ request_id: id }) => id))).toEqual(ids);
    expect(service.output.match(/listens at/g)).toHaveLength(1);
  });

  it('refuse a token that was revoked, each of them', async () => {
    const service = shared;
    const leaving = await database.fixtures.store();
    await eventually(async () => (await account(service, leaving)).status === 200);
    await database.fixtures.revoke(leaving.tokenId);
    const from = service.output.length;
    await eventually(async () => {
      await account(service, leaving);
      return whoAnswered(service, 401, from).length === 2;
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => account(service, leaving)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
  });

  it('have series of their own in the metrics, at one port, which end with them', async () => {
    const service = shared;
    const answered = 'http_request_duration_seconds_count{method="GET",route="/api/account",status="200"';
    const before = await metric(answered);
    for (let n = 0; n < 10; n++) await account(service);
    expect(await metric(answered)).toBe(before + 10);
    expect(await series('wholesale_orders{status="shipped"')).toEqual({ 1: 0 });
    expect(await metric('workers ')).toBe(2);
    expect(await metric('workers_configured ')).toBe(2);
    expect(Object.keys(await series('snapshot_products{'))).toEqual(['1', '2']);
    expect(Object.keys(await series('process_resident_memory_bytes{'))).toEqual(['1', '2']);
    kill((await workersOf(service))[0]);
    // A page of metrics waits 5 s for a worker that has just started.
    await eventually(async () => (await metric('worker_deaths_total ')) === 1);
    await eventually(async () => (await metric('workers ')) === 2);
    // The successor begins anew, and of its predecessor nothing is left.
    expect(await series(answered)).not.toHaveProperty('1');
    expect(Object.keys(await series('snapshot_products{'))).toEqual(['1', '2']);
  });

  it('go on when one or all are killed under a load of orders, and are replaced', async () => {
    const service = shared;
    const [first, second] = await workersOf(service);
    const load = new OrderLoad({ url: () => service.url, store, items: () => items, patienceMs: 2_000 });
    await eventually(() => load.acknowledged.size > 20, PATIENCE_MS);
    kill(first);
    const before = load.acknowledged.size;
    const successor = await eventually(
      async () => (await workersOf(service)).find((pid) => pid !== first && pid !== second),
      PATIENCE_MS,
    );
    await eventually(() => load.acknowledged.size > before + 20, PATIENCE_MS);
    kill(second);
    // One that is handed to a worker at the moment of its death gets no answer.
    await eventually(async () => (await account(service, store, 1_000)).status === 200);
    await load.stop();
    expect(await isRunning(successor!, WORKER)).toBe(true);
    const notice = logged(service).filter(({ event }) => event === 'log');
    for (const pid of [first, second])
      expect(notice.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(
          new RegExp(`^Worker \\d \\(process ${pid}\\) ended with SIGKILL; another takes its place\\.$`),
        ),
      );
    expect(await contradictions(database.pool)).toEqual([]);
    expect(await lostOrders(database.pool, store.clientId, load.acknowledged)).toEqual([]);
    await eventually(async () => (await metric('workers ')) === 2);
  });

  it('all answer their requests when the service stops, and leave no process', async () => {
    const service = shared;
    const pids = await workersOf(service);
    const from = service.output.length;
    const inFlight = await whileStockIsLocked(async () => {
      const orders = [order(service), order(service)];
      await waiting(2);
      // Like a terminal and a service manager: every process gets the signal.
      for (const pid of [service.child.pid!, ...pids]) process.kill(pid, 'SIGINT');
      for (const pid of pids) process.kill(pid, 'SIGHUP');
      await eventually(() => service.output.includes('Stopping'), PATIENCE_MS);
      return { orders };
    });
    expect(await Promise.all(inFlight.orders)).toEqual([201, 201]);
    expect(await service.ended).toBe(0);
    expect(whoAnswered(service, 201, from)).toEqual([1, 2]);
    expect(service.output.match(/^Stop/gm)).toHaveLength(2);
    for (const pid of pids) expect(await isRunning(pid, WORKER)).toBe(false);
  });

  describe('with a limit', () => {
    const LIMIT = 60;
    let one: Store;
    let other: Store;
    let service: ServiceProcess;

    beforeAll(async () => {
      [one, other] = [await database.fixtures.store(), await database.fixtures.store()];
      service = await start({ RATE_LIMIT_PER_MINUTE: String(LIMIT), ACCESS_LOG: 'all' });
    });

    it('have a share of the limit each, and of each client by itself', async () => {
      const share = String(LIMIT / 2);
      await eventually(async () => {
        const answers = [await account(service, one), await account(service, other)];
        expect(answers.map(({ headers }) => headers['ratelimit-limit'])).toEqual([share, share]);
        await Promise.all(Array.from({ length: 20 }, () => account(service, one)));
        return whoAnswered(service, 429).length === 2;
      }, PATIENCE_MS);
      // A unit comes back every two seconds, so on a busy machine one request may be granted.
      const more = await Promise.all(Array.from({ length: 20 }, () => account(service, one)));
      expect(more.map(({ status }) => status)).toContain(429);
      expect((await account(service, other)).status).toBe(200);
    });

    it('finish their requests and end when the process that started them is killed', async () => {
      const pids = await workersOf(service);
      const { inFlight } = await whileStockIsLocked(async () => {
        const started = order(service);
        await waiting(1);
        kill(service.child.pid);
        return { inFlight: started };
      });
      expect(await inFlight).toBe(201);
      await gone(pids, WORKER);
    });
  });

  it('share the embedded database, which ends with them', async () => {
    const dataDir = await makeOpenDirectory('workers-');
    const environment = { DATABASE_URL: '', DATA_DIR: dataDir };
    const postmaster = () => runningServer(join(dataDir, 'postgres'));
    const service = await start(environment);
    const { token, domain } = JSON.parse(
      await readFile(join(dataDir, 'demo-credentials.json'), 'utf8'),
    ) as Record<string, string>;
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain! };
    expect((await requestOnNewConnection(`${service.url}/api/account`, { headers })).status).toBe(200);
    const second = spawn(environment);
    expect(await second.ended).toBe(1);
    expect(second.output.match(/Another service is already running on/g)).toHaveLength(1);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await postmaster()).toBeUndefined();

    const killed = await start(environment);
    const pids = await workersOf(killed);
    const postgres = (await postmaster())!;
    kill(killed.child.pid);
    await gone(pids, WORKER);
    await gone([postgres], 'postgres');
    await rm(dataDir, { recursive: true, force: true });
    // Three starts, one with a demo.
  });

  describe('that get a stop signal while they start', () => {
    let dataDir: string;
    beforeAll(async () => void (dataDir = await makeOpenDirectory('workers-')));
    afterAll(() => rm(dataDir, { recursive: true, force: true }));

    /** The worker of this number loads for ever. */
    const loading = (number: number) =>
      `--import=data:text/javascript,if(process.env.WORKER==='${number}')await(new(Promise)(()=>setInterval(()=>0,9)))`;

    it.each<[string, number, (service: ServiceProcess) => unknown]>([
      ['the first', 1, async (service) => (await workersOf(service)).length > 0],
      ['another', 2, ({ output }) => output.includes('listens at')],
    ])('end, and so does the embedded database: %s', async (_, number, hasStarted) => {
      const service = spawn({
        DATABASE_URL: '',
        DATA_DIR: dataDir,
        NODE_OPTIONS: loading(number),
        SHUTDOWN_GRACE_SECONDS: '50',
      });
      await eventually(() => hasStarted(service));
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output).toMatch(/^Stopped\.$/m);
      expect(await runningServer(join(dataDir, 'postgres'))).toBeUndefined();
    });
  });

  it('are killed if one of them hangs for longer than the grace period', async () => {
    const service = await start({ SHUTDOWN_GRACE_SECONDS: '1' });
    const pids = await workersOf(service);
    process.kill(pids[0]!, 'SIGSTOP');
    expect(await service.end('SIGTERM')).toBe(1);
    expect(service.output).toMatch(/^Stopped, but the database could not be left in order\.$/m);
    await gone(pids, WORKER);
  });

  it('are not started without a database that can be used, and that is said once', async () => {
    const empty = await createEmptyDatabase();
    const service = spawn({ DATABASE_URL: empty.serviceUrl });
    expect(await service.ended).toBe(1);
    expect(service.output.match(/The schema of the database is not up to date/g)).toHaveLength(1);
    await empty.drop();
  });

  it('are counted in clear words', async () => {
    for (const given of ['0', 'abc']) {
      const service = spawn({ WORKERS: given });
      expect(await service.ended).toBe(1);
      expect(service.output).toContain(
        `WORKERS must be a whole number from 1 to 64, or auto, but is "${given}".`,
      );
    }
  });
});
