import type { OrderItemRequest } from '../../src/modules/orders/placing/create-order.request.js';
import { Balancer } from '../support/balancer.js';
import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { orderBody } from '../support/order-body.js';
import { OrderLoad } from '../support/order-load.js';
import { percentile, printFigures } from '../support/print-figures.js';
import { RawConnection } from '../support/raw-connection.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const GRACE_SECONDS = 4;
const GRACE = { SHUTDOWN_DRAIN_SECONDS: '1', SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS) };

/** For a store that orders as fast as possible. */
const NO_LIMIT = { RATE_LIMIT_PER_MINUTE: '0' };

describe('A service that gets a stop signal', () => {
  const database = setUpDatabase();
  let store: Store;
  let items: OrderItemRequest[];

  beforeAll(async () => {
    store = await database.fixtures.store();
    const { sku } = await database.fixtures.product({ stock: 1_000_000 });
    items = [{ sku, quantity: 1 }];
  });

  const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).ok;

  it('answers open requests, with any open sockets, and ends within the grace period', async () => {
    const service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, ...GRACE, ...NO_LIMIT });
    const { url } = service;
    const head =
      `POST /api/orders HTTP/1.1\r\nHost: store\r\nAuthorization: Bearer ${store.token}\r\n` +
      `X-Client-Domain: ${store.domain}\r\n`;
    const hanging = {
      silent: await RawConnection.open(url),
      idle: await RawConnection.open(url, 'GET /health/live HTTP/1.1\r\nHost: store\r\n\r\n'),
      'half a head': await RawConnection.open(url, 'GET /api/products HTTP/1.1\r\nHost: sto'),
      'slow body': await RawConnection.open(
        url,
        `${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"cust`,
      ),
    };
    await eventually(() => hanging.idle.received.includes('200 OK'));
    const load = new OrderLoad({ url: () => url, store, items: () => items });
    await eventually(() => load.acknowledged.size > 50);

    // This order still waits for its stock when the signal arrives.
    const locker = await database.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM stock_items FOR UPDATE');
    const inFlight = fetch(`${url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody(items, { store_order_id: 'in-flight' })),
    });
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    const beganAt = performance.now();
    service.signal('SIGTERM');
    await eventually(async () => !(await isReady(url)));
    const answeredWhileDraining = await fetch(`${url}/health/live`);
    await locker.query('COMMIT');
    locker.release();
    const answer = await inFlight;
    const code = await service.ended;
    const seconds = (performance.now() - beganAt) / 1_000;
    const restarted = await ServiceProcess.start({
      DATABASE_URL: database.serviceUrl,
      PORT: new URL(url).port,
      ...GRACE,
    });
    await load.stop();
    await restarted.end('SIGTERM');

    expect(answer.status).toBe(201);
    expect(answeredWhileDraining.headers.get('Connection')).toBe('close');
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(GRACE_SECONDS);
    expect(Object.values(hanging).map((connection) => connection.isOpen)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(await contradictions(database.pool)).toEqual([]);
    expect(await lostOrders(database.pool, store.clientId, load.acknowledged)).toEqual([]);
    printFigures('SIGTERM under load with hanging sockets', {
      orders: load.acknowledged.size,
      'gone after (s)': seconds,
      'grace (s)': GRACE_SECONDS,
    });
  });

  it('ends in order when its terminal is closed', async () => {
    const service = await ServiceProcess.start({
      DATABASE_URL: database.serviceUrl,
      ...GRACE,
      SHUTDOWN_DRAIN_SECONDS: '3',
    });
    expect(await service.end('SIGHUP')).toBe(0);
    expect(service.output).toMatch(/\nStopped\.\n$/);
  });

  it('ends at once when Ctrl-C is pressed again, even with an open connection', async () => {
    const patient = { ...GRACE, SHUTDOWN_GRACE_SECONDS: '60' };
    const service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, ...patient });
    const silent = await RawConnection.open(service.url);
    const beganAt = performance.now();
    service.signal('SIGINT');
    await eventually(() => service.output.includes('Stopping'));
    // Within half a second it counts as the same.
    await eventually(() => {
      service.signal('SIGINT');
      return !service.isRunning;
    });
    expect(await service.ended).toBe(0);
    await silent.closed;
    printFigures('Ctrl-C twice', { 'gone after (s)': (performance.now() - beganAt) / 1_000 });
  });

  it('ends within the grace period when its database does not answer', async () => {
    const proxy = await TcpProxy.before(database.serviceUrl);
    const service = await ServiceProcess.start({ DATABASE_URL: proxy.url, ...GRACE });
    await fetch(`${service.url}/api/products`, { headers: store.headers });
    proxy.freeze();
    const beganAt = performance.now();
    const code = await service.end('SIGTERM');
    const seconds = (performance.now() - beganAt) / 1_000;
    await proxy.close();
    // All requests were answered, but the shutdown of the database connections failed: operators see exit
    // code 1.
    expect(code).toBe(1);
    expect(service.output).toContain('the database could not be left in order');
    expect(seconds).toBeLessThan(GRACE_SECONDS + 0.5);
    printFigures('SIGTERM with a silent database', { 'gone after (s)': seconds, 'exit code': code });
  });

  it('reports an unreachable database at the start, without its password', async () => {
    const service = ServiceProcess.spawn({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' });
    await eventually(() => service.output.includes('ECONNREFUSED'));
    expect(service.output).not.toContain('secret');
    await service.end();
    const refused = ServiceProcess.spawn({
      DATABASE_URL: Object.assign(new URL(database.serviceUrl), { pathname: '/nowhere' }).href,
    });
    expect(await refused.ended).toBe(1);
    expect(refused.output).toContain('cannot be used');
    expect(refused.output).not.toContain(new URL(database.serviceUrl).password);
  });

  it('fails no request while two nodes behind a balancer are restarted in turn', async () => {
    const environment = {
      DATABASE_URL: database.serviceUrl,
      SHUTDOWN_DRAIN_SECONDS: '1',
      SHUTDOWN_GRACE_SECONDS: '8',
      ...NO_LIMIT,
    };
    const nodes = [await ServiceProcess.start(environment), await ServiceProcess.start(environment)];
    const balancer = await Balancer.before(() => nodes.map(({ url }) => url));
    const load = new OrderLoad({ url: () => balancer.url, store, items: () => items, workers: 4 });
    const reads = { ok: 0, other: 0 };
    let reading = true;
    const reader = (async () => {
      while (reading) {
        const { status } = await fetch(`${balancer.url}/api/products/${items[0]!.sku}/stock`, {
          headers: store.headers,
        });
        if (status === 200) reads.ok++;
        else reads.other++;
      }
    })();
    const seconds: number[] = [];
    for (let round = 0; round < 2; round++) {
      for (const [index, node] of nodes.entries()) {
        const known = load.acknowledged.size;
        await eventually(() => load.acknowledged.size > known + 30);
        const { url } = node;
        const beganAt = performance.now();
        await node.end('SIGTERM');
        seconds.push((performance.now() - beganAt) / 1_000);
        nodes[index] = await ServiceProcess.start({ ...environment, PORT: new URL(url).port });
        await eventually(() => balancer.isReady(url));
      }
    }
    reading = false;
    await reader;
    await load.stop();
    await balancer.close();
    for (const node of nodes) await node.end('SIGTERM');

    expect(balancer.failures).toEqual([]);
    expect(reads.other).toBe(0);
    expect([...load.statuses.keys()]).toEqual([201]);
    expect(await lostOrders(database.pool, store.clientId, load.acknowledged)).toEqual([]);
    printFigures('rolling restart of two nodes', {
      restarts: seconds.length,
      orders: load.acknowledged.size,
      reads: reads.ok,
      failed: balancer.failures.length,
      'seconds to stop, median': percentile(seconds, 0.5),
    });
  });
});
