import type { Store } from '../support/fixtures.js';
import { manyOrders } from '../support/many-orders.js';
import { all, sourceOf } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { type SignedIn, signIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CSV = '/dashboard/orders.csv';

describe('Orders as a file', () => {
  let test: TestApp;
  let store: Store;
  let viewer: SignedIn;

  beforeAll(async () => {
    test = await startTestApp();
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    viewer = await signIn(test, store.clientId, 'viewer');
  });
  afterAll(() => test.close());

  /** As a spreadsheet reads it. */
  async function read(query = ''): Promise<Record<string, string>[]> {
    const { text } = await viewer.get(`${CSV}${query}`).expect(200);
    const batches = await all(sourceOf(text).batches());
    const [heading, ...rows] = batches.flatMap(({ records }) => records.map(({ cells }) => cells));
    return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [heading![at]!, cell])));
  }

  it('has all that is known of each order, for every role', async () => {
    const { sku } = await test.fixtures.product({ basePrice: '1234.50', deliveryCharge: '40.00' });
    const body = orderBody([{ sku, quantity: 2 }], {
      store_order_id: 'WEB-1',
      notes: 'Ring, twice "please"\nthen wait',
    });
    const answer = await test.post(store, '/api/orders', body).expect(201);
    const { order_number: number } = answer.body as { order_number: string };
    await moveOrder(test, store, number, 'pay', 'ship');
    expect(await read()).toEqual([
      expect.objectContaining({
        order_number: number,
        store_order_id: 'WEB-1',
        status: 'shipped',
        payment_status: 'paid',
        placed_at: expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/) as string,
        delivered_at: '',
        customer_name: 'Ravi Kumar',
        customer_phone: '+91 98765 43210',
        notes: 'Ring, twice "please"\nthen wait',
        items_count: '1',
        subtotal: '2469.00',
        delivery: '40.00',
        total: '2509.00',
        currency: 'INR',
        courier: 'Delhivery',
        tracking_number: 'DL123',
      }),
    ]);
  });

  it('is a file to be saved, in UTF-8 for every spreadsheet, and in no cache', async () => {
    const { headers, text } = await viewer.get(CSV).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="orders-[\d-]+\.csv"$/) as string,
      'cache-control': 'no-store',
    });
    expect(text).toMatch(/^\uFEFForder_number,store_order_id,status,/);
  });

  it('holds no cell that a spreadsheet would run', async () => {
    const { sku } = await test.fixtures.product();
    const name = '=HYPERLINK("https://evil.example","x")';
    const body = orderBody([{ sku, quantity: 1 }], {
      customer: { name, phone: '1' },
      notes: '@SUM(1)',
      store_order_id: '-1+2',
    });
    await test.post(store, '/api/orders', body).expect(201);
    const [row] = await read();
    expect(row).toMatchObject({ customer_name: `'${name}`, notes: "'@SUM(1)", store_order_id: "'-1+2" });
  });

  it('has those that the list shows, however many there are, the newest first and each once', async () => {
    await manyOrders(test.pool, store, 3_000);
    await manyOrders(test.pool, await test.fixtures.store(), 10);
    const every = await read();
    const numbers = every.map(({ order_number }) => order_number!);
    expect(new Set(numbers).size).toBe(3_000);
    const times = every.map(({ placed_at }) => placed_at!);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await read('?group=shipped')).toHaveLength(150);
    expect(
      (await read('?search=zacharias&group=delivered')).map(({ customer_name }) => customer_name),
    ).toHaveLength(0);
    expect(await read('?search=zacharias')).toHaveLength(3);
    expect(await read(`?search=${numbers[7]}`)).toEqual([every[7]]);
  });
});
