import type { OrderItemRequest } from '../../src/modules/orders/placing/create-order.request.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const POOL_SIZE = 4;

interface Answer {
  status: number;
  seconds: number;
  retryAfter: string | null;
  body: Record<string, unknown>;
}

describe('With an unreachable or blocked database the service', () => {
  const database = setUpDatabase();
  let proxy: TcpProxy;
  let service: ServiceProcess;
  let store: Store;
  let items: OrderItemRequest[];

  beforeAll(async () => {
    store = await database.fixtures.store();
    const { sku } = await database.fixtures.product({ stock: 100_000 });
    items = [{ sku, quantity: 1 }];
    proxy = await TcpProxy.before(database.serviceUrl);
    service = await ServiceProcess.start({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      // The proxy below must drop the answer to the COMMIT of an order, not of a log entry.
      REQUEST_LOG_DAYS: '0',
    });
  });

  afterAll(async () => {
    proxy.thaw();
    await ServiceProcess.killAll();
    await proxy.close();
  });

  afterEach(async () => expect(await contradictions(database.pool)).toEqual([]));

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const beganAt = performance.now();
    const response = await fetch(`${service.url}${path}`, {
      ...init,
      headers: { ...store.headers, 'Content-Type': 'application/json' },
    });
    const body = (await response.json()) as Record<string, unknown>;
    const seconds = (performance.now() - beganAt) / 1_000;
    return { status: response.status, seconds, retryAfter: response.headers.get('Retry-After'), body };
  }

  const order = (id: string) =>
    call('/api/orders', { method: 'POST', body: JSON.stringify(orderBody(items, { store_order_id: id })) });

  const stock = () => call(`/api/products/${items[0]!.sku}/stock`);

  async function recovery(id: string): Promise<number> {
    const beganAt = performance.now();
    await eventually(async () => [201, 409].includes((await order(id)).status));
    return (performance.now() - beganAt) / 1_000;
  }

  const refusedInTime = {
    status: 503,
    body: expect.objectContaining({ success: false, code: 'unavailable' }),
  };

  it('answers cached reads, and writes with 503 within 5 s, and then recovers', async () => {
    proxy.freeze();
    const writes = Array.from({ length: POOL_SIZE * 5 }, (_, n) => order(`frozen-${n}`));
    const reads = [await stock(), await stock()];
    const answers = await Promise.all(writes);
    // The first orders may succeed late. The second wave meets a database.pool without free connections.
    answers.push(
      ...(await Promise.all(Array.from({ length: POOL_SIZE }, (_, n) => order(`frozen-again-${n}`)))),
    );
    const [status, readiness] = [await call('/api/orders/frozen-0/status'), await call('/health/ready')];
    proxy.thaw();
    const seconds = await recovery('after-frozen');

    expect(reads.map((read) => read.status)).toEqual([200, 200]);
    for (const answer of [...answers, status, readiness]) {
      expect(answer).toMatchObject(refusedInTime);
      expect(answer.retryAfter).toBe('2');
      expect(answer.seconds).toBeLessThan(5);
    }
    const slowest = Math.max(...answers.map((answer) => answer.seconds));
    const slowestRead = Math.max(...reads.map((read) => read.seconds));
    printFigures('database silent', {
      'slowest 503 (s)': slowest,
      'slowest read (s)': slowestRead,
      'recovered after (s)': seconds,
    });
  });

  it('answers 503 while another transaction locks every row that an order needs', async () => {
    const locker = await database.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM stock_items FOR UPDATE');
    const answers = await Promise.all(Array.from({ length: POOL_SIZE * 3 }, (_, n) => order(`held-${n}`)));
    const read = await stock();
    await locker.query('COMMIT');
    locker.release();
    const seconds = await recovery('after-held');

    for (const answer of answers) {
      expect(answer).toMatchObject(refusedInTime);
      expect(answer.seconds).toBeLessThan(5);
    }
    expect(read.status).toBe(200);
    const slowest = Math.max(...answers.map((answer) => answer.seconds));
    printFigures('every connection held', { 'slowest 503 (s)': slowest, 'recovered after (s)': seconds });
  });

  it('leaves nothing of an order whose connection is cut within the transaction', async () => {
    const cut = proxy.cutAt('order-insert');
    const answer = await order('cut-1');
    await cut;
    const repeated = await order('cut-1');

    expect(answer).toMatchObject(refusedInTime);
    expect(repeated.status).toBe(201);
    printFigures('cut within a transaction', {
      '503 after (s)': answer.seconds,
      'repeated order': repeated.status,
    });
  });

  it('reports the existing order to a store that lost the answer after COMMIT', async () => {
    const dropped = proxy.dropAnswerTo('COMMIT');
    const answer = await order('lost-1');
    await dropped;
    const repeated = await order('lost-1');

    expect(answer).toMatchObject(refusedInTime);
    expect(repeated).toMatchObject({ status: 409, body: { code: 'duplicate_order', same_content: true } });
    const { rows } = await database.pool.query(
      `SELECT order_number FROM orders WHERE store_order_id = 'lost-1'`,
    );
    expect(rows).toEqual([{ order_number: repeated.body.order_number }]);
    printFigures('answer lost after COMMIT', {
      '503 after (s)': answer.seconds,
      'repeated order': repeated.status,
    });
  });

  it('recovers by itself each time that all connections are cut', async () => {
    const seconds: number[] = [];
    for (let round = 0; round < 5; round++) {
      proxy.cutAll();
      seconds.push(await recovery(`after-cut-${round}`));
    }
    printFigures('all connections cut', {
      times: seconds.length,
      'recovered after at most (s)': Math.max(...seconds),
    });
  });

  it('stops answering cached reads after the maximum age, until the database is back', async () => {
    const limited = await ServiceProcess.start({ DATABASE_URL: proxy.url, SNAPSHOT_MAX_AGE_SECONDS: '2' });
    const read = () => fetch(`${limited.url}/api/products`, { headers: store.headers });
    proxy.freeze();
    const frozenAt = performance.now();
    const first = await read();
    await eventually(async () => (await read()).status === 503);
    const seconds = (performance.now() - frozenAt) / 1_000;
    proxy.thaw();
    await eventually(async () => (await read()).status === 200);
    const exit = await limited.end('SIGTERM');

    expect(first.status).toBe(200);
    expect(exit).toBe(0);
    printFigures('snapshot grown too old', { 'reads refused after (s)': seconds, 'stated (s)': 2 });
  });
});
