import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import request from 'supertest';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import type { Store } from '../../support/fixtures.js';
import { expectSameAsFresh } from '../../support/same-as-fresh.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('the catalog', () => {
  const test = setUpTestApp();
  let store: Store;
  afterEach(() => expectSameAsFresh(test.app.get(SnapshotService), test.database.serviceUrl));

  async function beginEmpty(): Promise<void> {
    await test.fixtures.clear();
    const plan = await test.fixtures.plan({ discount: '10' });
    store = await test.fixtures.store({ planId: plan.id });
  }

  async function addFiveProducts(): Promise<void> {
    await test.fixtures.product({ sku: 'A1', name: 'Red mug', category: 'Kitchen', stock: 0 });
    await test.fixtures.product({ sku: 'B2', name: 'Blue Mug (50%)', category: 'kitchen' });
    await test.fixtures.product({ sku: 'C3', name: 'Shirt', category: 'Apparel' });
    await test.fixtures.product({ sku: 'D4', name: 'Scarf', category: 'Apparel', stock: 0 });
    await test.fixtures.product({ sku: 'mug-5', name: 'Saucer', category: 'Kitchen, small' });
  }

  /** S1, S2, … at 1.00, 2.00, … */
  const manyProducts = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ sku: `S${n + 1}`, basePrice: `${n + 1}` }));

  const skus = (body: { data: { sku: string }[] }) => body.data.map(({ sku }) => sku);
  const faults = (body: { errors: { field: string; code: string }[] }) =>
    body.errors.map(({ field, code }) => [field, code]);

  describe('one product', () => {
    beforeEach(beginEmpty);

    it('shows its variations, its delivery charge and the price of the plan', async () => {
      await test.fixtures.product({
        sku: 'SHIRT',
        name: 'Shirt',
        description: 'Cotton',
        category: 'Apparel',
        images: ['https://cdn.example.com/shirt.jpg'],
        basePrice: '249.90',
        deliveryCharge: '40.50',
        variations: [
          { name: 'Color', values: ['Red', 'Blue'] },
          { name: 'Size', values: ['M'] },
        ],
        stock: { 'Color:Red|Size:M': 3, 'Color:Blue|Size:M': 4 },
      });
      const { text } = await test.get(store, '/api/products/SHIRT').expect(200);
      expect(text).toBe(
        JSON.stringify({
          success: true,
          data: {
            sku: 'SHIRT',
            name: 'Shirt',
            stock_qty: 7,
            has_variations: true,
            variations: [
              { name: 'Color', values: ['Red', 'Blue'] },
              { name: 'Size', values: ['M'] },
            ],
            variation_stocks: { 'Color:Red|Size:M': 3, 'Color:Blue|Size:M': 4 },
            delivery_charge: 40.5,
            pricing: { wholesale_price: 224.91, currency: 'INR' },
            id: 1,
            description: 'Cotton',
            category: 'Apparel',
            images: ['https://cdn.example.com/shirt.jpg'],
            in_stock: true,
          },
        }),
      );
    });

    it('has an empty list of variations when it has none', async () => {
      await test.fixtures.product({ sku: 'MUG', stock: 0 });
      const { body } = await test.get(store, '/api/products/MUG').expect(200);
      expect(body.data).toMatchObject({
        stock_qty: 0,
        has_variations: false,
        variations: [],
        variation_stocks: {},
        in_stock: false,
      });
    });

    it('tells what is known of the goods, the list with `details`, and a change of it as a change', async () => {
      await test.fixtures.product({ sku: 'MUG', hsn: '6912', gstRate: '12.50', unit: 'NOS' });
      await test.fixtures.product({ sku: 'FREE', gstRate: '0' });
      const one = async (sku: string) =>
        (await test.get(store, `/api/products/${sku}`).expect(200)).body.data;
      const list = async (query: string) =>
        (await test.get(store, `/api/products?expand=details&${query}`).expect(200)).body;
      const [plain, { sync_token: token, data }] = [await test.get(store, '/api/products'), await list('')];
      const without = (item: object) => ({ ...item, hsn: undefined, gst_rate: undefined, unit: undefined });
      expect(data.map(without)).toEqual(plain.body.data);
      expect(plain.text).not.toContain('hsn');
      const known = { hsn: '6912', gst_rate: 12.5, unit: 'NOS' };
      expect(data).toMatchObject([known, { gst_rate: 0 }]);
      expect(Object.keys(await one('FREE')).slice(-2)).toEqual(['in_stock', 'gst_rate']);
      expect((await list(`since=${token}`)).data).toEqual([]);
      await test.fixtures.sql(
        `UPDATE products
            SET barcode = '4006381333931', weight_grams = 380, mrp = 499.5, country_of_origin = 'India',
                manufacturer = 'Clay Works, Khurja', net_quantity = '1 N', details_url = 'https://clay.example'
          WHERE sku = 'MUG'`,
      );
      const packed = {
        ...known,
        barcode: '4006381333931',
        weight_grams: 380,
        mrp: 499.5,
        country_of_origin: 'India',
        manufacturer: 'Clay Works, Khurja',
        net_quantity: '1 N',
        details_url: 'https://clay.example',
      };
      expect(await one('MUG')).toMatchObject(packed);
      expect((await list(`since=${token}`)).data).toMatchObject([{ sku: 'MUG', ...packed }]);
    });

    it('is found by a SKU with any characters, percent-encoded', async () => {
      const sku = 'A/B c?ü%,;#+';
      await test.fixtures.product({ sku });
      const { body } = await test.get(store, `/api/products/${encodeURIComponent(sku)}`).expect(200);
      expect(body.data.sku).toBe(sku);
    });

    it('answers 404 when it is unknown, inactive or written in another case', async () => {
      await test.fixtures.product({ sku: 'OLD', active: false });
      await test.fixtures.product({ sku: 'New' });
      for (const sku of ['OLD', 'NEW', 'x', '__proto__', 'x'.repeat(500)]) {
        const { body } = await test.get(store, `/api/products/${sku}`).expect(404);
        expect(body.code).toBe('product_not_found');
        expect(body.message.length).toBeLessThan(150);
      }
    });

    it('answers 304 until something changes for the client', async () => {
      await test.fixtures.product({ sku: 'MUG' });
      const first = await test.get(store, '/api/products/MUG').expect(200);
      const repeated = () =>
        test.get(store, '/api/products/MUG').set('If-None-Match', `W/"other", ${first.headers.etag}`);
      const { headers, text } = await repeated().expect(304);
      expect(headers).toMatchObject({ etag: first.headers.etag, 'cache-control': 'private, no-cache' });
      expect(headers.vary).toContain('Authorization');
      expect(text).toBe('');
      await test.fixtures.fixedPrice(store.planId, 'MUG', '5');
      const { body } = await repeated().expect(200);
      expect(body.data.pricing.wholesale_price).toBe(5);
    });
  });

  describe('the whole list', () => {
    beforeEach(beginEmpty);

    it('contains all active products in the order of their ids, with a fixed order of fields', async () => {
      await test.fixtures.product({
        sku: 'B',
        name: 'Bee',
        description: 'd',
        category: 'c',
        images: ['https://i.example.com/1'],
        basePrice: '1.15',
        stock: 2,
      });
      await test.fixtures.product({ sku: 'A' });
      await test.fixtures.product({ sku: 'GONE', active: false });
      const { body, text } = await test.get(store, '/api/products').expect(200);
      expect(body).toMatchObject({ status: true, total: 2 });
      expect(skus(body)).toEqual(['B', 'A']);
      expect(text).toMatch(/^\{"status":true,"total":2,"data":\[/);
      expect(text).toContain(
        '{"id":1,"sku":"B","name":"Bee","description":"d","category":"c","stock_qty":2,' +
          '"images":["https://i.example.com/1"],"pricing":{"wholesale_price":1.04,"currency":"INR"}}',
      );
      expect(body.sync_token).toMatch(/^[\w-]+$/);
    });

    it('is an empty list when no product is on sale', async () => {
      const { body } = await test.get(store, '/api/products').expect(200);
      expect(body).toEqual({ status: true, total: 0, data: [], sync_token: expect.any(String) });
    });

    it('is the same with and without gzip, and each form has its own ETag', async () => {
      const texts = (n: number) => ({ name: `Grüße ${n}`, description: 'x'.repeat(n % 50) });
      await test.fixtures.products(manyProducts(700).map((product, n) => ({ ...product, ...texts(n) })));
      await test.fixtures.sql('DELETE FROM products WHERE id % 130 <= 3');
      const plain = await raw('identity');
      const packed = await raw('gzip');
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      const { total, data } = JSON.parse(plain.body.toString()) as { total: number; data: { id: number }[] };
      expect(data).toHaveLength(total);
      expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).toSorted((a, b) => a - b));
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      expect(packed.headers.vary).toContain('Accept-Encoding');

      await test.fixtures.sql(
        `UPDATE products SET name = 'Changed' WHERE sku = 'S300'; DELETE FROM products WHERE id < 90`,
      );
      const [plainAfter, packedAfter] = [await raw('identity'), await raw('gzip')];
      expect(gunzipSync(packedAfter.body).equals(plainAfter.body)).toBe(true);
      expect(plainAfter.body.toString()).toContain('Changed');
    });

    it('is sent again to a client with a sync token when everything has changed', async () => {
      await test.fixtures.products(manyProducts(700));
      const { sync_token: token } = (await test.get(store, '/api/products')).body;
      await test.fixtures.discount(store.planId, '15');
      await test.fixtures.removeProducts('S9');
      const { total, data } = (await test.get(store, '/api/products')).body;
      const plain = await raw('identity', `?since=${token}`);
      const packed = await raw('gzip', `?since=${token}`);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      expect(JSON.parse(plain.body.toString())).toEqual({
        status: true,
        total,
        data,
        removed: ['S9'],
        sync_token: expect.any(String),
      });
      const { body } = await test.get(store, `/api/products?since=${token}`).expect(200);
      expect(body).toEqual(JSON.parse(plain.body.toString()));
    });

    it('is sent whole to a client with a sync token when most of many products have changed', async () => {
      await test.fixtures.products(manyProducts(1_800));
      const { sync_token: token } = (await test.get(store, '/api/products')).body;
      const notice = async () => (await test.get(store, `/api/products?since=${token}`).expect(200)).body;
      await test.fixtures.sql('UPDATE products SET base_price = base_price + 1 WHERE id <= 999');
      expect((await notice()).total).toBe(999);
      await test.fixtures.sql('UPDATE products SET base_price = base_price + 1 WHERE id = 1000');
      expect((await notice()).total).toBe(1_800);
    });

    const raw = (encoding: string, query = '') =>
      getBytes(`${test.url}/api/products${query}`, { ...store.headers, 'Accept-Encoding': encoding });

    it('answers 304 until something in it changes, with and without gzip', async () => {
      await test.fixtures.product({ sku: 'A' });
      for (const encoding of ['identity', 'gzip']) {
        const ask = () => test.get(store, '/api/products').set('Accept-Encoding', encoding);
        const { etag } = (await ask().expect(200)).headers as { etag: string };
        await ask().set('If-None-Match', etag).expect(304);
        await ask().set('If-None-Match', '*').expect(304);
        await test.fixtures.hold('A', encoding === 'gzip' ? 2 : 1);
        await ask().set('If-None-Match', etag).expect(200);
      }
    });

    it('keeps body, ETag and sync token when the change shows nowhere in it', async () => {
      await test.fixtures.product({ sku: 'A' });
      const before = await test.get(store, '/api/products').expect(200);
      const otherPlan = await test.fixtures.plan();
      await test.fixtures.store();
      await test.fixtures.fixedPrice(otherPlan.id, 'A', '5');
      const after = await test.get(store, '/api/products').expect(200);
      expect(after.text).toBe(before.text);
      expect(after.headers.etag).toBe(before.headers.etag);
    });

    it('keeps body, ETag and sync token when a transaction ends without a change', async () => {
      await test.fixtures.product({ sku: 'A' });
      const slow = await test.pool.connect();
      await slow.query('BEGIN; SELECT pg_current_xact_id()');
      await test.fixtures.hold('A', 1);
      const paths = ['/api/products', '/api/stock', '/api/products?limit=1', '/api/stock?skus=A'];
      const read = () => Promise.all(paths.map((path) => test.get(store, path).expect(200)));
      const during = await read();
      await slow.query('COMMIT');
      slow.release();
      await test.fixtures.observed();
      const after = await read();
      expect(after.map(({ text }) => text)).toEqual(during.map(({ text }) => text));
      expect(after.map(({ headers }) => headers.etag)).toEqual(during.map(({ headers }) => headers.etag));
      // A known change may be sent once more; after that the token is the latest.
      const [{ body: first }] = [await test.get(store, `/api/products?since=${during[0]!.body.sync_token}`)];
      const { body: next } = await test.get(store, `/api/products?since=${first.sync_token}`);
      expect(next).toMatchObject({ data: [], removed: [], sync_token: first.sync_token });
    });

    it('holds more of the single form with `expand`, and without it not a byte more', async () => {
      await test.fixtures.product({ sku: 'MUG', stock: 7, deliveryCharge: '40' });
      await test.fixtures.product({
        sku: 'SHIRT',
        basePrice: '100',
        variations: [
          { name: 'Colour', values: ['Navy', 'Red'] },
          { name: 'Size', values: ['M'] },
        ],
        stock: { 'Colour:Navy|Size:M': 2, 'Colour:Red|Size:M': 0 },
        deliveryCharge: '12.50',
      });
      const list = async (query: string) => (await test.get(store, `/api/products${query}`).expect(200)).body;
      const plain = await list('');
      const both = await list('?expand=variations,delivery_charge');
      for (const { sku, ...item } of plain.data) {
        const { body } = await test.get(store, `/api/products/${sku}`).expect(200);
        const { in_stock: _, ...single } = body.data;
        expect(both.data.find((one: { sku: string }) => one.sku === sku)).toEqual(single);
        const { has_variations, variations, variation_stocks, delivery_charge, ...listed } = single;
        expect({ sku, ...item }).toEqual(listed);
        expect((await list(`?expand=variations&search=${sku}`)).data).toEqual([
          { ...listed, has_variations, variations, variation_stocks },
        ]);
        expect((await list(`?expand=delivery_charge&search=${sku}`)).data).toEqual([
          { ...listed, delivery_charge },
        ]);
      }
      expect(both.data[1]).toMatchObject({
        delivery_charge: 12.5,
        has_variations: true,
        variations: [
          { name: 'Colour', values: ['Navy', 'Red'] },
          { name: 'Size', values: ['M'] },
        ],
        variation_stocks: { 'Colour:Navy|Size:M': 2, 'Colour:Red|Size:M': 0 },
        pricing: { wholesale_price: 90, currency: 'INR' },
      });
      expect({ ...both, data: [] }).toEqual({ ...plain, data: [] });
      const page = await list('?expand=delivery_charge&limit=1');
      expect(page.data).toMatchObject([{ sku: 'MUG', delivery_charge: 40 }]);
      const next = await list(`?expand=delivery_charge&limit=1&cursor=${page.next_cursor as string}`);
      expect(next.data).toMatchObject([{ sku: 'SHIRT', delivery_charge: 12.5 }]);
      expect((await list('?expand=')).data).toEqual(plain.data);
    });

    it('has an ETag of its own for each expansion, which changes with the content', async () => {
      await test.fixtures.product({ sku: 'A' });
      const tagOf = async (query: string) =>
        (await test.get(store, `/api/products${query}`).expect(200)).headers.etag!;
      const queries = [
        '',
        '?expand=variations',
        '?expand=delivery_charge',
        '?expand=variations,delivery_charge',
      ];
      const paged = queries.map((query) => (query ? `${query}&limit=5` : '?limit=5'));
      const tags = await Promise.all([...queries, ...paged].map(tagOf));
      expect(new Set(tags).size).toBe(8);
      for (const same of [
        'expand=delivery_charge,variations',
        'expand=delivery_charge&expand=variations',
        'expand[]=delivery_charge&expand[]=variations',
        'expand[0]=variations&expand[1]=delivery_charge',
        'expand=variations,%20delivery_charge,variations',
      ])
        await test.get(store, `/api/products?${same}`).set('If-None-Match', tags[3]!).expect(304);
      await test.get(store, '/api/products').set('If-None-Match', tags.slice(1).join(', ')).expect(200);
      const [identity, packed] = [
        await raw('identity', '?expand=variations'),
        await raw('gzip', '?expand=variations'),
      ];
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(packed.body).equals(identity.body)).toBe(true);
      await test.fixtures.sql(`UPDATE products SET delivery_charge = 99 WHERE sku = 'A'`);
      const { body } = await test
        .get(store, '/api/products?expand=delivery_charge')
        .set('If-None-Match', tags[2]!)
        .expect(200);
      expect(body.data).toMatchObject([{ sku: 'A', delivery_charge: 99 }]);
    });

    it('can be read page by page while products are added and removed', async () => {
      await addFiveProducts();
      const first = (await test.get(store, '/api/products?limit=2').expect(200)).body;
      expect(skus(first)).toEqual(['A1', 'B2']);
      expect(first).toMatchObject({ total: 5, sync_token: expect.any(String) });
      await test.fixtures.removeProducts('B2');
      const second = (await test.get(store, `/api/products?limit=2&cursor=${first.next_cursor}`).expect(200))
        .body;
      expect(skus(second)).toEqual(['C3', 'D4']);
      expect(second).not.toHaveProperty('sync_token');
      const last = (await test.get(store, `/api/products?limit=2&cursor=${second.next_cursor}`).expect(200))
        .body;
      expect(skus(last)).toEqual(['mug-5']);
      expect(last).not.toHaveProperty('next_cursor');
      const { body } = await test.get(store, `/api/products?since=${first.sync_token}`).expect(200);
      expect(body.removed).toEqual(['B2']);
    });

    it('shows a change at once on pages that were read before, and keeps their ETags otherwise', async () => {
      await addFiveProducts();
      const { body: first } = await test.get(store, '/api/products?limit=2').expect(200);
      const queries = [
        'limit=2',
        `limit=2&cursor=${first.next_cursor}`,
        'category=kitchen&limit=1',
        'in_stock=0',
      ];
      const read = () =>
        Promise.all(queries.map((query) => test.get(store, `/api/products?${query}`).expect(200)));
      const notice = (answers: Awaited<ReturnType<typeof read>>) =>
        answers.map(({ headers, text }) => ({ tag: headers.etag, text }));
      const before = await read();
      expect(notice(await read())).toEqual(notice(before));
      await test.fixtures.count('A1', 7);
      const after = await read();
      expect(
        after.map(({ body }) => body.data[0]).map(({ sku, stock_qty: quantity }) => [sku, quantity]),
      ).toEqual([
        ['A1', 7],
        ['C3', before[1]!.body.data[0].stock_qty],
        ['A1', 7],
        ['D4', 0],
      ]);
      expect(after[3]!.body.total).toBe(before[3]!.body.total - 1);
      expect(after.filter(({ headers }, at) => headers.etag === before[at]!.headers.etag)).toEqual([]);
      expect(notice(await read())).toEqual(notice(after));
    });

    it('refuses a wrong query every time', async () => {
      for (let time = 0; time < 2; time++) {
        const { body } = await test.get(store, '/api/products?limit=0').expect(422);
        expect(body.errors).toMatchObject([{ field: 'limit', code: 'too_small' }]);
      }
    });

    it('answers HEAD with the headers only', async () => {
      await test.fixtures.product({ sku: 'A' });
      const { headers } = await request(test.url)
        .get('/api/products')
        .set(store.headers)
        .set('Accept-Encoding', 'identity');
      const head = await request(test.url)
        .head('/api/products')
        .set(store.headers)
        .set('Accept-Encoding', 'identity')
        .expect(200);
      expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] });
    });
  });

  describe('the categories', () => {
    beforeEach(beginEmpty);
    const categories = () => test.get(store, '/api/categories');

    it('have as many products as the list with this category', async () => {
      await addFiveProducts();
      await test.fixtures.product({ sku: 'NONE', category: '' });
      await test.fixtures.product({ sku: 'OFF', category: 'Secret', active: false });
      const { body } = await categories().expect(200);
      expect(body).toEqual({
        success: true,
        total: 3,
        data: [
          { name: 'Apparel', products: 2 },
          { name: 'Kitchen', products: 2 },
          { name: 'Kitchen, small', products: 1 },
        ],
      });
      for (const { name, products } of body.data) {
        const list = await test.get(store, `/api/products?category=${encodeURIComponent(name)}`).expect(200);
        expect(list.body.total).toBe(products);
      }
    });

    it('answer 304 until the catalog changes, and are read across pieces', async () => {
      await test.fixtures.products(
        manyProducts(300).map((each, n) => ({ ...each, category: n % 3 === 0 ? 'Rare' : 'Common' })),
      );
      const first = await categories().expect(200);
      expect(first.body.data).toEqual([
        { name: 'Common', products: 200 },
        { name: 'Rare', products: 100 },
      ]);
      const repeated = () => categories().set('If-None-Match', first.headers.etag!);
      await repeated().expect(304);
      await test.fixtures.sql(`UPDATE products SET category = 'Common' WHERE category = 'Rare'`);
      expect((await repeated().expect(200)).body.data).toEqual([{ name: 'Common', products: 300 }]);
    });
  });

  describe('pages and filters', () => {
    beforeAll(async () => {
      await beginEmpty();
      await addFiveProducts();
    });

    it.each([
      ['limit=4', 4, true],
      ['limit=5', 5, false],
      ['limit=6', 5, false],
      ['limit=2&in_stock=true', 2, true],
      ['limit=3&in_stock=true', 3, false],
      ['limit=4&in_stock=true', 3, false],
    ])('has a next page only if there are more products: ?%s', async (query, count, hasMore) => {
      const { body } = await test.get(store, `/api/products?${query}`).expect(200);
      expect(body.data).toHaveLength(count);
      expect('next_cursor' in body).toBe(hasMore);
      expect(body.has_more).toBe(hasMore);
    });

    it.each([
      ['category=KITCHEN', ['A1', 'B2']],
      ['category=Kitch', []],
      ['search=MUG', ['A1', 'B2', 'mug-5']],
      ['search=(50%25)', ['B2']],
      ['search=.*', []],
      ['in_stock=true', ['B2', 'C3', 'mug-5']],
      ['in_stock=True', ['B2', 'C3', 'mug-5']],
      ['in_stock=1', ['B2', 'C3', 'mug-5']],
      ['in_stock=0', ['A1', 'D4']],
      ['in_stock=false', ['A1', 'D4']],
      ['category=apparel&in_stock=true&search=s', ['C3']],
      ['category=&search=%20', ['A1', 'B2', 'C3', 'D4', 'mug-5']],
      ['unknown=1', ['A1', 'B2', 'C3', 'D4', 'mug-5']],
    ])('filters by %s', async (query, expected) => {
      const { body } = await test.get(store, `/api/products?${query}`).expect(200);
      expect(skus(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });

    it('counts the matches of all pages', async () => {
      const { body } = await test.get(store, '/api/products?search=mug&limit=1').expect(200);
      expect(body).toMatchObject({ total: 3, next_cursor: expect.any(String) });
      expect(skus(body)).toEqual(['A1']);
    });

    it('has a different ETag for each filter and each page', async () => {
      const { body: first } = await test.get(store, '/api/products?limit=1').expect(200);
      const second = `limit=1&cursor=${first.next_cursor as string}`;
      const { body } = await test.get(store, `/api/products?${second}`).expect(200);
      const filters = [
        'limit=1',
        'limit=2',
        second,
        `limit=1&cursor=${body.next_cursor as string}`,
        'category=Kitchen',
        'category=Apparel',
        'search=mug',
        'search=Kitchen',
        'in_stock=true',
        'in_stock=false',
        'category=Kitchen&in_stock=true',
        'category=Kitchen&search=mug',
        'category=Kitchen&limit=2',
        'search=mug&in_stock=true',
        'search=mug&limit=2',
      ];
      const answers = await Promise.all(
        filters.map((filter) => test.get(store, `/api/products?${filter}`).expect(200)),
      );
      const tags = answers.map(({ headers }) => headers.etag!);
      expect(new Set(tags).size).toBe(filters.length);
      for (const [index, filter] of filters.entries()) {
        const others = tags.filter((_, other) => other !== index).join(', ');
        const repeated = await test
          .get(store, `/api/products?${filter}`)
          .set('If-None-Match', others)
          .expect(200);
        expect(repeated.body).toEqual(answers[index]!.body);
        await test.get(store, `/api/products?${filter}`).set('If-None-Match', tags[index]!).expect(304);
      }
    });

    it.each([
      ['limit=0', 'limit', 'too_small'],
      ['limit=-5', 'limit', 'too_small'],
      ['limit=9999999999', 'limit', 'too_large'],
      ['limit=1001', 'limit', 'too_large'],
      ['limit=0x10', 'limit', 'wrong_type'],
      ['limit=1e2', 'limit', 'wrong_type'],
      ['limit=99999999999999999999', 'limit', 'wrong_type'],
      ['limit=1&limit=2', 'limit', 'wrong_type'],
      ['cursor=abc', 'cursor', 'malformed'],
      ['cursor=a&cursor=b', 'cursor', 'malformed'],
      ['in_stock=yes', 'in_stock', 'wrong_type'],
      ['in_stock=2', 'in_stock', 'wrong_type'],
      ['search=a&search=b', 'search', 'wrong_type'],
      [`category=${'x'.repeat(201)}`, 'category', 'too_long'],
      ['category=%00', 'category', 'invalid_text'],
      ['since=abc', 'since', 'malformed'],
      ['expand=stock', 'expand', 'unknown_value'],
      ['expand=variations,', 'expand', 'unknown_value'],
      ['expand=variations&expand=prices', 'expand', 'unknown_value'],
      ['expand=Variations', 'expand', 'unknown_value'],
      ['expand=,', 'expand', 'unknown_value'],
    ])('answers 422 to %s', async (query, field, code) => {
      const { body } = await test.get(store, `/api/products?${query}`).expect(422);
      expect(faults(body)).toEqual([[field, code]]);
    });

    it.each(['search=%E9', 'category=a%', 'search=ok&limit=%zz'])('answers 400 to %s', async (query) => {
      const { body } = await test.get(store, `/api/products?${query}`).expect(400);
      const name = query.includes('limit') ? 'limit' : query.split('=', 1)[0];
      expect(body).toMatchObject({
        code: 'malformed_request',
        message: expect.stringContaining(`"${name}"`),
      });
      await test.get(store, '/api/products?colour=%E9&search=%C3%A9').expect(200);
    });

    it('reports all faults at once', async () => {
      const { body } = await test.get(store, '/api/products?limit=x&cursor=x&in_stock=x&since=x').expect(422);
      expect(faults(body).map(([field]) => field)).toEqual(['limit', 'cursor', 'in_stock', 'since']);
    });

    it.each(['limit=5', 'category=Kitchen', 'search=mug', 'in_stock=true'])(
      'answers 422 to since together with %s',
      async (query) => {
        const { sync_token: since } = (await test.get(store, '/api/products').expect(200)).body;
        const { body } = await test.get(store, `/api/products?since=${since}&${query}`).expect(422);
        expect(faults(body)).toEqual([['since', 'not_combinable']]);
      },
    );
  });
});

/** Returns the bytes as they were sent: supertest and fetch would unzip them. */
function getBytes(
  url: string,
  headers: Record<string, string>,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
