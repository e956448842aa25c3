import { once } from 'node:events';
import { get, request as send } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import request, { type Test } from 'supertest';
import { StockService } from '../../../src/modules/stock/stock.service.js';
import { LoopWatchdog } from '../../../src/server/observability/loop-watchdog.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { endEverything } from '../../support/suite-end.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { countWaitingFor, lockTable } from '../../support/while-locked.js';
import { withMethods } from '../../support/with-methods.js';
import { work } from '../../support/work-clock.js';

/** The limit is so low that the next request is granted only after 12 s. No test takes that long. */
const LIMIT = 5;

describe('The rate limit', () => {
  const test = setUpTestApp({ rateLimitPerMinute: LIMIT });
  let sku: string;

  beforeAll(async () => {
    sku = (await test.fixtures.product()).sku;
  });

  const stock = (store: Store) => test.get(store, `/api/products/${sku}/stock`);

  const exhaust = async (store: Store) => {
    for (let n = 0; n < LIMIT; n++) await stock(store).expect(200);
  };

  it('shows the remaining requests with every answer, also with errors after the token check', async () => {
    const store = await test.fixtures.store();
    const answers = [
      await stock(store).expect(200),
      await test.get(store, '/api/products/NO-SUCH').expect(404),
      await test.get(store, '/api/nowhere').expect(404),
      await request(test.url)
        .get('/api/account')
        .set('Authorization', store.headers.Authorization!)
        .expect(403),
      await test.post(store, '/api/orders/1/returns', '{').expect(400),
    ];
    for (const [index, { headers }] of answers.entries()) {
      expect(headers).toMatchObject({
        'ratelimit-limit': String(LIMIT),
        'ratelimit-remaining': String(LIMIT - index - 1),
        'ratelimit-reset': expect.stringMatching(/^\d+$/),
      });
    }
  });

  it('answers 429 with Retry-After, before it reads a body, when no request remains', async () => {
    const store = await test.fixtures.store();
    await exhaust(store);
    const { body, headers } = await test.post(store, '/api/orders/1/returns', '{').expect(429);
    expect(body).toMatchObject({ success: false, code: 'rate_limited', request_id: headers['x-request-id'] });
    expect(Number(headers['retry-after'])).toBe(60 / LIMIT);
    expect(headers['ratelimit-remaining']).toBe('0');
  });

  it('answers a test token that demands a 429 as it would, and leaves the limit as it was', async () => {
    const store = await test.fixtures.store();
    const tester = await test.fixtures.withToken(store, 'test');
    const demanded = await stock(tester).set('X-Test-Failure', 'rate_limited').expect(429);
    for (let n = 0; n < LIMIT; n++) await stock(tester).expect(200);
    const real = await stock(tester).expect(429);
    const facts = ({ headers, body }: typeof real) => {
      const { message, code, success } = body as Record<string, unknown>;
      const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
      return { message, code, success, headers: names.map((name) => headers[name]) };
    };
    expect(facts(demanded)).toEqual(facts(real));
  });

  it('grants the next request after the seconds of Retry-After', async () => {
    const store = await test.fixtures.store();
    await exhaust(store);
    const { headers } = await stock(store).expect(429);
    expect(Number(headers['retry-after'])).toBe(60 / LIMIT);
    await test.timePasses(Number(headers['retry-after']));
    await stock(store).expect(200);
    await stock(store).expect(429);
  });

  it('counts each client by itself, with all its tokens together', async () => {
    const store = await test.fixtures.store();
    const other = await test.fixtures.store();
    const second = await test.fixtures.token(store.clientId, store.domain);
    await exhaust(store);
    await stock(store).expect(429);
    await stock(other).expect(200);
    await request(test.url)
      .get('/api/account')
      .set({ ...store.headers, Authorization: `Bearer ${second.token}` })
      .expect(429);
  });

  it('counts test tokens apart, so a trial does not slow real orders, and real orders no trial', async () => {
    const [store, neighbour] = [await test.fixtures.store(), await test.fixtures.store()];
    const trial = await test.fixtures.withToken(store, 'test');
    const left = async (holder: Store) => {
      const { headers } = await test.get(holder, '/api/account');
      return headers['ratelimit-remaining'];
    };
    await exhaust(trial);
    await stock(trial).expect(429);
    // Two test tokens share one limit.
    await stock(await test.fixtures.withToken(store, 'test')).expect(429);
    expect([await left(store), await left(neighbour)]).toEqual(Array(2).fill(String(LIMIT - 1)));
    const other = await test.fixtures.withToken(neighbour, 'test');
    for (let n = 1; n < LIMIT; n++) await stock(neighbour).expect(200);
    await stock(neighbour).expect(429);
    expect(await left(other)).toBe(String(LIMIT - 1));
  });

  it('refunds a request that is answered with 304', async () => {
    const store = await test.fixtures.store();
    const { headers } = await stock(store).expect(200);
    for (let n = 0; n < LIMIT * 2; n++) {
      const unchanged = await stock(store).set('If-None-Match', headers.etag!).expect(304);
      expect(unchanged.headers['ratelimit-remaining']).toBe(String(LIMIT - 1));
    }
  });

  it('refuses a conditional request too when no request remains', async () => {
    const store = await test.fixtures.store();
    const { headers } = await stock(store).expect(200);
    for (let n = 1; n < LIMIT; n++) await stock(store).expect(200);
    const { body } = await stock(store).set('If-None-Match', headers.etag!).expect(429);
    expect(body.message).toContain('a 304 from memory');
  });

  it('neither counts nor stores unknown tokens, and does not limit open routes', async () => {
    for (let n = 0; n < LIMIT * 2; n++) {
      const { headers } = await request(test.url)
        .get('/api/account')
        .set('Authorization', 'Bearer unknown')
        .expect(401);
      expect(headers['ratelimit-limit']).toBeUndefined();
    }
    const { headers } = await request(test.url).get('/health/live').expect(200);
    expect(headers['ratelimit-limit']).toBeUndefined();
  });

  it('ignores a forged X-Forwarded-For', async () => {
    const store = await test.fixtures.store();
    await exhaust(store);
    await stock(store).set('X-Forwarded-For', '203.0.113.7').expect(429);
  });

  it('is off at 0, and then sends no headers', async () => {
    const unlimited = await startTestApp({ rateLimitPerMinute: 0 }, test.database);
    try {
      const store = await unlimited.fixtures.store();
      for (let n = 0; n < LIMIT * 2; n++) {
        const { headers } = await unlimited.get(store, '/api/account').expect(200);
        expect(headers['ratelimit-limit']).toBeUndefined();
      }
    } finally {
      await unlimited.close();
    }
  });

  afterAll(endEverything);
});

