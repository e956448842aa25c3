import type { INestApplicationContext } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Response } from 'supertest';
import { orderReturns, type OrderReturns } from '../../support/order-returns.js';
import type { CreateOrderRequest } from '../../../src/modules/orders/placing/create-order.request.js';
import { OrderPlacementService } from '../../../src/modules/orders/placing/order-placement.service.js';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { RequestHistory } from '../../../src/modules/request-log/kept-requests/request-history.repository.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';
import { ORDER_ROW, whileLocked } from '../../support/while-locked.js';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The maximum number of orders in one batch. */
const MAX_BATCH = 64;

describe('Orders placed in one batch', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0, databasePoolSize: 8 });
  let store: Store;
  let sku: string;
  let blocker: PoolClient;
  let batches: OrderPlacementService;
  let usualWaitMs: number;

  beforeAll(async () => {
    batches = test.app.get(OrderPlacementService);
    usualWaitMs = batches.maxWaitMs;
  });

  beforeEach(async () => {
    // On a busy machine more than two seconds pass before all orders of a batch have arrived.
    batches.maxWaitMs = 60_000;
    store = await test.fixtures.store();
    sku = (await test.fixtures.product({ stock: 100 })).sku;
    blocker = await test.pool.connect();
  });
  afterEach(async () => {
    await release();
    blocker.release();
    expect(await contradictions(test.pool)).toEqual([]);
  });

  const order = (quantity = 1, more: Partial<CreateOrderRequest> = {}) =>
    orderBody([{ sku, quantity }], more);

  const send = async (body: object, by = store): Promise<Answer> => {
    const { status, body: answer } = (await test.post(by, '/api/orders', body)) as Response;
    return { status, body: answer as Record<string, unknown> };
  };

  /** Another transaction locks the stock until release(). */
  const lockStock = async (of = sku) => {
    await blocker.query('BEGIN');
    await blocker.query(
      'SELECT FROM stock_items WHERE product_id = (SELECT id FROM products WHERE sku = $1) FOR UPDATE',
      [of],
    );
  };

  const release = () => blocker.query('ROLLBACK');

  /** Returns the pid of the backend that waits for the stock. */
  const waitingBackend = () =>
    eventually(async () => {
      const { rows } = await test.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.pid;
    });

  const allWait = (count: number) => eventually(() => batches.waitingCount === count);

  /** Blocks one order while these orders arrive, so many at once. They form one batch when it is done. */
  async function together(bodies: { body: object; by?: Store }[], atOnce = 1): Promise<Answer[]> {
    await lockStock();
    const first = send(order());
    await waitingBackend();
    const answers: Promise<Answer>[] = [];
    while (answers.length < bodies.length) {
      const next = bodies.slice(answers.length, answers.length + atOnce);
      answers.push(...next.map(({ body, by }) => send(body, by)));
      await allWait(answers.length);
    }
    await release();
    expect((await first).status).toBe(201);
    return Promise.all(answers);
  }

  const outcomes = (answers: Answer[]) =>
    answers.map(({ status, body }) => (status === 201 ? 201 : `${status} ${String(body.code)}`));

  /** Returns when the orders were placed. Orders of one batch have the same time. */
  const moments = async (answers: Answer[]) => {
    const { rows } = await test.pool.query<{ at: string }>(
      `SELECT placed_at::text AS at FROM unnest($1::text[]) WITH ORDINALITY AS n (order_number, n)
       JOIN orders USING (order_number) ORDER BY n`,
      [answers.map(({ body }) => body.order_number)],
    );
    return rows.map(({ at }) => at);
  };

  it('are the orders that arrived while another batch was being placed', async () => {
    const answers = await together(Array.from({ length: 5 }, () => ({ body: order() })));
    expect(outcomes(answers)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(await moments(answers)).size).toBe(1);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 6 });
  });

  it('wait for a locked stock row only if they contain its product', async () => {
    const other = (await test.fixtures.product({ stock: 10 })).sku;
    await lockStock();
    const heldUp = send(order());
    await waitingBackend();
    for (let n = 0; n < 3; n++)
      expect((await send(orderBody([{ sku: other, quantity: 1 }]))).status).toBe(201);
    await release();
    expect((await heldUp).status).toBe(201);
  });

  it('are placed while other batches wait for locked stock', async () => {
    const products = await test.fixtures.products(Array.from({ length: 4 }, () => ({ stock: 10 })));
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM stock_items WHERE product_id = ANY ($1) FOR UPDATE', [
      products.slice(0, 2).map(({ id }) => id),
    ]);
    const [first, second, third] = products.map((product) =>
      send(orderBody([{ sku: product.sku, quantity: 1 }])),
    );
    expect((await third)!.status).toBe(201);
    await release();
    expect([(await first)!.status, (await second)!.status]).toEqual([201, 201]);
  });

  it('are each checked against the orders before them, and valid orders stay valid', async () => {
    await test.fixtures.count(sku, 10);
    const answers = await together([
      { body: order(4, { store_order_id: 'A' }) },
      {
        body: orderBody([...order().items, { sku: 'NOTHING-LIKE-IT', quantity: 1 }], { store_order_id: 'B' }),
      },
      { body: order(6, { store_order_id: 'C' }) },
      { body: order(1, { store_order_id: 'D', expected_total: 1 }) },
      { body: order(5, { store_order_id: 'E' }) },
      { body: order(1, { store_order_id: 'F' }) },
    ]);
    expect(outcomes(answers)).toEqual([
      201,
      '422 validation_failed',
      '422 validation_failed',
      '409 price_changed',
      201,
      '422 validation_failed',
    ]);
    expect(answers[2]!.body.errors).toMatchObject([
      { code: 'insufficient_stock', requested: 6, available: 5 },
    ]);
    expect(answers[5]!.body.errors).toMatchObject([
      { code: 'insufficient_stock', requested: 1, available: 0 },
    ]);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 10 });
    // A refused order leaves its id free.
    await test.fixtures.count(sku, 100);
    for (const id of ['B', 'C', 'D', 'F'])
      expect((await send(order(1, { store_order_id: id }))).status).toBe(201);
  });

  it('with the same id create one order, and the others get 409', async () => {
    const answers = await together([
      { body: order(1_000, { store_order_id: 'TWICE' }) },
      { body: order(2, { store_order_id: 'TWICE' }) },
      { body: order(2, { store_order_id: 'TWICE' }) },
      { body: order(3, { store_order_id: 'TWICE' }) },
    ]);
    expect(outcomes(answers)).toEqual([
      '422 validation_failed',
      201,
      '409 duplicate_order',
      '409 duplicate_order',
    ]);
    const { order_number: number, total } = answers[1]!.body;
    const existing = { order_number: number, total, status: 'awaiting_payment' };
    expect(answers[2]!.body).toMatchObject({ ...existing, same_content: true });
    expect(answers[3]!.body).toMatchObject({ ...existing, same_content: false });
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 3 });
  });

  it('have the prices and the unpaid limit of their own client', async () => {
    const half = await test.fixtures.plan({ discount: '50' });
    const other = await test.fixtures.store({ planId: half.id });
    await test.fixtures.sql('UPDATE clients SET unpaid_orders_limit = 2 WHERE id = $1', [other.clientId]);
    const answers = await together([
      { body: order(), by: other },
      { body: order() },
      { body: order(), by: other },
      { body: order(), by: other },
      { body: order() },
    ]);
    expect(outcomes(answers)).toEqual([201, 201, 201, '422 unpaid_limit_reached', 201]);
    expect(answers.map(({ body }) => body.subtotal)).toEqual([50, 100, 50, undefined, 100]);
    expect(answers[3]!.body).toMatchObject({ unpaid_orders: 2, unpaid_value: 100 });
  });

  it('do not make a client wait because another client floods', async () => {
    const neighbour = await test.fixtures.store();
    const flood = Array.from({ length: MAX_BATCH + 20 }, () => ({ body: order() }));
    const answers = await together([...flood, { body: order(), by: neighbour }], flood.length);
    const at = await moments(answers);
    const placedWith = (moment?: string) => at.filter((other) => other === moment).length;
    expect([placedWith(at.at(-1)), new Set(at).size]).toEqual([MAX_BATCH, 2]);
  });

  it('do not fail when the database refuses one of them', async () => {
    await test.fixtures.sql(`ALTER TABLE orders ADD CONSTRAINT no_evil CHECK (notes <> 'evil')`);
    try {
      const notes = ['good', 'good', 'evil', 'good', 'good', 'evil', 'good'];
      const answers = await together(
        notes.map((note, n) => ({ body: order(1, { notes: note, store_order_id: `N-${n}` }) })),
      );
      const evil = '500 internal_error';
      expect(outcomes(answers)).toEqual([201, 201, evil, 201, 201, evil, 201]);
      expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 6 });
    } finally {
      await test.fixtures.sql('ALTER TABLE orders DROP CONSTRAINT no_evil');
    }
  });

  it('all get 503 when their connection is lost, and can be repeated safely', async () => {
    await lockStock();
    const first = send(order(1, { store_order_id: 'LOST-0' }));
    const pid = await waitingBackend();
    const bodies = [1, 2, 3].map((n) => order(1, { store_order_id: `LOST-${n}` }));
    const lost = bodies.map((body) => send(body));
    await allWait(bodies.length);
    await test.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(outcomes([await first])).toEqual(['503 unavailable']);
    await eventually(async () => (await waitingBackend()) !== pid);
    await test.pool.query('SELECT pg_terminate_backend($1)', [await waitingBackend()]);
    expect(outcomes(await Promise.all(lost))).toEqual(bodies.map(() => '503 unavailable'));
    await release();
    expect(outcomes(await Promise.all(bodies.map((body) => send(body))))).toEqual([201, 201, 201]);
    const repeated = '409 duplicate_order';
    expect(outcomes(await Promise.all(bodies.map((body) => send(body))))).toEqual([
      repeated,
      repeated,
      repeated,
    ]);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 3 });
  });

  it('get 503 after two seconds of waiting, and then hold nothing', async () => {
    batches.maxWaitMs = usualWaitMs;
    await lockStock();
    const heldUp = send(order());
    await waitingBackend();
    expect(outcomes([await send(order())])).toEqual(['503 unavailable']);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const requests = test.app.get(RequestHistory, { strict: false });
    expect(await requests.refusedPage({ clientId: store.clientId }, undefined, 10)).toEqual([]);
    await release();
    expect((await heldUp).status).toBe(201);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 100, held: 1 });
  });

  it('get 409 for an id that another version of the service took without a lock', async () => {
    await blocker.query('BEGIN');
    await blocker.query(`INSERT INTO store_order_ids VALUES ($1, 'FOREIGN', 'WO-20260101-00000-00001')`, [
      store.clientId,
    ]);
    await blocker.query(
      `INSERT INTO orders (client_id, order_number, store_order_id, status, payment_status, plan_code,
         currency, subtotal, delivery, total, items_count, customer_name, customer_phone, shipping_address,
         shipping_city, shipping_state, shipping_pincode, shipping_country, content_hash, placed_at,
         payment_due_at)
       VALUES ($1, 'WO-20260101-00000-00001', 'FOREIGN', 'awaiting_payment', 'unpaid', 'p', 'INR', 0, 0, 0,
              0, 'a', '1', 'a', 'a', 'a', '560038', 'India', '', now(), now())`,
      [store.clientId],
    );
    await blocker.query(
      `INSERT INTO order_timeline
       VALUES ($1, 'WO-20260101-00000-00001', 1, 'awaiting_payment', now(), 'test')`,
      [store.clientId],
    );
    const waiting = send(order(1, { store_order_id: 'FOREIGN' }));
    await waitingBackend();
    await blocker.query('COMMIT');
    const { status, body } = await waiting;
    expect([status, body.order_number]).toEqual([409, 'WO-20260101-00000-00001']);
  });

  afterAll(endEverything);
});

