import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { readable } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const RENEW = 'Ask <a href="/dashboard/help">the wholesaler</a> to renew it';

describe('The plan in the dashboard', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 1_200, unpaidOrdersLimit: 10 });

  const planOf = async (clientId: number) =>
    (await (await signIn(test, clientId, 'viewer')).get('/dashboard/plan').expect(200)).text;

  it('says at which discount a client buys, until when, and what it may leave unpaid', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'Growth <b>', discount: '12.5' });
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    await test.fixtures.fixedPrice(planId, sku, '80.00');
    const store = await test.fixtures.store({ planId, until: 90 });
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
    const text = await planOf(store.clientId);
    expect(text).toContain('<h1>Your plan is Growth &lt;b></h1>');
    expect(text).toContain('12.5 %');
    expect(text).toContain('1 product<');
    expect(text).toContain('₹160.00');
    expect(text).toContain('1 of at most 10');
    expect(text).toContain('1,200 units per minute');
    expect(text).toContain('No further subscription is agreed.');
    expect(text).not.toContain(RENEW);
  });

  it('warns before a subscription ends that nothing follows, and tells what does', async () => {
    const { id: next } = await test.fixtures.plan({ name: 'Premium', discount: '20' });
    const store = await test.fixtures.store({ until: 10 });
    expect(await planOf(store.clientId)).toContain(RENEW);
    await test.fixtures.subscription(store.clientId, next, 10, 375);
    const text = await planOf(store.clientId);
    expect(text).not.toContain(RENEW);
    expect(text).toMatch(/Premium.*20 %/s);
  });

  it('says that a subscription has ended, or never was', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'The last one' });
    const ended = await test.fixtures.store({ from: -60, until: -30 });
    await test.fixtures.subscription(ended.clientId, planId, -30, -1);
    const text = await planOf(ended.clientId);
    expect(text).toContain('<h1>Your subscription has ended</h1>');
    expect(text).toContain('Your plan was The last one, until');
    const { clientId } = await test.fixtures.store({ until: null });
    expect(await planOf(clientId)).toContain('<h1>You have no subscription</h1>');
  });

  describe('tells which prices will change', () => {
    const schedule = (...args: string[]) =>
      answerOf<{ change: number }>(test.database.url, ...args, '--from', '2099-12-01');
    let planId: number;
    let clientId: number;

    beforeEach(async () => {
      await test.fixtures.clear();
      ({ id: planId } = await test.fixtures.plan({ code: 'gold', discount: '10' }));
      ({ clientId } = await test.fixtures.store({ planId }));
      await test.fixtures.plan({ code: 'other' });
      await test.fixtures.products([
        { sku: 'MUG', name: 'Mug <b>' },
        { sku: 'BOWL', name: 'Bowl' },
        { sku: 'GONE', name: 'Gone', active: false },
      ]);
    });
    const fixed = async (...rows: string[]) => {
      const app = await OperatorServices.open(test.database.url);
      const period = { from: new Date('2099-11-30T18:30:00Z'), to: new Date('2099-12-31T18:30:00Z') };
      const file = ['plan,sku,wholesale_price', ...rows, ''].join('\n');
      const { failed } = await app.import(app.app.get(PriceFiles), file, { ...period, force: true });
      await app.close();
      expect(failed).toEqual([]);
    };
    const csv = async () => {
      const browser = await signIn(test, clientId, 'viewer');
      return (await browser.get('/dashboard/plan/prices.csv').expect(200)).text.slice(1);
    };

    it('of its own plan and active products, at its own prices and the discount of that day', async () => {
      await fixed('gold,MUG,70', 'gold,GONE,70', 'other,MUG,12.34');
      await schedule('product', 'set', 'BOWL', '--base-price', '120');
      await schedule('plan', 'set', 'gold', '--discount', '15');
      await schedule('plan', 'set', 'other', '--discount', '37');
      const page = await planOf(clientId);
      const text = readable(page);
      expect(text).toContain('Prices that will change');
      expect(text).toMatch(/Mug <b>\s+MUG\s+₹90\.00\s+₹70\.00\s+1 Dec 2099, 00:00\s+31 Dec 2099/);
      expect(text).toMatch(/Bowl\s+BOWL\s+₹90\.00\s+₹102\.00\s+1 Dec 2099, 00:00\s+Stays/);
      expect(text).toMatch(/Your discount\s+off the base prices\s+10 %\s+15 %/);
      expect([page.includes('Gone'), page.includes('12.34'), page.includes('37 %')]).toEqual([
        false,
        false,
        false,
      ]);
      expect((await csv()).split('\r\n')).toEqual([
        'SKU,Product,Now,Then,From,Until,Unit',
        'MUG,Mug <b>,90.00,70.00,2099-12-01 00:00:00,2100-01-01 00:00:00,INR',
        'BOWL,Bowl,90.00,102.00,2099-12-01 00:00:00,,INR',
        ',Your discount,10.00,15.00,2099-12-01 00:00:00,,%',
        '',
      ]);
    });

    it('not of a base price that a fixed price hides, nor of what was withdrawn', async () => {
      await test.fixtures.fixedPrice(planId, 'BOWL', '80');
      await schedule('product', 'set', 'BOWL', '--base-price', '120');
      const { change } = await schedule('product', 'set', 'MUG', '--base-price', '120');
      expect(await planOf(clientId)).toContain('Prices that will change');
      await answerOf(test.database.url, 'price', 'withdraw', String(change));
      expect(await planOf(clientId)).not.toContain('Prices that will change');
    });

    it('back at the end of those that run, unless a person has changed them', async () => {
      await fixed('gold,MUG,70', 'gold,BOWL,70');
      await test.fixtures.sql(`UPDATE price_schedules SET from_at = now()`);
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      await test.fixtures.fixedPrice(planId, 'BOWL', '75');
      const rows = (await csv()).split('\r\n');
      expect(rows.slice(1)).toEqual(['MUG,Mug <b>,70.00,90.00,2100-01-01 00:00:00,,INR', '']);
      await schedule('plan', 'set', 'gold', '--discount', '15');
      expect((await csv()).split('\r\n')[1]).toBe('MUG,Mug <b>,70.00,85.00,2100-01-01 00:00:00,,INR');
    });

    it('of many the first ones, and all in a file', async () => {
      const skus = Array.from({ length: 120 }, (_, n) => `S-${n}`);
      await test.fixtures.products(skus.map((sku) => ({ sku })));
      await fixed(...skus.map((sku) => `gold,${sku},70`));
      const text = await planOf(clientId);
      expect(text).toContain('The first 100 prices that will change');
      expect([text.includes('S-99'), text.includes('S-100')]).toEqual([true, false]);
      expect((await csv()).split('\r\n')).toHaveLength(122);
    });

    it('to no client without a subscription', async () => {
      await fixed('gold,MUG,70');
      ({ clientId } = await test.fixtures.store({ until: null }));
      expect(await planOf(clientId)).not.toContain('Prices that will change');
      expect(await csv()).toBe('SKU,Product,Now,Then,From,Until,Unit\r\n');
    });
  });

  afterAll(endEverything);
});

