import type { Store } from '../../support/fixtures.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('the stock', () => {
  const test = setUpTestApp();
  let store: Store;
  beforeEach(async () => {
    await test.fixtures.clear();
    store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'MUG', stock: 5 });
    await test.fixtures.product({
      sku: 'SHIRT',
      variations: [{ name: 'Size', values: ['M', 'L'] }],
      stock: { 'Size:M': 3, 'Size:L': 0 },
    });
  });

  const shirt = {
    sku: 'SHIRT',
    stock_qty: 3,
    in_stock: true,
    has_variations: true,
    variation_stocks: { 'Size:M': 3, 'Size:L': 0 },
  };
  const mug = { sku: 'MUG', stock_qty: 5, in_stock: true, has_variations: false, variation_stocks: {} };

  describe('of one product', () => {
    it('is shown in total and for each variation', async () => {
      const { text } = await test.get(store, '/api/products/SHIRT/stock').expect(200);
      expect(text).toBe(JSON.stringify({ success: true, ...shirt }));
      const { body } = await test.get(store, '/api/products/MUG/stock').expect(200);
      expect(body).toEqual({ success: true, ...mug });
    });

    it('excludes the quantity that orders hold, and is never below zero', async () => {
      await test.fixtures.hold('SHIRT', 2, 'Size:M');
      await test.fixtures.hold('MUG', 4);
      await test.fixtures.count('MUG', 1);
      const { body } = await test.get(store, '/api/products/SHIRT/stock').expect(200);
      expect(body).toMatchObject({ stock_qty: 1, variation_stocks: { 'Size:M': 1, 'Size:L': 0 } });
      const short = await test.get(store, '/api/products/MUG/stock').expect(200);
      expect(short.body).toMatchObject({ stock_qty: 0, in_stock: false });
    });

    it('is zero when it was never counted', async () => {
      await test.fixtures.sql(`DELETE FROM stock_items`);
      const { body } = await test.get(store, '/api/products/SHIRT/stock').expect(200);
      expect(body).toMatchObject({
        stock_qty: 0,
        in_stock: false,
        variation_stocks: { 'Size:M': 0, 'Size:L': 0 },
      });
    });

    it('answers 404 for an unknown product', async () => {
      const { body } = await test.get(store, '/api/products/NONE/stock').expect(404);
      expect(body).toMatchObject({ code: 'product_not_found', message: expect.stringContaining('"NONE"') });
    });

    it('answers 304 until it changes', async () => {
      const { headers } = await test.get(store, '/api/products/MUG/stock').expect(200);
      const repeated = () => test.get(store, '/api/products/MUG/stock').set('If-None-Match', headers.etag!);
      await repeated().expect(304);
      await test.fixtures.changeProduct('MUG', { description: 'Another text' });
      await repeated().expect(304);
      await test.fixtures.hold('MUG', 1);
      await repeated().expect(200);
    });
  });

  describe('of many products', () => {
    const list = async (query: string) =>
      (await test.get(store, `/api/stock${query}`).expect(200)).body as object;

    it('lists all products', async () => {
      const { text } = await test.get(store, '/api/stock').expect(200);
      expect(text).toMatch(
        /^\{"success":true,"total":2,"data":\[.*\],"unknown":\[\],"sync_token":"[\w-]+"\}$/,
      );
      expect(JSON.parse(text)).toMatchObject({ data: [mug, shirt] });
    });

    it('lists the requested SKUs in their order, and the unknown ones apart', async () => {
      expect(await list('?skus=SHIRT,%20NONE,MUG,SHIRT')).toEqual({
        success: true,
        total: 2,
        data: [shirt, mug],
        unknown: ['NONE'],
        sync_token: expect.any(String) as string,
      });
    });

    it.each([
      'skus=MUG&skus=SHIRT',
      'skus=MUG,SHIRT',
      'skus[]=MUG&skus[]=SHIRT',
      'skus%5B%5D=MUG,SHIRT',
      'skus[0]=MUG&skus[1]=SHIRT',
      'skus=MUG&skus[]=SHIRT',
    ])('lists the SKUs of %s', async (query) => {
      expect(await list(`?${query}`)).toMatchObject({ data: [mug, shirt], unknown: [] });
    });

    it('finds a SKU that contains a comma, alone or in a repeated parameter', async () => {
      await test.fixtures.product({ sku: 'A,B' });
      expect(await list('?skus=A,B')).toMatchObject({ total: 1, data: [{ sku: 'A,B' }], unknown: [] });
      expect(await list('?skus=A,B&skus=MUG,SHIRT')).toMatchObject({
        data: [{ sku: 'A,B' }],
        unknown: ['MUG,SHIRT'],
      });
    });

    it('splits the list before it decodes the SKUs, as generated clients write them', async () => {
      await test.fixtures.product({ sku: 'C,D' });
      expect(await list('?skus=C%2CD,MUG')).toMatchObject({ data: [{ sku: 'C,D' }, mug], unknown: [] });
      expect(await list('?skus=MUG,%20C%2cX')).toMatchObject({ data: [mug], unknown: ['C,X'] });
      // Other clients encode the whole list.
      expect(await list('?skus=MUG%2CSHIRT')).toMatchObject({ data: [mug, shirt], unknown: [] });
      expect(await list('?skus=C%2CD')).toMatchObject({ data: [{ sku: 'C,D' }], unknown: [] });
    });

    it('hints at the SKU that was meant, as for one product', async () => {
      const alone = await test.get(store, '/api/products/mug/stock').expect(404);
      expect(alone.body.suggestion).toBe('MUG');
      const hints = [{ sku: 'mug', suggestion: 'MUG' }];
      expect(await list('?skus=mug,NONE,SHIRT')).toMatchObject({ unknown: ['mug', 'NONE'], hints });
      expect(await list('?skus=MUG,NONE')).not.toHaveProperty('hints');
    });

    it('is empty when the list of SKUs is empty', async () => {
      for (const query of ['?skus=', '?skus=,', '?skus=&skus=']) {
        expect(await list(query)).toMatchObject({ success: true, total: 0, data: [], unknown: [] });
      }
    });

    it('takes at most 500 SKUs', async () => {
      const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
      expect(await list(`?skus=${numbers(500).join(',')}`)).toMatchObject({ total: 0 });
      const { body } = await test.get(store, `/api/stock?skus=${numbers(501).join(',')}`).expect(422);
      expect(body.errors).toEqual([{ field: 'skus', code: 'too_many', message: expect.any(String) }]);
    });

    it('takes 500 long SKUs in each spelling, also if every letter is percent-encoded', async () => {
      const skus = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(30, 'Q'));
      const encoded = skus.map((sku) =>
        [...sku].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      );
      for (const query of [
        `skus=${encoded.join(',')}`,
        `skus=${encoded.join('%2C')}`,
        encoded.map((sku, at) => `skus%5B${at}%5D=${sku}`).join('&'),
      ])
        expect(await list(`?${query}`)).toMatchObject({ total: 0, unknown: skus });
    });

    it('answers 422 to since together with skus, and to an invalid since', async () => {
      const { sync_token: since } = (await test.get(store, '/api/stock')).body;
      const both = await test.get(store, `/api/stock?since=${since}&skus=MUG`).expect(422);
      expect(both.body.errors).toMatchObject([{ field: 'since', code: 'not_combinable' }]);
      const garbage = await test.get(store, '/api/stock?since=garbage').expect(422);
      expect(garbage.body.errors).toMatchObject([{ field: 'since', code: 'malformed' }]);
    });

    it('answers 304 until it changes: all products, named products and since a token', async () => {
      const { sync_token: since } = (await test.get(store, '/api/stock')).body;
      for (const [index, query] of ['', '?skus=MUG,NONE', `?since=${since}`].entries()) {
        const { headers } = await test.get(store, `/api/stock${query}`).expect(200);
        await test.get(store, `/api/stock${query}`).set('If-None-Match', headers.etag!).expect(304);
        await test.fixtures.count('MUG', 6 + index);
        await test.get(store, `/api/stock${query}`).set('If-None-Match', headers.etag!).expect(200);
      }
    });

    it('has another ETag for other SKUs and for another order of SKUs', async () => {
      await test.fixtures.product({ sku: 'CUP' });
      const named = ['?skus=MUG', '?skus=CUP', '?skus=MUG,CUP', '?skus=CUP,MUG', '?skus=MUG,NONE', ''];
      const tags: string[] = [];
      for (const query of named) {
        const repeated = test.get(store, `/api/stock${query}`).set('If-None-Match', tags.join(', '));
        tags.push((await repeated.expect(200)).headers.etag!);
      }
      expect(new Set(tags).size).toBe(named.length);
    });

    it('is the same for stores of all plans, ETag included', async () => {
      const other = await test.fixtures.store({ planId: (await test.fixtures.plan({ discount: '50' })).id });
      const [here, there] = [await test.get(store, '/api/stock'), await test.get(other, '/api/stock')];
      expect(there.text).toBe(here.text);
      expect(there.headers.etag).toBe(here.headers.etag);
    });
  });
});
