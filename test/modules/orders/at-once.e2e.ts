import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { contradictions } from '../../support/books.js';
import { orderBody } from '../../support/order-body.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';

const UNPAID = 250;

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
    for (;;) {
      const { status } = await node.post(by, '/api/orders', body);
      if (status !== 503) return { status: status === 409 ? 201 : status };
    }
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
    expect(await test.fixtures.stockOf(product.sku)).toEqual({ on_hand: 2, held: 2 });
  });

  it('expire once each, release their stock once, and an order that is not due stays', async () => {
    const { sku } = await test.fixtures.product({ stock: 1_000 });
    const order = async () =>
      expect(await placeWithRetries(test, [{ sku, quantity: 2 }])).toEqual({ status: 201 });
    await Promise.all(Array.from({ length: UNPAID }, order));
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
});
