import { Pool } from 'pg';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

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
  afterEach(async () => {
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

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
      const { body } = await (n % 3 ? test : other).post(store, '/api/orders', orderBody(items)).expect(201);
      return { clientId: store.clientId, orderNumber: (body as { order_number: string }).order_number };
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
