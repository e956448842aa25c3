import { answerOf, runCommand, runCommandIn, runCommandOn } from '../support/run-command.js';
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
      expect(stdout).toContain('Active products without HSN code or rate: 2.');
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
        `GSTIN: ${BENGALURU}\nState for GST: Karnataka (29)\nBilling address: 4, Residency Road, Bengaluru\n`,
      );
      expect((await audited('client.changed'))[0]).toEqual({
        ...billing,
        gstin_before: null,
        state_before: null,
        billing_address_before: null,
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
});
