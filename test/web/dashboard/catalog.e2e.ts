import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

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
