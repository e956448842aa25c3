import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let test: TestApp;
let store: Store;

beforeAll(async () => {
  test = await startTestApp();
  store = await test.fixtures.store();
});
afterAll(() => test.close());

async function place(quantity = 2, storeOrderId?: string) {
  const product = await test.fixtures.product({ stock: 10 });
  const more = storeOrderId === undefined ? {} : { store_order_id: storeOrderId };
  const body = orderBody([{ sku: product.sku, quantity }], more);
  const { body: created } = await test.post(store, '/api/orders', body).expect(201);
  return { product, number: created.order_number as string };
}

const read = (number: string) => test.get(store, `/api/orders/${encodeURIComponent(number)}/status`);

const stockOf = ({ sku }: { sku: string }) => test.fixtures.stockOf(sku);

describe('GET /api/orders/:order_number/status', () => {
  it.each([
    'WEB/1',
    'WEB#2',
    'WEB 3 + 4',
    'बिक्री-5',
    '注文・6',
    'a%2Fb',
    '🛒',
    'status',
    '?since=x',
    "'; DROP TABLE",
  ])('finds the store_order_id %j, percent-encoded', async (storeOrderId) => {
    const { number } = await place(1, storeOrderId);
    const { body } = await read(storeOrderId).expect(200);
    expect(body).toMatchObject({ order_number: number, store_order_id: storeOrderId });
    expect((await read(number).expect(200)).body).toEqual(body);
  });

  it('looks for an order number first, then for a store_order_id', async () => {
    const { number } = await place();
    const { number: pretender } = await place(1, number);
    expect((await read(number)).body.order_number).toBe(number);
    expect((await read(pretender)).body.store_order_id).toBe(number);
  });

  it('answers each of many simultaneous polls with its own order', async () => {
    const other = await test.fixtures.store();
    const product = await test.fixtures.product({ stock: 10 });
    const body = orderBody([{ sku: product.sku, quantity: 1 }], { store_order_id: 'SHARED-1' });
    const [own, others] = await Promise.all(
      [store, other].map(async (each) => (await test.post(each, '/api/orders', body).expect(201)).body),
    );
    const requested: [by: Store, number: string, answer: string][] = [
      [store, 'SHARED-1', own.order_number],
      [other, 'SHARED-1', others.order_number],
      [other, others.order_number, others.order_number],
      [store, others.order_number, 'order_not_found'],
      [other, 'NO-SUCH', 'order_not_found'],
    ];
    const polls = Array.from({ length: 60 }, (_, n) => requested[n % requested.length]!);
    const answers = await Promise.all(
      polls.map(([by, number]) => test.get(by, `/api/orders/${number}/status`)),
    );
    expect(answers.map(({ body: answer }) => answer.order_number ?? answer.code)).toEqual(
      polls.map(([, , answer]) => answer),
    );
  });

  it('finds the order of its own client if another client has the same number', async () => {
    const stores = [await test.fixtures.store(), await test.fixtures.store()];
    for (const each of stores) await test.fixtures.orders(each, 1);
    const number = 'WO-20260101-00000-00001';
    const { id } = await test.fixtures.product();
    await test.fixtures.sql(
      `INSERT INTO order_items
         (client_id, order_number, line, product_id, sku, name, quantity, unit_price, line_total)
       SELECT client_id, order_number, 1, $2, 'A', 'A', 1, 1, 1 FROM orders WHERE order_number = $1`,
      [number, id],
    );
    // The stock of both orders is held.
    await test.fixtures.sql('UPDATE stock_items SET held = 2 WHERE product_id = $1', [id]);
    await moveOrder(test, stores[0]!, number, 'cancel');
    await moveOrder(test, stores[1]!, number, 'pay');
    const answers = await Promise.all(
      stores.map((each) => test.get(each, `/api/orders/${number}/status`).expect(200)),
    );
    expect(answers.map(({ body }) => body.status as string)).toEqual(['cancelled', 'pending']);
  });

  it('answers 404 with the same bytes to an unknown number and to an order of another client', async () => {
    const { number } = await place(1, 'SECRET-1');
    const other = await test.fixtures.store();
    const answerTo = async (name: string) => {
      const requested = test.get(other, `/api/orders/${name}/status`).set('X-Request-Id', 'always-the-same');
      const { headers, text } = await requested.expect(404);
      const differs = (header: string) => header === 'date' || header.startsWith('ratelimit');
      return [Object.entries(headers).filter(([header]) => !differs(header)), text];
    };
    const never = await answerTo('WO-20200101-00000-00000');
    expect(never[1]).toContain('"code":"order_not_found","message":"You have no order with this number."');
    for (const known of [number, number.toLowerCase(), 'SECRET-1', `%20${number}`, 'NO-SUCH'])
      expect(await answerTo(known)).toEqual(never);
  });

  it('answers 304 until the order changes', async () => {
    const { number } = await place();
    const { headers } = await read(number).expect(200);
    const repeated = () => read(number).set('If-None-Match', headers.etag!);
    await repeated().expect(304);
    await moveOrder(test, store, number, 'pay');
    await repeated().expect(200);
  });

  it('recommends longer polling intervals with each step of the order', async () => {
    const { number } = await place();
    const interval = async () => Number((await read(number)).headers['x-poll-interval']);
    const intervals = [await interval()];
    for (const action of ['pay', 'ship', 'deliver'] as const) {
      await moveOrder(test, store, number, action);
      intervals.push(await interval());
    }
    expect(intervals).toEqual([300, 900, 3_600, 86_400]);
  });
});

