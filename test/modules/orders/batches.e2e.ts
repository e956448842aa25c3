import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import type { OrderAction } from '../../../src/modules/orders/rules/order-transitions.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';

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

  const act = (action: OrderAction, ...orders: Key[]) =>
    test.app.get(OrderLifecycleService).applyChange(orders, changeOf(action), 'test');

  /** Places one order of two units for each store. */
  const place = () =>
    Promise.all(
      stores.map(async (store): Promise<Key> => {
        const body = orderBody([{ sku: product.sku, quantity: 2 }]);
        const { body: created } = await test.post(store, '/api/orders', body).expect(201);
        return { clientId: store.clientId, orderNumber: (created as { order_number: string }).order_number };
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
});
