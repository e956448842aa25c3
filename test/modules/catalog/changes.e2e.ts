import { Client } from 'pg';
import * as fc from 'fast-check';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { expectSameAsFresh } from '../../support/same-as-fresh.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Answer {
  data: { sku: string }[];
  removed: string[];
  total: number;
  sync_token: string;
}

const PATHS = ['/api/products', '/api/stock'];

let test: TestApp;
let store: Store;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
afterEach(() => expectSameAsFresh(test.app.get(SnapshotService), test.database.serviceUrl));

describe('changes since a sync token', () => {
  beforeEach(async () => {
    await test.fixtures.clear();
    store = await test.fixtures.store({ planId: (await test.fixtures.plan({ discount: '10' })).id });
    for (const sku of ['A', 'B', 'C']) await test.fixtures.product({ sku, basePrice: '100' });
  });

  const whole = async (path = '/api/products') => (await test.get(store, path).expect(200)).body as Answer;
  const since = async (token: string, path = '/api/products') =>
    (await test.get(store, `${path}?since=${token}`).expect(200)).body as Answer;
  const skus = ({ data }: Answer) => data.map(({ sku }) => sku);

  it.each(PATHS)('are empty, and keep the token, while nothing changes: %s', async (path) => {
    // A job of the start may still be in a transaction, whose changes the token waits for.
    let token = '';
    await eventually(async () => {
      ({ sync_token: token } = await whole(path));
      return (await since(token, path)).total === 0;
    });
    const answer = await since(token, path);
    expect(answer).toMatchObject({ data: [], removed: [], total: 0, sync_token: token });
  });

  it.each(PATHS)('contain a changed quantity once: %s', async (path) => {
    const { sync_token: token } = await whole(path);
    await test.fixtures.hold('B', 1);
    const answer = await since(token, path);
    expect(skus(answer)).toEqual(['B']);
    expect(answer.total).toBe(1);
    expect(skus(await since(answer.sync_token, path))).toEqual([]);
  });

  it.each(PATHS)('list products that were deleted, deactivated or renamed as removed: %s', async (path) => {
    const { sync_token: token } = await whole(path);
    await test.fixtures.removeProducts('A');
    await test.fixtures.changeProduct('B', { active: false });
    await test.fixtures.changeProduct('C', { sku: 'C2' });
    const answer = await since(token, path);
    expect(answer.removed).toEqual(['A', 'B', 'C']);
    expect(skus(answer)).toEqual(['C2']);
  });

  it('do not list a product as removed that is on sale again', async () => {
    const { sync_token: token } = await whole();
    await test.fixtures.removeProducts('A');
    await test.fixtures.changeProduct('B', { active: false });
    await test.fixtures.changeProduct('B', { active: true });
    await test.fixtures.product({ sku: 'A' });
    const answer = await since(token);
    expect(answer.removed).toEqual([]);
    expect(skus(answer).toSorted()).toEqual(['A', 'B']);
  });

  it('contain products with a new text, base price or fixed price', async () => {
    let { sync_token: token } = await whole();
    const changedBy = async (change: Promise<void>) => {
      await change;
      const answer = await since(token);
      token = answer.sync_token;
      return skus(answer);
    };
    const { fixtures } = test;
    expect(await changedBy(fixtures.changeProduct('A', { description: 'New' }))).toEqual(['A']);
    expect(await changedBy(fixtures.changeProduct('B', { basePrice: 5 }))).toEqual(['B']);
    expect(await changedBy(fixtures.fixedPrice(store.planId, 'C', '5'))).toEqual(['C']);
    expect(await changedBy(fixtures.fixedPrice(store.planId, 'C', null))).toEqual(['C']);
    expect(await changedBy(fixtures.sql(`UPDATE products SET name = name`))).toEqual([]);
  });

  it('contain all products after a new discount, and none after a change of another plan', async () => {
    const { sync_token: token } = await whole();
    const other = await test.fixtures.plan({ discount: '20' });
    await test.fixtures.fixedPrice(other.id, 'A', '5');
    expect(skus(await since(token))).toEqual([]);
    await test.fixtures.discount(store.planId, '15');
    const answer = await since(token);
    expect(skus(answer)).toEqual(['A', 'B', 'C']);
    expect(skus(await since(answer.sync_token))).toEqual([]);
  });

  it('are empty, and the ETag stays, when only the name of the plan changes', async () => {
    const { body, headers } = await test.get(store, '/api/products').expect(200);
    await test.fixtures.sql(`UPDATE plans SET name = 'Another name', repriced = 5 WHERE id = $1`, [
      store.planId,
    ]);
    expect((await test.get(store, '/api/plan').expect(200)).body.data.name).toBe('Another name');
    const { sync_token: token } = body as Answer;
    expect(await since(token)).toMatchObject({ data: [], removed: [], sync_token: token });
    await test.get(store, '/api/products').set('If-None-Match', headers.etag!).expect(304);
  });

  it.each(PATHS)('never list a SKU that was never on sale: %s', async (path) => {
    const { sync_token: token } = await whole(path);
    await test.fixtures.product({ sku: 'SECRET', active: false });
    await test.fixtures.product({ sku: 'DRAFT', active: false });
    await test.fixtures.changeProduct('SECRET', { name: 'New name' });
    await test.fixtures.changeProduct('SECRET', { sku: 'SECRET-2' });
    await test.fixtures.changeProduct('A', { active: false, sku: 'NEXT-A' });
    await test.fixtures.changeProduct('B', { active: false });
    await test.fixtures.changeProduct('B', { sku: 'NEXT-B' });
    await test.fixtures.removeProducts('DRAFT');
    expect((await since(token, path)).removed).toEqual(['A', 'B']);
    await test.fixtures.removeProducts('SECRET-2', 'NEXT-A', 'NEXT-B');
    expect((await since(token, path)).removed).toEqual(['A', 'B']);
  });

  it.each(PATHS)('list a deactivated product as removed, also when it is deleted later: %s', async (path) => {
    const { sync_token: token } = await whole(path);
    await test.fixtures.changeProduct('A', { active: false });
    const { removed, sync_token: later } = await since(token, path);
    expect(removed).toEqual(['A']);
    await test.fixtures.sql(`UPDATE products SET name = 'Edited', withdrawn = NULL WHERE sku = 'A'`);
    expect((await since(later, path)).removed).toEqual([]);
    await test.fixtures.removeProducts('A');
    expect((await since(token, path)).removed).toEqual(['A']);
  });

  it.each(PATHS)('have the same ETag for two tokens with the same changes: %s', async (path) => {
    const tokens: string[] = [];
    for (const sku of ['A', 'B']) {
      tokens.push((await whole(path)).sync_token);
      await test.fixtures.hold(sku, 1);
    }
    const answers = () => Promise.all(tokens.map((token) => test.get(store, `${path}?since=${token}`)));
    const tags = async () => (await answers()).map(({ headers }) => headers.etag);
    const [both, latest] = await answers();
    expect(latest!.headers.etag).not.toBe(both!.headers.etag);
    await test.fixtures.hold('A', 2);
    await test.fixtures.hold('B', 2);
    expect(new Set(await tags()).size).toBe(1);
    expect((await answers()).map(({ body }) => skus(body as Answer))).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
    await test.fixtures.sql('UPDATE stock_items SET on_hand = on_hand + 1');
    expect(new Set(await tags()).size).toBe(1);
    await test.fixtures.discount(store.planId, '11');
    expect(new Set(await tags()).size).toBe(1);
  });

  it('contain the change of a transaction that commits after the token was given out', async () => {
    const slow = new Client(test.database.url);
    await slow.connect();
    await slow.query(`BEGIN; UPDATE stock_items SET on_hand = 1 WHERE product_id = 1`);
    await test.fixtures.count('B', 2);
    const { sync_token: token } = await whole();
    await slow.query('COMMIT');
    await slow.end();
    await test.fixtures.observed();
    expect(skus(await since(token))).toContain('A');
  });

  it('hold the fields that `expand` asks for, whatever list the token is from', async () => {
    const expand = 'expand=variations,delivery_charge';
    await test.fixtures.product({
      sku: 'SHIRT',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      stock: { 'Size:S': 2, 'Size:M': 3 },
      deliveryCharge: '12.50',
    });
    const { sync_token: plain } = await whole();
    const { sync_token: expanded } = await whole(`/api/products?${expand}`);
    expect(expanded).toBe(plain);
    await test.fixtures.hold('SHIRT', 1, 'Size:M');
    const [item] = (await whole(`/api/products?${expand}&search=SHIRT`)).data;
    expect(item).toMatchObject({
      stock_qty: 4,
      has_variations: true,
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      variation_stocks: { 'Size:S': 2, 'Size:M': 2 },
      delivery_charge: 12.5,
    });
    const requested = await test.get(store, `/api/products?since=${plain}&${expand}`).expect(200);
    expect(requested.body).toMatchObject({ total: 1, data: [item], removed: [] });
    const { body } = await test.get(store, `/api/products?since=${plain}`).expect(200);
    expect(body.data).toEqual([
      Object.fromEntries(
        Object.entries(item!).filter(([field]) => !/^(has_var|variation|delivery_charge)/.test(field)),
      ),
    ]);
    // All of them, as after a new discount.
    await test.fixtures.discount(store.planId, '20');
    const all = await test.get(store, `/api/products?since=${plain}&${expand}`).expect(200);
    const now = await whole(`/api/products?${expand}`);
    expect(all.body.data).toEqual(now.data);
    expect(now.data).toHaveLength(4);
    expect(all.headers.etag).not.toBe(requested.headers.etag);
    const same = (query: string) =>
      test.get(store, `/api/products?since=${plain}${query}`).set('If-None-Match', all.headers.etag!);
    await same(`&${expand}`).expect(304);
    await same('').expect(200);
  });

  it('answer 410 to a token of another plan, another list or another database', async () => {
    const other = await test.fixtures.store({ planId: (await test.fixtures.plan()).id });
    const { sync_token: catalog } = await whole();
    const { sync_token: stock } = await whole('/api/stock');
    const expired = async (path: string, as = store) => {
      const { body } = await test.get(as, path).expect(410);
      expect(body.code).toBe('sync_token_expired');
    };
    await expired(`/api/products?since=${catalog}`, other);
    await expired(`/api/products?since=${stock}`);
    await expired(`/api/stock?since=${catalog}`);
    await test.fixtures.sql('SELECT begin_history()');
    await expired(`/api/products?since=${catalog}`);
    await expired(`/api/stock?since=${stock}`);
    const { sync_token: fresh } = await whole();
    expect(skus(await since(fresh))).toEqual([]);
  });

  it('accept a token from a node that is ahead of this one', async () => {
    const behind = await startTestApp({ snapshotIntervalMs: 1_000_000 }, test.database);
    let counted = 100;
    // Another transaction, such as one of autovacuum, holds the tokens back: such a token is not ahead.
    await eventually(async () => {
      await test.fixtures.count('A', ++counted);
      const { sync_token: ahead } = await whole();
      await test.fixtures.count('B', ++counted);
      const { body } = await behind.get(store, `/api/products?since=${ahead}`).expect(200);
      return skus(body as Answer).join() === 'B';
    });
    await behind.close();
  });
});

