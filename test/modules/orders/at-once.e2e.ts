import type { PoolClient } from 'pg';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { type Claim, claimLocks } from '../../../src/modules/orders/placing/placing.repository.js';
import type { TransitionName } from '../../../src/modules/orders/rules/order-transitions.js';
import { StockFiles } from '../../../src/modules/stock/stock-files.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp, untilServed } from '../../support/test-app.js';
import { lockWaits } from '../../support/while-locked.js';

const UNPAID_ORDERS = 250;

describe('Simultaneous orders', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0, databasePoolSize: 25 });
  const other = makeBeforeAll(() =>
    startTestApp({ rateLimitPerMinute: 0, databasePoolSize: 25 }, test.database),
  );
  const store = makeBeforeAll(() => test.fixtures.store());

  const unpaid = async () =>
    (await test.pool.query(`SELECT FROM orders WHERE status = 'awaiting_payment'`)).rowCount!;

  const countByStatus = (answers: { status: number }[]) =>
    Object.fromEntries(
      [...new Set(answers.map(({ status }) => status))].map((status) => [
        status,
        answers.filter((a) => a.status === status).length,
      ]),
    );

  let sent = 0;

  /**
   * Sends an order again under the same id when the busy service answers 503, as a store does. A 409
   * then means that the first attempt placed the order.
   */
  const placeWithRetries = async (node: TestApp, items: { sku: string; quantity: number }[], by = store) => {
    const body = orderBody(items, { store_order_id: `RETRIED-${++sent}` });
    const { status } = await untilServed(() => node.post(by, '/api/orders', body));
    return { status: status === 409 ? 201 : status };
  };

  it('give the last 50 units to 50 of 200 orders on two nodes, and the others get 422', async () => {
    const product = await test.fixtures.product({ stock: 50 });
    // Orders of one store wait for each other, so half of the orders come from another store.
    const otherPlace = await test.fixtures.store();
    await other.fixtures.observed();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const items = [{ sku: product.sku, quantity: 1 }];
        return n % 2 ? placeWithRetries(test, items) : placeWithRetries(other, items, otherPlace);
      }),
    );
    expect(countByStatus(answers)).toEqual({ 201: 50, 422: 150 });
    expect(await test.fixtures.stockOf(product.sku)).toEqual({ on_hand: 50, held: 50 });
  });

  it('do not deadlock when their products are in opposite order', async () => {
    const products = await test.fixtures.products(Array.from({ length: 6 }, () => ({ stock: 1_000 })));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const items = products.map(({ sku }) => ({ sku, quantity: 1 }));
        return placeWithRetries(test, n % 2 ? items : items.toReversed());
      }),
    );
    expect(countByStatus(answers)).toEqual({ 201: 100 });
    for (const { sku } of products)
      expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 1_000, held: 100 });
  });

  it('with the same store_order_id create one order, and hold its stock once', async () => {
    const product = await test.fixtures.product({ stock: 2 });
    await other.fixtures.observed();
    const body = orderBody([{ sku: product.sku, quantity: 2 }], { store_order_id: 'AT-ONCE' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        untilServed(() => (n % 2 ? test : other).post(store, '/api/orders', body)),
      ),
    );
    expect(countByStatus(answers)).toEqual({ 201: 1, 409: 29 });
    const created = answers.find(({ status }) => status === 201)!.body;
    for (const { status, body: duplicate } of answers) {
      if (status === 409) {
        expect(duplicate).toMatchObject({
          code: 'duplicate_order',
          order_number: created.order_number,
          status: 'awaiting_payment',
          total: created.total,
          same_content: true,
        });
      }
    }
    expect(await test.fixtures.stockOf(product.sku)).toEqual({ on_hand: 2, held: 2 });
  });

  it('expire once each, release their stock once, and an order that is not due stays', async () => {
    const { sku } = await test.fixtures.product({ stock: 1_000 });
    const order = async () =>
      expect(await placeWithRetries(test, [{ sku, quantity: 2 }])).toEqual({ status: 201 });
    await Promise.all(Array.from({ length: UNPAID_ORDERS }, order));
    await test.fixtures.age(72);
    await order();

    const due = await unpaid();
    const runs = [test, other, test, other].map(({ app }) => app.get(OrderExpiryService).run());
    const expired = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);

    expect(expired).toBe(due - 1);
    expect(await unpaid()).toBe(1);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 1_000, held: 2 });
    expect(await contradictions(test.pool)).toEqual([]);
    await test.fixtures.observed();
    const { body } = await test.get(store, `/api/products/${sku}/stock`).expect(200);
    expect(body).toMatchObject({ stock_qty: 998 });
  });

  afterAll(endEverything);
});