describe('GET /api/orders/:order_number', () => {
  const readWhole = (number: string, by = store) => test.get(by, `/api/orders/${encodeURIComponent(number)}`);

  it('has the status form, and recipient, address, notes and amounts', async () => {
    const { number } = await place(2, 'WHOLE/1');
    await place(1);
    const { body: status } = await read(number).expect(200);
    const { body } = await readWhole(number).expect(200);
    const sent = orderBody([]);
    expect(body).toEqual({
      ...status,
      subtotal: 200,
      delivery: 0,
      customer: { email: null, ...sent.customer },
      shipping: { country: 'India', ...sent.shipping },
      notes: null,
      refunds: [],
      documents: [],
    });
    expect((await readWhole('WHOLE/1').expect(200)).body).toEqual(body);
    const outsider = await test.fixtures.store();
    for (const name of [number, 'WHOLE/1', 'NO-SUCH', '\0'])
      expect((await readWhole(name, outsider).expect(404)).body.code).toBe('order_not_found');
  });

  it('answers 304 until it changes', async () => {
    const { number } = await place();
    const { headers } = await readWhole(number).expect(200);
    const repeated = () => readWhole(number).set('If-None-Match', headers.etag!);
    await repeated().expect(304);
    const change = 'UPDATE orders SET shipping_city = $2 WHERE order_number = $1';
    await test.fixtures.sql(change, [number, 'Mysuru']);
    expect((await repeated().expect(200)).body.shipping.city).toBe('Mysuru');
  });

  it('lists the refund of a cancelled order with its lines and the delivery', async () => {
    const { sku } = await test.fixtures.product({ basePrice: '30.00', deliveryCharge: '12.50', stock: 5 });
    const number = await test.place(store, [{ sku, quantity: 2 }]);
    await moveOrder(test, store, number, 'pay', 'cancel');
    const { body } = await readWhole(number).expect(200);
    expect(body).toMatchObject({
      status: 'cancelled',
      items: [{ quantity: 2, shipped: 0, cancelled: 2, refunded: 2 }],
      refunded_amount: 72.5,
    });
    expect(body.refunds).toEqual([
      {
        refund: 1,
        kind: 'cancelled',
        amount: 72.5,
        delivery: 12.5,
        reason: body.cancel_reason,
        lines: [{ line: 1, quantity: 2, amount: 60 }],
        return_number: null,
        takes_back: null,
        refunded_at: expect.any(String),
        documents: [],
      },
    ]);
  });
});

