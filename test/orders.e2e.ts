import { startTestApp, type TestApp } from './support/test-app.js';
import { orderBody } from './support/order-body.js';
import type { Store } from './support/fixtures.js';

describe('POST /api/orders', () => {
  let test: TestApp;
  let store: Store;

  beforeAll(async () => {
    test = await startTestApp();
    store = await test.fixtures.store();
  });
  afterAll(() => test.close());

  it('answers 201 with the total of wholesale prices and delivery, and awaits payment', async () => {
    const mug = await test.fixtures.product({ basePrice: '149.50', deliveryCharge: '30.00' });
    const shirt = await test.fixtures.product({
      basePrice: '249.00',
      deliveryCharge: '49.00',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
    });
    const body = orderBody(
      [
        { sku: mug.sku, quantity: 2 },
        { sku: shirt.sku, quantity: 1, variation: 'M' },
        { sku: shirt.sku, quantity: 1, variation: 'Size:S' },
      ],
      { store_order_id: 'WEB-1' },
    );
    const { body: created } = await test.post(store, '/api/orders', body).expect(201);
    expect(created).toEqual({
      success: true,
      order_number: expect.stringMatching(/^WO-\d{8}-[0-9A-Z]{5}-[0-9A-Z]{5}$/),
      store_order_id: 'WEB-1',
      subtotal: 797,
      delivery: 79,
      total: 876,
      currency: 'INR',
      items_count: 3,
      status: 'awaiting_payment',
      message: expect.any(String),
      payment_due_at: expect.any(String),
    });
    const { body: status } = await test.get(store, '/api/orders/WEB-1/status').expect(200);
    expect(status).toMatchObject({
      order_number: created.order_number,
      status: 'awaiting_payment',
      payment_status: 'unpaid',
      total_amount: 876,
      tracking: null,
      timeline: [{ status: 'awaiting_payment' }],
      items: [{ variation: null }, { variation: 'Size:M', unit_price: 249 }, { variation: 'Size:S' }],
    });
  });
});
