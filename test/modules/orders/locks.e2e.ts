import type { PoolClient } from 'pg';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { type Claim, claimLocks } from '../../../src/modules/orders/placing/placing.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { StockFiles } from '../../../src/modules/stock/stock-files.service.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';
import { lockWaits } from '../../support/while-locked.js';

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
    const { body: placed } = await test.post(as, '/api/orders', body(of)).expect(201);
    return { clientId: as.clientId, orderNumber: (placed as { order_number: string }).order_number };
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