describe('A change while an order waits for another', () => {
  const test = setUpTestApp();
  let store: Store;
  let sku: string;

  beforeEach(async () => {
    store = await test.fixtures.store();
    sku = (await test.fixtures.product({ stock: 100 })).sku;
  });

  /** Resolves when the order waits for the stock of its product. */
  async function isWaiting(): Promise<void> {
    await eventually(async () => {
      const { rows } = await test.pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]!.waiting > 0;
    });
  }

  /** Makes the change by SQL, so that no node knows of it yet. */
  async function placeWhile(change: string, values: unknown[]): Promise<{ status: number; body: object }> {
    const other = await test.pool.connect();
    await other.query('BEGIN');
    await other.query(
      'SELECT FROM stock_items WHERE product_id = (SELECT id FROM products WHERE sku = $1) FOR UPDATE',
      [sku],
    );
    const order = orderBody([{ sku, quantity: 1 }], { store_order_id: 'WEB-1' });
    const waiting = test.post(store, '/api/orders', order).then((answer) => answer);
    await isWaiting();
    await test.pool.query(change, values);
    await other.query('ROLLBACK');
    other.release();
    const { status, body } = await waiting;
    return { status, body: body as object };
  }

  it.each([
    [
      'an active subscription',
      'UPDATE subscriptions SET ends_at = clock_timestamp() WHERE client_id = $1',
      403,
      'subscription_inactive',
    ],
    [
      'a subscription that has begun',
      "UPDATE subscriptions SET starts_at = clock_timestamp() + interval '1 day' WHERE client_id = $1",
      403,
      'subscription_inactive',
    ],
    ['an active client', 'UPDATE clients SET suspended_at = now() WHERE id = $1', 401, 'token_invalid'],
    [
      'a token that has not expired',
      'UPDATE tokens SET ends_at = clock_timestamp() WHERE client_id = $1',
      401,
      'token_invalid',
    ],
    ['a valid token', 'UPDATE tokens SET revoked_at = now() WHERE client_id = $1', 401, 'token_invalid'],
  ])('refuses the order without %s, and holds no stock', async (_, change, status, code) => {
    const answer = await placeWhile(change, [store.clientId]);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 0 });
  });

  it('gives the order the prices of the new plan', async () => {
    const half = await test.fixtures.plan({ discount: '50' });
    const answer = await placeWhile('UPDATE subscriptions SET plan_id = $2 WHERE client_id = $1', [
      store.clientId,
      half.id,
    ]);
    expect(answer).toMatchObject({ status: 201, body: { subtotal: 50 } });
    const { rows } = await test.pool.query('SELECT plan_code FROM orders WHERE client_id = $1', [
      store.clientId,
    ]);
    expect(rows).toEqual([{ plan_code: half.code }]);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 1 });
  });

  afterAll(endEverything);
});

interface Key {
  clientId: number;
  orderNumber: string;
}

describe('An action on several orders', () => {
  const test = setUpTestApp();
  let stores: Store[];
  let product: { id: number; sku: string };

  beforeAll(async () => {
    stores = [await test.fixtures.store(), await test.fixtures.store()];
  });
  beforeEach(async () => {
    product = await test.fixtures.product({ stock: 10 });
  });

  const act = (action: TransitionName, ...orders: Key[]) =>
    test.app.get(OrderLifecycleService).applyChange(orders, changeOf(action), 'test');

  /** Places one order of two units for each store. */
  const place = () =>
    Promise.all(
      stores.map(async (store): Promise<Key> => {
        const orderNumber = await test.place(store, [{ sku: product.sku, quantity: 2 }]);
        return { clientId: store.clientId, orderNumber };
      }),
    ) as Promise<[Key, Key]>;

  const states = async (...orders: Key[]) => {
    const { rows } = await test.pool.query<{ order_number: string; state: string }>(
      `SELECT order_number, status || ', ' || payment_status AS state FROM orders`,
    );
    const found = new Map(rows.map(({ order_number, state }) => [order_number, state]));
    return orders.map(({ orderNumber }) => found.get(orderNumber));
  };

  const stock = async () => {
    const { rows } = await test.pool.query<{ on_hand: number; held: number }>(
      'SELECT on_hand, held FROM stock_items WHERE product_id = $1',
      [product.id],
    );
    return rows[0];
  };

  it('changes none when one order is in a wrong status, and names that order', async () => {
    const [paid, unpaid] = await place();
    await act('pay', paid);
    await expect(act('ship', paid, unpaid)).rejects.toMatchObject({
      code: 'illegal_transition',
      facts: { order_number: unpaid.orderNumber },
    });
    expect(await states(paid, unpaid)).toEqual(['pending, paid', 'awaiting_payment, unpaid']);
    expect(await stock()).toEqual({ on_hand: 10, held: 4 });
  });

  it('changes only the order of the named client when another client has the same number', async () => {
    const [own, other] = [await test.fixtures.store(), await test.fixtures.store()];
    for (const store of [own, other]) await test.fixtures.orders(store, 1);
    const orderNumber = 'WO-20260101-00000-00001';
    await act('pay', { clientId: own.clientId, orderNumber });
    const { rows } = await test.pool.query(
      `SELECT client_id, status, paid_at IS NOT NULL AS paid FROM orders
       WHERE order_number = $1 ORDER BY client_id`,
      [orderNumber],
    );
    expect(rows).toEqual([
      { client_id: own.clientId, status: 'pending', paid: true },
      { client_id: other.clientId, status: 'awaiting_payment', paid: false },
    ]);
  });

  it('changes none when one order does not exist', async () => {
    const [order] = await place();
    const unknown = { clientId: order.clientId, orderNumber: 'WO-20260101-AAAAA-AAAAA' };
    await expect(act('pay', order, unknown)).rejects.toMatchObject({ code: 'order_not_found' });
    expect(await states(order)).toEqual(['awaiting_payment, unpaid']);
  });

  it('counts an order once that is named twice', async () => {
    const [order] = await place();
    await act('pay', order, order);
    await act('ship', order, order);
    expect(await stock()).toEqual({ on_hand: 8, held: 2 });
  });

  afterAll(endEverything);
});

