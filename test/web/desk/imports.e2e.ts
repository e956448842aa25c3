import { readdir } from 'node:fs/promises';
import { hostname as nameOfHost, tmpdir } from 'node:os';
import { actorOf } from '../../../src/modules/audit/actor-of.js';
import { StockAdministration } from '../../../src/modules/stock/stock-administration.service.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { IMPORTS, setUpImports } from '../../support/desk-imports.js';
import type { Store } from '../../support/fixtures.js';
import { placeAndMove } from '../../support/order-steps.js';
import { formFields, headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { type FormValues, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';
import { workbook } from '../../support/xlsx.js';

describe('Imports at the desk', () => {
  const test = setUpTestApp();
  const { staff, admin, send, settled, upload, apply, prices } = setUpImports(test);

  const paid = async (store: Store, sku = 'CUP', quantity = 1) => {
    return placeAndMove(test, store, [{ sku, quantity }], 'pay');
  };

  it('shows what a file would change, and changes it only when it is applied', async () => {
    const content =
      'sku,name,base_price,delivery_charge\nMUG,Mug,240,0\nCUP,Cup,100,0\nPAN,Pan,90,10\nPOT,,x,10\n';
    const { path, html } = await upload({ content, name: 'june.csv' });
    expect(headline(html)).toBe('2 rows would be written, 1 row refused');
    const message = readable(html);
    expect(message).toContain('New 1 Changed 1 Unchanged 1 Refused');
    expect(message).toMatch(/Row 5 Base price .*"x"/);
    expect(message).toMatch(/2 MUG Changed Base price: ₹230\.00 → ₹240\.00/);
    expect(message).toMatch(/4 PAN New .*Name: Pan/);
    expect(await prices()).toEqual({ CUP: '100.00', MUG: '230.00' });

    const refused = await staff.get(linkOf(html, 'Download refused rows'));
    expect(refused.headers['content-disposition']).toContain('attachment');
    expect(refused.text).toMatch(/^sku,name,base_price,delivery_charge,reason\r\nPOT,,x,10,.*base_price/);
    const changes = await staff.get(linkOf(html, 'Download all'));
    expect(changes.text).toContain('2,MUG,base_price,230.00,240.00\r\n');

    const applied = await apply(path);
    expect(headline(applied.html)).toBe('2 rows written, 1 row refused');
    expect(await prices()).toEqual({ CUP: '100.00', MUG: '240.00', PAN: '90.00' });
    // The form again, after "Back": nothing happens twice.
    expect((await staff.post(`${path}/apply`, { checks: '1' })).status).toBe(303);

    const [first] = rows((await staff.get(IMPORTS)).text);
    expect(first).toMatch(
      /^june\.csv Catalog .*@wholesale\.example\.com 1 new, 1 changed, 1 unchanged, 1 refused Applied/,
    );
    // The list has no rows of the files.
    const [run] = await test.app.get(ImportRuns).history({}, 1);
    expect(run!.result).toBeUndefined();
    expect(run).toHaveProperty('counts', { created: 1, updated: 1, unchanged: 1, refused: 1, warned: 0 });
    const { rows: actors } = await test.pool.query(`SELECT actor FROM changes WHERE name = 'MUG'`);
    expect(actors).toEqual([{ actor: `person ${staff.person.id} (${staff.person.email})` }]);
  });

  it('reads workbooks, and counts of the stock', async () => {
    const content = workbook([
      ['sku', 'quantity', 'variation'],
      ['CUP', '9', ''],
    ]);
    const { path, html } = await upload({ kind: 'stock', name: 'count.xlsx', content });
    expect(readable(html)).toMatch(/CUP Changed On hand: 7 → 9/);
    await apply(path);
    const { rows: moved } = await test.pool.query('SELECT delta, reason, actor FROM stock_movements');
    expect(moved).toEqual([
      { delta: 2, reason: 'count', actor: expect.stringContaining('person') as string },
    ]);
    // Nothing stays on the disk.
    expect(
      (await readdir(tmpdir())).filter((name) => name.startsWith(`import-${nameOfHost()}-${process.pid}-`)),
    ).toEqual([]);
  });

  it('reads amounts and answers as people write them, and tells options and misspelt columns in words', async () => {
    const cells = ['NEW-1,One,"₹ 1,240.00",10,Y', 'NEW-2,Two,Rs. 499/-,240.50 INR,n', 'CUP,Cup,900,0,yes'];
    const heading = 'sku,name,base_price,delivery_charge,active';
    const { path, html } = await upload({ content: [heading, ...cells].join('\n') });
    const message = readable(html);
    expect(message).toContain('Base price: ₹1,240.00');
    expect(message).toContain('Base price: ₹499.00 Delivery charge: ₹240.50');
    expect(message).toContain('if it is correct, choose “Accept unusual values”');
    expect(html).not.toContain('--');
    expect((await staff.get(`${path}/refused.csv`)).text).toContain('choose “Accept unusual values”');
    const { html: misspelt } = await upload({ content: 'sku,name,Prise,delivery_charge\nCUP,Cup,90,0\n' });
    expect(readable(misspelt)).toContain('There is no column "Prise": did you mean Base price?');
  });

  it('warns of products without a GST rate where other products have rates', async () => {
    const content =
      'sku,name,base_price,delivery_charge,hsn,gst_rate\nR-1,One,10,0,6912,18\nR-2,Two,10,0,,\n';
    const message = readable((await upload({ content })).html);
    expect(message).toContain('Warnings (1)');
    expect(message).toMatch(/Row 3 GST rate in percent is missing: no order with this product/);
    expect(message).toContain('Prices are read with GST included, here of products with tax: 1.');
    const rates = 'sku,gst_rate\nR-1,0\n';
    expect(readable((await upload({ content: rates })).html)).not.toContain('GST included');
  });

  it('says what other GST rates leave of the prices, before they count', async () => {
    await test.fixtures.products([
      { sku: 'ROW-NET', basePrice: '126.00', gstRate: '5' },
      { sku: 'ROW-NEW-NET', basePrice: '126.00' },
    ]);
    const lines = 'ROW-NET,18\nROW-NEW-NET,18\n';
    const left =
      /ROW-NET Changed GST rate in percent: 5(\.00)? → 18(\.00)? Price without GST: ₹120\.00 → ₹106\.78 /;
    const now = readable((await upload({ content: `sku,gst_rate\n${lines}` })).html);
    expect(now).toMatch(left);
    expect(now.match(/Price without GST/g)).toHaveLength(1);
    const { path, html } = await upload({ kind: 'rates', content: `sku,gst_rate\n${lines}` });
    await staff.post(`${path}/check`, { ...formFields(html), from: '2032-04-01' }).expect(303);
    await settled();
    const later = readable((await staff.get(path)).text);
    expect(later).toMatch(left);
    expect(later).toContain('Prices include GST and stay, also those of plans.');
    await test.pool.query(`UPDATE products SET gst_rate = NULL WHERE sku LIKE 'ROW-%NET'`);
  });

  it('takes options into account in the next check', async () => {
    const { path, html } = await upload({ content: 'sku,base_price\nCUP,900\n' });
    expect(headline(html)).toBe('The file changes nothing, 1 row refused');
    expect(html).not.toContain('>Apply');
    expect(readable(html)).toContain('Large changes of prices');
    expect(html).not.toContain('racking number');
    const odd = await staff.post(`${path}/check`, { options: ['force'], maxChange: 'much' });
    expect(odd.status).toBe(422);
    expect(readable(odd.text)).toContain('Must be a plain number');
    expect((await staff.post(`${path}/check`, { options: ['force'], maxChange: '50' })).status).toBe(303);
    await settled();
    const checked = (await staff.get(path)).text;
    expect(headline(checked)).toBe('1 row would be written');
    // Nothing is left of the check before.
    await staff.get(`${path}/refused.csv`).expect(404);
    // Other options than those of the check: nothing is applied, not even what the check allowed.
    const sent = formFields(checked);
    const others: FormValues[] = [{ options: ['force', 'updateOnly'] }, { maxChange: '60' }, { options: [] }];
    for (const other of others) {
      await staff
        .post(`${path}/apply`, { ...formFields((await staff.get(path)).text), ...other })
        .expect(303);
      await settled();
      expect((await prices()).CUP).toBe('100.00');
    }
    const wrong = await staff.post(`${path}/apply`, { ...sent, maxChange: 'much' });
    expect([wrong.status, wrong.text.includes('/apply"')]).toEqual([422, false]);
  });

  it('has the times of its form: of a count, and of the start and the end of prices', async () => {
    await test.fixtures.product({ sku: 'JAR', stock: 7 });
    await test.app
      .get(StockAdministration, { strict: false })
      .receive({ sku: 'JAR', quantity: 3, actor: 'test' });
    const counts = async (id: number) => (await test.app.get(ImportRuns).find(id)).counts;
    const { path: count, id } = await upload({ kind: 'stock', content: 'sku,variation,quantity\nJAR,,7\n' });
    expect(await counts(id)).toMatchObject({ updated: 1, unchanged: 0 });
    const countedAt = new Date(Date.now() - 3_600_000).toISOString();
    await staff.post(`${count}/check`, { countedAt });
    await settled();
    expect(await counts(id)).toMatchObject({ updated: 0, unchanged: 1 });

    expect(readable((await staff.get('/desk/goods/prices').expect(200)).text)).toContain(
      'change many under Products, or import prices or GST rates: you choose their first day after the upload.',
    );
    const { path, html } = await upload({
      kind: 'prices',
      content: 'plan,sku,wholesale_price\nGOLD,JAR,70\n',
    });
    const dates = { from: ['2090-01-01'], to: ['2090-01-31'] };
    // Without scripts a person may press "Apply" beside dates that were not checked.
    await staff.post(`${path}/apply`, { ...formFields(html), ...dates }).expect(303);
    await settled();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('1 price from 1 Jan 2090 to 31 Jan 2090 would be written');
    expect(text).toContain('Apply 1 price from 1 Jan 2090 to 31 Jan 2090<');
    expect(formFields(text)).toMatchObject(dates);
    expect(headline((await apply(path)).html)).toBe('1 price from 1 Jan 2090 to 31 Jan 2090 written');
    const { rows: scheduled } = await test.pool.query('SELECT from_at, to_at FROM price_schedules');
    expect(scheduled).toEqual([
      { from_at: new Date('2090-01-01T00:00+05:30'), to_at: new Date('2090-02-01T00:00+05:30') },
    ]);
    expect((await test.pool.query('SELECT FROM plan_prices')).rowCount).toBe(0);
  });

  it('writes no row that differs from what the person saw', async () => {
    const { path } = await upload({
      kind: 'prices',
      content: 'plan,sku,wholesale_price\nGOLD,MUG,200\nGOLD,CUP,80\n',
    });
    await test.pool.query(
      `INSERT INTO plan_prices (plan_id, product_id, price)
       SELECT plans.id, products.id, 150 FROM plans, products WHERE code = 'GOLD' AND sku = 'MUG'`,
    );
    const { html } = await apply(path);
    expect(headline(html)).toBe('1 price written, 1 row refused');
    expect(readable(html)).toContain('Row 2 is not as in the check any more: check the file again');
    const { rows: fixed } = await test.pool.query('SELECT price FROM plan_prices ORDER BY price');
    expect(fixed).toEqual([{ price: '80.00' }, { price: '150.00' }]);
  });

  it('writes no parcel that differs from what the person saw', async () => {
    const desk = orderDesk(test.app);
    const store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'LID', stock: 100 });
    const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
    const ship = (number: string, trackingNumber: string) =>
      desk.ship(number, 'test', { ...box, trackingNumber }, ['1=1']);
    const order = async (...shipped: string[]) => {
      const number = await paid(store, 'LID', 3);
      for (const tracking of shipped) await ship(number, tracking);
      return number;
    };
    const applied = async (kind: string, lines: string[], change: () => Promise<unknown>) => {
      const { path, html } = await upload({ kind, content: lines.join('\n') });
      await change();
      return { shown: readable(html), message: headline((await apply(path)).html) };
    };

    const [first, second] = [await order('A1', 'A2'), await order('B1')];
    const heading = 'order_number,courier,tracking_number';
    const corrections = [`${first},BlueDart,`, `${second},Delhivery,B2`];
    const corrected = await applied('corrections', [heading, ...corrections], () =>
      desk.correct(first, 'test', { courier: 'DTDC' }),
    );
    expect(corrected.shown).toContain(`${first}, parcel 2 Changed Courier: Delhivery → BlueDart`);
    expect(corrected.shown).toContain(`${second}, parcel 1 Changed Tracking number: B1 → B2`);
    expect(corrected.message).toBe('1 row written, 1 row refused');
    expect((await desk.show(first)).parcels.map(({ courier }) => courier)).toEqual(['Delhivery', 'DTDC']);

    const delivered = await applied('deliveries', ['order_number', first, second], () => ship(first, 'A3'));
    expect(delivered.shown).toContain(`${first} New Parcel: 1 Delhivery A1 Parcel: 2 DTDC A2`);
    expect(delivered.message).toBe('1 row written, 1 row refused');

    const shipped = await applied('shipments', [heading, `${await order()},X,C1`, `${second},X,B3`], () =>
      ship(second, 'B4'),
    );
    expect(shipped.shown).toContain('Tracking number: C1 Lines: all that is left (3 of line 1)');
    expect(shipped.shown).toContain('Tracking number: B3 Lines: all that is left (2 of line 1)');
    expect(shipped.shown).toContain('Parcels 2 Unchanged 0 Refused 0');
    expect(shipped.message).toBe('1 row written, 1 row refused');
    const [newest] = rows((await staff.get(IMPORTS)).text);
    expect(newest).toContain(' 1 new, 0 unchanged, 1 refused Applied');
  });

  it('reads the statuses of a courier, and lists what needs a person', async () => {
    const desk = orderDesk(test.app);
    const store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'TIN', stock: 100 });
    const shipped = async (trackingNumber: string) => {
      const number = await paid(store, 'TIN');
      const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
      await desk.ship(number, 'test', { ...box, trackingNumber });
      return number;
    };
    const [arrived, onItsWay, returning] = [await shipped('CR1'), await shipped('CR2'), await shipped('CR3')];
    const content = 'AWB,Status,Weight\nCR1,Delivered,1\nCR2,In Transit,1\nCR3,RTO Initiated,1\nCR3,Odd,1\n';
    const { path, html } = await upload({ kind: 'deliveries', content });
    expect(headline(html)).toBe('2 rows would be written, 1 row refused');
    const text = readable(html);
    expect(text).toContain(
      'The courier reports: 1 delivered, 1 on the way (skipped), 1 RTO, which need a person.',
    );
    expect(text).toContain(`needs a person: parcel 1 of ${returning}, Delhivery CR3, comes back (RTO)`);
    expect(text).toContain('is not a known status: write Delivered, In transit, RTO, RTO delivered or Lost');
    await apply(path);
    const statuses = [arrived, onItsWay, returning].map(async (number) => (await desk.show(number)).status);
    expect(await Promise.all(statuses)).toEqual(['delivered', 'shipped', 'shipped']);
    const packer = await signInAtDesk(test, 'packer');
    const today = (await packer.get('/desk').expect(200)).text;
    expect(readable(today)).toContain('RTO and lost parcels');
    expect(linkOf(today, returning)).toBe(`/desk/orders/${returning}`);
    const order = (await packer.get(`/desk/orders/${returning}`).expect(200)).text;
    expect(readable(order)).toContain('The courier reports RTO, on its way back');
    expect(headline(order)).toBe(`${returning} is on its way back`);
    expect(order).toContain(`/desk/orders/${returning}/deliver"`);
    const back = await upload({ kind: 'deliveries', content: 'AWB,Status\nCR3,RTO Delivered\n' });
    await apply(back.path);
    const { text: displayed } = await packer.get(`/desk/orders/${returning}`).expect(200);
    expect(headline(displayed)).toBe(`${returning} came back`);
    expect(readable(displayed)).toContain('Items Came back');
    // Only by its number: the courier may be wrong.
    expect(displayed.match(/\/deliver\b[^"]*/g)).toEqual(['/deliver?parcel=1']);
  });

  it('tells the second person that another check was made or applied', async () => {
    const { path, html } = await upload({ content: 'sku,base_price\nCUP,101\n' });
    const { checks } = hiddenFields(html);
    await admin.post(`${path}/check`, { options: 'force', maxChange: '50' });
    await settled();
    const late = await staff.post(`${path}/apply`, { checks: checks! });
    expect(late.status).toBe(409);
    expect(readable(late.text)).toContain(
      'Another person checked, applied or deleted this file in the meantime',
    );
    expect((await prices()).CUP).toBe('100.00');
    await apply(path, admin);
    const { rows: log } = await test.pool.query('SELECT actor FROM changes ORDER BY id DESC LIMIT 1');
    expect(log).toEqual([{ actor: actorOf(admin.person) }]);
    expect((await staff.post(`${path}/apply`, { checks: '2' })).status).toBe(409);
    expect((await staff.post(`${path}/check`)).status).toBe(409);
    expect((await prices()).CUP).toBe('101.00');
  });

  it('shows files that failed when they were applied on the page of today, until a later one is applied', async () => {
    const { path, id } = await upload({ name: 'bad.csv', content: 'sku,shelf\nMUG,A-9\n' });
    await upload({ name: 'attempt.csv', content: 'article\n1\n' });
    await test.pool.query(`UPDATE import_runs SET state = 'failed', applied_by = 'test' WHERE id = $1`, [id]);
    const today = async () => (await staff.get('/desk')).text;
    expect(await today()).toContain(`<a href="${path}">bad.csv</a>`);
    expect(await today()).not.toContain('attempt.csv');
    await apply((await upload({ kind: 'stock', content: 'sku,variation,quantity\nCUP,,8\n' })).path);
    expect(await today()).toContain(`<a href="${path}">bad.csv</a>`);
    await apply((await upload({ content: 'sku,shelf\nMUG,A-1\n' })).path);
    expect(await today()).not.toContain('bad.csv');
  });

  it('asks for the first day of GST rates, and schedules them from it', async () => {
    const { path, html } = await upload({ kind: 'rates', content: 'sku,gst_rate\nCUP,5\n' });
    expect(headline(html)).toBe('Choose the first day of file.csv');
    expect(html).not.toContain('could not be imported');
    await staff.post(`${path}/check`, { ...formFields(html), from: '2030-04-01' }).expect(303);
    await settled();
    expect(headline((await staff.get(path)).text)).toMatch(/^1 rate from 1 Apr 2030 would be written/);
  });

  it('changes the GST rates of a catalog, also of products without one, and links the scheduled change', async () => {
    await test.fixtures.products(['RATE-1', 'RATE-2'].map((sku) => ({ sku: `ROW-${sku}` })));
    const content = 'sku,name,gst_rate\nROW-RATE-1,One,5\nROW-RATE-2,Two,\n';
    const { path, html } = await upload({ kind: 'rates', name: 'winter.csv', content });
    expect(readable(html)).toContain('From The first day, which a rate needs.');
    await staff.post(`${path}/check`, { ...formFields(html), from: '2031-04-01' }).expect(303);
    await settled();
    expect(readable((await staff.get(path)).text)).toContain('New 0 Changed 1 Unchanged 1 Refused 0');
    const applied = (await apply(path)).html;
    expect(headline(applied)).toBe('1 rate from 1 Apr 2031 written');
    expect(linkOf(applied, 'scheduled change \\d+')).toMatch(/^\/desk\/goods\/prices\/upcoming\/\d+$/);
    expect(applied).not.toContain('2031-04-01');
    const [entry] = rows((await admin.get('/desk/audit?action=gst_rates.scheduled')).text);
    expect(entry).toContain('File: winter.csv');
    const upcoming = readable((await staff.get('/desk/goods/products/ROW-RATE-1')).text);
    expect(upcoming).toMatch(/GST rate 1 Apr 2031.* It stays .*@wholesale\.example\.com 5 %/);
    expect(readable((await staff.get('/desk/goods/changes')).text)).toMatch(
      /Scheduled changes .*GST rate of ROW-RATE-1 1 1 Apr 2031/,
    );
  });

  describe('of base prices', () => {
    const FORM = '/desk/goods/prices/base';
    const change = async (fields: FormValues) => {
      const { headers } = await staff.post(FORM, fields).expect(303);
      await settled();
      const path = headers.location as string;
      return { path, html: (await staff.get(path)).text };
    };
    const risen = async () =>
      (
        await test.pool.query<{ price: string }>(
          `SELECT base_price AS price FROM products WHERE sku LIKE 'ROW-RISE-%' ORDER BY sku`,
        )
      ).rows.map(({ price }) => price);

    beforeAll(async () => {
      await test.fixtures.products(
        ['12.50', '100.00', '0.01'].map((basePrice, at) => ({
          sku: `ROW-RISE-${at}`,
          category: 'Rising',
          basePrice,
        })),
      );
      await test.pool.query(
        `INSERT INTO plan_prices (plan_id, product_id, price)
         SELECT plans.id, p.id, 9 FROM plans, products p WHERE code = 'GOLD' AND sku = 'ROW-RISE-0'`,
      );
    });

    it('is made by a percentage of the products that a search finds, and scheduled', async () => {
      const list = (await staff.get('/desk/goods?search=rising&state=active')).text;
      const form = (await staff.get(linkOf(list, 'Change prices or GST rates'))).text;
      expect(formFields(form)).toMatchObject({ search: ['rising'] });
      expect(readable(form)).toContain('From Empty: prices change now. A rate needs a day.');
      expect(form).toContain('<option value="active" selected');
      const fields = { search: 'rising', percent: '5 %', from: '2090-05-01' };
      const { path, html } = await change(fields);
      expect(headline(html)).toBe('2 prices from 1 May 2090 would be written');
      const review = readable(html);
      expect(review).toContain('Base prices, file 5 % on rising, rounded half up, uploaded');
      expect(review).toContain('New 0 Changed 2 Unchanged 1 Refused 0');
      expect(review).toContain('Prices by the discount of a plan follow.');
      expect(review).toContain('Fixed prices of these products, which stay: 1.');
      expect(review).toMatch(/ROW-RISE-0 Changed Base price: ₹12\.50 → ₹13\.13/);
      const applied = await apply(path);
      expect(headline(applied.html)).toBe('2 prices from 1 May 2090 written');
      expect(readable(applied.html)).toContain('New 0 Changed 2 Unchanged 1 Refused 0');
      expect(await risen()).toEqual(['12.50', '100.00', '0.01']);
      expect((await staff.get('/desk/goods/prices')).text).toMatch(/\d+: base prices/);
      expect(readable((await admin.get('/desk/audit?action=prices.scheduled')).text)).toContain(
        'File: 5 % on rising, rounded half up',
      );
      const twice = readable((await change(fields)).html);
      expect(twice).toMatch(/^.*The file changes nothing, 2 rows refused/s);
      expect(twice).toContain('is in scheduled change');
      const large = readable((await change({ ...fields, percent: '51', from: '2090-06-01' })).html);
      expect(large).toContain('would change from 12.50 to 18.88 (+51.04 %), by more than 50 %');
    });

    it('changes them at once without a day', async () => {
      const { path, html } = await change({ search: 'rising', percent: '\u22124' });
      expect(headline(html)).toBe('2 prices would be written');
      expect(readable(html)).toContain('Base prices, file -4 % on rising, rounded half up');
      expect(readable(html)).toMatch(
        /Warnings \(2\).*Row 2 SKU is in scheduled change \d+ too: its price of today may not be its usual one/,
      );
      expect(html).not.toContain('Overwrite newer values');
      expect(readable(html)).toContain('Fixed prices of these products, which stay: 1.');
      await apply(path);
      expect(await risen()).toEqual(['12.00', '96.00', '0.01']);
    });

    it('is made of the products for sale only, or of the others, and warns of other changes', async () => {
      await test.pool.query(`UPDATE products SET active = false WHERE sku = 'ROW-RISE-2'`);
      const fields = { search: 'rising', percent: '+50', from: '2090-07-01' };
      const sold = readable((await change({ ...fields, state: 'active' })).html);
      expect(sold).toContain('file 50 % on rising, for sale, rounded half up');
      expect(sold).toContain('New 0 Changed 2 Unchanged 0 Refused 0');
      expect(sold).toMatch(/Warnings \(2\).*Row 3 SKU is in scheduled change \d+ too/);
      const others = readable((await change({ ...fields, state: 'inactive' })).html);
      expect(others).toContain('file 50 % on rising, not for sale, rounded half up');
      expect(others).toMatch(
        /Changed 0 Unchanged 0 Refused 1 .*Row 2 Base price would change from 0\.01 to 0\.02/,
      );
      expect(others).not.toContain('Warnings');
    });

    it.each([
      [{ percent: 'four' }, 'rounded half up. Must be a plain number such as 12.50'],
      [{ percent: '4', search: 'no such goods' }, 'No product matches'],
      [{ percent: '4', hsn: '6912x' }, 'Must be 2 to 8 digits'],
      [{ percent: '4', gst_rate: '5' }, 'Give either a percentage of the prices or a GST rate'],
      [{}, 'Give either a percentage of the prices or a GST rate'],
      [{ gst_rate: 'five' }, 'Must be a plain number'],
      [{ percent: '4', from: '2020-01-01' }, 'would begin in the past'],
    ])('refuses %o', async (fields, reason) => {
      const { status, text } = await staff.post(FORM, fields);
      expect([status, readable(text)]).toEqual([422, expect.stringContaining(reason)]);
    });

    it('is one of GST rates for an HSN code, which wants its first day', async () => {
      await test.fixtures.products(
        ['69111011', '69120010', '7323'].map((hsn, at) => ({ sku: `ROW-HSN-${at}`, hsn, gstRate: '12' })),
      );
      const { path, html } = await change({ search: 'row-hsn', hsn: '6911', gst_rate: '18' });
      expect(headline(html)).toMatch(/^Choose the first day of GST rate 18(\.00)? % of row-hsn, HSN 6911/);
      await staff.post(`${path}/check`, { ...formFields(html), from: '2090-04-01' }).expect(303);
      await settled();
      const checked = (await staff.get(path)).text;
      expect(headline(checked)).toBe('1 rate from 1 Apr 2090 would be written');
      expect(readable(checked)).toMatch(/ROW-HSN-0 Changed GST rate in percent: 12(\.00)? → 18/);
      expect(headline((await apply(path)).html)).toBe('1 rate from 1 Apr 2090 written');
      const raised = await change({ search: 'row-hsn', hsn: '69', percent: '10' });
      expect(headline(raised.html)).toBe('2 prices would be written');
    });

    it('reads no other column of a file', async () => {
      const content = 'sku,base_price,name\nROW-RISE-1,90,Other\nROW-RISE-9,1,New\n';
      const { html } = await upload({ kind: 'base-prices', content });
      expect(headline(html)).toBe('1 price would be written, 1 row refused');
      expect(readable(html)).toContain('is not a column of this import and was ignored');
      expect(readable(html)).not.toContain('Name: ');
    });
  });

  it('suggests columns by headings and values, below a title, and reads none before a person agrees', async () => {
    const chosen = (html: string) =>
      [...html.matchAll(/name="heading\d+".*?<\/select>/gs)].map(
        ([select]) => /<option value="(\w+)" selected/.exec(select)?.[1] ?? '',
      );
    const counts = 'Closing stock of November\n\nItem Code,Location 1,Colour\nCUP,17,\n';
    const { path, html } = await upload({ kind: 'stock', name: 'own.csv', content: counts });
    expect(headline(html)).toBe('Choose the columns of own.csv');
    expect(chosen(html)).toEqual(['sku', 'quantity', 'variation']);
    expect(readable(html)).toContain('The columns of this file are only suggested.');
    expect(readable(html)).not.toContain('The heading lacks');
    expect(readable(html)).toContain('Not imported SKU Quantity Variation Was');
    expect(readable(html)).toContain('Units on hand, a whole number');
    await staff.post(`${path}/check`, formFields(html)).expect(303);
    await settled();
    expect(readable((await staff.get(path)).text)).toMatch(/CUP Changed On hand: \d+ → 17/);
    const priced = 'Item Code,M.R.P.,Closing Qty (Nos)\nCUP,450,17\n';
    expect(chosen((await upload({ kind: 'stock', content: priced })).html)).toEqual(['sku', '', 'quantity']);
    const other = 'Item,Stock (damaged),Qty\nCUP,3,17\n';
    expect(chosen((await upload({ kind: 'stock', content: other })).html)).toEqual(['sku', '', 'quantity']);
    const onlyPrice = await upload({ kind: 'stock', content: 'Item Code,M.R.P.\nCUP,450\n' });
    expect(chosen(onlyPrice.html)).toEqual(['sku', '']);
    expect(readable(onlyPrice.html)).toContain('The heading lacks quantity.');
    const oneHeading = await upload({ kind: 'stock', content: 'sku,Colour,quantity\nCUP,,17\n' });
    expect(headline(oneHeading.html)).toBe('Choose the columns of file.csv');
    expect(chosen(oneHeading.html)).toEqual(['variation']);
    expect(headline((await upload({ kind: 'stock', content: 'sku,quantity\nCUP,18\n' })).html)).toBe(
      '1 row would be written',
    );
    const unnamed = await upload({ kind: 'prices', content: 'A,B,C\nMUG,gold,199.50\nCUP,Gold,89.50\n' });
    expect(chosen(unnamed.html)).toEqual(['sku', 'plan', 'wholesale_price']);
  });

  it('never takes prices from a day for prices of today, unless a person leaves the day out', async () => {
    for (const heading of ['from', 'To', 'valid_from']) {
      const content = `sku,base_price,${heading}\nCUP,105,2027-04-01\n`;
      const { path, html } = await upload({ content });
      expect(readable(html)).toContain(
        `This import does not read ${heading}: the prices and rates of a catalog count at once. ` +
          'Remove the column, or import base prices, fixed prices of plans or GST rates, whose first day you choose.',
      );
      if (heading !== 'from') continue;
      await staff.post(`${path}/check`, formFields(html)).expect(303);
      await settled();
      const { text } = await staff.get(path);
      expect(headline(text)).toBe('1 row would be written');
      expect(text).not.toContain('is not a column of this import');
    }
    const { html } = await upload({ content: 'sku,name,from\nCUP,Cup,2027-04-01\n' });
    expect(readable(html)).toContain('is not a column of this import and was ignored');
  });

  it('finds a plan in any case, each once', async () => {
    const { html } = await upload({
      kind: 'prices',
      content: 'plan,sku,wholesale_price\ngold,MUG,199.50\nGold,CUP,89.50\nGOLD,CUP,88\nsilver,CUP,1\n',
    });
    expect(headline(html)).toBe('1 price would be written, 3 rows refused');
    expect(readable(html)).toContain('MUG in plan GOLD');
    expect(readable(html).match(/is in the file twice for this product/g)).toHaveLength(2);
    expect(readable(html)).toContain('there is no plan silver');
  });

  it('calls a picture and a PDF by their names', async () => {
    for (const [start, what] of [
      [Buffer.from('%PDF-1.7\n'), 'a PDF'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), 'a picture (PNG)'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'a picture (JPEG)'],
    ] as const)
      expect(readable((await upload({ content: start })).html)).toContain(
        `The file is ${what}, not a spreadsheet.`,
      );
  });

  it('fills in the delivery charge of new products, and of no other', async () => {
    const charges = async () => {
      const { rows: found } = await test.pool.query<{ sku: string; charge: string }>(
        `SELECT sku, delivery_charge AS charge FROM products WHERE sku IN ('CUP', 'FAN', 'FAR') ORDER BY sku`,
      );
      return found.map(({ sku, charge }) => `${sku} ${charge}`);
    };
    const check = (path: string, newDeliveryCharge: string) =>
      staff.post(`${path}/check`, { newDeliveryCharge });
    const content = 'sku,name,base_price\nFAN,Fan,10\nCUP,Big cup,100\n';
    const { path, html } = await upload({ content });
    expect(readable(html)).toContain('for all such rows fill in “Delivery charge of new products”');
    for (const wrong of ['-1', 'much', '1.005']) {
      const { status, text } = await check(path, wrong);
      expect([wrong, status, text.includes('/apply"')]).toEqual([wrong, 422, false]);
      expect(text).toContain(`value="${wrong}"`);
    }
    await check(path, '₹ 40').expect(303);
    await settled();
    const checked = (await staff.get(path)).text;
    expect(readable(checked)).toMatch(/2 FAN New .*Delivery charge: ₹40\.00/);
    expect(checked).toContain('value="40.00"');
    // Another charge than the checked one is checked first.
    await staff.post(`${path}/apply`, { ...formFields(checked), newDeliveryCharge: '50' }).expect(303);
    await settled();
    expect(await charges()).toEqual(['CUP 0.00']);
    await check(path, '40').expect(303);
    await settled();
    const applied = await apply(path);
    expect(headline(applied.html)).toBe('2 rows written');
    expect(readable(applied.html)).toContain('with “Delivery charge of new products” 40.00');
    expect(await charges()).toEqual(['CUP 0.00', 'FAN 40.00']);

    const wide = await upload({ content: 'sku,name,base_price,Trade value\nFEZ,Fez,10,9\n' });
    expect(readable(wide.html)).toMatch(
      /lacks Delivery charge, .* If no column has the charge, fill in “Delivery charge of new products”\./,
    );
    await check(wide.path, '5').expect(303);
    await settled();
    expect(headline((await staff.get(wide.path)).text)).toBe('1 row would be written');

    const own = 'sku,name,base_price,delivery_charge\nFAN,Fan,10,\nFAR,Far,10,7\nCUP,Big cup,100,\n';
    const next = await upload({ content: own });
    expect(headline(next.html)).toBe('1 row would be written, 2 rows refused');
    await check(next.path, '60').expect(303);
    await settled();
    expect(headline((await apply(next.path)).html)).toBe('1 row written');
    expect(await charges()).toEqual(['CUP 0.00', 'FAN 40.00', 'FAR 7.00']);
  });

  it('sets the prices of one plan, for a file without a column of plans', async () => {
    await test.fixtures.product({ sku: 'VASE', basePrice: '100.00' });
    const content = 'sku,wholesale_price\nVASE,80\n';
    const check = (path: string, plan: string) => staff.post(`${path}/check`, { plan });
    const { path, html } = await upload({ kind: 'prices', content });
    expect(readable(html)).toContain('The heading lacks plan.');
    expect(readable(html)).toMatch(/Plan of all rows .*As in the file Gold/);
    const unknown = await check(path, 'NONE');
    expect([unknown.status, readable(unknown.text)]).toEqual([
      422,
      expect.stringContaining('Is no plan any more'),
    ]);
    await check(path, 'GOLD').expect(303);
    await settled();
    const { text } = await staff.get(path);
    expect(readable(text)).toContain('VASE in plan GOLD');
    expect(text).toMatch(/<option value="GOLD" selected/);
    await staff.post(`${path}/apply`, { ...formFields(text), plan: 'GOLD' }).expect(303);
    await settled();
    const applied = (await staff.get(path)).text;
    expect(headline(applied)).toBe('1 price written');
    expect(readable(applied)).toContain('with “Plan of all rows” Gold');

    const again = await upload({ kind: 'prices', content });
    await check(again.path, 'GOLD').expect(303);
    await settled();
    expect(headline((await staff.get(again.path)).text)).toBe('The file changes nothing');
    const own = await upload({ kind: 'prices', content: 'plan,sku,wholesale_price\nGOLD,VASE,70\n' });
    await check(own.path, 'GOLD').expect(303);
    await settled();
    const refused = (await staff.get(own.path)).text;
    expect(readable(refused)).toContain('The file has the column plan itself. Leave out the value');
    await check(own.path, '').expect(303);
    await settled();
    expect(headline((await staff.get(own.path)).text)).toBe('1 price would be written');
    // The option fills the column, so no heading is suggested for it.
    const named = await upload({ kind: 'prices', content: 'Item Code,Scheme,Net Rate\nVASE,GOLD,70\n' });
    expect(named.html).toMatch(/<option value="plan" selected/);
    const other = await upload({ kind: 'prices', content: 'Item Code,Other,Net Rate\nVASE,GOLD,70\n' });
    await staff
      .post(`${other.path}/check`, { ...formFields(other.html), heading1: '', plan: 'GOLD' })
      .expect(303);
    await settled();
    expect(headline((await staff.get(other.path)).text)).toBe('1 price would be written');
  });

  it('has a template for each kind, within the role', async () => {
    const { text, headers } = await staff.get(`${IMPORTS}/templates/stock.csv`).expect(200);
    expect(text.trim()).toMatch(/^\uFEFF?sku,variation,quantity$/);
    expect(headers['content-disposition']).toContain('stock');
    const packer = await signInAtDesk(test, 'packer');
    await packer.get(`${IMPORTS}/templates/stock.csv`).expect(404);
    await packer.get(`${IMPORTS}/templates/shipments.csv`).expect(200);
    await staff.get(`${IMPORTS}/templates/e-way-bills.csv`).expect(404);
  });

  it('lets a packer import a courier’s file, and name the courier that it lacks', async () => {
    const packer = await signInAtDesk(test, 'packer');
    const store = await test.fixtures.store();
    const number = await paid(store);
    const content = `AWB,Order ID\nAWB-B1,${number}\n`;
    const { path, html } = await upload({ kind: 'shipments', content }, packer);
    expect(readable(html)).toContain('The heading lacks courier.');
    expect(readable(html)).toContain('Accept unusual values One tracking number for two orders');
    expect(html).not.toContain('changes of prices');
    await packer.post(`${path}/check`, { checks: '1', courier: ' BlueDart ' }).expect(303);
    await settled();
    const checked = (await packer.get(path)).text;
    expect(headline(checked)).toBe('1 row would be written');
    expect(checked).toContain('value="BlueDart"');
    await packer.post(`${path}/apply`, { checks: '2', courier: 'BlueDart' }).expect(303);
    await settled();
    const { rows: parcels } = await test.pool.query(
      'SELECT courier, tracking_number FROM parcels WHERE order_number = $1',
      [number],
    );
    expect(parcels).toEqual([{ courier: 'BlueDart', tracking_number: 'AWB-B1' }]);
    const history = rows((await packer.get(IMPORTS)).text);
    expect(history.length).toBeGreaterThan(0);
    for (const row of history) expect(row).toMatch(/shipments|deliveries/i);
  });

  it('reads a file of another program as a person chooses, and the next one in the same way', async () => {
    const store = await test.fixtures.store();
    const [first, second] = [await paid(store), await paid(store)];
    const file = (tracking: string, number: string) => ({
      kind: 'shipments',
      content: `Docket,Consignment,Taken by,Weight\n${tracking},${number},Gati,0.5\n`,
    });
    const { path, html } = await upload(file('D1', first));
    expect(headline(html)).toBe('Choose the columns of file.csv');
    expect(readable(html)).toMatch(
      /Columns and options Other headings of the file \(4\) .* What the columns hold .* Accept unusual/,
    );
    const choose = (...columns: string[]) =>
      staff.post(`${path}/check`, {
        ...formFields(html),
        ...Object.fromEntries(columns.map((column, position) => [`heading${position}`, column])),
      });
    for (const [wrong, reason] of [
      ['sku', 'Is no column of such a file'],
      ['courier', 'Is chosen for another heading too'],
    ] as const) {
      const refused = await choose('tracking_number', 'order_number', 'courier', wrong);
      expect([refused.status, readable(refused.text)]).toEqual([422, expect.stringContaining(reason)]);
    }
    await choose('tracking_number', 'order_number', 'courier', '').expect(303);
    await settled();
    expect(headline((await apply(path)).html)).toBe('1 row written');

    const next = await upload(file('D2', second));
    expect(headline(next.html)).toBe('1 row would be written');
    expect(next.html).toMatch(/name="heading0"(?:(?!<\/select>).)*value="tracking_number" selected/s);
    expect(next.html).toMatch(/name="heading3"(?:(?!<\/select>).)*<option value(?:="")? selected/s);
    // Another choice is checked first.
    const changed = { ...formFields(next.html), heading0: '' };
    const repeated = await staff.post(`${next.path}/apply`, changed).expect(303);
    await settled();
    expect(readable((await staff.get(repeated.headers.location as string)).text)).toContain('1 row would be');
    expect(headline((await apply(next.path)).html)).toBe('1 row written');
    const { rows: parcels } = await test.pool.query(
      'SELECT courier, tracking_number FROM parcels WHERE client_id = $1 ORDER BY order_number = $2',
      [store.clientId, second],
    );
    expect(parcels).toEqual([
      { courier: 'Gati', tracking_number: 'D1' },
      { courier: 'Gati', tracking_number: null },
    ]);
    // A file with other headings, and another kind of file, are read by their own.
    const fewer = await upload({ kind: 'shipments', content: `Docket,Consignment\nD3,${first}\n` });
    expect(readable(fewer.html)).toContain(
      'The heading lacks courier. Required, in any order: Order number, courier.',
    );
    const other = await upload({ kind: 'deliveries', content: `Consignment\n${first}\n` });
    expect(readable(other.html)).toContain('The columns of this file are only suggested.');
  });

  it('asks for a heading that may be the tracking number or the day of a delivery', async () => {
    const store = await test.fixtures.store();
    const number = await paid(store);
    const chosen = (html: string, at: number) =>
      new RegExp(`name="heading${at}"(?:(?!</select>).)*value="(\\w+)" selected`, 's').exec(html)?.[1];
    const docket = await upload({
      kind: 'shipments',
      content: `order_number,courier,Docket\n${number},Gati,G1\n`,
    });
    expect(headline(docket.html)).toBe('Choose the columns of file.csv');
    expect(chosen(docket.html, 0)).toBe('tracking_number');
    const content = `Ref,Taken by,Notes\n${number},Gati,\n`;
    const named = await upload({ kind: 'shipments', content });
    expect([0, 1].map((at) => chosen(named.html, at))).toEqual(['order_number', undefined]);
    const both = await upload({
      kind: 'shipments',
      content: `order_number,courier,AWB / LR No\n${number},Gati,G1\n`,
    });
    expect(chosen(both.html, 0)).toBe('tracking_number');
    const delivered = await upload({ kind: 'deliveries', content: `Docket,Date\nG1,2026-11-01\n` });
    expect([chosen(delivered.html, 0), chosen(delivered.html, 1)]).toEqual([
      'tracking_number',
      'delivered_at',
    ]);
  });

  it('says where the quantities of a catalog come in', async () => {
    const catalog = 'Art-Nr,Bezeichnung/Name,Rate,Qty\nA1,Mug,120,7\n';
    const { html } = await upload({ content: catalog });
    expect(readable(html)).toContain('A catalog has no quantities.');
    expect(html).toContain('href="/desk/imports?kind=stock"');
    const counts = await upload({ kind: 'stock', content: 'Art-Nr,Count,Qty\nMUG-1,7,8\n' });
    expect(readable(counts.html)).not.toContain('A catalog has no quantities.');
  });

  it('lists each of many once, page by page', async () => {
    const { id } = await upload({ content: 'sku\n' });
    await test.pool.query(
      `INSERT INTO import_runs OVERRIDING SYSTEM VALUE
       SELECT copy.* FROM import_runs AS run CROSS JOIN generate_series(1, 120) AS n,
              jsonb_populate_record(run, jsonb_build_object('id', 1000000 + n, 'state', 'applied')) AS copy
        WHERE run.id = $1`,
      [id],
    );
    const listed: string[] = [];
    for (let next: string | undefined = IMPORTS; next;) {
      const { text }: { text: string } = await staff.get(next).expect(200);
      listed.push(...[...text.matchAll(/href="\/desk\/imports\/(\d+)"/g)].map(([, run]) => run!));
      next = text.includes('Older') ? linkOf(text, 'Older') : undefined;
    }
    const copies = Array.from({ length: 120 }, (_, n) => String(1_000_120 - n));
    expect(listed.slice(0, 121)).toEqual([...copies, String(id)]);
    expect(new Set(listed).size).toBe(listed.length);
    await test.pool.query('DELETE FROM import_runs WHERE id > 1000000');
  });

  it('is for staff and admins, but for parcels', async () => {
    const packer = await signInAtDesk(test, 'packer');
    const { path: catalog } = await upload({ content: 'sku\n' });
    const refused = await send(packer, { content: 'sku\n' });
    expect([refused.status, readable(refused.text)]).toEqual([
      422,
      expect.stringContaining('Choose what the file has.'),
    ]);
    for (const address of [catalog, `${catalog}/changes.csv`, `${catalog}/refused.csv`])
      expect((await packer.get(address)).status).toBe(403);
    for (const action of ['check', 'apply', 'cancel'])
      expect((await packer.post(`${catalog}/${action}`, { checks: '1' })).status).toBe(403);
  });
});