const WORK_LIMIT = 1_000;

/** The number of requests of one client that run at a time. */
const PLACES = 4;

describe('The cost of a request', () => {
  const test = setUpTestApp({ rateLimitPerMinute: WORK_LIMIT });
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    sku = (await test.fixtures.product()).sku;
  });

  beforeEach(async () => {
    store = await test.fixtures.store();
  });

  /** After a minute the client has its whole allowance back. */
  const costOf = async (requested: (store: Store) => Test): Promise<number> => {
    await test.timePasses(60);
    const { headers } = await requested(store);
    return WORK_LIMIT - Number(headers['ratelimit-remaining']);
  };

  /** What `spent` spends beside its own unit is counted when its turn ends, so the next request tells it. */
  const timeOf = async (spent: () => Promise<unknown>): Promise<number> => {
    await test.timePasses(60);
    const before = WORK_LIMIT - 2;
    await spent();
    const { headers } = await stock();
    return before - Number(headers['ratelimit-remaining']);
  };

  /** Units come back while a slow machine reads how many are left. */
  const expectAbout = (units: number, expected: number) => {
    expect(units).toBeGreaterThan(0.7 * expected);
    expect(units).toBeLessThanOrEqual(expected);
  };

  const stock = (who = store) => test.get(who, `/api/products/${sku}/stock`).expect(200);

  /** Each stock check holds the event loop this long. */
  const withStockChecksOf = <Result>(ms: number, during: () => Promise<Result>) => {
    const checks = test.app.get(StockService);
    const one = (name: string) => {
      work(ms);
      return StockService.prototype.one.call(checks, name);
    };
    return withMethods(checks, { one }, during);
  };

  it('is one unit if it takes little time', async () => {
    const paths = [`/api/products/${sku}/stock`, '/api/products', '/api/products?limit=1', '/api/orders'];
    for (const path of paths)
      expect([path, await costOf((who) => test.get(who, path).expect(200))]).toEqual([path, 1]);
  });

  it('grows with the size of an answer above 16 KB, for the line', async () => {
    const products = await startTestApp({ rateLimitPerMinute: WORK_LIMIT });
    try {
      const reader = await products.fixtures.store();
      for (let n = 0; n < 20; n++) await products.fixtures.product({ description: 'x'.repeat(5_000) });
      for (const path of ['/api/products', '/api/products?limit=20']) {
        await products.timePasses(60);
        const { headers, text } = await products
          .get(reader, path)
          .set('Accept-Encoding', 'identity')
          .expect(200);
        const units = Buffer.byteLength(text) / 1_024 / 16;
        expectAbout(WORK_LIMIT - Number(headers['ratelimit-remaining']), Math.ceil(units));
      }
    } finally {
      await products.close();
    }
  });

  it('grows with the time of the event loop, the first half millisecond excepted', async () => {
    expect(await timeOf(() => withStockChecksOf(0.5, () => stock()))).toBeLessThanOrEqual(0);
    expectAbout(await timeOf(() => withStockChecksOf(400, () => stock())), 799);
  });

  it('grows with the time of its connection, but not while others hold the event loop', async () => {
    const neighbour = await test.fixtures.store();
    const unblock = await lockTable(test.pool, 'orders');
    const read = test.get(store, '/api/orders/NONE/status').expect(404);
    const answered = read.then(() => undefined);
    await eventually(async () => (await countWaitingFor(test.pool, 'orders')) >= 1);
    const units = await timeOf(async () => {
      work(2_000);
      await withStockChecksOf(1_000, () => stock(neighbour));
      await unblock();
      await answered;
    });
    // Its own unit was taken a minute ago. The unit pays for the first 5 ms.
    expectAbout(units, 2_000 / 5 - 1 - 1);
  });

  it('leaves orders and quotes a share of their own', async () => {
    await withStockChecksOf(3_600_000, () => stock());
    const { headers } = await test.get(store, '/api/orders').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(240);
    const order = orderBody([{ sku, quantity: 1 }]);
    const { headers: ordering } = await test.post(store, '/api/orders', order).expect(201);
    expect(ordering['ratelimit-remaining']).toBe(String(WORK_LIMIT - 1));
    await test.post(store, '/api/orders/quote', order).expect(200);
  });

  it('is paid back in five minutes at most', async () => {
    await withStockChecksOf(3_600_000, () => stock());
    await test.timePasses(240);
    await test.get(store, '/api/orders').expect(429);
    await test.timePasses(61);
    await test.get(store, '/api/orders').expect(200);
  });

  it('counts pages too, for all people of a client together', async () => {
    const [buyer, viewer] = [
      await signIn(test, store.clientId, 'buyer'),
      await signIn(test, store.clientId, 'viewer'),
    ];
    const other = await signIn(test, (await test.fixtures.store()).clientId, 'viewer');
    const unblock = await lockTable(test.pool, 'orders');
    const page = buyer
      .get('/dashboard/orders')
      .expect(200)
      .then(() => undefined);
    await eventually(async () => (await countWaitingFor(test.pool, 'orders')) >= 1);
    work(3_600_000);
    await unblock();
    await page;
    const { headers, text } = await viewer.get('/dashboard/orders').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
    expect(text).toContain('Your pages and files took too much work');
    await other.get('/dashboard/orders').expect(200);
    await stock();
  });

  it('is told if it holds the event loop for more than 100 ms', async () => {
    const { counts } = new LoopWatchdog();
    await withStockChecksOf(100, () => stock());
    expect(counts).toEqual({});
    await withStockChecksOf(101, () => stock());
    expect(counts).toEqual({ 'GET /api/products/:sku/stock': 1 });
  });

  it('is refunded for a 304 from the cache, but not for a 304 that needed work or matched "*"', async () => {
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

  describe('while the request runs', () => {
    /** Blocks all quotes until the returned function is called. */
    const blockQuotes = () => lockTable(test.pool, 'store_order_ids');

    const waiting = (count: number) =>
      eventually(async () => (await countWaitingFor(test.pool, 'store_order_ids')) === count);

    const quote = () => {
      const sent = send(`${test.url}/api/orders/quote`, {
        method: 'POST',
        headers: { ...store.headers, 'Content-Type': 'application/json' },
      });
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(orderBody([{ sku, quantity: 1 }], { store_order_id: 'A' })));
      return sent;
    };

    it('makes further orders of the client wait, but not its reads or other clients', async () => {
      const neighbour = await test.fixtures.store();
      const unblock = await blockQuotes();
      const quotes = Array.from({ length: PLACES }, quote);
      const answers = quotes.map((sent) => once(sent, 'response'));
      await waiting(PLACES);
      let answered = false;
      const { token } = await test.fixtures.token(store.clientId, store.domain);
      const another = { ...store, headers: { ...store.headers, Authorization: `Bearer ${token}` } };
      const check = test.get(another, '/api/orders').expect(200);
      const checked = check.then(() => (answered = true));
      // A request waits for two seconds at most.
      for (let n = 0; n < 2; n++) {
        await test.get(neighbour, '/api/orders').expect(200);
        await test.get(store, `/api/products/${sku}/stock`).expect(200);
      }
      expect(answered).toBe(false);
      await unblock();
      await checked;
      await Promise.all(answers);
      for (const sent of quotes) sent.destroy();
    });

    it('leaves a slot for an order and a quote beside slow reads, and none for one more read', async () => {
      const unblock = await lockTable(test.pool, 'tax_documents');
      const waitingReads = () => countWaitingFor(test.pool, 'tax_documents');
      const reads = Promise.all(Array.from({ length: PLACES + 1 }, () => test.get(store, '/api/documents')));
      await eventually(async () => (await waitingReads()) === PLACES);
      const order = orderBody([{ sku, quantity: 1 }]);
      await test.post(store, '/api/orders/quote', order).expect(200);
      await test.post(store, '/api/orders', order).expect(201);
      expect(await waitingReads()).toBe(PLACES);
      await unblock();
      await reads;
    });

    it('takes a slot before its body has come; one that waits too long is refused', async () => {
      const slow = Array.from({ length: PLACES }, () =>
        send(`${test.url}/api/orders/quote`, {
          method: 'POST',
          headers: {
            ...store.headers,
            'Content-Type': 'application/json',
            'Content-Length': 2,
            Expect: '100-continue',
          },
        }),
      );
      for (const sent of slow) sent.on('error', () => undefined).flushHeaders();
      await Promise.all(slow.map((sent) => once(sent, 'continue')));
      const { body } = await test.get(store, '/api/orders').expect(503);
      expect(body).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('waited too long'),
      });
      for (const sent of slow) sent.destroy();
    });

    it('keeps its place for longer than a minute', async () => {
      const unblock = await blockQuotes();
      const quotes = Array.from({ length: PLACES }, quote);
      const answers = quotes.map((sent) => once(sent, 'response'));
      await waiting(PLACES);
      await test.timePasses(61);
      let answered = false;
      const checked = test
        .get(store, '/api/orders')
        .expect(200)
        .then(() => (answered = true));
      for (let n = 0; n < 2; n++) await test.get(await test.fixtures.store(), '/api/orders').expect(200);
      expect(answered).toBe(false);
      await unblock();
      await checked;
      await Promise.all(answers);
      for (const sent of quotes) sent.destroy();
    });

    it('keeps its place after the client hangs up, until the work is done', async () => {
      const unblock = await blockQuotes();
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
      await unblock();
      await checked;
    });
  });
});
