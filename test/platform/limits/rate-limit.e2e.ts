import request from 'supertest';
import type { Store } from '../../support/fixtures.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

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
      await test.post(store, '/api/orders', '{').expect(400),
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
    const { body, headers } = await test.post(store, '/api/orders', '{').expect(429);
    expect(body).toMatchObject({ success: false, code: 'rate_limited', request_id: headers['x-request-id'] });
    expect(Number(headers['retry-after'])).toBe(60 / LIMIT);
    expect(headers['ratelimit-remaining']).toBe('0');
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
});