describe('a client that applies the changes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('stock' as const), id: fc.nat(11), value: fc.nat(50) }),
    fc.record({ kind: fc.constant('text' as const), id: fc.nat(11), value: fc.nat(3) }),
    fc.record({ kind: fc.constant('active' as const), id: fc.nat(11), value: fc.nat(1) }),
    fc.record({ kind: fc.constant('rename' as const), id: fc.nat(11), value: fc.nat(3) }),
    fc.record({ kind: fc.constant('delete' as const), id: fc.nat(11), value: fc.constant(0) }),
    fc.record({ kind: fc.constant('insert' as const), id: fc.nat(11), value: fc.nat(50) }),
    fc.record({ kind: fc.constant('price' as const), id: fc.nat(11), value: fc.nat(50) }),
    fc.record({ kind: fc.constant('unprice' as const), id: fc.nat(11), value: fc.constant(0) }),
    fc.record({ kind: fc.constant('discount' as const), id: fc.constant(0), value: fc.nat(3) }),
  );

  const statements = {
    stock: (id: number, value: number) =>
      `UPDATE stock_items SET on_hand = ${value} WHERE product_id = ${id}`,
    text: (id: number, value: number) => `UPDATE products SET name = 'Name ${value}' WHERE id = ${id}`,
    active: (id: number, value: number) => `UPDATE products SET active = ${value === 1} WHERE id = ${id}`,
    rename: (id: number, value: number) => `UPDATE products SET sku = 'S${id}-${value}' WHERE id = ${id}`,
    delete: (id: number) => `DELETE FROM products WHERE id = ${id}`,
    insert: (id: number, value: number) =>
      `WITH made AS (INSERT INTO products (id, sku, name, description, category, base_price, delivery_charge)
         VALUES (${id}, 'S${id}-0', 'New', '', 'T', ${value}, 0) ON CONFLICT DO NOTHING RETURNING id)
       INSERT INTO stock_items (product_id, on_hand) SELECT id, ${value} FROM made`,
    price: (id: number, value: number) =>
      `INSERT INTO plan_prices (plan_id, product_id, price)
       SELECT 1, id, ${value} FROM products WHERE id = ${id}
       ON CONFLICT (plan_id, product_id) DO UPDATE SET price = excluded.price`,
    unprice: (id: number) => `DELETE FROM plan_prices WHERE product_id = ${id}`,
    discount: (_: number, value: number) => `UPDATE plans SET discount = ${value} WHERE id = 1`,
  };

  let writers: Client[];
  let copies: Map<string, { token: string; items: Map<string, unknown> }>;

  beforeAll(async () => {
    writers = [new Client(test.database.url), new Client(test.database.url)];
    for (const writer of writers) await writer.connect();
  });
  afterAll(async () => {
    for (const writer of writers) await writer.end();
  });

  const read = async (path: string) => (await test.get(store, path).expect(200)).body as Answer;
  const itemsOf = ({ data }: Answer) => new Map<string, unknown>(data.map((item) => [item.sku, item]));

  /**
   * Each run starts with the same six products and a copy of them. Otherwise fast-check could not shrink a
   * failure.
   */
  async function begin(): Promise<void> {
    for (const writer of writers) await writer.query('ROLLBACK');
    await test.fixtures.clear();
    store = await test.fixtures.store();
    await test.fixtures.products(Array.from({ length: 6 }, (_, n) => ({ sku: `S${n + 1}-0` })));
    copies = new Map();
    for (const path of PATHS) {
      const answer = await read(path);
      copies.set(path, { token: answer.sync_token, items: itemsOf(answer) });
    }
  }

  async function catchUp(): Promise<void> {
    await test.fixtures.observed();
    for (const [path, copy] of copies) {
      const answer = await read(`${path}?since=${copy.token}`);
      copy.token = answer.sync_token;
      for (const sku of answer.removed) copy.items.delete(sku);
      for (const [sku, item] of itemsOf(answer)) copy.items.set(sku, item);
    }
  }

  it('has the whole list after any changes, in any transactions that end in any order', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), step), { minLength: 1, maxLength: 25 }),
      async (steps) => {
        for (const writer of writers)
          await writer.query(`BEGIN; SET LOCAL lock_timeout = '20ms'; SELECT pg_current_xact_id()`);
        for (const [turn, { kind, id, value }] of steps) {
          const writer = writers[turn];
          if (!writer) await catchUp();
          else await attempt(writer, statements[kind](id + 1, value));
        }
        for (const writer of writers) {
          await writer.query('COMMIT');
          await catchUp();
        }
        for (const path of PATHS) expect(copies.get(path)!.items).toEqual(itemsOf(await read(path)));
      },
    );
    await fc.assert(property.beforeEach(begin), { numRuns: 25 });
  });
});

/** Skips a statement that would wait for the other writer or contradicts it. */
async function attempt(writer: Client, statement: string): Promise<void> {
  await writer.query('SAVEPOINT before');
  try {
    await writer.query(statement);
  } catch (error) {
    if (!['55P03', '23505', '23503', '40P01'].includes((error as { code: string }).code)) throw error;
    await writer.query('ROLLBACK TO SAVEPOINT before');
  }
}