/** Each of the two begins to wait first once. */
const RACES = 2;

const PARCEL = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };

const STATE = `
  SELECT o.payment_status, o.refunded_amount::float8 AS refunded_amount,
         i.shipped, i.cancelled, i.refunded, i.returned, s.on_hand, s.held, w.balance::float8 AS balance,
         (SELECT count(*)::int FROM order_returns r WHERE r.order_number = o.order_number) AS returns
    FROM orders o
    JOIN order_items i USING (client_id, order_number)
    JOIN stock_items s USING (product_id, variation_key)
    JOIN wallets w USING (client_id)
   WHERE o.order_number = $1`;

interface Node {
  desk: OrderDesk;
  returns: OrderReturns;
}

type Work = (node: Node) => Promise<unknown>;

describe('Two nodes at once', () => {
  const test = setUpTestApp();
  const other = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  let nodes: Node[];
  let store: Store;

  const nodeOf = (app: INestApplicationContext): Node => ({
    desk: orderDesk(app),
    returns: orderReturns(app),
  });

  beforeAll(async () => {
    nodes = [test.app, other.app].map(nodeOf);
    store = await test.fixtures.store();
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  /** An order of 10 units at 100.00, which are all that is on hand. */
  async function order(...actions: ('pay' | 'ship')[]): Promise<string> {
    const { sku } = await test.fixtures.product({ basePrice: '100.00', deliveryCharge: '0', stock: 10 });
    return placeAndMove(test, store, [{ sku, quantity: 10 }], ...actions);
  }

  async function stateOf(number: string): Promise<Record<string, number | string>> {
    return (await test.pool.query(STATE, [number])).rows[0];
  }

  const balanceOf = async (number: string): Promise<number> => Number((await stateOf(number)).balance);

  /** Both at once, each through its own node, which waits for the order. Returns how many were done. */
  async function race(number: string, ...both: Work[]): Promise<number> {
    const works = both.map((work, node) => () => work(nodes[node]!));
    const results = await whileLocked(test.pool, ORDER_ROW, [number], works);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const unexpected = errors.filter(({ code }) => !['illegal_transition', 'conflict'].includes(code));
    expect(unexpected).toEqual([]);
    return results.length - errors.length;
  }

  const inTurn = (n: number, one: Work, two: Work) => (n % 2 === 0 ? [one, two] : [two, one]);

  const refund =
    (number: string, part: { amount: string } | { lines: string[] }, key: string) => (node: Node) =>
      node.desk.refund(number, 'test', { ...part, reason: 'damaged', key });

  const askReturn = (number: string, quantity: number, key: string) => (node: Node) =>
    node.returns.add(number, { lines: [{ line: 1, quantity }], reason: 'damaged', key }, 'test');

  const receive = (number: string, units: number) => (node: Node) =>
    node.returns.receive(number, { restock: [{ line: 1, quantity: units }], refund: true }, 'test');

  async function returnOf(number: string, quantity: number): Promise<string> {
    return (await askReturn(number, quantity, `${quantity} units`)(nodes[0]!)).number;
  }

  it('take a refund back once, and not what is spent meanwhile', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      await refund(number, { amount: '600' }, 'one')(nodes[0]!);
      const before = await balanceOf(number);
      const back = (amount: string, key: string) => (node: Node) =>
        node.desk.takeBack(number, 'test', { refund: 1, amount, reason: 'too high', key });
      expect(await race(number, back('400', 'one back'), back('400', 'two back'))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ refunded_amount: 200, balance: before - 400 });
      const rest = back('200', 'rest');
      // Only after the rest is back, so much is left to be refunded.
      const done = await race(number, ...inTurn(n, rest, refund(number, { amount: '801' }, 'all')));
      expect(await stateOf(number)).toMatchObject({ refunded_amount: done === 2 ? 801 : 0 });
    }
  });

  it('refund the same rest once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const done = await race(
        number,
        refund(number, { amount: '600' }, 'one'),
        refund(number, { amount: '600' }, 'two'),
      );
      expect(done).toBe(1);
      expect(await stateOf(number)).toMatchObject({ refunded_amount: 600, balance: before + 600 });
      // The same key at once: one refund, and both answers confirm it.
      const rest = refund(number, { amount: '400' }, 'rest');
      expect(await race(number, rest, rest)).toBe(2);
      expect(await stateOf(number)).toMatchObject({
        refunded_amount: 1_000,
        payment_status: 'refunded',
        balance: before + 1_000,
      });
    }
  });

  it('ship the same units once', async () => {
    const number = await order('pay');
    const ship = ({ desk }: Node) => desk.ship(number, 'test', { ...PARCEL, trackingNumber: null });
    expect(await race(number, ship, ship)).toBe(1);
    expect(await stateOf(number)).toMatchObject({ shipped: 10, on_hand: 0, held: 0 });
  });

  it('ship or cancel the same units, but not both', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay');
      const ship = ({ desk }: Node) =>
        desk.ship(number, 'test', { ...PARCEL, trackingNumber: null }, ['1=6']);
      const cancel = ({ desk }: Node) => desk.cancel(number, 'test', { lines: ['1=6'], reason: 'damaged' });
      expect(await race(number, ...inTurn(n, ship, cancel))).toBe(1);
      const { shipped, cancelled, refunded, on_hand: onHand, held } = await stateOf(number);
      expect([shipped, cancelled]).toContain(6);
      expect([Number(shipped) + Number(cancelled), refunded]).toEqual([6, cancelled]);
      expect([onHand, held]).toEqual([10 - Number(shipped), 4]);
    }
  });

  it('take the same units back once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      expect(await race(number, askReturn(number, 6, 'one'), askReturn(number, 6, 'two'))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ returned: 6, returns: 1 });
      // The same key at once: one return, and both answers have its number.
      const rest = askReturn(number, 4, 'rest');
      expect(await race(number, rest, rest)).toBe(2);
      expect(await stateOf(number)).toMatchObject({ returned: 10, returns: 2 });
    }
  });

  it('decide about a return once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const [twice, refused] = [await returnOf(number, 6), await returnOf(number, 4)];
      expect(await race(number, receive(twice, 6), receive(twice, 6))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ returned: 10, refunded: 6, on_hand: 6 });
      const refuse = ({ returns }: Node) => returns.refuse(refused, 'worn', 'test');
      expect(await race(number, ...inTurn(n, receive(refused, 4), refuse))).toBe(1);
      const { returned, ...state } = await stateOf(number);
      expect([6, 10]).toContain(returned);
      const money = 100 * Number(returned);
      expect(state).toMatchObject({
        refunded: returned,
        on_hand: returned,
        refunded_amount: money,
        balance: before + money,
      });
    }
  });

  it('refund a return or its units, and never more than was paid', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const all = receive(await returnOf(number, 10), 10);
      expect(await race(number, ...inTurn(n, all, refund(number, { lines: ['1=10'] }, 'all')))).toBe(1);
      const { refunded, refunded_amount: money, on_hand: onHand, balance } = await stateOf(number);
      expect([refunded, money, balance]).toEqual([10, 1_000, before + 1_000]);
      expect([0, 10]).toContain(onHand);
    }
  });

  it('refund a return and an amount up to what was paid', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const some = receive(await returnOf(number, 6), 6);
      // After the amount, the return refunds the 400.00 that are left. After the return, the amount is too much.
      const done = await race(number, ...inTurn(n, some, refund(number, { amount: '600' }, 'amount')));
      const money = done === 2 ? 1_000 : 600;
      expect(await stateOf(number)).toMatchObject({
        refunded: 6,
        on_hand: 6,
        refunded_amount: money,
        balance: before + money,
      });
    }
  });
});
