import { Pool } from 'pg';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { OrderDeskRepository } from '../../../src/modules/orders/records/order-desk.repository.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp, untilServed } from '../../support/test-app.js';

const VALUE_LIMIT = 1_000;
const ORDERS_LIMIT = 20;
const PRICE = 100;

describe('The limit of unpaid orders', () => {
  let test: TestApp;
  let other: TestApp;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    const settings = {
      unpaidValueLimit: VALUE_LIMIT,
      unpaidOrdersLimit: ORDERS_LIMIT,
      rateLimitPerMinute: 0,
    };
    test = await startTestApp(settings);
    other = await startTestApp(settings, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  beforeEach(async () => {
    store = await test.fixtures.store();
    sku = (await test.fixtures.product({ stock: 10_000 })).sku;
  });

  const body = (quantity: number) => orderBody([{ sku, quantity }]);
  const order = (quantity: number) => test.post(store, '/api/orders', body(quantity));
  const limit = (value: number | null, orders: number | null) =>
    test.fixtures.sql('UPDATE clients SET unpaid_value_limit = $2, unpaid_orders_limit = $3 WHERE id = $1', [
      store.clientId,
      value,
      orders,
    ]);

  it('refuses the order that exceeds the value, and shows the unpaid total', async () => {
    await order(9).expect(201);
    await order(1).expect(201);
    const { body: refused } = await order(1).expect(422);
    expect(refused).toMatchObject({
      code: 'unpaid_limit_reached',
      message:
        'You have 2 unpaid orders worth 1000.00. Your limit is 20 orders and a value of 1000.00. ' +
        'Pay for orders or cancel some, then order again.',
      unpaid_orders: 2,
      unpaid_orders_limit: ORDERS_LIMIT,
      unpaid_value: VALUE_LIMIT,
      unpaid_value_limit: VALUE_LIMIT,
    });
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10_000, held: 10 });
  });

  it('refuses the order that exceeds the number of orders', async () => {
    await limit(0, 2);
    await order(1).expect(201);
    await order(1).expect(201);
    const { body: refused } = await order(1).expect(422);
    const { unpaid_orders, unpaid_orders_limit, unpaid_value, unpaid_value_limit } = refused;
    const facts = { unpaid_orders, unpaid_orders_limit, unpaid_value, unpaid_value_limit };
    expect(facts).toMatchObject({ unpaid_orders: 2, unpaid_orders_limit: 2, unpaid_value_limit: null });
    const { body: quote } = await test.post(store, '/api/orders/quote', body(1)).expect(200);
    expect(quote.errors).toEqual([
      { field: 'items', code: refused.code, message: refused.message, ...facts },
    ]);
    expect((await test.get(store, '/api/account').expect(200)).body.data.unpaid).toEqual(facts);
  });

  it('is reported by a quote as by the order', async () => {
    await order(9).expect(201);
    const fits = (await test.post(store, '/api/orders/quote', body(1)).expect(200)).body;
    expect(fits).toMatchObject({ orderable: true, errors: [] });
    const { orderable, errors } = (await test.post(store, '/api/orders/quote', body(2)).expect(200)).body;
    expect([orderable, errors]).toEqual([
      false,
      [expect.objectContaining({ field: 'items', code: 'unpaid_limit_reached' })],
    ]);
  });

  it('allows the next order after a cancellation, and a refused order leaves its id free', async () => {
    const { order_number } = (await order(10).expect(201)).body;
    const next = { ...body(1), store_order_id: 'NEXT' };
    await test.post(store, '/api/orders', next).expect(422);
    await test.post(store, `/api/orders/${order_number}/cancel`).expect(200);
    await test.post(store, '/api/orders', next).expect(201);
  });

  it('is off at 0 for a client', async () => {
    await limit(0, 0);
    await order(1_000).expect(201);
    await order(1_000).expect(201);
  });

  it('can be set for one client', async () => {
    await limit(2_000, null);
    await order(20).expect(201);
    await order(1).expect(422);
  });

  it('does not affect other clients', async () => {
    await order(10).expect(201);
    await order(1).expect(422);
    await test.post(await test.fixtures.store(), '/api/orders', body(1)).expect(201);
  });

  it('is logged as the reason of the refusal', async () => {
    await order(11).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const { rows } = await test.pool.query(
      'SELECT code FROM store_requests WHERE client_id = $1 AND status = 422',
      [store.clientId],
    );
    expect(rows).toEqual([{ code: 'unpaid_limit_reached' }]);
  });

  it.each([
    { what: 'value', value: 10 * PRICE, orders: 0, fit: 10 },
    { what: 'number', value: 0, orders: 13, fit: 13 },
    { what: 'value after a start far from it', value: 0, orders: 1_010, before: 495, fit: 50 },
    { what: 'number after a start near it', value: 0, orders: 1_010, before: 990, fit: 20 },
  ])('holds against 50 orders at once on two nodes: $what', async ({ value, orders, before = 0, fit }) => {
    await limit(value, orders);
    await test.fixtures.orders(store, before);
    await other.fixtures.observed();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        untilServed(() => (n % 2 ? test : other).post(store, '/api/orders', body(1))),
      ),
    );
    const outcomes = answers.map(({ status, body: answer }) => (status === 201 ? 'placed' : answer.code));
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: fit }, () => 'placed'),
      ...Array.from({ length: 50 - fit }, () => 'unpaid_limit_reached'),
    ]);
    const { rows } = await test.pool.query('SELECT count(*)::int FROM orders WHERE client_id = $1', [
      store.clientId,
    ]);
    expect(rows).toEqual([{ count: before + fit }]);
  });

  it('is reported to operators once a client has used 80 % of it', async () => {
    const near = async () => {
      await test.timePasses(61);
      return test.app.get(OrderDeskRepository).countClientsNearLimit();
    };
    const before = (await near())!;
    await order(7).expect(201);
    expect(await near()).toBe(before);
    await order(1).expect(201);
    expect(await near()).toBe(before + 1);
    await limit(0, 0);
    expect(await near()).toBe(before);
  });

  it('is checked after the order itself', async () => {
    await order(10).expect(201);
    expect((await order(20_000).expect(422)).body.code).toBe('validation_failed');
    const dear = { ...body(1), expected_total: 1 };
    expect((await test.post(store, '/api/orders', dear).expect(409)).body.code).toBe('price_changed');
  });

  afterAll(endEverything);
});

