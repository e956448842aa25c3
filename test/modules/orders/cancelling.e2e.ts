import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('POST /api/orders/:order_number/cancel', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  const place = async (sku: string, quantity = 1): Promise<string> => {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity }])).expect(201);
    return body.order_number;
  };

  const cancel = (number: string, as = store) => test.post(as, `/api/orders/${number}/cancel`);

  const sellable = async (sku: string) =>
    (await test.get(store, `/api/products/${sku}/stock`)).body.stock_qty;

  it('cancels an unpaid order and releases its stock at once', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const number = await place(sku, 3);
    expect(await sellable(sku)).toBe(0);
    const { body } = await cancel(number).expect(200);
    expect(body).toMatchObject({
      success: true,
      order_number: number,
      status: 'cancelled',
      payment_status: 'unpaid',
      cancel_reason: 'cancelled by the store',
      timeline: [{ status: 'awaiting_payment' }, { status: 'cancelled' }],
    });
    expect(await sellable(sku)).toBe(3);
    await place(sku, 3);
  });

  it('is harmless when repeated', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const number = await place(sku);
    const { body: first } = await cancel(number).expect(200);
    const { body: repeated } = await cancel(number).expect(200);
    expect(repeated).toEqual(first);
    expect(await sellable(sku)).toBe(3);
  });

  it('accepts the store_order_id too, and needs no body', async () => {
    const { sku } = await test.fixtures.product();
    await test
      .post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], { store_order_id: 'A/1 #ü' }))
      .expect(201);
    const { body } = await cancel(encodeURIComponent('A/1 #ü')).expect(200);
    expect(body).toMatchObject({ store_order_id: 'A/1 #ü', status: 'cancelled' });
  });

  it('answers 409 not_cancellable to an order that is paid, shipped or delivered', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    const steps = [
      ['pay', 'pending'],
      ['ship', 'shipped'],
      ['deliver', 'delivered'],
    ] as const;
    for (const [action, status] of steps) {
      await moveOrder(test, store, number, action);
      const { body } = await cancel(number).expect(409);
      expect(body).toMatchObject({ code: 'not_cancellable', status });
    }
    expect((await test.get(store, `/api/orders/${number}/status`)).body.status).toBe('delivered');
  });

  it('answers 200 to an order that the wholesaler has cancelled, and changes nothing', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    await moveOrder(test, store, number, 'pay', 'cancel');
    const { body } = await cancel(number).expect(200);
    expect(body).toMatchObject({ payment_status: 'refunded', cancel_reason: 'out of stock' });
  });

  it('answers 404 to an unknown number and to an order of another client', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    const other = await test.fixtures.store();
    expect((await cancel(number, other).expect(404)).body.code).toBe('order_not_found');
    expect((await cancel('NO-SUCH').expect(404)).body.code).toBe('order_not_found');
    expect((await cancel('%00').expect(404)).body.code).toBe('order_not_found');
    expect((await test.get(store, `/api/orders/${number}/status`)).body.status).toBe('awaiting_payment');
  });

  it('wins or loses against a simultaneous payment, never both', async () => {
    const { sku } = await test.fixtures.product({ stock: 40 });
    const numbers = await Promise.all(Array.from({ length: 20 }, () => place(sku)));
    await Promise.all(
      numbers.map(async (number) => {
        const [answer, payment] = await Promise.all([
          cancel(number),
          moveOrder(test, store, number, 'pay').then(
            () => 'paid',
            (error: { code: string }) => error.code,
          ),
        ]);
        expect([
          [200, 'illegal_transition'],
          [409, 'paid'],
        ]).toContainEqual([answer.status, payment]);
      }),
    );
    const { rowCount: paid } = await test.pool.query(
      `SELECT FROM orders WHERE status = 'pending' AND order_number = ANY ($1)`,
      [numbers],
    );
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 40, held: paid });
  });
});
