import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { orderDesk } from '../support/order-desk.js';
import { BooksService } from '../../src/modules/sales/vouchers/books.service.js';
import { VouchersService } from '../../src/modules/sales/vouchers/vouchers.service.js';
import { minorFromNumeric, numericFromMinor } from '../../src/platform/money/money.js';
import { addDays } from '../../src/platform/time/time.js';
import { all } from '../support/operator-services.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand, runCommandIn, runCommandOn } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const MUMBAI = '27AAPFU0939F1ZV';
const NO_HSN = 'must be empty or an HSN code of 4, 6 or 8 digits';
const BENGALURU = '29AAGCB7383J1Z4';

describe('the data that the tax law asks for', () => {
  const test = setUpTestApp();
  beforeEach(async () => {
    await test.fixtures.clear();
    await test.fixtures.sql('DELETE FROM sellers');
  });

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const answer = <Value = object>(...args: string[]) => answerOf<Value>(test.database.url, ...args);
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await run(...args, '--json');
    return [exitCode, JSON.parse(stderr)] as [number, { code: string; message: string }];
  };
  const audited = async (action: string) => {
    const entries = await answer<{ action: string; details: object }[]>('audit', 'list');
    return entries.filter((entry) => entry.action === action).map(({ details }) => details);
  };

  describe('of the seller', () => {
    const [name, address] = ['Sharma Wholesale', '1 MG Road, Pune'];
    const SHARMA = ['--name', name, '--gstin', '27 aapfu0939f1zv', '--address', address];
    const displayed = {
      name,
      gstin: MUMBAI,
      address,
      state: '27',
      receipt_vouchers: false,
      since: '2017-07-01',
    };

    it('is set once as a whole, then value by value, and each change is in the audit log', async () => {
      await answer('audit', 'list');
      const before = (await audited('seller.changed')).length;
      expect(await answer('seller', 'set', ...SHARMA, '--by', 'asha')).toEqual(displayed);
      expect(await answer('seller', 'set', ...SHARMA)).toEqual(displayed);
      const changed = await answer('seller', 'set', '--address', '2 MG Road', '--receipt-vouchers', 'yes');
      expect(changed).toEqual({ ...displayed, address: '2 MG Road', receipt_vouchers: true });
      expect(await answer('seller', 'show')).toMatchObject({ seller: changed });
      const entries = (await audited('seller.changed')).slice(0, -before || undefined);
      expect(entries).toEqual([
        {
          address: '2 MG Road',
          address_before: '1 MG Road, Pune',
          receipt_vouchers: true,
          receipt_vouchers_before: false,
        },
        expect.objectContaining({ name: 'Sharma Wholesale', gstin: MUMBAI, state: '27' }),
      ]);
    });

    it('moves to another state with its GSTIN, and only so', async () => {
      await answer('seller', 'set', ...SHARMA, '--state', 'Maharashtra');
      expect(await refusal('seller', 'set', '--state', 'Karnataka')).toEqual([
        1,
        {
          code: 'invalid_value',
          message: 'The GSTIN belongs to Maharashtra (27), not to Karnataka (29). Correct one of them.',
        },
      ]);
      expect(await answer('seller', 'set', '--gstin', BENGALURU)).toMatchObject({ state: '29' });
      expect((await run('seller', 'show')).stdout).toContain(`GSTIN: ${BENGALURU}. State: Karnataka (29).`);
    });

    it.each([
      [['--name', 'S'], 'There is no seller yet: give --gstin and --address too.'],
      [['--gstin', '27AAPFU0939F1ZW'], 'The GSTIN is mistyped: its last character does not fit the others.'],
      [['--state', 'Maharastra'], 'The state "Maharastra" is unknown. Did you mean Maharashtra (27)?'],
      [['--address', ' '], 'The address must not be empty.'],
    ])('is not set by %j', async (args, message) => {
      expect(await refusal('seller', 'set', ...args)).toEqual([1, { code: 'invalid_value', message }]);
      expect(await answer('seller', 'show')).toMatchObject({ seller: null });
    });

    it('is no client', async () => {
      const client = String((await test.fixtures.store()).clientId);
      await answer('seller', 'set', ...SHARMA);
      expect(await refusal('client', 'set', client, '--gstin', MUMBAI)).toEqual([
        1,
        expect.objectContaining({ message: 'This GSTIN belongs to the seller. A client needs its own.' }),
      ]);
      const plan = ['--plan', 'own', '--until', '2030-01-01'];
      await answer('plan', 'set', 'own');
      const added = ['client', 'add', '--name', 'S', '--email', 's@x.in', '--domain', 's.in', ...plan];
      expect((await refusal(...added, '--gstin', MUMBAI))[1].message).toContain('belongs to the seller');
      await answer('client', 'set', client, '--gstin', BENGALURU);
      expect(await refusal('seller', 'set', '--gstin', BENGALURU)).toEqual([
        1,
        {
          code: 'invalid_value',
          message: `The GSTIN is that of Test store (client ${client}).`,
        },
      ]);
    });

    it('needs a value, and yes or no', async () => {
      expect((await refusal('seller', 'set'))[0]).toBe(2);
      expect((await refusal('seller', 'set', '--receipt-vouchers', 'maybe'))[0]).toBe(2);
    });

    it('is one, although two commands set the first one at once', async () => {
      const both = ['A', 'B'].map((other) => answer('seller', 'set', ...SHARMA, '--name', other));
      await Promise.all(both);
      expect((await test.pool.query('SELECT FROM sellers')).rowCount).toBe(1);
    });

    it('is shown with the number of products and clients whose parcels would be refused', async () => {
      const { clientId } = await test.fixtures.store();
      await answer('client', 'suspend', String((await test.fixtures.store()).clientId));
      await test.fixtures.products([{ sku: 'A' }, { sku: 'B' }, { sku: 'C' }, { sku: 'OFF', active: false }]);
      await answer('product', 'set', 'A', '--hsn', '6109', '--gst-rate', '5');
      await answer('product', 'set', 'B', '--hsn', '6109');
      const lacking = { products_without_tax_data: 2, clients_without_tax_data: 1 };
      expect(await answer('seller', 'show')).toMatchObject(lacking);
      const { stdout } = await run('seller', 'show');
      expect(stdout).toContain('There is no seller, so there are no invoices.');
      expect(stdout).toContain('Active products without rate or long enough HSN code: 2.');
      const large = await runCommandIn(
        { DATABASE_URL: test.database.url, HSN_DIGITS: '6' },
        'seller',
        'show',
      );
      expect(large.stdout).toContain('Active products without rate or long enough HSN code: 3.');
      expect(stdout).toContain('Clients without state or billing address: 1.');
      await answer('client', 'set', String(clientId), '--state', 'Goa', '--billing-address', 'Panaji');
      await answer('product', 'set', 'B', '--gst-rate', '0');
      await answer('product', 'set', 'C', '--hsn', '610910', '--gst-rate', '12');
      await answer('seller', 'set', ...SHARMA);
      expect(await answer('seller', 'show')).toEqual({
        seller: { ...displayed, changed_at: expect.any(String) as string },
        coming: null,
        products_without_tax_data: 0,
        clients_without_tax_data: 0,
      });
      expect((await run('seller', 'show')).stdout).not.toContain('refused');
    });

    it('is out of reach while tax is switched off', async () => {
      const { clientId } = await test.fixtures.store();
      for (const args of [
        ['seller', 'set', ...SHARMA],
        ['seller', 'show'],
        ['client', 'set', String(clientId), '--gstin', ''],
      ]) {
        const { exitCode, stderr } = await runCommandIn(
          { DATABASE_URL: test.database.url, TAX: 'none' },
          ...args,
        );
        expect([exitCode, stderr]).toEqual([
          1,
          expect.stringContaining('Tax is turned off for this service.') as string,
        ]);
      }
    });
  });

  describe('of a client', () => {
    let client: string;
    beforeEach(async () => void (client = String((await test.fixtures.store()).clientId)));
    const set = (...args: string[]) => answer('client', 'set', client, ...args);

    it('is its GSTIN, its state and its billing address', async () => {
      expect((await run('client', 'show', client)).stdout).not.toContain('GSTIN');
      const billing = { gstin: BENGALURU, state: '29', billing_address: '4, Residency Road, Bengaluru' };
      const address = ['--billing-address', billing.billing_address];
      expect(await set('--gstin', BENGALURU.toLowerCase(), ...address)).toMatchObject(billing);
      expect(await answer('client', 'show', client)).toMatchObject(billing);
      expect((await run('client', 'show', client)).stdout).toContain(
        `GSTIN: ${BENGALURU}\nGST category: Ordinary\nState for GST: Karnataka (29)\n` +
          'Billing address: 4, Residency Road, Bengaluru\n',
      );
      expect((await audited('client.changed'))[0]).toEqual({
        ...billing,
        gstin_before: null,
        state_before: null,
        billing_address_before: null,
      });
    });

    it('has a GST category that fits its GSTIN', async () => {
      const uin = '0717UNO00157UNO';
      expect(await set('--gst-category', 'SEZ', '--gstin', MUMBAI)).toMatchObject({ gst_category: 'sez' });
      expect((await run('client', 'show', client)).stdout).toContain(
        'GST category: Unit or developer of a special economic zone\n',
      );
      expect((await audited('client.changed'))[0]).toMatchObject({
        gst_category: 'sez',
        gst_category_before: null,
      });
      const refused = async (...args: string[]) => (await refusal('client', 'set', client, ...args))[1];
      for (const args of [
        ['--gstin', ''],
        ['--gstin', uin],
      ])
        expect(await refused(...args)).toMatchObject({
          code: 'invalid_value',
          message: expect.stringContaining('needs its ordinary GSTIN') as string,
        });
      expect(await refused('--gst-category', 'overseas')).toMatchObject({
        message: expect.stringContaining('Invoices of exports are not supported.') as string,
      });
      expect(await refused('--gst-category', 'toString')).toMatchObject({ code: 'invalid_value' });
      expect(await set('--gst-category', 'uin', '--gstin', uin)).toMatchObject({ gstin: uin, state: '07' });
      expect(await set('--gst-category', '', '--gstin', '')).toMatchObject({
        gst_category: null,
        state: '07',
      });
    });

    it('changes its state with its GSTIN, and keeps it without', async () => {
      await set('--state', '7');
      expect(await set('--gstin', MUMBAI)).toMatchObject({ gstin: MUMBAI, state: '27' });
      expect(await set('--state', '')).toMatchObject({ state: '27' });
      expect(await set('--name', 'Another')).toMatchObject({ gstin: MUMBAI, state: '27' });
      expect(await set('--gstin', '')).toMatchObject({ gstin: null, state: '27' });
      expect(await set('--state', 'goa')).toMatchObject({ state: '30' });
      expect(await set('--state', '')).toMatchObject({ gstin: null, state: null });
    });

    it.each([
      [['--gstin', MUMBAI, '--state', 'Goa'], 'The GSTIN belongs to Maharashtra (27), not to Goa (30).'],
      [['--gstin', '27AAPFU0939F1Z'], 'The GSTIN must have 15 characters like 27AAPFU0939F1ZV.'],
      [['--state', 'Karnatka'], 'Did you mean Karnataka (29)?'],
      [['--billing-address', 'x'.repeat(301)], 'The billing address must have at most 300 characters.'],
    ])('is refused with %j', async (args, message) => {
      expect(await refusal('client', 'set', client, ...args)).toEqual([
        1,
        { code: 'invalid_value', message: expect.stringContaining(message) as string },
      ]);
      expect(await answer('client', 'show', client)).toMatchObject({ gstin: null, billing_address: null });
    });
  });

  describe('of products', () => {
    beforeEach(() => test.fixtures.products([{ sku: 'MUG' }, { sku: 'TEA' }]));

    const imported = async (csv: string) => {
      const { stdout } = await runCommandOn(csv, test.database.url, 'catalog', 'import', '-', '--json');
      return JSON.parse(stdout) as Record<'created' | 'updated' | 'unchanged', number> & { failed: object[] };
    };
    const taxOf = async (sku: string) => {
      const requested = ['product', 'set', sku, '--shelf', ''];
      const { product } = await answer<{ product: Record<string, string> }>(...requested);
      return [product['hsn'], product['gst_rate'], product['unit']];
    };

    it('comes with the catalog file, goes out with it, and is kept by files without it', async () => {
      const heading = 'sku,hsn,gst_rate,unit';
      expect(await imported(`${heading}\nMUG,691110,18,nos\nTEA,09024010,1.50%,Kgs\n`)).toMatchObject({
        updated: 2,
        failed: [],
      });
      expect(await taxOf('MUG')).toEqual(['691110', '18', 'NOS']);
      expect(await taxOf('TEA')).toEqual(['09024010', '1.5', 'KGS']);
      await imported('sku,name\nMUG,Large mug\n');
      expect(await taxOf('MUG')).toEqual(['691110', '18', 'NOS']);
      const repeated = await imported((await run('catalog', 'export')).stdout);
      expect(repeated).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: [] });
    });

    it('is removed by an empty cell, and 0 is a rate', async () => {
      await imported('sku,hsn,gst_rate,unit\nMUG,691110,18,NOS\nTEA,0902,0,KGS\n');
      expect(await taxOf('TEA')).toEqual(['0902', '0', 'KGS']);
      expect(await imported('sku,hsn,gst_rate,unit\nMUG,,,\nTEA,0902,0,KGS\n')).toMatchObject({
        updated: 1,
        unchanged: 1,
      });
      expect(await taxOf('MUG')).toEqual(['', '', '']);
      expect((await test.pool.query(`SELECT gst_rate FROM products WHERE sku = 'MUG'`)).rows).toEqual([
        { gst_rate: null },
      ]);
    });

    it('is in the audit log after each change, with its author, by hand too', async () => {
      const notice = async () => {
        const { rows } = await test.pool.query(
          `SELECT actor, subject, details FROM audit_log
            WHERE action = 'product.changed' AND details ?| '{hsn,gst_rate,unit}' ORDER BY id`,
        );
        return rows.slice(-2);
      };
      await imported('sku,hsn,gst_rate,unit,shelf\nMUG,691110,18,NOS,A\n');
      await answer('product', 'set', 'MUG', '--shelf', 'B');
      await answer('product', 'set', 'MUG', '--gst-rate', '5', '--by', 'asha');
      const rate = { gst_rate: 5, gst_rate_before: 18 };
      expect(await notice()).toMatchObject([
        { subject: 'product MUG', details: { hsn: '691110', hsn_before: '', unit: 'NOS', gst_rate: 18 } },
        { actor: 'asha', subject: 'product MUG', details: rate },
      ]);
      await test.fixtures.sql(`UPDATE products SET unit = 'PCS' WHERE sku = 'MUG'`);
      expect((await notice())[1]).toMatchObject({
        actor: expect.stringMatching(/^sql:/) as string,
        details: { unit: 'PCS', unit_before: 'NOS' },
      });
    });

    it.each([
      ['hsn', '902', `${NO_HSN}. Spreadsheets drop the leading zero`],
      ['gst_rate', '13.37', 'must be empty or a rate of GST: 0, 0.1, 0.25, 1.5, 3, 5, 12, 18, 28, 40'],
      ['unit', 'pieces', 'must be empty or a unit quantity code of GST: for PIECES it is PCS'],
    ])('is refused in %s as %j', async (column, cell, message) => {
      const { failed } = await imported(`sku,${column}\nMUG,${cell}\n`);
      expect(failed).toMatchObject([
        { line: 2, column, message: expect.stringContaining(message) as string },
      ]);
      expect(await taxOf('MUG')).toEqual(['', '', '']);
    });
  });

  afterAll(endEverything);
});

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

  afterAll(endEverything);
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
    const ledgersFile = () => readFile(path.join(folder, '1-ledgers.xml'), 'utf8');
    expect(await ledgersFile()).toContain(`<LEDGER NAME="Anaya (${store.clientId})"`);
    expect(await ledgersFile()).toContain('<LEDGER NAME="Wallet corrections"');
    expect(vouchers).toContain('<GSTHSNNAME>6912</GSTHSNNAME>');
    expect(vouchers).toContain('<CMPGSTIN>');
    // A ledger with a name of its own stands in Tally already.
    await test.fixtures.rewrite(`UPDATE house SET ledger_names = 'adjustments: Rounding'`);
    await run('report', 'vouchers', '--month', '2026-11', '--output', folder);
    expect(await readFile(path.join(folder, '2-vouchers.xml'), 'utf8')).toContain(
      '<LEDGERNAME>Rounding</LEDGERNAME>',
    );
    expect(await ledgersFile()).not.toMatch(/Rounding|Wallet corrections/);
    await run('report', 'vouchers', '--month', '2026-12', '--output', folder);
    const notes = await readFile(path.join(folder, '2-vouchers.xml'), 'utf8');
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
    const answer = async (...args: string[]) =>
      JSON.parse((await run('--json', 'report', ...args)).stdout) as unknown[];
    expect(await answer('register', '--from', '2026-11-01', '--to', '2026-12-01')).toMatchObject([
      {
        date: '2026-11-30',
        kind: 'invoice',
        party: 'Anaya',
        gstin: '',
        place_of_supply: 'Karnataka (29)',
        taxable: '16.94',
        cgst: '1.53',
        sgst: '1.53',
        igst: '0.00',
        total: '20.00',
        against: '',
      },
      {
        date: '2026-12-01',
        kind: 'credit_note',
        taxable: '-8.48',
        total: '-10.00',
        against: expect.stringMatching(/^INV-/) as string,
      },
    ]);
    const [store] = clients;
    const period = ['--from', '2026-11-01', '--to', '2026-12-31'];
    const details = (await answer('ledger', 'Anaya', ...period)) as { details: string; balance: string }[];
    expect(
      details.map(({ details: what, balance }) => [what.replaceAll(/(WO|INV)-[^,]+/g, '$1'), balance]),
    ).toEqual([
      ['Opening balance', '0.00'],
      ['Opening', '-500.00'],
      ['Order WO', '-480.00'],
      ['Order WO, INV', '-490.00'],
      ['Opening', '-290.00'],
      ['cash', '-310.00'],
      ['Closing balance', '-310.00'],
    ]);
    for (const [name, ...args] of [['ledger', String(store!.id)], ['register']] as const)
      for (const kind of ['csv', 'pdf']) {
        const file = path.join(directory, `${name}.${kind}`);
        expect(await run('report', name, ...args, ...period, '--output', file)).toMatchObject({
          exitCode: 0,
        });
        expect((await readFile(file, 'latin1')).slice(0, 5)).toBe(kind === 'pdf' ? '%PDF-' : 'date,');
      }
    const reversed = await run('report', 'register', '--from', '2026-12-01', '--to', '2026-11-30');
    expect(reversed).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('later than the last one') as string,
    });
  });
});

const byNumber = (a: { number: string | undefined }, b: { number: string | undefined }) =>
  String(a.number).localeCompare(String(b.number));