describe('The life of an order', () => {
  it('leads from payment to shipment and delivery, and shipment reduces the stock', async () => {
    const { product, number } = await place(2);
    expect(await stockOf(product)).toEqual({ on_hand: 10, held: 2 });
    await moveOrder(test, store, number, 'pay');
    expect((await read(number)).body).toMatchObject({
      status: 'pending',
      payment_status: 'paid',
      tracking: null,
    });
    expect(await stockOf(product)).toEqual({ on_hand: 10, held: 2 });
    await moveOrder(test, store, number, 'ship');
    expect((await read(number)).body).toMatchObject({
      status: 'shipped',
      tracking: {
        courier: 'Delhivery',
        tracking_number: 'DL123',
        tracking_url: 'https://track.example.com/DL123',
        shipped_at: expect.any(String),
      },
    });
    expect(await stockOf(product)).toEqual({ on_hand: 8, held: 0 });
    await moveOrder(test, store, number, 'deliver');
    const { body } = await read(number);
    expect(body.timeline.map((entry: { status: string }) => entry.status)).toEqual([
      'awaiting_payment',
      'pending',
      'shipped',
      'delivered',
    ]);
    const times = body.timeline.map((entry: { changed_at: string }) => entry.changed_at);
    expect(times).toEqual(times.toSorted());
  });

  it('never sets a time before the last one when the clock of the database is set back', async () => {
    const { number } = await place(1);
    const ahead = await test.pool.query<{ at: Date }>(`SELECT now() + interval '1 hour' AS at`);
    const at = ahead.rows[0]!.at.toISOString();
    await test.fixtures.rewrite('UPDATE order_timeline SET changed_at = $2 WHERE order_number = $1', [
      number,
      at,
    ]);
    await moveOrder(test, store, number, 'pay', 'ship', 'deliver');
    const { body } = await read(number);
    expect(body.timeline).toEqual([
      { status: 'awaiting_payment', changed_at: at },
      { status: 'pending', changed_at: at },
      { status: 'shipped', changed_at: at },
      { status: 'delivered', changed_at: at },
    ]);
    const { rows } = await test.pool.query(
      'SELECT paid_at, shipped_at, delivered_at FROM orders WHERE order_number = $1',
      [number],
    );
    expect(rows).toEqual([
      { paid_at: ahead.rows[0]!.at, shipped_at: ahead.rows[0]!.at, delivered_at: ahead.rows[0]!.at },
    ]);
  });

  it('ends with the reason "expired" after the payment window, and not before', async () => {
    const [late, early] = [await place(4), await place(5)];
    await test.fixtures.age(72, late.number);
    await test.fixtures.age(71.9, early.number);
    expect(await test.app.get(OrderExpiryService).run()).toBe(1);
    expect((await read(late.number)).body).toMatchObject({
      status: 'cancelled',
      payment_status: 'unpaid',
      cancel_reason: 'expired',
    });
    expect((await read(early.number)).body.status).toBe('awaiting_payment');
    expect([await stockOf(late.product), await stockOf(early.product)]).toEqual([
      { on_hand: 10, held: 0 },
      { on_hand: 10, held: 5 },
    ]);
  });

  it('ends for the late orders of two clients in one run', async () => {
    const other = await test.fixtures.store();
    const shared = await test.fixtures.product({ stock: 20 });
    const order = async (by: Store, quantity: number) => {
      const body = orderBody([{ sku: shared.sku, quantity }]);
      return (await test.post(by, '/api/orders', body).expect(201)).body.order_number as string;
    };
    const unpaid = async ({ clientId }: Store) => {
      const { rows } = await test.pool.query<{ orders: number; value: string }>(
        `SELECT unpaid_orders AS orders, unpaid_value::float8 AS value
         FROM unpaid_totals WHERE client_id = $1`,
        [clientId],
      );
      return rows[0]!;
    };
    const before = await unpaid(store);
    const late = [await order(store, 1), await order(other, 2)];
    await order(other, 4);
    for (const number of late) await test.fixtures.age(72, number);
    expect(await test.app.get(OrderExpiryService).run()).toBe(2);
    expect(await unpaid(store)).toEqual(before);
    expect(await unpaid(other)).toEqual({ orders: 1, value: 400 });
    expect(await stockOf(shared)).toEqual({ on_hand: 20, held: 4 });
    for (const [at, by] of [store, other].entries()) {
      const { body } = await test.get(by, `/api/orders/${late[at]}/status`).expect(200);
      expect(body).toMatchObject({ status: 'cancelled', cancel_reason: 'expired' });
      expect(body.timeline).toHaveLength(2);
    }
  });
});
