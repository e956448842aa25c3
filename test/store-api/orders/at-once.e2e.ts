import { OrderExpiry } from '../../../src/orders/lifecycle/order-expiry.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('Orders at once', () => {
  let test: TestApp;
  let other: TestApp;
  let store: Store;

  beforeAll(async () => {
    test = await startTestApp();
    other = await startTestApp({}, test.database);
    store = await test.fixtures.store();
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const stockOf = async (productId: number) => {
    const { rows } = await test.pool.query<{ on_hand: number; held: number }>(
      'SELECT on_hand, held FROM stock_items WHERE product_id = $1',
      [productId],
    );
    return rows[0]!;
  };

  const countByStatus = (answers: { status: number }[]) =>
    Object.fromEntries(
      [...new Set(answers.map(({ status }) => status))].map((status) => [
        status,
        answers.filter((a) => a.status === status).length,
      ]),
    );

  it('gives the last fifty units to fifty of two hundred orders through two nodes, and refuses the rest with 422', async () => {
    const product = await test.fixtures.product({ stock: 50 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        (n % 2 ? test : other).post(store, '/api/orders', orderBody([{ sku: product.sku, quantity: 1 }])),
      ),
    );
    expect(countByStatus(answers)).toEqual({ 201: 50, 422: 150 });
    expect(await stockOf(product.id)).toEqual({ on_hand: 50, held: 50 });
  });

  it('knows no deadlock, in whatever order the products stand', async () => {
    const products = await Promise.all(
      Array.from({ length: 6 }, () => test.fixtures.product({ stock: 1_000 })),
    );
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const items = products.map(({ sku }) => ({ sku, quantity: 1 }));
        return test.post(store, '/api/orders', orderBody(n % 2 ? items : items.toReversed()));
      }),
    );
    expect(countByStatus(answers)).toEqual({ 201: 100 });
    for (const { id } of products) expect(await stockOf(id)).toEqual({ on_hand: 1_000, held: 100 });
  });

  it('creates one order for a store_order_id sent many times at once, and holds its stock once', async () => {
    const product = await test.fixtures.product({ stock: 2 });
    const body = orderBody([{ sku: product.sku, quantity: 2 }], { store_order_id: 'AT-ONCE' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (n % 2 ? test : other).post(store, '/api/orders', body)),
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
    expect(await stockOf(product.id)).toEqual({ on_hand: 2, held: 2 });
  });

  it('expires every unpaid order once when two nodes do so at the same time', async () => {
    const product = await test.fixtures.product({ stock: 500 });
    for (let batch = 0; batch < 5; batch++) {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          test.post(store, '/api/orders', orderBody([{ sku: product.sku, quantity: 1 }])).expect(201),
        ),
      );
    }
    await test.pool.query(
      `UPDATE orders SET payment_due_at = now() - interval '1 minute'
        WHERE (client_id, order_number) IN (SELECT client_id, order_number FROM order_items WHERE product_id = $1)`,
      [product.id],
    );
    const expired = await Promise.all([test.app.get(OrderExpiry).run(), other.app.get(OrderExpiry).run()]);
    expect(expired[0] + expired[1]).toBe(250);
    expect(await stockOf(product.id)).toEqual({ on_hand: 500, held: 0 });
    const { rows } = await test.pool.query(
      `SELECT count(*)::int AS entries, count(DISTINCT t.order_number)::int AS orders FROM order_timeline t
         JOIN order_items i USING (client_id, order_number) WHERE i.product_id = $1 AND t.status = 'cancelled'`,
      [product.id],
    );
    expect(rows[0]).toEqual({ entries: 250, orders: 250 });
  });
});
