import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { OrderDeskService } from '../../src/modules/orders/records/order-desk.service.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand, runCommandIn } from '../support/run-command.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const FILES = ['b2b', 'b2cl', 'b2cs', 'cdnr', 'cdnur', 'exemp', 'hsn(b2b)', 'hsn(b2c)', 'docs'];

describe('The return GSTR-1 of a month', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();

  beforeAll(async () => {
    const { clientId } = await test.fixtures.store({ name: '=Anaya' });
    await test.fixtures.rewrite(
      `WITH document AS (
              INSERT INTO tax_documents
                (number, kind, issued_at, issued_on, client_id, order_number, parcel, refund, against,
                 place_of_supply, gross, taxable, cgst, sgst, igst, facts)
              SELECT number, kind, now(), day::date, $1::int, 'X', parcel, refund, against, place, gross, taxable,
                     tax / 2.0 * (place = '29')::int, tax / 2.0 * (place = '29')::int, tax * (place <> '29')::int,
                     jsonb_build_object('seller', '{"state": "29", "gstin": "29AAGCB7383J1Z4"}'::jsonb, 'client',
                       CASE place WHEN '29' THEN '{"state": "29", "name": "=Anaya", "gstin": "29AAPFU0939F1ZR"}'
                                  ELSE '{"state": "27", "name": "Bela", "gstin": null}' END::jsonb)
                FROM (VALUES
                  ('INV-2627-0000001', 'invoice', '2026-11-30', 1, NULL, NULL, '29', 118, 100, 18),
                  ('INV-2627-0000002', 'invoice', '2026-12-01', 2, NULL, NULL, '29', 118, 100, 18),
                  ('INV-2627-0000003', 'invoice', '2026-11-01', 3, NULL, NULL, '27', 118000, 100000, 18000),
                  ('CN-2627-0000001', 'credit_note', '2026-11-30', NULL, 1, 'INV-2627-0000001', '29', 59, 50, 9),
                  ('CN-2627-0000002', 'credit_note', '2026-11-30', NULL, 2, 'INV-2627-0000003', '27', 118, 100, 18)
                  ) AS given (number, kind, day, parcel, refund, against, place, gross, taxable, tax)
              RETURNING *)
       INSERT INTO tax_document_items
         (number, position, line, description, sku, hsn, unit, quantity, unit_price, gst_rate, gross, taxable,
          cgst, sgst, igst)
       SELECT number, half, 2 - half, 'Shirt', 'A', '6109', CASE half WHEN 1 THEN 'NOS' ELSE '' END,
              CASE half WHEN 1 THEN gross / 59 ELSE 1 END, 59, 18, gross / 2, taxable / 2, cgst / 2, sgst / 2,
              igst / 2
         FROM document, generate_series(1, 2) AS half`,
      [clientId],
    );
  });

  const run = (...args: string[]) => runCommand(test.database.url, 'report', 'gst', ...args);

  it('is that of a quarter too, with the months in words', async () => {
    const read = async (period: string) => {
      const requested = ['report', 'gst', '--month', period];
      return (await answerOf<{ files: Record<string, object[]> }>(test.database.url, ...requested)).files;
    };
    expect((await read('2026-Q4')).b2b).toHaveLength(2);
    expect((await read('2026-Q3')).b2b).toEqual([]);
    const { stdout } = await run('--month', '2026-Q4', '--output', path.join(directory, 'quarter.zip'));
    expect(stdout).toContain('files of 2026-10 to 2026-12 to ');
    expect(await run('--month', '2026-Q5')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('a quarter such as 2026-Q4'),
    });
  });

  it('is shown with the rows of each file', async () => {
    const { stdout } = await run('--month', '2026-11');
    expect(stdout).toMatch(/^FILE +ROWS\nb2b.csv +1\nb2cl.csv +1\nb2cs.csv +0\ncdnr.csv +1\ncdnur.csv +1\n/);
    const { files } = await answerOf<{ files: Record<string, Record<string, string>[]> }>(
      test.database.url,
      'report',
      'gst',
      '--month',
      '2026-11',
    );
    expect(Object.keys(files)).toEqual(FILES);
    expect(files['hsn(b2b)']).toMatchObject([
      {
        HSN: '6109',
        UQC: 'NOS-NUMBERS',
        'Total Quantity': '1',
        'Total Value': '59.00',
        'Taxable Value': '50.00',
      },
    ]);
    // A delivery has no units of its own.
    expect(files['hsn(b2c)']).toMatchObject([
      { 'Total Quantity': '1998', 'Taxable Value': '99900.00', 'Integrated Tax Amount': '17982.00' },
    ]);
    const place = { 'Place Of Supply': '27-Maharashtra' };
    expect(files.b2cl).toMatchObject([{ ...place, 'Invoice Number': 'INV-2627-0000003' }]);
    expect(files.cdnur).toMatchObject([{ ...place, 'Note Number': 'CN-2627-0000002' }]);
    expect(files.docs!.map((row) => row['Total Number'])).toEqual(['2', '2']);
  });

  it('is written into a folder, as files that no spreadsheet runs', async () => {
    const folder = path.join(directory, 'a', 'november');
    expect(await run('--month', '2026-11', '--output', folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await readdir(folder)).toSorted()).toEqual(FILES.map((name) => `${name}.csv`).toSorted());
    expect(await readFile(path.join(folder, 'b2b.csv'), 'utf8')).toBe(
      [
        'GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,Place Of Supply,' +
          'Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,Taxable Value,Cess Amount',
        "29AAPFU0939F1ZR,'=Anaya,INV-2627-0000001,30-Nov-2026,118.00,29-Karnataka,N,,Regular B2B,,18,100.00,0.00",
        '',
      ].join('\r\n'),
    );
  });

  it('is written as a ZIP file', async () => {
    const file = path.join(directory, 'december.ZIP');
    await run('--month', '2026-12', '--output', file);
    const zip = await openPromise(file);
    const contents: Record<string, string> = {};
    for await (const entry of zip.eachEntry())
      contents[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
    expect(Object.keys(contents)).toEqual(FILES.map((name) => `${name}.csv`));
    expect(contents['b2b.csv']).toContain('INV-2627-0000002');
    expect(contents['cdnr.csv']!.split('\r\n')).toHaveLength(2);
  });

  it('is refused where no folder can be made', async () => {
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    const refused = await run('--month', '2026-11', '--output', path.join(file, 'x'));
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The folder .*file\/x cannot be created: ENOTDIR/);
  });
});

