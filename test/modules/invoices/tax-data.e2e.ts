import { type AdminApi, adminApi, dataOf } from '../../support/admin-api.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const MUMBAI = '27AAPFU0939F1ZV';
const BENGALURU = '29AAGCB7383J1Z4';

describe('The data that the tax law asks for', () => {
  const test = setUpTestApp();
  let admin: AdminApi;
  beforeAll(async () => void (admin = await adminApi(test)));
  beforeEach(async () => {
    await test.fixtures.clear();
    await test.fixtures.sql('DELETE FROM sellers');
  });

  const refusal = async (path: string, body: object) => {
    const answer = await admin[path === 'seller' ? 'put' : 'patch'](path, body).expect(422);
    return JSON.stringify(answer.body);
  };
  const audited = (action: string) => test.audited('actor, details', `action = '${action}'`);

  describe('of the seller', () => {
    const seller = { name: 'Sharma Wholesale', gstin: MUMBAI, address: '1 MG Road, Pune' };
    const stored = { ...seller, state: '27', receipt_vouchers: false, since: '2017-07-01' };
    const set = (body: object) => dataOf(admin.put('seller', body));

    it('is set once as a whole, then value by value, and each change is in the audit log', async () => {
      const before = (await audited('seller.changed')).length;
      for (const gstin of ['27 aapfu0939f1zv', MUMBAI])
        expect(await set({ ...seller, gstin })).toEqual(stored);
      const changed = { ...stored, address: '2 MG Road', receipt_vouchers: true };
      expect(await set({ address: '2 MG Road', receipt_vouchers: true })).toEqual(changed);
      expect((await dataOf(admin.get('seller'))).seller).toMatchObject(changed);
      const [was, is] = [{ address_before: '1 MG Road, Pune' }, { address: '2 MG Road' }];
      const vouchers = { receipt_vouchers: true, receipt_vouchers_before: false };
      expect((await audited('seller.changed')).slice(before)).toMatchObject([
        { details: { name: 'Sharma Wholesale', gstin: MUMBAI, state: '27' } },
        { details: { ...was, ...is, ...vouchers }, actor: `key ${admin.keyId} (ERP of admin)` },
      ]);
    });

    it('moves to another state with its GSTIN, and only so', async () => {
      await set({ ...seller, state: 'Maharashtra' });
      expect(await refusal('seller', { state: 'Karnataka' })).toContain('belongs to Maharashtra (27)');
      expect(await set({ gstin: BENGALURU })).toMatchObject({ state: '29' });
    });

    it.each([
      [{ name: 'S' }, 'There is no seller yet'],
      [{ ...seller, gstin: '27AAPFU0939F1ZW' }, 'its last character does not fit'],
      [{ ...seller, address: ' ' }, 'There is no seller yet'],
    ])('is not set by %j', async (body, message) => {
      expect(await refusal('seller', body)).toContain(message);
      expect(await dataOf(admin.get('seller'))).toMatchObject({ seller: null });
    });

    it('is one, although two requests set the first one at once', async () => {
      await Promise.all(['A', 'B'].map((name) => set({ ...seller, name })));
      expect((await test.pool.query('SELECT FROM sellers')).rowCount).toBe(1);
    });

    it('is shown with the number of products and clients whose parcels would be refused', async () => {
      const [{ clientId }, suspended] = [await test.fixtures.store(), await test.fixtures.store()];
      await admin.post(`clients/${suspended.clientId}/suspend`).expect(200);
      await test.fixtures.products([{ sku: 'A' }, { sku: 'B' }, { sku: 'C' }, { sku: 'OFF', active: false }]);
      await admin.put('products/A', { hsn: '6109', gst_rate: 5 }).expect(200);
      await test.fixtures.sql(`UPDATE products SET hsn = '6109' WHERE sku = 'B'`);
      const lacking = async (api = admin) => {
        const data = await dataOf(api.get('seller'));
        return [data.products_without_tax_data, data.clients_without_tax_data];
      };
      expect(await lacking()).toEqual([2, 1]);
      const large = await startTestApp({ hsnDigits: 6 }, test.database);
      expect(await lacking(await adminApi(large))).toEqual([3, 1]);
      await large.close();
      await admin.patch(`clients/${clientId}`, { state: 'Goa', billing_address: 'Panaji' }).expect(200);
      await admin.put('products/B', { gst_rate: 0 }).expect(200);
      await admin.put('products/C', { hsn: '610910', gst_rate: 12 }).expect(200);
      expect(await lacking()).toEqual([0, 0]);
    });

    it('is out of reach while tax is switched off', async () => {
      const { clientId } = await test.fixtures.store();
      const other = await startTestApp({ tax: 'none' }, test.database);
      const api = await adminApi(other);
      const client = api.patch(`clients/${clientId}`, { gstin: MUMBAI });
      for (const sent of [api.put('seller', seller), api.get('seller'), client])
        expect(JSON.stringify((await sent).body)).toContain('Tax is turned off for this service.');
      await other.close();
    });
  });

  describe('of a client', () => {
    let path: string;
    beforeEach(async () => void (path = `clients/${(await test.fixtures.store()).clientId}`));
    const set = (body: object) => dataOf(admin.patch(path, body));

    it('is its GSTIN, its state and its billing address, which the audit log has', async () => {
      const billing = { gstin: BENGALURU, state: '29', billing_address: '4, Residency Road' };
      expect(await set({ ...billing, gstin: BENGALURU.toLowerCase(), state: '' })).toMatchObject(billing);
      expect(await dataOf(admin.get(path))).toMatchObject(billing);
      const none = { gstin_before: null, state_before: null, billing_address_before: null };
      expect((await audited('client.changed')).at(-1)!.details).toEqual({ ...billing, ...none });
      expect(await refusal('seller', { name: 'S', gstin: BENGALURU, address: 'A' })).toContain('is that of');
      for (const [wrong, message] of [
        [{ gstin: MUMBAI, state: 'Goa' }, 'belongs to Maharashtra (27), not to Goa (30)'],
        [{ state: 'Karnatka' }, 'Did you mean Karnataka (29)?'],
        [{ billing_address: 'x'.repeat(301) }, 'at most 300 characters'],
      ] as const)
        expect(await refusal(path, wrong)).toContain(message);
    });

    it('has a GST category that fits its GSTIN', async () => {
      const uin = '0717UNO00157UNO';
      expect(await set({ gst_category: 'SEZ', gstin: MUMBAI })).toMatchObject({ gst_category: 'sez' });
      for (const gstin of ['', uin])
        expect(await refusal(path, { gstin })).toContain('needs its ordinary GSTIN');
      for (const gst_category of ['overseas', 'toString']) await refusal(path, { gst_category });
      const embassy = { gst_category: 'uin', gstin: uin };
      expect(await set(embassy)).toMatchObject({ ...embassy, state: '07' });
      const none = { gst_category: '', gstin: '' };
      expect(await set(none)).toMatchObject({ gst_category: null, gstin: null, state: '07' });
    });

    it('changes its state with its GSTIN, and keeps it without', async () => {
      for (const [body, gstin, state] of [
        [{ state: '7' }, null, '07'],
        [{ gstin: MUMBAI }, MUMBAI, '27'],
        [{ state: '' }, MUMBAI, '27'],
        [{ name: 'Another' }, MUMBAI, '27'],
        [{ gstin: '' }, null, '27'],
        [{ state: 'goa' }, null, '30'],
        [{ state: '' }, null, null],
      ] as const)
        expect(await set(body)).toMatchObject({ gstin, state });
    });
  });

  describe('of products', () => {
    beforeEach(() => test.fixtures.products([{ sku: 'MUG' }, { sku: 'TEA' }]));
    const imported = (csv: string) =>
      dataOf(admin.post('imports/catalog').set('Content-Type', 'text/csv').send(csv));
    const stored = async () =>
      (
        await test.pool.query<{ text: string }>(
          `SELECT concat_ws(' ', sku, hsn, coalesce(gst_rate::float8::text, '-'), unit) AS text
             FROM products ORDER BY id`,
        )
      ).rows.map(({ text }) => text);

    it('comes with the catalog file, goes out with it, is kept by files without it, and is removed', async () => {
      const file = 'sku,hsn,gst_rate,unit\nMUG,691110,18,nos\nTEA,09024010,1.50%,Kgs\n';
      expect(await imported(file)).toMatchObject({ updated: 2, failed: [] });
      await imported('sku,name\nMUG,Large mug\n');
      expect(await stored()).toEqual(['MUG 691110 18 NOS', 'TEA 09024010 1.5 KGS']);
      const { text } = await admin.get('exports/catalog').expect(200);
      expect(await imported(text)).toMatchObject({ updated: 0, unchanged: 2, failed: [] });
      await imported('sku,hsn,gst_rate,unit\nMUG,,,\nTEA,0902,0,KGS\n');
      expect(await stored()).toEqual(['MUG  - ', 'TEA 0902 0 KGS']);
      const { failed } = await imported('sku,hsn,gst_rate,unit\nMUG,902,13.37,pieces\n');
      expect(failed).toMatchObject([{ column: 'hsn' }, { column: 'gst_rate' }, { column: 'unit' }]);
    });

    it('is in the audit log after each change, with its author, by hand too', async () => {
      const actor = `key ${admin.keyId} (ERP of admin)`;
      const entries = async () =>
        (await test.audited('actor, subject, details', `action = 'product.changed'`)).slice(-2);
      await imported('sku,hsn,gst_rate,unit,shelf\nMUG,691110,18,NOS,A\n');
      await admin.put('products/MUG', { gst_rate: 5 }).expect(200);
      expect(await entries()).toMatchObject([
        { subject: 'product MUG', details: { hsn: '691110', hsn_before: '', unit: 'NOS', gst_rate: 18 } },
        { actor, subject: 'product MUG', details: { gst_rate: 5, gst_rate_before: 18 } },
      ]);
      await test.fixtures.sql(`UPDATE products SET unit = 'PCS' WHERE sku = 'MUG'`);
      const [, byHand] = await entries();
      expect(byHand).toMatchObject({ details: { unit: 'PCS', unit_before: 'NOS' } });
      expect(byHand!.actor).toMatch(/^sql:/);
    });
  });
});
