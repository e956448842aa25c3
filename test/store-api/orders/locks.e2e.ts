import type { PoolClient } from 'pg';
import { OrderExpiryService } from '../../../src/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/orders/lifecycle/order-lifecycle.service.js';
import { type Claim, ClaimsRepository } from '../../../src/orders/placing/claims.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { StockFiles } from '../../../src/stock/stock-files.service.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** More than two batches of the expiry. */
const UNPAID = 205;

const ADVISORY = `
  SELECT (classid::bigint << 32 | objid::bigint)::text AS key FROM pg_locks
   WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const LOCKED_HERE = `${ADVISORY} AND pid = pg_backend_pid()`;
const LOCKED_ELSEWHERE = `SELECT key FROM (${ADVISORY} AND pid <> pg_backend_pid()) AS locked WHERE key = ANY ($1)`;

describe('What is locked', () => {
  let test: TestApp;
  let operator: OperatorServices;
  let store: Store;
  /** In the order of their ids, which is not that of their SKUs. */
  let products: { id: number; sku: string }[];
  let blocker: PoolClient;

  beforeAll(async () => {
    test = await startTestApp();
    operator = await OperatorServices.open(test.database.serviceUrl);
  });
  afterAll(async () => {
    await operator.close();
    await test.close();
  });

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

  const someoneWaits = () =>
    eventually(async () => {
      const { rowCount } = await test.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount! > 0;
    });

  /** Those that nobody has locked at this moment. */
  const free = async (table: string, column: string, of: (number | string)[]) => {
    const { rows } = await test.pool.query<{ free: number | string }>(
      `SELECT ${column} AS free FROM ${table} WHERE ${column} = ANY ($1) ORDER BY ${column} FOR UPDATE SKIP LOCKED`,
      [of],
    );
    return rows.map(({ free: each }) => each);
  };

  /**
   * Somebody has the one in the middle. Whoever takes all of them one after the other in the one order then has those before it and none of
   * those behind it; two who do so never wait in a circle.
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
    await someoneWaits();
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

  const EVER_ANOTHER_WAY: [string, (all: { sku: string }[]) => { sku: string }[]][] = [
    ['as they are', (all) => all],
    ['backwards', (all) => all.toReversed()],
    ['by their SKUs', (all) => all.toSorted((a, b) => (a.sku < b.sku ? -1 : 1))],
  ];

  it.each(EVER_ANOTHER_WAY)('of the stock by an order is locked in the order of ids: %s', async (_, way) => {
    await stockInOrder(() => place(way(products)));
  });

  it.each(EVER_ANOTHER_WAY)('by the cancellation of one as well: %s', async (_, way) => {
    const key = await place(way(products));
    await stockInOrder(async () => test.post(store, `/api/orders/${key.orderNumber}/cancel`).expect(200));
  });

  it.each(EVER_ANOTHER_WAY)('by a file of counts as well: %s', async (_, way) => {
    const lines = way(products).map(({ sku }) => `${sku},,50`);
    const file = ['sku,variation,quantity', ...lines].join('\n');
    await stockInOrder(() => operator.import(operator.app.get(StockFiles), file));
  });

  it('of the ids of stores is locked in one order, in whichever they come', async () => {
    const database = test.app.get(Database);
    const lock = (claims: Claim[]) =>
      database.transaction(async (transaction) => {
        await test.app.get(ClaimsRepository).lock(transaction, claims);
        return transaction.query<{ key: string }>({ name: 'test-locked', text: LOCKED_HERE }, []);
      });
    const known: { claim: Claim; key: string }[] = [];
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      const claim = { clientId: store.clientId, storeOrderId: id };
      known.push({ claim, key: (await lock([claim]))[0]!.key });
    }
    const inOrder = known.toSorted((a, b) => (BigInt(a.key) < BigInt(b.key) ? -1 : 1));
    const keys = inOrder.map(({ key }) => key);
    await blocker.query('SELECT pg_advisory_xact_lock($1)', [keys[1]]);
    const done = lock(inOrder.toReversed().map(({ claim }) => claim));
    await someoneWaits();
    const { rows } = await blocker.query(LOCKED_ELSEWHERE, [keys]);
    expect(rows).toEqual([{ key: keys[0] }]);
    await blocker.query('COMMIT');
    await done;
  });

  it('of several orders is locked in the order of their keys, however they are named', async () => {
    const orders: Awaited<ReturnType<typeof place>>[] = [];
    for (let n = 0; n < 5; n++) orders.push(await place(products));
    const numbers = orders.map(({ orderNumber }) => orderNumber).toSorted();
    await takesInOrder('orders', 'order_number', numbers, () =>
      test.app.get(OrderLifecycleService).act(
        orders.toSorted((a, b) => (a.orderNumber < b.orderNumber ? 1 : -1)),
        changeOf('pay'),
        'test',
      ),
    );
  });

  it.each([
    ['unpaid_totals', 'cancel'],
    ['wallets', 'pay'],
  ] as const)('of several clients (%s) is locked in the order of their ids', async (table, action) => {
    const stores: Store[] = [];
    for (let n = 0; n < 5; n++) stores.push(await test.fixtures.store());
    const keys = await Promise.all(stores.map((each) => place(products, each)));
    const ids = stores.map(({ clientId }) => clientId);
    await takesInOrder(table, 'client_id', ids, () =>
      test.app.get(OrderLifecycleService).act(keys.toReversed(), changeOf(action), 'test'),
    );
  });

  it('is nothing by a quote, which waits for nobody either', async () => {
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

  it('by somebody else holds up the expiry of no other order, of however many', async () => {
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
    // They have no lines, which is a contradiction.
    for (const table of ['order_timeline', 'orders'])
      await test.fixtures.rewrite(`DELETE FROM ${table} WHERE client_id = $1`, [neighbour.clientId]);
  });
});
