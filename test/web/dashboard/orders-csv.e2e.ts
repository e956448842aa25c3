import type { Store } from '../../support/fixtures.js';
import { manyOrders } from '../../support/many-orders.js';
import { all, sourceOf } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const CSV = '/dashboard/orders.csv';

describe('Orders as a file', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let viewer: SignedIn;
  beforeEach(async () => {
    store = await test.fixtures.store();
    viewer = await signIn(test, store.clientId, 'viewer');
  });

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
        Order: number,
        'Your id': 'WEB-1',
        Status: 'Shipped',
        Placed: expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/) as string,
        Delivered: '',
        Refunded: '0.00',
        'Time zone': 'Asia/Kolkata',
        Customer: 'Ravi Kumar',
        Phone: '+91 98765 43210',
        Notes: 'Ring, twice "please"\nthen wait',
        Items: '1',
        Goods: '2469.00',
        Delivery: '40.00',
        Total: '2509.00',
        Currency: 'INR',
        Courier: 'Delhivery',
        Tracking: 'DL123',
      }),
    ]);
  });

  it('says the state in the words of the page', async () => {
    const { sku } = await test.fixtures.product();
    const place = () => test.place(store, [{ sku, quantity: 1 }]);
    await place();
    await moveOrder(test, store, await place(), 'pay', 'cancel');
    const states = (await read()).map((row) => [row.Status, row.Refunded, row['Cancelled because']]);
    expect(states).toEqual([
      ['Cancelled', '100.00', 'out of stock'],
      ['Awaiting payment', '0.00', ''],
    ]);
  });

  it('has a row for each line of an order on request, whose totals still add up', async () => {
    const [first, second] = await test.fixtures.products([
      { basePrice: '10.00', deliveryCharge: '40.00', variations: [{ name: 'Size', values: ['S', 'L'] }] },
      { basePrice: '2.50', deliveryCharge: '0.00' },
    ]);
    const items = [
      { sku: first!.sku, quantity: 2, variation: 'L' },
      { sku: second!.sku, quantity: 1, variation: 'as a gift' },
    ];
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-2' })).expect(201);
    await test.post(store, '/api/orders', orderBody([items[1]!])).expect(201);
    const { text, headers } = await viewer.get(`${CSV}?lines=yes`).expect(200);
    expect(headers['content-disposition']).toMatch(/filename="order-lines-[\d-]+\.csv"/);
    expect(text).toContain(
      ',SKU,Product,Variation,Quantity,Price,Amount,Goods,Delivery,Total,Refunded,Currency\r\n',
    );
    const rows = await read('?lines=yes');
    expect(
      rows.map((row) =>
        ['Your id', 'SKU', 'Variation', 'Quantity', 'Amount', 'Total'].map((name) => row[name]),
      ),
    ).toEqual([
      ['', second!.sku, 'as a gift', '1', '2.50', '2.50'],
      ['WEB-2', first!.sku, 'Size:L', '2', '20.00', '62.50'],
      ['WEB-2', second!.sku, 'as a gift', '1', '2.50', ''],
    ]);
  });

  it('is a file to be saved, in UTF-8 for every spreadsheet, and in no cache', async () => {
    const { headers, text } = await viewer.get(CSV).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="orders-[\d-]+\.csv"$/) as string,
      'cache-control': 'no-store',
    });
    expect(text).toMatch(/^\uFEFFOrder,Your id,Status,Placed,/);
  });

  it('has all orders of the list, the newest first and each once', async () => {
    await manyOrders(test.pool, store, 3_000);
    await manyOrders(test.pool, await test.fixtures.store(), 10);
    const every = await read();
    const numbers = every.map(({ Order }) => Order!);
    expect(new Set(numbers).size).toBe(3_000);
    const times = every.map(({ Placed }) => Placed!);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await read('?group=shipped')).toHaveLength(150);
    expect((await read('?search=zacharias&group=delivered')).map(({ Customer }) => Customer)).toHaveLength(0);
    expect(await read('?search=zacharias')).toHaveLength(3);
    expect(await read(`?search=${numbers[7]}`)).toEqual([every[7]]);
  });
});