describe('The vouchers of a month for Tally', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();
  /** The wholesaler's zone does not matter. */
  const run = (...args: string[]) =>
    runCommandIn({ DATABASE_URL: test.database.url, TIME_ZONE: 'America/Los_Angeles' }, ...args);

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
      expect(await run('wallet', 'adjust', String(clientId), amount, '--reason', 'Opening')).toMatchObject({
        exitCode: 0,
      });
    await test.fixtures.seller();
    const { sku } = await test.fixtures.product({ basePrice: '10.00', hsn: '6912', gstRate: '18' });
    const order = await test.place(store, [{ sku, quantity: 2 }]);
    await moveOrder(test, store, order, 'pay', 'ship');
    const desk = test.app.get(OrderDeskService, { strict: false });
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
    const sums = async (month: string) =>
      JSON.parse((await run('--json', 'report', 'vouchers', '--month', month)).stdout) as unknown;
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
    const folder = path.join(directory, 'tally');
    const { stdout } = await run('report', 'vouchers', '--month', '2026-11', '--output', folder);
    expect(stdout).toBe(`Wrote 3 vouchers to ${folder}.\n`);
    const vouchers = await readFile(path.join(folder, '2-vouchers.xml'), 'utf8');
    expect(vouchers).toContain(`<VOUCHERNUMBER>W${store.clientId}-1</VOUCHERNUMBER>`);
    expect(vouchers).not.toContain(`W${store.clientId}-2`);
    expect(await readFile(path.join(folder, '1-ledgers.xml'), 'utf8')).toContain(
      `<LEDGER NAME="Anaya (${store.clientId})"`,
    );
  });
});