const CATALOG = '/dashboard/catalog';

describe('The catalog in the dashboard', () => {
  const test = setUpTestApp();
  let planId: number;
  let viewer: SignedIn;

  beforeAll(async () => {
    ({ id: planId } = await test.fixtures.plan({ name: 'Growth', discount: '10' }));
    viewer = await signIn(test, (await test.fixtures.store({ planId })).clientId, 'viewer');
    await test.fixtures.products([
      {
        sku: 'MUG-350',
        name: 'Stoneware mug',
        category: 'Kitchen',
        basePrice: '100.00',
        deliveryCharge: '45.00',
      },
      { sku: 'PLATE', name: 'Plate <b>"white"</b>', category: 'Kitchen & more', stock: 0 },
      {
        sku: 'SHIRT',
        name: 'Shirt',
        category: 'Apparel',
        basePrice: '200.00',
        variations: [{ name: 'Size', values: ['M', 'L'] }],
        stock: { 'Size:M': 7, 'Size:L': 0 },
        images: ['https://images.example.com/shirt.jpg', 'http://images.example.com/plain.jpg'],
        description: 'Of cotton.\nWashable.',
      },
      { sku: '=1+1', name: '=HYPERLINK("https://evil.example")', category: 'Odd/ones?' },
      { sku: 'HIDDEN', name: 'Nobody sees it', active: false },
    ]);
    await test.fixtures.fixedPrice(planId, 'SHIRT', '150.00');
  });

  const page = async (path: string, person = viewer) => {
    const { status, text } = await person.get(path);
    return { status, text };
  };
  const found = async (query: string) =>
    [...(await page(`${CATALOG}?${query}`)).text.matchAll(/<small>([^<]+)<\/small>/g)].map(([, sku]) => sku);

  it("lists what is sold at the client's prices, as text and never as markup", async () => {
    const { status, text } = await page(CATALOG);
    expect(status).toBe(200);
    expect(text).toContain('<h1>4 products at your prices</h1>');
    expect(text).toMatch(/MUG-350.*₹45\.00.*₹90\.00.*PLATE.*Sold out.*SHIRT.*₹150\.00/s);
    expect(text).not.toContain('Nobody sees it');
    expect(text).not.toContain('<b>"white"');
    expect(text).toContain('Plate &lt;b>');
  });

  it.each([
    ['search=mug', ['MUG-350']],
    ['search=kitchen', ['MUG-350', 'PLATE']],
    ['search=STONE+mug', ['MUG-350']],
    ['search=.*', []],
    ['category=Kitchen', ['MUG-350']],
    ['category=Kitchen+%26+more', ['PLATE']],
    ['in_stock=yes', ['MUG-350', 'SHIRT', '=1+1']],
    ['in_stock=yes&category=Kitchen+%26+more', []],
    ['after=abc', ['MUG-350', 'PLATE', 'SHIRT', '=1+1']],
    ['search=a&search=b', ['MUG-350', 'PLATE', 'SHIRT', '=1+1']],
  ])('finds by %s', async (query, skus) => expect(await found(query)).toEqual(skus));

  it('says when nothing is found, and shows what was sought only as text', async () => {
    const { text } = await page(`${CATALOG}?search=${encodeURIComponent('"><script>x')}`);
    expect(text).toContain('<h1>0 products of 4</h1>');
    expect(text).toContain('No product matches.');
    expect(text).not.toContain('"><script>x');
  });

  it('tells all of one product', async () => {
    const { status, text } = await page(`${CATALOG}/SHIRT`);
    expect(status).toBe(200);
    expect(text).toContain('<h1>Shirt</h1>');
    expect(text).toContain('₹150.00');
    expect(text).toContain('src="https://images.example.com/shirt.jpg"');
    expect(text).not.toContain('src="http:');
    expect(text).toMatch(/Size:M.*7.*Size:L.*Sold out/s);
    expect(text).toContain('<p>Of cotton.</p><p>Washable.</p>');
  });

  it('links to products with odd SKUs, and says which one was meant by a misspelt one', async () => {
    const href = `${CATALOG}/%3D1%2B1`;
    expect((await page(CATALOG)).text).toContain(`href="${href}"`);
    expect((await page(href)).status).toBe(200);
    for (const sku of ['HIDDEN', 'nothing', '%ZZ', '%00']) {
      const { status } = await page(`${CATALOG}/${sku}`);
      expect(status).toBeLessThan(500);
      expect(status).toBeGreaterThanOrEqual(400);
    }
    const { status, text } = await page(`${CATALOG}/mug%20350`);
    expect([status, text.includes('MUG-350')]).toEqual([404, true]);
  });

  it('is a file at these prices, which no spreadsheet runs', async () => {
    const { status, headers, text } = await viewer.get(`${CATALOG}.csv`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = text.replace('\uFEFF', '').split('\r\n');
    expect(lines[0]).toBe(
      'sku,name,description,category,images,variations,wholesale_price,delivery_charge,currency,' +
        'stock_qty,variation_stocks',
    );
    expect(lines).toContain('MUG-350,Stoneware mug,A product for a test.,Kitchen,,,90.00,45.00,INR,10,');
    expect(text).toContain(',Size=M|L,150.00,0.00,INR,7,"Size:M=7; Size:L=0"');
    expect(text).toContain(`'=1+1,"'=HYPERLINK(`);
  });

  /** Categories of 49, 50 and 51 products, and one of the rest. */
  const sizeOf = (n: number) => (n < 49 ? '49' : n < 99 ? '50' : n < 150 ? '51' : 'many');

  it('goes on page by page, and is a file of all pages', async () => {
    const large = await startTestApp();
    const person = await signIn(large, (await large.fixtures.store()).clientId, 'viewer');
    await large.fixtures.products(
      Array.from({ length: 400 }, (_, n) => ({ sku: `P-${n}`, category: sizeOf(n) })),
    );
    const observed: string[] = [];
    let pages = 0;
    for (let path: string | undefined = CATALOG; path !== undefined;) {
      const { text } = await person.get(path);
      pages++;
      observed.push(...[...text.matchAll(/<small>([^<]+)<\/small>/g)].map(([, sku]) => sku!));
      path = /href="([^"]*after=\d+[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    const all = Array.from({ length: 400 }, (_, n) => `P-${n}`);
    expect([pages, observed]).toEqual([8, all]);
    for (const count of [49, 50, 51]) {
      const { text } = await person.get(`${CATALOG}?category=${count}`);
      expect(text.match(/<small>P-/g)).toHaveLength(Math.min(count, 50));
      expect(/after=\d/.test(text)).toBe(count > 50);
    }
    const { text } = await person.get(`${CATALOG}.csv`);
    expect([...text.matchAll(/^P-\d+/gm)].map(([sku]) => sku)).toEqual(all);
    await large.close();
  });

  it('tells no prices without a subscription, but why', async () => {
    const { clientId } = await test.fixtures.store({ until: null });
    const person = await signIn(test, clientId);
    expect((await page(CATALOG, person)).text).toContain('<h1>You have no active subscription</h1>');
    for (const path of [`${CATALOG}.csv`, `${CATALOG}/SHIRT`]) {
      const { status, text } = await page(path, person);
      expect([status, text.includes('150.00')]).toEqual([403, false]);
    }
  });
});