/** More than two batches of the expiry job. */
const UNPAID = 205;

const ADVISORY = `
  SELECT (classid::bigint << 32 | objid::bigint)::text AS key FROM pg_locks
  WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const LOCKED_HERE = `${ADVISORY} AND pid = pg_backend_pid()`;
const LOCKED_BY_OTHER = `
  SELECT key FROM (${ADVISORY} AND pid <> pg_backend_pid()) AS locked WHERE key = ANY ($1)`;

describe('Locks', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  let store: Store;
  /** Sorted by id, which is another order than by SKU. */
  let products: { id: number; sku: string }[];
  let blocker: PoolClient;

  let round = 0;
  beforeEach(async () => {
    round++;
    store = await test.fixtures.store();
    const skus = ['M', 'Z', 'A', 'X', 'B'].map((letter) => `${letter}-${round}`);
    products = await test.fixtures.products(skus.map((sku) => ({ sku, stock: 100 })));
    blocker = await test.pool.connect();
    await blocker.query('BEGIN');
  });
  afterEach(async () => {
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await contradictions(test.pool)).toEqual([]);
    await test.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await test.pool.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
  });

  const body = (of: { sku: string }[], more = {}) =>
    orderBody(
      of.map(({ sku }) => ({ sku, quantity: 1 })),
      more,
    );

  const place = async (of: { sku: string }[], as = store) => {
    return { clientId: as.clientId, orderNumber: await test.place(as, body(of)) };
  };

  const aTransactionWaits = () => eventually(async () => (await lockWaits(test.pool)) > 0);

  /** Returns the values whose rows are not locked at this moment. */
  const free = async (table: string, column: string, of: (number | string)[]) => {
    const { rows } = await test.pool.query<{ free: number | string }>(
      `SELECT ${column} AS free FROM ${table} WHERE ${column} = ANY ($1)
       ORDER BY ${column} FOR UPDATE SKIP LOCKED`,
      [of],
    );
    return rows.map(({ free: each }) => each);
  };

  /**
   * Another transaction has locked the middle row. Work that locks in the right order then holds the rows
   * before it and none behind it. Two such transactions cannot deadlock.
   */
  async function takesInOrder(
    table: string,
    column: string,
    inOrder: (number | string)[],
    work: () => Promise<unknown>,
  ): Promise<void> {
    const middle = Math.floor(inOrder.length / 2);
    await blocker.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [inOrder[middle]]);
    const done = work();
    await aTransactionWaits();
    expect(await free(table, column, inOrder)).toEqual(inOrder.slice(middle + 1));
    await blocker.query('COMMIT');
    await done;
  }

  const stockInOrder = (work: () => Promise<unknown>) =>
    takesInOrder(
      'stock_items',
      'product_id',
      products.map(({ id }) => id),
      work,
    );

  const LINE_ORDERS: [string, (all: { sku: string }[]) => { sku: string }[]][] = [
    ['as they are', (all) => all],
    ['backwards', (all) => all.toReversed()],
    ['by their SKUs', (all) => all.toSorted((a, b) => (a.sku < b.sku ? -1 : 1))],
  ];

  it.each(LINE_ORDERS)('of an order take the stock rows by id: lines %s', async (_, way) => {
    await stockInOrder(() => place(way(products)));
  });

  it.each(LINE_ORDERS)('of a cancellation take the stock rows by id: lines %s', async (_, way) => {
    const key = await place(way(products));
    await stockInOrder(async () => test.post(store, `/api/orders/${key.orderNumber}/cancel`).expect(200));
  });

  it.each(LINE_ORDERS)('of a stock file take the stock rows by id: lines %s', async (_, way) => {
    const lines = way(products).map(({ sku }) => `${sku},,50`);
    const file = ['sku,variation,quantity', ...lines].join('\n');
    await stockInOrder(() => operator.import(operator.app.get(StockFiles), file));
  });

  it('on store_order_ids are taken in one order', async () => {
    const database = test.app.get(Database);
    const lock = (claims: Claim[]) =>
      database.shortTransaction(
        ({ query }) => query<{ key: string }>({ name: 'test-locked', text: LOCKED_HERE }, []),
        claimLocks(claims),
      );
    const known: { claim: Claim; key: string }[] = [];
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      const claim = { clientId: store.clientId, storeOrderId: id };
      known.push({ claim, key: (await lock([claim]))[0]!.key });
    }
    const inOrder = known.toSorted((a, b) => (BigInt(a.key) < BigInt(b.key) ? -1 : 1));
    const keys = inOrder.map(({ key }) => key);
    await blocker.query('SELECT pg_advisory_xact_lock($1)', [keys[1]]);
    const done = lock(inOrder.toReversed().map(({ claim }) => claim));
    await aTransactionWaits();
    const { rows } = await blocker.query(LOCKED_BY_OTHER, [keys]);
    expect(rows).toEqual([{ key: keys[0] }]);
    await blocker.query('COMMIT');
    await done;
  });

  it('of an action on several orders are taken in the order of their keys', async () => {
    const orders: Awaited<ReturnType<typeof place>>[] = [];
    for (let n = 0; n < 5; n++) orders.push(await place(products));
    const numbers = orders.map(({ orderNumber }) => orderNumber).toSorted();
    await takesInOrder('orders', 'order_number', numbers, () =>
      test.app.get(OrderLifecycleService).applyChange(
        orders.toSorted((a, b) => (a.orderNumber < b.orderNumber ? 1 : -1)),
        changeOf('pay'),
        'test',
      ),
    );
  });

  it.each([
    ['unpaid_totals', 'cancel'],
    ['wallets', 'pay'],
  ] as const)('of an action on orders of several clients (%s) are taken by id', async (table, action) => {
    const stores: Store[] = [];
    for (let n = 0; n < 5; n++) stores.push(await test.fixtures.store());
    const keys = await Promise.all(stores.map((each) => place(products, each)));
    const ids = stores.map(({ clientId }) => clientId);
    await takesInOrder(table, 'client_id', ids, () =>
      test.app.get(OrderLifecycleService).applyChange(keys.toReversed(), changeOf(action), 'test'),
    );
  });

  it('are not taken and not awaited by a quote', async () => {
    await blocker.query('SELECT FROM stock_items FOR UPDATE');
    await blocker.query('SELECT FROM unpaid_totals FOR UPDATE');
    await test.post(store, '/api/orders/quote', body(products, { store_order_id: 'Q' })).expect(200);
  });

  const waitForPayment = async () => {
    const { rows } = await test.pool.query<{ order_number: string }>(
      `SELECT order_number FROM orders WHERE status = 'awaiting_payment'`,
    );
    return rows.map(({ order_number: number }) => number);
  };

  it('on one order do not delay the expiry of the others, over several batches', async () => {
    const neighbour = await test.fixtures.store();
    await test.fixtures.orders(neighbour, UNPAID);
    const locked = await place(products);
    await test.fixtures.age(72);
    await blocker.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [locked.orderNumber]);
    expect(await test.app.get(OrderExpiryService).run()).toBeGreaterThanOrEqual(UNPAID);
    expect(await waitForPayment()).toEqual([locked.orderNumber]);
    await blocker.query('ROLLBACK');
    expect(await test.app.get(OrderExpiryService).run()).toBe(1);
    expect(await waitForPayment()).toEqual([]);
    // These orders have no lines, which the check of contradictions would report.
    for (const table of ['order_timeline', 'orders'])
      await test.fixtures.rewrite(`DELETE FROM ${table} WHERE client_id = $1`, [neighbour.clientId]);
  });
});
