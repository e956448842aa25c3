import { adminApi, dataOf } from '../../support/admin-api.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('A statement of a month', () => {
  const test = setUpTestApp();
  const staff = makeBeforeAll(() => adminApi(test));
  let number: string;

  beforeAll(async () => {
    await test.fixtures.neighbours();
    const store = await test.fixtures.store({ domain: 'anaya.example.com', name: 'Anaya Home' });
    await test.fixtures.products([{ sku: 'A', basePrice: '10.00', deliveryCharge: '3.34', stock: 100 }]);
    const items = [{ sku: 'A', quantity: 1 }];
    number = await test.place(store, orderBody(items, { store_order_id: 'WEB-1' }));
    await staff.post('clients/anaya/wallet/adjust', { amount: '100', reason: '=a gift' }).expect(200);
    await moveOrder(test, store, number, 'pay', 'cancel');
    // The documents of a neighbour are not in this statement.
    await test.fixtures.seller({ receiptVouchers: true });
    await placeAndMove(test, await test.fixtures.store({ domain: 'bela.example.com' }), items, 'pay');
    // The adjustment was in the last moment of October; the order was paid in the first of November, in India.
    await test.fixtures.rewrite(
      `UPDATE wallet_entries
          SET created_at = CASE entry WHEN 1 THEN timestamptz '2026-10-31T18:29:59.999999Z'
                                      ELSE '2026-10-31T18:30:00Z' END`,
    );
  });

  const send = (month: string, type = 'application/json', client = 'anaya') =>
    staff.get(`reports/statement?client=${client}&month=${month}`).set('Accept', type).expect(200);

  it('goes from the opening to the closing balance, with the orders, in Indian time', async () => {
    expect(await dataOf(send('2026-11'))).toMatchObject({
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
    expect(await dataOf(send('2026-10'))).toMatchObject({ opening_balance: 0, closing_balance: 100 });
    const december = { opening_balance: 113.34, money_in: 0, entries: [], documents: [] };
    expect(await dataOf(send('2026-12'))).toMatchObject(december);
  });

  it('is a CSV file that no spreadsheet runs', async () => {
    expect((await send('2026-10', 'text/csv')).text.split('\r\n')).toEqual([
      'time,entry,what,order_number,store_order_id,reference,money_in,money_out,balance',
      expect.stringMatching(/^,,Seller,,,"Wholesale House, GSTIN \w{15}",,,$/),
      ',,Client,,,Anaya Home,,,',
      ',,Opening balance,,,,,,0.00',
      "2026-10-31 23:59:59,1,Corrected by the wholesaler,,,'=a gift,100.00,,100.00",
      ',,Closing balance,,,,,,100.00',
      '',
    ]);
  });

  it('is a PDF with the same bytes each time, also for a month without entries', async () => {
    const pdf = async (month: string) => (await send(month, 'application/pdf')).body as Buffer;
    expect((await pdf('2026-11')).equals(await pdf('2026-11'))).toBe(true);
    expect((await pdf('2026-09')).length).toBeGreaterThan(1_000);
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
    const { text } = await send('2026-11', 'text/csv', 'Long');
    const entries = text.split('\r\n').map((row) => row.split(',')[1]);
    expect(entries.slice(4, -2)).toEqual(Array.from({ length: 1_000 }, (_, at) => String(at + 1)));
    const pdf = ((await send('2026-11', 'application/pdf', 'Long')).body as Buffer).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(20);
  });
});
