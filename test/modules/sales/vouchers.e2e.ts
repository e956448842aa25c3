import { BooksService } from '../../../src/modules/sales/vouchers/books.service.js';
import { VouchersService } from '../../../src/modules/sales/vouchers/vouchers.service.js';
import { minorFromNumeric, numericFromMinor } from '../../../src/platform/money/money.js';
import { addDays } from '../../../src/platform/time/time.js';
import { adminApi } from '../../support/admin-api.js';
import { all } from '../../support/operator-services.js';
import { orderDesk } from '../../support/order-desk.js';
import { moveOrder } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The vouchers of a month for Tally', () => {
  /** The wholesaler's zone does not matter. */
  const test = setUpTestApp({ timeZone: 'America/Los_Angeles' });
  const admin = makeBeforeAll(() => adminApi(test));
  const report = async (path: string) =>
    (await admin.get(`reports/${path}`).expect(200)).body.data as Record<string, unknown>[];
  const fileOf = async (month: string, file: string) =>
    (await admin.get(`reports/vouchers?month=${month}&file=${file}`).buffer(true).parse(toText).expect(200))
      .body as string;

  it('have the days of India, and each receipt and correction, but no payment of an order', async () => {
    const [store, other] = [
      await test.fixtures.store({ name: 'Anaya', state: '29' }),
      await test.fixtures.store(),
    ];
    for (const [{ clientId }, amount] of [
      [store, '500'],
      [store, '-200'],
      [other, '7'],
      [other, '3'],
    ] as const)
      await admin.post(`clients/${clientId}/wallet/adjust`, { amount, reason: 'Opening' }).expect(200);
    await test.fixtures.seller();
    const { sku } = await test.fixtures.product({ basePrice: '10.00', hsn: '6912', gstRate: '18' });
    const order = await test.place(store, [{ sku, quantity: 2 }]);
    const desk = orderDesk(test.app);
    await desk.pay(order, 'test', { method: 'cash' });
    await moveOrder(test, store, order, 'ship');
    await desk.refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    // Midnight in India is 18:30 in UTC.
    await test.fixtures.rewrite(
      `UPDATE wallet_entries
          SET created_at = CASE WHEN client_id = $1 AND entry = 1 THEN '2026-10-31T18:30:00Z'::timestamptz
                                WHEN entry = 1 THEN '2026-11-30T18:29:59.999999Z'
                                WHEN client_id = $1 THEN '2026-11-30T18:30:00Z'
                                ELSE '2026-10-31T18:29:59.999999Z' END`,
      [store.clientId],
    );
    await test.fixtures.rewrite(
      `UPDATE tax_documents
          SET issued_on = CASE kind WHEN 'invoice' THEN '2026-11-30'::date ELSE '2026-12-01' END`,
    );
    const sums = (month: string) => report(`vouchers?month=${month}`);
    expect(await sums('2026-10')).toEqual([{ type: 'Journal', vouchers: 1, amount: -3 }]);
    expect(await sums('2026-11')).toEqual([
      { type: 'Sales', vouchers: 1, amount: 20 },
      { type: 'Journal', vouchers: 2, amount: -507 },
    ]);
    // The order was paid by a receipt of its own. The refund stays in the wallet.
    expect(await sums('2026-12')).toEqual([
      { type: 'Credit Note', vouchers: 1, amount: -10 },
      { type: 'Journal', vouchers: 1, amount: 200 },
      { type: 'Receipt', vouchers: 1, amount: -20 },
    ]);
    expect(await sums('2027-01')).toEqual([]);
    const vouchers = await fileOf('2026-11', '2-vouchers.xml');
    expect(vouchers).toContain(`<VOUCHERNUMBER>W${store.clientId}-1</VOUCHERNUMBER>`);
    expect(vouchers).not.toContain(`W${store.clientId}-2`);
    const ledgersFile = () => fileOf('2026-11', '1-ledgers.xml');
    expect(await ledgersFile()).toContain(`<LEDGER NAME="Anaya (${store.clientId})"`);
    expect(await ledgersFile()).toContain('<LEDGER NAME="Wallet corrections"');
    expect(vouchers).toContain('<GSTHSNNAME>6912</GSTHSNNAME>');
    expect(vouchers).toContain('<CMPGSTIN>');
    // A ledger with a name of its own stands in Tally already.
    await test.fixtures.rewrite(`UPDATE house SET ledger_names = 'adjustments: Rounding'`);
    expect(await fileOf('2026-11', '2-vouchers.xml')).toContain('<LEDGERNAME>Rounding</LEDGERNAME>');
    expect(await ledgersFile()).not.toMatch(/Rounding|Wallet corrections/);
    const notes = await fileOf('2026-12', '2-vouchers.xml');
    await test.fixtures.rewrite(`UPDATE house SET ledger_names = ''`);
    expect(notes).toMatch(/<REFERENCE>INV-\d{4}-0000001<\/REFERENCE><REFERENCEDATE>\d{8}</);
    expect(notes).toContain('<LEDGERNAME>Cash</LEDGERNAME>');
    expect(notes).not.toContain('<LEDGERNAME>Bank</LEDGERNAME>');
  });

  it('agree with the ledger of each client, and with the register of sales', async () => {
    const service = <Service>(type: new (...args: never[]) => Service) =>
      test.app.get(type, { strict: false });
    const books = service(BooksService);
    const months = ['2026-10', '2026-11', '2026-12'];
    const vouchers = (
      await Promise.all(months.map((month) => all(service(VouchersService).month(month))))
    ).flat();
    const { rows: clients } = await test.pool.query<{ id: number }>('SELECT id FROM clients ORDER BY id');
    for (const { id } of clients) {
      const own = vouchers.filter(({ entries }) => entries[0]!.ledger.name.endsWith(` (${id})`));
      const rows = await all((await books.ledger(id, '2026-10-01', '2026-12-31')).rows);
      const moved = rows.slice(1, -1).map(({ date, type, number, debit, credit }) => ({
        date,
        type,
        number,
        amount: minorFromNumeric(debit || '0') - minorFromNumeric(credit || '0'),
      }));
      const expected = own.map(({ day: date, type, number, entries }) => ({
        date,
        type,
        number,
        amount: entries[0]!.amount,
      }));
      expect(own.length).toBeGreaterThan(1);
      expect(moved.toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
      const total = own.reduce((sum, { entries }) => sum + entries[0]!.amount, 0);
      expect(rows.at(-1)).toMatchObject({ details: 'Closing balance', balance: numericFromMinor(total) });
      // Each period begins where the one before ended.
      for (const day of ['2026-11-30', '2026-12-01']) {
        const before = await all((await books.ledger(id, '2026-10-01', addDays(day, -1))).rows);
        const [opening] = await all((await books.ledger(id, day, '2026-12-31')).rows);
        expect(opening).toMatchObject({
          date: day,
          details: 'Opening balance',
          balance: before.at(-1)!.balance,
        });
      }
    }
    expect(await report('register?from=2026-11-01&to=2026-12-01')).toMatchObject([
      {
        date: '2026-11-30',
        kind: 'invoice',
        party: 'Anaya',
        gstin: null,
        place_of_supply: 'Karnataka (29)',
        taxable: 16.94,
        cgst: 1.53,
        sgst: 1.53,
        igst: 0,
        total: 20,
        against: null,
      },
      {
        date: '2026-12-01',
        kind: 'credit_note',
        taxable: -8.48,
        total: -10,
        against: expect.stringMatching(/^INV-/) as string,
      },
    ]);
    const details = await report('ledger?client=Anaya&from=2026-11-01&to=2026-12-31');
    expect(
      details.map(({ details: what, balance }) => [
        String(what).replaceAll(/(WO|INV)-[^,]+/g, '$1'),
        balance,
      ]),
    ).toEqual([
      ['Opening balance', 0],
      ['Opening', -500],
      ['Order WO', -480],
      ['Order WO, INV', -490],
      ['Opening', -290],
      ['cash', -310],
      ['Closing balance', -310],
    ]);
    const reversed = await admin.get('reports/register?from=2026-12-01&to=2026-11-30').expect(422);
    expect(JSON.stringify(reversed.body)).toContain('later than the last one');
  });
});

const byNumber = (a: { number: string | undefined }, b: { number: string | undefined }) =>
  String(a.number).localeCompare(String(b.number));

function toText(response: object, done: (error: Error | null, body: string) => void) {
  let text = '';
  const stream = response as NodeJS.ReadableStream;
  stream.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  stream.on('end', () => done(null, text));
}
