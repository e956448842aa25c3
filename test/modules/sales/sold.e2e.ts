import type { SalesTotals } from '../../../src/modules/sales/sold.repository.js';
import { dayAt } from '../../../src/platform/time/time.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { answerOf } from '../../support/run-command.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

interface Line {
  order_number: string;
  sku: string;
  state: string;
  variation: string;
  placed_at: string;
  line_total: string;
  delivery_share: string;
  paid: string;
  refunded: string;
}

describe('What was sold', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store({ domain: 'anaya.example.com', name: '=Anaya' }));
  const other = makeBeforeAll(() => test.fixtures.store());
  let paid: string;
  let cancelled: string;
  let unpaid: string;
  let free: string;
  let dropped: string;
  let paidLate: string;

  beforeAll(async () => {
    const skus = ['A', 'B', 'C'].map((sku) => ({
      sku,
      basePrice: '10.00',
      deliveryCharge: '3.34',
      stock: 100,
    }));
    const gifts = ['D', 'E'].map((sku) => ({ sku, basePrice: '0.00', deliveryCharge: '3.34', stock: 100 }));
    await test.fixtures.products([...skus, ...gifts]);
    const place = async (whose: Store, id: string, ...ordered: string[]) => {
      const items = ordered.map((sku) => ({ sku, quantity: 1, variation: 'As a gift' }));
      return test.place(whose, orderBody(items, { store_order_id: id }));
    };
    paid = await place(store, 'WEB-1', 'A', 'B', 'C');
    cancelled = await place(store, 'WEB-2', 'A');
    unpaid = await place(other, 'WEB-3', 'B');
    free = await place(other, 'WEB-4', 'D', 'E');
    dropped = await place(other, 'WEB-5', 'A');
    await moveOrder(test, store, paid, 'pay', 'ship');
    await moveOrder(test, store, cancelled, 'pay', 'cancel');
    await moveOrder(test, other, dropped, 'cancel');
    paidLate = await place(other, 'WEB-6', 'C');
    await moveOrder(test, other, paidLate, 'pay');
    for (const [minute, number] of [unpaid, free, dropped, paidLate].entries())
      await test.fixtures.placedAt(number, `2025-01-31T23:0${minute}:00Z`);
  });

  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.url, ...args);
  const lines = (...args: string[]) => answer<Line[]>('order', 'sales-export', ...args);

  it('has a row for each line of orders in every state, with its share of the delivery', async () => {
    const all = await lines();
    expect(all.map(({ order_number, sku }) => [order_number, sku])).toEqual([
      [unpaid, 'B'],
      [free, 'D'],
      [free, 'E'],
      [dropped, 'A'],
      [paidLate, 'C'],
      [paid, 'A'],
      [paid, 'B'],
      [paid, 'C'],
      [cancelled, 'A'],
      [cancelled, 'A'],
      [cancelled, ''],
    ]);
    expect(all[0]).toMatchObject({ variation: 'As a gift', placed_at: '2025-02-01T04:30:00.000+05:30' });
    const shares = all
      .filter(({ order_number }) => order_number === paid)
      .map(({ delivery_share }) => delivery_share);
    expect(shares).toEqual(['3.34', '3.34', '3.34']);
    expect(all.map(({ paid: got, refunded }) => [got, refunded])).toEqual([
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
      ['0', '0'],
      ['13.34', '0'],
      ['13.34', '0'],
      ['13.34', '0'],
      ['13.34', '0'],
      ['13.34', '0'],
      ['0', '10.00'],
      ['0', '3.34'],
    ]);
  });

  it('has the first line bear the delivery of goods that cost nothing', async () => {
    const shares = (await lines('--client', other.domain))
      .filter(({ order_number }) => order_number === free)
      .map(({ delivery_share }) => Number(delivery_share));
    expect(shares).toEqual([6.68, 0]);
  });

  it('shares a delivery so that nothing is lost, however it divides', async () => {
    await test.fixtures.rewrite(
      `UPDATE orders SET delivery = 10.00, total = subtotal + 10.00 WHERE order_number = $1`,
      [paid],
    );
    const shares = (await lines('--client', 'anaya.example.com', '--paid-from', '2020-01-01'))
      .filter(({ order_number }) => order_number === paid)
      .map(({ delivery_share }) => delivery_share);
    expect(shares).toEqual(['3.33', '3.34', '3.33']);
  });

  it('is added up for the books by day, client, product and state, when the money moved', async () => {
    const report = (...args: string[]) => answer<SalesTotals[]>('report', 'sales', ...args);
    const today = dayAt(Date.now(), 'Asia/Kolkata');
    const mine = { orders: 2, units: 4, goods: 40, paid: 53.34, refunded: 13.34, net: 40 };
    expect(await report('--from', today, '--client', 'anaya.example.com')).toMatchObject([
      { day: today, currency: 'INR', ...mine, delivery: 13.34, refunded_units: 1 },
    ]);
    expect(await report('--by', 'client')).toMatchObject([
      { client_id: store.clientId, client: '=Anaya', ...mine },
      { client_id: other.clientId, orders: 1, paid: 13.34, net: 13.34 },
    ]);
    expect(await report('--by', 'product')).toMatchObject([
      { sku: '', name: '', orders: 0, refunded: 3.34 },
      { sku: 'A', orders: 2, units: 2, refunded_units: 1, refunded: 10 },
      { sku: 'B', orders: 1 },
      { sku: 'C', orders: 2 },
    ]);
    const spell = (state: string) =>
      test.fixtures.rewrite('UPDATE orders SET shipping_state = $2 WHERE order_number = $1', [paid, state]);
    await spell('KARNATAKA');
    expect(await report('--by', 'state')).toMatchObject([{ orders: 3, net: 53.34 }]);
    await spell('Karnataka');
    expect(await report('--to', '2020-01-01')).toEqual([]);
  });

  it('is chosen by when it was paid and shipped, up to the end of a day in India', async () => {
    await test.fixtures.rewrite(
      `UPDATE orders SET paid_at = CASE order_number WHEN $1 THEN timestamptz '2026-03-31T18:29:59.999999Z'
                                                     WHEN $2 THEN '2026-03-31T18:30:00Z' END,
                         shipped_at = CASE order_number WHEN $1 THEN timestamptz '2026-03-31T18:30:00Z' END
        WHERE order_number IN ($1, $2)`,
      [paid, cancelled],
    );
    const numbers = async (...filter: string[]) => {
      const found = await lines(...filter);
      return [...new Set(found.map(({ order_number }) => order_number))];
    };
    expect(await numbers('--paid-from', '2026-03-31', '--paid-to', '2026-03-31')).toEqual([paid]);
    expect(await numbers('--paid-from', '2026-04-01', '--paid-to', '2026-04-01')).toEqual([cancelled]);
    expect(await numbers('--shipped-from', '2026-04-01', '--shipped-to', '2026-04-01')).toEqual([paid]);
    expect(await numbers('--shipped-to', '2026-03-31')).toEqual([]);
    expect(await numbers('--shipped-from', '2026-04-02')).toEqual([]);
  });

  it('is packed with the client, the store’s own id, the status and how to reach the customer', async () => {
    const packing = await answer<Line[]>('order', 'export', '--status', 'shipped');
    expect(packing).toHaveLength(3);
    expect(packing[0]).toMatchObject({
      order_number: paid,
      client_id: store.clientId,
      client: '=Anaya',
      store_order_id: 'WEB-1',
      status: 'shipped',
      courier: 'Delhivery',
      customer_email: expect.stringContaining('@') as string,
      state: 'Karnataka',
    });
  });
});
