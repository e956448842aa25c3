import { once } from 'node:events';
import { get, request as send } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Test } from 'supertest';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const LIMIT = 1_000;

/** What one client may have in the making. */
const PLACES = 4;

describe('The work that a request is', () => {
  let test: TestApp;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    test = await startTestApp({ rateLimitPerMinute: LIMIT });
    sku = (await test.fixtures.product()).sku;
  });
  afterAll(() => test.close());

  beforeEach(async () => {
    store = await test.fixtures.store();
  });

  const named = (count: number) => Array.from({ length: count }, (_, n) => `N-${n}`);

  /** After a minute nothing is spent of what the client may spend. */
  const costOf = async (asked: (store: Store) => Test): Promise<number> => {
    await test.timePasses(60);
    const { headers } = await asked(store);
    return LIMIT - Number(headers['ratelimit-remaining']);
  };

  it('is one unit for a stock check, and for small answers of kinds that are kept ready', async () => {
    for (const path of [`/api/products/${sku}/stock`, `/api/products/${sku}`, '/api/products', '/api/stock'])
      expect([path, await costOf((who) => test.get(who, path).expect(200))]).toEqual([path, 1]);
  });

  it('is one more for every four orders that are named, found or not', async () => {
    const path = `/api/orders/status?orders=${named(100).join()}`;
    expect(await costOf((who) => test.get(who, path).expect(200))).toBe(27);
  });

  it('is one more for every four SKUs of a stock list', async () => {
    const path = `/api/stock?skus=${named(400).join()}`;
    expect(await costOf((who) => test.get(who, path).expect(200))).toBe(102);
  });

  it('goes by the size of an answer that is longer than 16 KB, made anew or not', async () => {
    const products = await startTestApp({ rateLimitPerMinute: LIMIT });
    try {
      const reader = await products.fixtures.store();
      await products.fixtures.product({ description: 'x'.repeat(5_000) });
      const units = async () => {
        await products.timePasses(60);
        const { headers, text } = await products
          .get(reader, '/api/products')
          .set('Accept-Encoding', 'identity')
          .expect(200);
        return { cost: LIMIT - Number(headers['ratelimit-remaining']), bytes: Buffer.byteLength(text) };
      };
      expect(await units()).toMatchObject({ cost: 1 });
      for (let n = 0; n < 3; n++) await products.fixtures.product({ description: 'x'.repeat(5_000) });
      const { cost, bytes } = await units();
      expect(bytes).toBeGreaterThan(16 * 1_024);
      expect(cost).toBe(Math.ceil(1 + bytes / 1_024 / 16));
    } finally {
      await products.close();
    }
  });

  it('is the same for a page, whether somebody has asked for it before or not', async () => {
    for (const path of ['/api/products?limit=1', `/api/stock?skus=${sku}`]) {
      const cost = () => costOf((who) => test.get(who, path).expect(200));
      expect([path, await cost(), await cost(), await cost()]).toEqual([path, 2, 2, 2]);
    }
  });

  it('goes by the lines of a quote, right or wrong', async () => {
    const quote = (skus: string[]) => (who: Store) =>
      test.post(who, '/api/orders/quote', orderBody(skus.map((each) => ({ sku: each, quantity: 1 }))));
    expect(await costOf(quote(Array.from({ length: 40 }, () => sku)))).toBe(11);
    expect(await costOf(quote(named(40)))).toBe(11);
    expect(await costOf(quote(named(2_000)))).toBe(26);
  });

  it('goes by what an order writes too: itself, and its lines or its body, whichever is more', async () => {
    const items = (count: number, variation?: string) =>
      Array.from({ length: count }, () => ({ sku, quantity: 1, ...(variation && { variation }) }));
    const order = (body: object) => (who: Store) => test.post(who, '/api/orders', body);
    expect(await costOf(order(orderBody(items(8))))).toBe(1 + 8 / 4 + 4 + 8);
    const large = orderBody(items(40, 'x'.repeat(900)));
    const bytes = Buffer.byteLength(JSON.stringify(large));
    expect(await costOf(order(large))).toBe(Math.ceil(1 + 40 / 4 + 4 + bytes / 256));
    expect(await costOf((who) => test.post(who, '/api/orders/quote', large))).toBe(11);
  });

  it('may be more than is left, and is then made good by waiting', async () => {
    const poor = await startTestApp({ rateLimitPerMinute: 15 }, test.database);
    try {
      const answer = await poor.get(store, `/api/orders/status?orders=${named(90).join()}`).expect(200);
      expect(answer.headers['ratelimit-remaining']).toBe('0');
      const { headers } = await poor.get(store, '/api/account').expect(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(20);
    } finally {
      await poor.close();
    }
  });

  it('is owed for longer than a minute, if it was so much', async () => {
    const poor = await startTestApp({ rateLimitPerMinute: 8 }, test.database);
    try {
      await poor.get(store, `/api/orders/status?orders=${named(90).join()}`).expect(200);
      await poor.timePasses(61);
      await poor.get(store, '/api/account').expect(429);
      await poor.timePasses(120);
      await poor.get(store, '/api/account').expect(200);
    } finally {
      await poor.close();
    }
  });

  it('is given back for a 304 of what is kept ready, and not for one that had to be made or names no copy', async () => {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    const kept = ['/api/products', '/api/stock', `/api/products/${sku}/stock`, '/api/products?limit=1'];
    const made = [`/api/orders/${body.order_number}/status`, '/api/orders'];
    for (const path of [...kept, ...made]) {
      const { headers } = await test.get(store, path).expect(200);
      const costWith = (known: string) =>
        costOf((who) => test.get(who, path).set('If-None-Match', known).expect(304));
      const free = kept.includes(path);
      expect([path, (await costWith(headers.etag!)) === 0]).toEqual([path, free]);
      expect([path, (await costWith('*')) > 0]).toEqual([path, true]);
      expect([path, (await costWith(' * ')) > 0]).toEqual([path, true]);
    }
  });

  describe('when it takes its time', () => {
    /** Has quotes wait until it is let go. */
    async function holdUp(): Promise<() => Promise<void>> {
      const client = await test.pool.connect();
      await client.query('BEGIN; LOCK TABLE store_order_ids IN ACCESS EXCLUSIVE MODE');
      return async () => {
        await client.query('ROLLBACK');
        client.release();
      };
    }

    const waiting = async (count: number) => {
      for (;;) {
        const { rows } = await test.pool.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'store_order_ids'::regclass`,
        );
        if (rows[0]!.count === count) return;
      }
    };

    const quote = () => {
      const sent = send(`${test.url}/api/orders/quote`, {
        method: 'POST',
        headers: { ...store.headers, 'Content-Type': 'application/json' },
      });
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(orderBody([{ sku, quantity: 1 }], { store_order_id: 'A' })));
      return sent;
    };

    it('has further orders of its client wait in line, with whichever token, and neither its reads nor anybody else', async () => {
      const neighbour = await test.fixtures.store();
      const letGo = await holdUp();
      const quotes = Array.from({ length: PLACES }, quote);
      const answers = quotes.map((sent) => once(sent, 'response'));
      await waiting(PLACES);
      let answered = false;
      const { token } = await test.fixtures.token(store.clientId, store.domain);
      const another = { ...store, headers: { ...store.headers, Authorization: `Bearer ${token}` } };
      const check = test.get(another, '/api/orders').expect(200);
      const checked = check.then(() => (answered = true));
      for (let n = 0; n < 10; n++) {
        await test.get(neighbour, '/api/orders').expect(200);
        await test.get(store, `/api/products/${sku}/stock`).expect(200);
      }
      expect(answered).toBe(false);
      await letGo();
      await checked;
      await Promise.all(answers);
      for (const sent of quotes) sent.destroy();
    });

    it('keeps its place for longer than a minute too', async () => {
      const letGo = await holdUp();
      const quotes = Array.from({ length: PLACES }, quote);
      const answers = quotes.map((sent) => once(sent, 'response'));
      await waiting(PLACES);
      await test.timePasses(61);
      let answered = false;
      const checked = test
        .get(store, '/api/orders')
        .expect(200)
        .then(() => (answered = true));
      for (let n = 0; n < 10; n++) await test.get(await test.fixtures.store(), '/api/orders').expect(200);
      expect(answered).toBe(false);
      await letGo();
      await checked;
      await Promise.all(answers);
      for (const sent of quotes) sent.destroy();
    });

    it('keeps its place when the client hangs up, until the work is over', async () => {
      const letGo = await holdUp();
      const quotes = Array.from({ length: PLACES }, quote);
      await waiting(PLACES);
      for (const sent of quotes) sent.destroy();
      let answered = false;
      const checked = new Promise<void>((resolve) => {
        get(`${test.url}/api/orders`, { headers: store.headers }, (response) => {
          answered = true;
          response.resume().once('end', resolve);
        });
      });
      for (let n = 0; n < 10; n++) await turn();
      await test.get(await test.fixtures.store(), '/api/account').expect(200);
      expect(answered).toBe(false);
      await letGo();
      await checked;
    });
  });
});