const CLIENTS = 4;
const PRODUCTS = 3;

describe('The stored totals of unpaid orders', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const other = makeBeforeAll(() => startTestApp({ rateLimitPerMinute: 0 }, test.database));
  let stores: Store[];
  let skus: string[];

  beforeEach(async () => {
    stores = [];
    for (let n = 0; n < CLIENTS; n++) stores.push(await test.fixtures.store());
    const products = Array.from({ length: PRODUCTS }, () => ({ stock: 10_000, basePrice: '10.00' }));
    skus = (await test.fixtures.products(products)).map(({ sku }) => sku);
    await other.fixtures.observed();
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  const clientIds = () => stores.map(({ clientId }) => clientId);

  const kept = async () => {
    const { rows } = await test.pool.query<{ of: string }>(
      `SELECT unpaid_orders || ' worth ' || unpaid_value AS of FROM unpaid_totals
        WHERE client_id = ANY ($1) ORDER BY client_id`,
      [clientIds()],
    );
    return rows.map((row) => row.of);
  };

  it('follow the orders of each client when one statement changes many orders', async () => {
    for (const store of stores.slice(1)) await test.fixtures.orders(store, 3);
    await test.pool.query(
      `UPDATE orders SET status = 'pending' WHERE client_id = ANY ($1) AND order_number LIKE '%00002'`,
      [clientIds().slice(2)],
    );
    expect(await kept()).toEqual(['0 worth 0.00', '3 worth 3.00', '2 worth 2.00', '2 worth 2.00']);
  });

  it('are not written by a change that leaves the payment status', async () => {
    await test.fixtures.orders(stores[0]!, 2);
    const versions = async () =>
      (await test.pool.query('SELECT xmin, client_id FROM unpaid_totals ORDER BY client_id')).rows;
    const before = await versions();
    await test.pool.query(`UPDATE orders SET customer_phone = '2'`);
    expect(await versions()).toEqual(before);
  });

  it('are written only by the database: the service has no write right', async () => {
    const service = new Pool({ connectionString: test.database.serviceUrl, max: 1 });
    for (const write of ['UPDATE unpaid_totals SET unpaid_orders = 0', 'DELETE FROM unpaid_totals'])
      await expect(service.query(write)).rejects.toMatchObject({ code: '42501' });
    await service.end();
  });

  it('are verified by wallet check, which reports a wrong total', async () => {
    const wrong = `UPDATE unpaid_totals SET unpaid_value = unpaid_value + $2 WHERE client_id = $1`;
    await test.pool.query(wrong, [stores[0]!.clientId, 1]);
    const found = await test.app.get(WalletBooks, { strict: false }).check();
    expect(found).toMatchObject([
      { rows: [{ client_id: stores[0]!.clientId, unpaid_value: '1.00', found: '0' }] },
    ]);
    await test.pool.query(wrong, [stores[0]!.clientId, -1]);
  });

  it('stay right without a deadlock while clients order, pay, cancel and expire', async () => {
    const deadlocks = async () => {
      await test.pool.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await test.pool.query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      );
      return rows[0]!.deadlocks;
    };
    const place = async (n: number) => {
      const store = stores[n % CLIENTS]!;
      const items = (n % 2 ? skus : skus.toReversed()).map((sku) => ({ sku, quantity: 1 }));
      return { clientId: store.clientId, orderNumber: await (n % 3 ? test : other).place(store, items) };
    };
    const first = await Promise.all(Array.from({ length: 60 }, (_, n) => place(n)));
    await test.fixtures.age(73, ...first.slice(0, 20).map(({ orderNumber }) => orderNumber));
    const ways = ['pay', 'cancel'] as const;
    const act = (n: number) => {
      // Each call names orders of several clients, always in another order.
      const keys = [0, 1, 2, 3].map((k) => first[20 + n * 4 + ((k + n) % 4)]!);
      const service = [test, other][n % 2]!.app.get(OrderLifecycleService);
      return service.applyChange(keys, changeOf(ways[n % 2]!), 'test');
    };
    await Promise.all([
      ...Array.from({ length: 60 }, (_, n) => place(n)),
      ...Array.from({ length: 10 }, (_, n) => act(n)),
      test.app.get(OrderExpiryService).run(),
      other.app.get(OrderExpiryService).run(),
    ]);
    expect(await kept()).toEqual(Array.from({ length: CLIENTS }, () => '15 worth 450.00'));
    expect(await deadlocks()).toBe('0');
  });
});
