import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { setUpTestApp } from '../../support/test-app.js';

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
});
