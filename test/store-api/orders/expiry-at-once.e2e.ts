import { OrderExpiry } from '../../../src/orders/lifecycle/order-expiry.js';
import { contradictions } from '../../support/books.js';
import { orderBody } from '../../support/order-body.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const ORDERS = 250;

describe('The expiry of unpaid orders on two nodes at the same moment', () => {
  let first: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    first = await startTestApp({ rateLimitPerMinute: 0 });
    second = await startTestApp({ rateLimitPerMinute: 0 }, first.database);
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  it('cancels each order once, gives its stock back once, and leaves those that are not due', async () => {
    const store = await first.fixtures.store();
    const { sku } = await first.fixtures.product({ stock: 1_000 });
    const order = () => first.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
    await Promise.all(Array.from({ length: ORDERS }, order));
    await first.fixtures.sql(`UPDATE orders SET payment_due_at = now() - interval '1 second'`);
    await order();

    const runs = [first, second, first, second].map(({ app }) => app.get(OrderExpiry).run());
    const expired = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);

    expect(expired).toBe(ORDERS);
    expect(await contradictions(first.pool)).toEqual([]);
    await first.fixtures.sql('SELECT 1');
    const { body } = await first.get(store, `/api/products/${sku}/stock`).expect(200);
    expect(body).toMatchObject({ stock_qty: 998 });
  });
});
