import { eventually } from '../../support/eventually.js';
import {
  expectPage,
  headline,
  hiddenFields,
  linkOf,
  noticeIn,
  readable,
  rows,
} from '../../support/page-text.js';
import { signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const GOODS = '/desk/goods';

describe('Goods at the desk', () => {
  const test = setUpTestApp();
  // A person may submit only so many forms a minute.
  const staff = makeBeforeEach(() => signInAtDesk(test, 'staff'));
  const admin = makeBeforeEach(() => signInAtDesk(test, 'admin'));

  beforeAll(async () => {
    await test.fixtures.plan({ code: 'GOLD', name: 'Gold', discount: '10' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Stoneware mug', category: 'Kitchen', basePrice: '230.00', stock: 12 },
      { sku: 'A/B 100%', name: 'Plate <b>', category: 'Kitchen', basePrice: '100.00', active: false },
      {
        sku: 'SHIRT',
        name: 'Shirt',
        category: 'Apparel',
        basePrice: '200.00',
        variations: [{ name: 'Size', values: ['M', 'L'] }],
        stock: { 'Size:M': 7, 'Size:L': 0 },
      },
    ]);
    await test.fixtures.neighbours();
  });

  const get = async (path: string, person = staff) => {
    const { status, text } = await person.get(path);
    return { status, text, message: readable(text) };
  };

  /** Sends a form, follows its review, and returns the page that comes last. */
  const sendReview = async (
    path: string,
    fields: Record<string, string>,
    { person = staff, more = {} as Record<string, string | string[]> } = {},
  ) => {
    const displayed = hiddenFields((await person.get(path)).text);
    const review = await person.post(path, { ...displayed, ...fields, ...more });
    const hidden = hiddenFields(review.text);
    const [, action = ''] = /<form method="post" class="bare" action="([^"]+)"/.exec(review.text) ?? [];
    return {
      review,
      message: readable(review.text),
      confirm: () => person.post(action.replaceAll('&amp;', '&'), { ...hidden, step: 'confirm' }),
    };
  };

  const product = async (sku: string) =>
    (
      await test.query<{ name: string; base_price: string; category: string }>(
        'SELECT name, base_price, category FROM products WHERE sku = $1',
        sku,
      )
    )[0]!;
  const onHand = async (sku: string) =>
    (
      await test.query<{ on_hand: number }>(
        'SELECT on_hand FROM stock_items JOIN products p ON p.id = product_id WHERE sku = $1 ORDER BY stock_items.id',
        sku,
      )
    ).map(({ on_hand: count }) => count);

  describe('the list', () => {
    const found = async (query: string) =>
      [...(await get(`${GOODS}?${query}`)).text.matchAll(/<small>([^<]+)<\/small>/g)].map(([, sku]) => sku);

    it.each([
      ['', ['MUG', 'A/B 100%', 'SHIRT', 'NEIGHBOUR-1']],
      ['search=KITCHEN', ['MUG', 'A/B 100%']],
      ['search=ware+mug', ['MUG']],
      ['search=100%25', ['A/B 100%']],
      ['search=%25_', []],
      ['state=inactive', ['A/B 100%', 'NEIGHBOUR-1']],
      ['state=active&search=kitchen', ['MUG']],
      ['state=odd&after=x', ['MUG', 'A/B 100%', 'SHIRT', 'NEIGHBOUR-1']],
    ])('finds by "%s"', async (query, skus) => expect(await found(query)).toEqual(skus));

    it('finds by barcode, also what is not for sale', async () => {
      const [mug, plate] = ['8901234567890', '96385074'];
      await test.pool.query(
        `UPDATE products SET barcode = CASE sku WHEN 'MUG' THEN $1 ELSE $2 END WHERE sku IN ('MUG', 'A/B 100%')`,
        [mug, plate],
      );
      await test.fixtures.observed();
      expect(await found(`search=+${mug}+`)).toEqual(['MUG']);
      expect(await found(`search=${plate}`)).toEqual(['A/B 100%']);
      expect(await found(`state=active&search=${plate}`)).toEqual([]);
      expect((await get(`${GOODS}?search=${mug}`)).message).toContain('1 product');
      expect(await found(`search=${mug}+mug`)).toEqual([]);
      const scanned = await staff.get(`/desk/search?q=${mug}`).expect(303);
      expect(scanned.headers.location).toBe('/desk/goods/products/MUG');
    });

    it('shows texts as texts, and says when nothing matches', async () => {
      const { text } = await get(`${GOODS}?search=${encodeURIComponent('"><script>x')}`);
      expect(text).toContain('No product matches.');
      expect(text).not.toContain('"><script>x');
      expect((await get(GOODS)).text).toContain('Plate &lt;b>');
    });

    it('has no next page when the last page is full', async () => {
      await test.fixtures.products(
        Array.from({ length: 51 }, (_, at) => ({
          sku: `PAGE-${at}`,
          category: at < 50 ? 'Fifty Pages' : 'Pages',
        })),
      );
      const full = await get(`${GOODS}?search=fifty`);
      expect(full.message).toContain('50 products');
      expect(full.text).not.toContain('Next page');
      const first = await get(`${GOODS}?search=pages`);
      const next = await get(linkOf(first.text, 'Next page'));
      expect(rows(next.text)).toHaveLength(1);
      await test.pool.query(`UPDATE products SET active = false WHERE sku LIKE 'PAGE-%'`);
    });

    it('finds the products for sale that no invoice can have, once there is a seller', async () => {
      const untaxed = `${GOODS}?state=untaxed`;
      const tile = /Products without tax data (\d+)/;
      const lacked = 'Its parcels cannot leave: an invoice needs its';
      await test.pool.query(`UPDATE products SET hsn = '6912', gst_rate = 12 WHERE sku = 'SHIRT'`);
      expect((await get('/desk')).message).not.toMatch(tile);
      expect((await get(`${GOODS}/products/MUG`)).message).not.toContain(lacked);
      await test.fixtures.seller();
      await test.fixtures.observed();
      const home = await get('/desk');
      expect(tile.exec(home.message)?.[1]).toBe('1');
      expect(home.text).toContain(`href="${untaxed}"`);
      expect(await found('state=untaxed')).toEqual(['MUG']);
      expect((await get(untaxed)).message).toContain('in the Catalog CSV');
      expect((await get(`${GOODS}/products/MUG`)).message).toContain(
        `${lacked} HSN code of 4 digits or more and GST rate.`,
      );
      await test.pool.query(`UPDATE products SET hsn = '6912' WHERE sku = 'MUG'`);
      expect((await get(`${GOODS}/products/MUG`)).message).toContain(`${lacked} GST rate.`);
      expect(await found('state=untaxed&search=mug')).toEqual(['MUG']);
      expect(await found('state=untaxed&search=shirt')).toEqual([]);
      await test.pool.query(`UPDATE products SET gst_rate = 0 WHERE sku = 'MUG'`);
      await test.fixtures.observed();
      expect(await found('state=untaxed')).toEqual([]);
      expect((await get('/desk')).message).not.toMatch(tile);
      expect((await get(`${GOODS}/products/MUG`)).message).not.toContain(lacked);
      await test.pool.query('DELETE FROM sellers');
      await test.pool.query(`UPDATE products SET hsn = '', gst_rate = NULL`);
    });

    it('exports the files of the commands', async () => {
      const catalog = (await staff.get(`${GOODS}/catalog.csv`)).text;
      expect(catalog).toMatch(/^\uFEFFsku,name,description,.*,was\r\nMUG,Stoneware mug,/);
      expect((await staff.get(`${GOODS}/stock.csv`)).text).toContain('SHIRT,Size:M,7,7\r\n');
      expect((await staff.get(`${GOODS}/prices.csv`)).text).toContain('plan,sku,wholesale_price,was\r\n');
    });
  });

  describe('a product', () => {
    const MUG = `${GOODS}/products/MUG`;

    it('shows its values, stock and prices', async () => {
      const { text, message } = await get(MUG);
      expect(headline(text)).toBe('Stoneware mug');
      expect(message).toMatch(/Base price ₹230\.00 .*Product 12 0 12/);
      expect(message).toMatch(/ Gold 10 % off the base price ₹207\.00/);
      expect((await get(`${GOODS}/products/${encodeURIComponent('A/B 100%')}`)).message).toContain(
        'Plate <b>',
      );
      expect((await get(`${GOODS}/products/NONE`)).status).toBe(404);
      await test.pool.query(`UPDATE products SET details_url = 'https://a.example/mug' WHERE sku = 'MUG'`);
      expect((await get(MUG)).text).toContain('<a href="https://a.example/mug" rel="noreferrer">');
    });

    it('is edited after a review of old and new values', async () => {
      const { message, confirm } = await sendReview(`${MUG}/edit`, {
        name: 'Mug',
        base_price: '240',
        category: 'Kitchen',
      });
      expect(message).toMatch(/Name Stoneware mug → Mug/);
      expect(message).toMatch(/Base price 230\.00 → 240\.00/);
      expect(message).not.toContain('Category');
      expect((await product('MUG')).name).toBe('Stoneware mug');
      expect((await confirm()).status).toBe(303);
      expect(await product('MUG')).toEqual({ name: 'Mug', base_price: '240.00', category: 'Kitchen' });
      const { rows: log } = await test.pool.query(`SELECT actor FROM changes WHERE name = 'MUG'`);
      expect(log).toEqual([{ actor: `person ${staff.person.id} (${staff.person.email})` }]);
      expect((await get(MUG)).message).toMatch(/Product MUG Base price: ₹230.00 → ₹240.00 /);
      // The same form again is too late.
      expect((await confirm()).status).toBe(409);
    });

    it('has no weight before a person weighs it: its review says none, not 0', async () => {
      const weighed = await sendReview(`${MUG}/edit`, { weight_grams: '380' });
      expect(weighed.message).toContain('Weight in grams none → 380');
      await weighed.confirm();
      const emptied = await sendReview(`${MUG}/edit`, { weight_grams: '' });
      expect(emptied.message).toContain('Weight in grams 380 → none');
      await emptied.confirm();
    });

    it('goes back from the review to what was typed, which stays about what was shown', async () => {
      const { review } = await sendReview(`${MUG}/edit`, { name: 'Typed' });
      await (await sendReview(`${MUG}/edit`, { shelf: 'C-3' }, { person: admin })).confirm();
      const { status, text } = await staff.post(`${MUG}/edit`, {
        ...hiddenFields(review.text),
        step: 'edit',
      });
      expect([status, headline(text)]).toEqual([200, 'Edit Mug']);
      expect(text).toContain('value="Typed"');
      const late = await staff.post(`${MUG}/edit`, { ...hiddenFields(text), name: 'Typed', shelf: '' });
      expect(late.status).toBe(409);
    });

    it('keeps what was typed, and says what is wrong at its field', async () => {
      const { review, message } = await sendReview(`${MUG}/edit`, {
        name: '',
        base_price: '900',
        unit: 'STONES',
      });
      expect(review.status).toBe(422);
      expect(review.text).toContain('value="900"');
      expect(message).toContain('Must not be empty');
      const odd = await sendReview(`${MUG}/edit`, { base_price: '900' });
      expect(odd.review.status).toBe(422);
      expect(odd.message).toMatch(/Would change from 240\.00 to 900\.00/);
      const forced = await sendReview(`${MUG}/edit`, { base_price: '900' }, { more: { force: 'yes' } });
      expect(forced.message).toContain('900.00');
      await test.pool.query(`UPDATE products SET gst_rate = 5 WHERE sku = 'MUG'`);
      // A browser does not send a switch that is off.
      const less = await sendReview(`${MUG}/edit`, { gst_rate: '' }, { more: { active: [] } });
      expect(less.message).toContain(
        'GST rate in percent is missing: no order with this product can be shipped',
      );
      expect(less.message).toContain('For sale yes → no');
      await test.pool.query(`UPDATE products SET gst_rate = NULL WHERE sku = 'MUG'`);
      const same = await sendReview(`${MUG}/edit`, { name: 'Mug' });
      expect(same.review.status).toBe(303);
    });

    it('tells the second of two people, and overwrites nothing', async () => {
      const displayed = hiddenFields((await staff.get(`${MUG}/edit`)).text);
      const first = await sendReview(`${MUG}/edit`, { base_price: '250' }, { person: admin });
      await first.confirm();
      const late = await staff.post(`${MUG}/edit`, { ...displayed, name: 'Big mug', base_price: '245' });
      expect(late.status).toBe(409);
      const message = readable(late.text);
      expect(message).toContain('MUG was changed in the meantime. Nothing was written.');
      expect(message).toContain(`Base price: ₹240.00 → ₹250.00, by ${admin.person.email}`);
      expect(message).toContain('Stored now: 250.00');
      expect(late.text).toContain('value="Big mug"');
      expect(late.text).toContain('value="245"');
      expect(await product('MUG')).toMatchObject({ name: 'Mug', base_price: '250.00' });
      // What the page shows now can be sent.
      const repeated = await staff.post(`${MUG}/edit`, {
        ...hiddenFields(late.text),
        name: 'Big mug',
        base_price: '250',
      });
      expect(repeated.status).toBe(200);
    });

    it('is not overwritten if it changes while it is saved', async () => {
      const { confirm } = await sendReview(`${MUG}/edit`, { name: 'Big mug' });
      const client = await test.pool.connect();
      await client.query(`BEGIN; UPDATE products SET name = 'Small mug' WHERE sku = 'MUG'`);
      const saved = confirm().then((answer) => answer);
      await eventually(async () => {
        const waiting = await test.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 1;
      });
      await client.query('COMMIT');
      client.release();
      const { status, text } = await saved;
      expectPage({ status, text }, 409, 'Stored now: Small mug');
      expect(await product('MUG')).toMatchObject({ name: 'Small mug' });
    });

    it('keeps what was typed while a file of its kind is imported', async () => {
      const displayed = hiddenFields((await staff.get(`${MUG}/edit`)).text);
      const forms = [
        await sendReview(`${MUG}/edit`, { shelf: 'D-4' }),
        await sendReview(`${MUG}/prices`, { price: '251' }),
      ];
      const client = await test.pool.connect();
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('import'), hashtext('products'))`);
      const [edited, priced] = await Promise.all(forms.map(({ confirm }) => confirm()));
      await client.query('ROLLBACK');
      client.release();
      for (const { status, text } of [edited!, priced!])
        expectPage({ status, text }, 409, 'Another import of products is running');
      expect(edited!.text).toContain('value="D-4"');
      expect(hiddenFields(edited!.text)).toEqual(displayed);
      expect(priced!.text).toContain('value="251"');
    });

    it('takes long descriptions in any script', async () => {
      const description = 'मग'.repeat(2_400);
      const { confirm } = await sendReview(`${MUG}/edit`, { description });
      expect((await confirm()).status).toBe(303);
      const { rows: stored } = await test.pool.query(`SELECT description FROM products WHERE sku = 'MUG'`);
      expect(stored).toEqual([{ description }]);
    });
  });

  describe('the stock', () => {
    const STOCK = `${GOODS}/products/MUG/stock`;

    it('is counted after a review in figures, once', async () => {
      // Goods that came in are not a count.
      expect((await get(STOCK)).text).not.toContain(' checked');
      const { message, confirm } = await sendReview(STOCK, { action: 'count', quantity: '15', reason: '' });
      expect(message).toMatch(/Change the stock of MUG by \+3\? .*On hand 12 → 15.* Set to 15 on hand /);
      expect(await onHand('MUG')).toEqual([12]);
      expect((await confirm()).status).toBe(303);
      expect(await onHand('MUG')).toEqual([15]);
      const repeated = await confirm();
      expect(repeated.status).toBe(409);
      expect(readable(repeated.text)).toContain('15 are on hand now, no longer 12. Nothing was changed.');
      expect(rows((await get(STOCK)).text.split('Movements').at(-1)!)[0]).toMatch(
        /\+3 15 .*0 count staff-\d+@/,
      );
    });

    it('takes goods in and breakage with a reason, by variation', async () => {
      const path = `${GOODS}/products/SHIRT/stock`;
      const { message, confirm } = await sendReview(path, {
        action: 'receive',
        variation: 'Size:L',
        quantity: '4',
        reason: 'goods of May',
      });
      expect(message).toMatch(/Change the stock of SHIRT, Size: L by \+4.*Reason goods of May.* Add 4 /);
      await confirm();
      expect(await onHand('SHIRT')).toEqual([7, 4]);
      const { message: displayed } = await get(`${path}?variation=Size:L`);
      expect(displayed).toMatch(/Size: L \+4 4 .*goods of May/);
      const [, newest] = (await staff.get(`${path}.csv`)).text.split('\r\n');
      expect(newest).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Size:L,4,0,4,0,goods of May,/);
      const broken = { action: 'receive', variation: 'Size:M', quantity: '-1', reason: 'broken' };
      expect((await sendReview(path, broken)).message).toContain(' Take off 1 ');
      const lost = await sendReview(path, {
        action: 'receive',
        variation: 'Size:M',
        quantity: '-9',
        reason: '',
      });
      expectPage(lost.review, 409, 'Only 7 are on hand.');
      const many = await sendReview(STOCK, { action: 'count', quantity: '1000000001' });
      expectPage(many.review, 422, 'Must be a whole number such as 12, at most 1000000000');
    });

    it.each([
      [{ quantity: '40' }, 'Choose one'],
      [{ action: 'count', quantity: '-1' }, 'Must be a whole number such as 12'],
      [{ action: 'receive', quantity: '0' }, 'Must be a whole number such as 12 or -3'],
      [{ action: 'count', quantity: 'a lot' }, 'Must be a whole number'],
      [{ action: 'count', quantity: '12', reason: 'breakage' }, 'Must be empty for a count'],
    ])('refuses %o', async (fields, reason) => {
      const { review, message } = await sendReview(STOCK, fields);
      expect([review.status, message]).toEqual([422, expect.stringContaining(reason)]);
    });

    describe('for a packer', () => {
      const packer = makeBeforeEach(() => signInAtDesk(test, 'packer'));
      const BARCODES = { LAMP: '4006381333931', OLD: '4006381333948' };
      const LAMP = `${GOODS}/products/LAMP/stock`;
      const stored = (sku: string) => test.fixtures.stockOf(sku);

      beforeAll(async () => {
        await test.fixtures.products([
          { sku: 'LAMP-OLD', name: 'Old lamp', active: false, stock: 1 },
          { sku: 'LAMP', name: 'Lamp', category: 'Home', basePrice: '777.00', stock: 15 },
          { sku: 'LAMP-NEW', name: 'New lamp', stock: 50 },
          { sku: 'lamp-new', name: 'Newer lamp', stock: 50 },
        ]);
        const set = `UPDATE products SET shelf = 'B-3', barcode = $1 WHERE sku = ANY ($2)`;
        await test.pool.query(set, [BARCODES.LAMP, ['LAMP']]);
        await test.pool.query(set, [BARCODES.OLD, ['LAMP-OLD', 'LAMP-NEW']]);
        await test.fixtures.observed();
      });

      const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
      const scan = async (code: string, more = {}) =>
        (await packer.get(`${GOODS}?${query({ code, ...more })}`).expect(303)).headers.location;

      it('is in the list, with its shelf and without a price', async () => {
        const { text, message } = await get(`${GOODS}?search=lamp`, packer);
        expect(rows(text)[1]).toBe('Lamp LAMP Home 15 0 B-3 For sale');
        expect(message).not.toMatch(/price|777/i);
        expect(text).toContain(`href="${LAMP}"`);
        expect(text).not.toContain(`href="${GOODS}/products/LAMP"`);
      });

      it('opens by a scan that names one product. Anything else is searched, and the action stays', async () => {
        const action = 'receive';
        for (const code of ['LAMP', ' lamp ', BARCODES.LAMP])
          expect(await scan(code, { action })).toBe(`${LAMP}?action=receive`);
        expect(await scan('lamp-new')).toBe(`${GOODS}/products/lamp-new/stock`);
        for (const code of ['LAM', 'Lamp-New', BARCODES.OLD, '4006381333955', '%_<b>&'])
          expect(await scan(code, { action })).toBe(`${GOODS}?${query({ search: code, action })}`);
        const { text } = await packer.get(`${GOODS}?search=LAM&action=receive`);
        expect(hiddenFields(text)).toMatchObject({ action: ['receive'] });
        expect(readable(text)).toContain('4 products for “LAM”');
        expect(text).not.toContain('name="search"');
      });

      it('is shown whatever was scanned or typed into the address', async () => {
        for (const code of ['%00', ' ', 'x&code=y']) await packer.get(`${GOODS}?code=${code}`).expect(200);
        expect((await scan('x'.repeat(10_000)))!.length).toBeLessThan(200);
        const { text } = await packer.get(`${LAMP}?action=sell&next=%00`).expect(200);
        expect(text).not.toContain(' checked');
        await packer.get('/desk/packing/1?code=%00').expect(200);
      });

      it('takes goods that came in, one product after another, and each only once', async () => {
        const { text } = await packer.get(`${LAMP}?action=receive`);
        expect(readable(text)).toContain('LAMP: 15 on hand, 0 held. Shelf B-3.');
        expect(text).toMatch(/value="receive"[^>]* checked/);
        expect(text).toMatch(/name="quantity"[^>]* autofocus/);
        const fields = { action: 'receive', quantity: '5', reason: '' };
        const { confirm } = await sendReview(LAMP, fields, { person: packer });
        const { headers } = await confirm();
        expect(headers.location).toBe(`${LAMP}?next=receive`);
        expect((await confirm()).status).toBe(409);
        const next = (await packer.get(headers.location!)).text;
        expect(headline(next)).toBe('20 of Lamp for sale');
        expect(next).toMatch(/name="code"[^>]* autofocus/);
        expect(hiddenFields(next)).toMatchObject({ action: ['receive'] });
        expect(rows(next.split('Movements').at(-1)!)[0]).toMatch(/\+5 20 .*goods in packer-/);
      });

      it('takes a count, and refuses what is none', async () => {
        const counted = await sendReview(LAMP, { action: 'count', quantity: '19' }, { person: packer });
        expect((await counted.confirm()).headers.location).toBe(`${LAMP}?next=count`);
        expect(await stored('LAMP')).toEqual({ on_hand: 19, held: 0 });
        const wrong = await sendReview(LAMP, { action: 'count', quantity: 'ten' }, { person: packer });
        expectPage(wrong.review, 422, 'Must be a whole number');
      });

      it('does not tell of orders that were never paid, nor why one was cancelled', async () => {
        const store = await test.fixtures.store();
        const unpaid = await test.place(store, [{ sku: 'LAMP', quantity: 2 }]);
        expect((await get(LAMP)).message).toContain(unpaid);
        const { text, message } = await get(LAMP, packer);
        expect(message).not.toContain(unpaid);
        expect(message).toContain('LAMP: 19 on hand, 2 held.');
        expect(text).not.toContain('stock.csv');
      });
    });

    it('lists what runs out', async () => {
      await test.pool.query(`UPDATE products SET low_stock = 20 WHERE sku = 'MUG'`);
      const { text, message } = await get(`${GOODS}/low`);
      expect(headline(text)).toBe('2 products are running out');
      expect(message).toMatch(/Threshold of products without one .* MUG 15 0 15 20/);
      expect(headline((await get(`${GOODS}/low?below=8`)).text)).toBe('3 products are running out');
      expect((await get('/desk')).message).toContain('Low stock All 2');
      expect((await staff.get(`${GOODS}/low.csv?below=8`)).text).toContain('SHIRT,Shirt,Size:L,4,0,4,8');
    });
  });

  describe('prices', () => {
    const PRICE = `${GOODS}/products/SHIRT/prices/GOLD`;
    const fixed = async () =>
      (
        await test.query<{ price: string }>(
          `SELECT price FROM plan_prices JOIN plans ON plans.id = plan_id WHERE code = 'GOLD'`,
        )
      ).map(({ price }) => price);

    it('fixes and frees the price in a plan, after a review', async () => {
      const { message, confirm } = await sendReview(PRICE, { price: '150', from: '', to: '' });
      expect(message).toMatch(/Plan Gold 180\.00 by the discount → 150\.00/);
      expect((await confirm()).status).toBe(303);
      expect(await fixed()).toEqual(['150.00']);
      expect((await confirm()).status).toBe(409);
      const free = await sendReview(PRICE, { price: '', from: '', to: '' });
      expect(free.message).toMatch(/Plan Gold 150\.00 → By the discount/);
      await free.confirm();
      expect(await fixed()).toEqual([]);
    });

    it('refuses odd prices and dates at their fields', async () => {
      const cheap = await sendReview(PRICE, { price: '1', from: '', to: '' });
      expectPage(cheap.review, 422, 'Would change from 180.00 to 1.00');
      const late = await sendReview(PRICE, { price: '170', from: 'soon', to: '' });
      expectPage(late.review, 422, 'Must be a date');
      const past = await sendReview(PRICE, { price: '170', from: '2020-01-01', to: '' });
      expectPage(past.review, 422, 'in the past');
    });

    it('schedules prices, shows them and withdraws them', async () => {
      const plan = await sendReview(PRICE, { price: '160', from: '2090-01-01', to: '2090-01-31' });
      expect(plan.message).toContain('160.00 from 1 Jan 2090 to 31 Jan 2090');
      expect(plan.message).toContain('Back to the form');
      expect((await plan.confirm()).status).toBe(303);
      const base = await sendReview(`${GOODS}/products/SHIRT/prices`, {
        price: '210',
        from: '2090-03-01',
        to: '',
      });
      expect((await base.confirm()).status).toBe(303);
      expect((await get(`${GOODS}/products/SHIRT`)).message).toMatch(
        /Change \d+ Plan Gold 1 Jan 2090.*₹160\.00.*Base price 1 Mar 2090/,
      );
      const { text } = await get(`${GOODS}/prices`);
      const upcoming = rows(text).map((row) => /^\d+: (.*?) 1 /.exec(row)![1]);
      expect(upcoming).toEqual(['base price of NEIGHBOUR-1', 'fixed prices', 'base price of SHIRT']);
      const change = await get(linkOf(text, '\\d+: fixed prices'));
      expect(change.message).toMatch(/SHIRT Gold .*160/);
      expect(readable(change.text)).toContain(`, by ${staff.person.email}.`);
      const path = `${/action="([^"]+)\/withdraw"/.exec(change.text)![1]!}`;
      expect((await staff.post(`${path}/withdraw`)).status).toBe(303);
      const repeated = await staff.post(`${path}/withdraw`);
      expectPage(repeated, 409, 'was withdrawn already');
      expect(rows((await get(`${GOODS}/prices`)).text)).toHaveLength(2);
      expect((await get(`${GOODS}/products/SHIRT`)).message).not.toContain('1 Jan 2090');
      expect((await get(`${GOODS}/prices/upcoming/99999`)).status).toBe(404);
    });

    it('asks for the SKU of a new product, also if the form comes empty', async () => {
      expect((await get(`${GOODS}/new`)).message).toContain('upload pictures on the product’s page');
      for (const sku of ['', ' '])
        for (const step of ['', 'confirm']) {
          const { status, text } = await staff.post(`${GOODS}/new`, { sku, step });
          expectPage({ status, text }, 422, 'SKU Must not be empty');
        }
      expect(await test.audited('*', `subject IN ('product ', 'product  ')`)).toEqual([]);
    });

    it('changes the discount of a plan, for admins', async () => {
      const path = `${GOODS}/plans/GOLD`;
      expect((await get(path)).status).toBe(403);
      const stale = await sendReview(
        path,
        { name: 'Gold', discount: '15', from: '', to: '' },
        { person: admin },
      );
      expect(stale.message).toMatch(/Discount in percent 10 % → 15 %/);
      const quick = await sendReview(
        path,
        { name: 'Gold', discount: '12', from: '', to: '' },
        { person: admin },
      );
      expect((await quick.confirm()).status).toBe(303);
      const late = await stale.confirm();
      expectPage(late, 409, 'It now has Name: Gold, Discount in percent: 12 %. Nothing was changed.');
      const same = await admin.post(path, { name: 'Gold', discount: '12', from: '', to: '' });
      expect([same.status, same.headers.location]).toEqual([303, path]);
      const odd = await sendReview(
        path,
        { name: 'Gold', discount: '101', from: '', to: '' },
        { person: admin },
      );
      expect(odd.review.status).toBe(422);
      const { message } = await get(`${GOODS}/changes?subject=plan`);
      expect(message).toMatch(/Plan Gold Discount: 10 → 12 /);
      expect((await get(`${GOODS}/changes?sku=SHIRT`)).message).toMatch(
        /Price Gold SHIRT Price: none → ₹150.00/,
      );
      const { clientId } = await test.fixtures.store();
      expect((await get(`${GOODS}/changes?subject=subscription`)).message).toMatch(
        /Until: none → \d+ \w+ \d{4}, \d\d:\d\d , From: none → \d+ \w+/,
      );
      await test.pool.query('UPDATE subscriptions SET ends_at = $2 WHERE client_id = $1', [
        clientId,
        '2093-01-01T00:00+05:30',
      ]);
      expect((await get(`${GOODS}/changes?subject=subscription`)).message).toMatch(
        /Until: .* → 31 Dec 2092 /,
      );
    });

    it('changes a GST rate now, or from a day on, alone or by a file', async () => {
      const RATE = `${GOODS}/products/SHIRT/gst-rate`;
      await test.pool.query(`UPDATE products SET gst_rate = 12 WHERE sku = 'SHIRT'`);
      expect((await get(`${GOODS}/products/SHIRT`)).text).toContain(RATE);
      expect((await get(RATE)).message).toContain('It is 12 % now.');
      const odd = await sendReview(RATE, { gst_rate: '13', from: '2090-05-01' });
      expectPage(odd.review, 422, 'rate of GST: 0, 0.1');
      const past = await sendReview(RATE, { gst_rate: '18', from: '2020-05-01' });
      expectPage(past.review, 422, 'in the past');
      const later = await sendReview(RATE, { gst_rate: '18 %', from: '2090-05-01' });
      expect(later.message).toContain('12 % → 18 % from 1 May 2090');
      expect(later.message).toMatch(
        /Base price without GST .*₹\S+ → ₹\S+ Prices with GST stay, also those of plans/,
      );
      expect((await later.confirm()).status).toBe(303);
      const displayed = await get(`${GOODS}/products/SHIRT`);
      expect(displayed.message).toMatch(/Change \d+ GST rate 1 May 2090, 00:00 It stays \S+ 18 %/);
      const change = await get(linkOf((await get(`${GOODS}/prices`)).text, '\\d+: GST rate of SHIRT'));
      expect(change.message).toMatch(/1 GST rate .*SHIRT GST rate 12 % 18 % waiting/);
      const logged = await get('/desk/audit?action=GST+rates', admin);
      expect(logged.message).toMatch(
        /GST rates scheduled Scheduled change \d+ – To: none From: .* GST rates: 1 /,
      );
      const now = await sendReview(RATE, { gst_rate: '5', from: '' });
      expect(now.message).toContain('12 % → 5 %');
      expect((await now.confirm()).status).toBe(303);
      expect((await get(RATE)).message).toContain('It is 5 % now.');
    });

    it('withdraws a change of a discount, for admins', async () => {
      const fields = { name: 'Gold', discount: '20', from: '2091-01-01', to: '' };
      const review = await sendReview(`${GOODS}/plans/GOLD`, fields, { person: admin });
      const { headers } = await review.confirm();
      expect(noticeIn(headers)).toMatch(/change \d+: the discount from 1 Jan 2091\./);
      const [, change] = /<a href="([^"]+)">\d+: discount of Gold/.exec((await get(`${GOODS}/prices`)).text)!;
      expect((await get(change!)).message).not.toContain('Withdraw');
      expect((await get(change!, admin)).message).toContain('Withdraw 1 price');
      expect((await staff.post(`${change!}/withdraw`)).status).toBe(403);
      expect((await admin.post(`${change!}/withdraw`)).status).toBe(303);
    });

    it('lists scheduled changes, their prices and the log page by page', async () => {
      const add = async (from: string, closed: string | null, changes: number, prices: number) => {
        await test.pool.query(
          `WITH made AS (
             INSERT INTO price_schedules (from_at, actor, closed_at)
             SELECT $1::timestamptz + at * interval '1 day', 'test', $2 FROM generate_series(1, $3::int) at
             RETURNING id)
           INSERT INTO scheduled_prices (schedule_id, number, product_id, value)
           SELECT made.id, number, product.id, number
             FROM made, generate_series(1, $4::int) number, products product WHERE sku = 'MUG'`,
          [from, closed, changes, prices],
        );
      };
      await add('2020-01-01Z', '2020-01-01Z', 50, 1);
      await add('2089-01-01Z', null, 1, 51);
      const open = (await get(`${GOODS}/prices`)).text;
      expect(rows(open)[0]).toContain('base price of NEIGHBOUR-1');
      expect(rows(open)[1]).toContain('2 Jan 2089');
      const prices = (await get(linkOf(open, '\\d+: base prices'))).text;
      expect(rows(prices)).toHaveLength(50);
      expect(rows((await get(linkOf(prices, 'Next page'))).text)).toEqual([
        expect.stringMatching(/MUG Base price ₹[\d.]+ ₹51.00 waiting/),
      ]);
      const past = (await get(`${GOODS}/prices?past=yes`)).text;
      expect([rows(past).length, rows(past)[0]]).toEqual([50, expect.stringContaining('2091')]);
      expect(rows((await get(linkOf(past, 'Next page'))).text).at(-1)).toContain('2 Jan 2020');
      await test.pool.query(
        `INSERT INTO changes (actor, subject, name, after)
         SELECT 'test', 'product', 'LOGGED', jsonb_build_object('base_price', at) FROM generate_series(1, 51) at`,
      );
      const log = (await get(`${GOODS}/changes?sku=LOGGED&subject=product`)).text;
      expect(rows(log)).toHaveLength(50);
      expect(rows((await get(linkOf(log, 'Older'))).text)).toEqual([
        expect.stringContaining('Base price: none → ₹1.00 '),
      ]);
    });
  });
});
