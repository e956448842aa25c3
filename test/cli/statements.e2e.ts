import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { StatementView } from '../../src/modules/payments/statements.service.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
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
    const { body: other } = await test.post(bela, '/api/orders', orderBody([{ sku: 'A', quantity: 1 }]));
    await moveOrder(test, bela, (other as { order_number: string }).order_number, 'pay');
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
    expect(entries.slice(2, -2)).toEqual(Array.from({ length: 1_000 }, (_, at) => String(at + 1)));
    const text = (await readFile(pdf)).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(20);
  });
});
