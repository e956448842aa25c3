import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StatementView } from '../../src/modules/payments/statements.service.js';
import type { SalesTotal } from '../../src/modules/sales/sales.repository.js';
import type { SalesTotals } from '../../src/modules/sales/sold.repository.js';
import { dayAt, monthAt } from '../../src/platform/time/time.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll, setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('A statement of a month', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const directory = setUpDirectory();
  const store = makeBeforeAll(() => test.fixtures.store({ domain: 'anaya.example.com', name: 'Anaya Home' }));
  let number: string;

  beforeAll(async () => {
    await test.fixtures.products([{ sku: 'A', basePrice: '10.00', deliveryCharge: '3.34', stock: 100 }]);
    const body = orderBody([{ sku: 'A', quantity: 1 }], { store_order_id: 'WEB-1' });
    number = await test.place(store, body);
    await run('wallet', 'adjust', '--reason', '=a gift', '--', 'anaya', '100');
    await moveOrder(test, store, number, 'pay', 'cancel');
    // The documents of a neighbour are not in this statement.
    await test.fixtures.seller({ receiptVouchers: true });
    const bela = await test.fixtures.store({ domain: 'bela.example.com' });
    await placeAndMove(test, bela, [{ sku: 'A', quantity: 1 }], 'pay');
    expect((await run('invoice', 'list')).stdout).toContain('RV-');
    // The adjustment was in the last moment of October; the order was paid in the first of November, in India.
    await test.fixtures.rewrite(
      `UPDATE wallet_entries
          SET created_at = CASE entry WHEN 1 THEN timestamptz '2026-10-31T18:29:59.999999Z'
                                      ELSE '2026-10-31T18:30:00Z' END`,
    );
  });

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const statement = (month: string, ...args: string[]) =>
    run('report', 'statement', 'anaya', '--month', month, ...args);

  it('goes from the opening to the closing balance, with the orders, in Indian time', async () => {
    const show = (month: string) =>
      answerOf<StatementView>(test.database.url, 'report', 'statement', 'anaya', '--month', month);
    expect(await show('2026-11')).toMatchObject({
      client: 'Anaya Home',
      month: '2026-11',
      currency: 'INR',
      opening_balance: 100,
      money_in: 26.68,
      money_out: 13.34,
      closing_balance: 113.34,
      entries: [
        { entry: 2, what: 'Paid in for an order', amount: 13.34, balance_after: 113.34 },
        { what: 'Order paid', order_number: number, store_order_id: 'WEB-1', amount: -13.34 },
        { what: 'Order refunded', order_number: number, amount: 13.34, balance_after: 113.34 },
      ],
    });
    expect(await show('2026-10')).toMatchObject({ opening_balance: 0, closing_balance: 100 });
    expect(await show('2026-12')).toMatchObject({ opening_balance: 113.34, money_in: 0, entries: [] });
    const { stdout } = await statement('2026-10');
    expect(stdout).toMatch(
      /^Opening balance: 0.00 INR\nAT .*\n2026-10-31 23:59:59 .*\nClosing balance: 100.00 INR\n$/s,
    );
    expect((await statement('2026-09')).stdout).toContain('No entries.');
  });

  it('is a CSV file that no spreadsheet runs', async () => {
    const file = path.join(directory, 'october.csv');
    await statement('2026-10', '--output', file, '--excel');
    expect((await readFile(file, 'utf8')).split('\r\n')).toEqual([
      '\uFEFFtime,entry,what,order_number,store_order_id,reference,money_in,money_out,balance',
      expect.stringMatching(/^,,Seller,,,"Wholesale House, GSTIN \w{15}",,,$/),
      ',,Client,,,Anaya Home,,,',
      ',,Opening balance,,,,,,0.00',
      "2026-10-31 23:59:59,1,Corrected by the wholesaler,,,'=a gift,100.00,,100.00",
      ',,Closing balance,,,,,,100.00',
      '',
    ]);
  });

  it('is a PDF with the same bytes each time, also for a month without entries', async () => {
    const write = async (month: string, name: string) => {
      const file = path.join(directory, name);
      expect(await statement(month, '--output', file)).toMatchObject({ exitCode: 0, stderr: '' });
      return readFile(file);
    };
    const one = await write('2026-11', '1.pdf');
    expect(one.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await write('2026-11', '2.PDF')).equals(one)).toBe(true);
    expect((await write('2026-09', '3.pdf')).length).toBeGreaterThan(1_000);
  });

  it.each([
    [['--month', '2026-13'], 2, 'It must be a month such as 2026-11.'],
    [[], 2, "required option '--month <month>' not specified"],
  ])('needs a month: %j', async (args, exitCode, message) => {
    const refused = await run('report', 'statement', 'anaya', ...args);
    expect(refused).toMatchObject({ exitCode, stderr: expect.stringContaining(message) as string });
  });

  it('needs a client that exists', async () => {
    const refused = await run('report', 'statement', '999', '--month', '2026-11');
    expect(refused).toMatchObject({ exitCode: 1, stderr: 'There is no client 999.\n' });
  });

  it('is as long as its month: 1,000 entries on many pages', async () => {
    const { clientId } = await test.fixtures.store({ name: 'Long' });
    await test.fixtures.rewrite(
      `WITH wallet AS (UPDATE wallets SET balance = 1000, entries = 1000 WHERE client_id = $1)
       INSERT INTO wallet_entries
         (client_id, entry, kind, against, amount, balance_after, key, actor, created_at)
       SELECT $1, n, 'adjustment', 'adjustments', 1, n, 'adjustment:' || n, 'test', '2026-11-10'
         FROM generate_series(1, 1000) AS n`,
      [clientId],
    );
    const csv = path.join(directory, 'long.csv');
    const pdf = path.join(directory, 'long.pdf');
    for (const file of [csv, pdf])
      await run('report', 'statement', 'Long', '--month', '2026-11', '--output', file);
    const entries = (await readFile(csv, 'utf8')).split('\r\n').map((row) => row.split(',')[1]);
    expect(entries.slice(4, -2)).toEqual(Array.from({ length: 1_000 }, (_, at) => String(at + 1)));
    const text = (await readFile(pdf)).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(20);
  });

  afterAll(endEverything);
});

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

  it('is added up on a terminal and in a file', async () => {
    const { stdout } = await runCommand(test.database.url, 'report', 'sales', '--by', 'month');
    expect(stdout).toMatch(/^MONTH +CURRENCY +ORDERS +UNITS +GOODS +DELIVERY +PAID +REFUNDED UNITS/);
    const file = path.join(os.tmpdir(), `sales-${process.pid}.csv`);
    await answer('report', 'sales', '--by', 'client', '--output', file);
    const text = await readFile(file, 'utf8');
    await rm(file);
    expect(text).toMatch(/^client_id,client,currency,orders,.*,net\r\n\d+,'=Anaya,INR,2,4,40,13.34,53.34,/);
  });

  it('is chosen by when it was placed and paid', async () => {
    const today = dayAt(Date.now(), 'Asia/Kolkata');
    expect(await lines('--since', today)).toHaveLength(6);
    expect(await lines('--from', today)).toHaveLength(6);
    expect(await lines('--to', '2020-01-01')).toEqual([]);
    expect(await lines('--paid-from', today)).toHaveLength(7);
    expect(await lines('--paid-from', '2099-01-01')).toEqual([]);
    const ofToday = ['--paid-from', today, '--to', today];
    const listed = await answer<{ order_number: string }[]>('order', 'list', ...ofToday);
    expect(listed.map(({ order_number }) => order_number)).toEqual([cancelled, paid, paidLate]);
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

  it('names the state of delivery, for taxes', async () => {
    const states = (await lines()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['Karnataka']));
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

  it('is added up by month and client', async () => {
    const words = 'order totals --by month --client anaya.example.com'.split(' ');
    const totals = await answer<SalesTotal[]>(...words);
    expect(totals).toEqual([
      {
        period: monthAt(Date.now(), 'Asia/Kolkata'),
        client_id: store.clientId,
        client: '=Anaya',
        currency: 'INR',
        orders: 2,
        cancelled: 1,
        goods: 40,
        delivery: 13.34,
        total: 53.34,
        paid: 53.34,
        refunded: 13.34,
      },
    ]);
    expect(await answer<SalesTotal[]>('order', 'totals')).toMatchObject([
      { period: '2025-02', client_id: other.clientId, orders: 4, cancelled: 1, paid: 13.34, refunded: 0 },
      { client_id: store.clientId },
    ]);
  });

  it('is listed with when payment is due and the store’s own id', async () => {
    const { stdout } = await runCommand(test.database.url, 'order', 'list');
    expect(stdout).toMatch(/STORE ORDER ID .* PAYMENT DUE AT/);
    expect(stdout).toContain('WEB-1');
  });
});
