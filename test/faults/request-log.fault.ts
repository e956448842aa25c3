import { MAX_UNWRITTEN } from '../../src/modules/request-log/recording/request-log.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** The log must be right after a crash of the node or its database. */
describe('The log of store requests', () => {
  const database = setUpDatabase();
  let proxy: TcpProxy;
  let service: ServiceProcess;
  let environment: Record<string, string>;

  beforeAll(async () => {
    proxy = await TcpProxy.before(database.serviceUrl);
    environment = { DATABASE_URL: proxy.url, RATE_LIMIT_PER_MINUTE: '0' };
    service = await ServiceProcess.start(environment);
  });

  afterAll(async () => {
    proxy.thaw();
    await ServiceProcess.killAll();
    await proxy.close();
  });

  async function newStore(): Promise<Store> {
    const store = await database.fixtures.store();
    await eventually(async () => (await statusOf(store, '/api/account')) === 200);
    return store;
  }

  async function statusOf({ headers }: Store, path: string): Promise<number> {
    const response = await fetch(`${service.url}${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends requests that are refused, and returns the seconds of the slowest. */
  async function refuse(store: Store, count: number): Promise<number> {
    const seconds = await Promise.all(
      Array.from({ length: count }, async () => {
        const beganAt = performance.now();
        expect(await statusOf(store, '/api/nowhere')).toBe(404);
        return (performance.now() - beganAt) / 1_000;
      }),
    );
    return Math.max(...seconds);
  }

  /** Returns how many refusals the log counted, kept and left out, and how many rows it holds. */
  async function logged(stores: Store[]) {
    const { rows } = await database.pool.query<Record<'requests' | 'kept' | 'leftOut' | 'there', number>>(
      `SELECT coalesce(sum(requests), 0)::int AS requests, coalesce(sum(kept), 0)::int AS kept,
              coalesce(sum(left_out), 0)::int AS "leftOut",
              (SELECT count(*)::int FROM store_requests WHERE client_id = ANY ($1)) AS there
         FROM store_request_counts WHERE client_id = ANY ($1) AND status_class = 4`,
      [stores.map(({ clientId }) => clientId)],
    );
    return rows[0]!;
  }

  it('keeps some requests while the database is silent, counts the rest and delays none', async () => {
    const stores: Store[] = [];
    for (let n = 0; n < 16; n++) stores.push(await newStore());
    // Each client has room for about 200.
    const each = 300;
    proxy.freeze();
    const seconds: number[] = [];
    for (const store of stores) seconds.push(await refuse(store, each));
    proxy.thaw();
    const sent = stores.length * each;
    await eventually(async () => (await logged(stores)).requests === sent);
    const { kept, leftOut, there } = await logged(stores);
    printFigures('log with a silent database', {
      sent,
      kept,
      'left out': leftOut,
      'slowest answer (s)': Math.max(...seconds),
    });
    expect([kept, kept + leftOut]).toEqual([there, sent]);
    expect(kept).toBeGreaterThanOrEqual(MAX_UNWRITTEN.requests);
    expect(kept).toBeLessThan(sent / 2 + MAX_UNWRITTEN.requests);
  });

  it('writes no request twice when the answer of the database is lost, and goes on', async () => {
    const store = await newStore();
    for (let round = 1; round <= 3; round++) {
      const dropped = proxy.dropAnswerTo('COMMIT');
      await refuse(store, 10);
      await dropped;
      await eventually(async () => (await logged([store])).requests === round * 10);
      expect(await logged([store])).toMatchObject({ kept: round * 10, there: round * 10, leftOut: 0 });
    }
  });

  it('is written completely when the service stops', async () => {
    const store = await newStore();
    await refuse(store, 30);
    for (let n = 0; n < 5; n++) expect(await statusOf(store, '/api/products')).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await logged([store])).toMatchObject({ requests: 30, there: 30 });
    const { rows } = await database.pool.query(
      `SELECT requests::int FROM store_request_counts WHERE client_id = $1 AND route = '/api/products'`,
      [store.clientId],
    );
    expect(rows).toEqual([{ requests: 5 }]);
    service = await ServiceProcess.start(environment);
  });

  it('lets the service stop in time while its database is silent, and reports the loss', async () => {
    const store = await newStore();
    proxy.freeze();
    await refuse(store, 10);
    const beganAt = performance.now();
    service.signal('SIGTERM');
    await service.ended;
    const seconds = (performance.now() - beganAt) / 1_000;
    proxy.thaw();
    printFigures('stopped with a silent database', { 'after (s)': seconds });
    expect(seconds).toBeLessThan(13);
    expect(service.output).toMatch(/RequestLog.*The job failed/);
    service = await ServiceProcess.start(environment);
  });

  it('loses only the last moments when the service is killed', async () => {
    const store = await newStore();
    await refuse(store, 20);
    await eventually(async () => (await logged([store])).there === 20);
    await refuse(store, 20);
    await service.end('SIGKILL');
    const { there } = await logged([store]);
    printFigures('log of a node that was killed', { 'noted long ago': 20, 'noted just now': 20, there });
    expect(there).toBeGreaterThanOrEqual(20);
    expect(there).toBeLessThanOrEqual(40);
    service = await ServiceProcess.start(environment);
  });
});
