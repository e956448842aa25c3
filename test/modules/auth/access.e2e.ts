import request from 'supertest';
import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

describe('Access', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store({ name: 'Anaya Home', domain: 'store.example.com' }));

  const ask = (path: string, headers: Record<string, string>) => request(test.url).get(path).set(headers);

  it('lets a store in with the right token and domain', async () => {
    await ask('/api/products', store.headers).expect(200);
  });

  it('answers 401 token_missing with a challenge when there is no token', async () => {
    const { body, headers } = await ask('/api/products', { 'X-Client-Domain': store.domain }).expect(401);
    expect(body).toEqual({
      success: false,
      code: 'token_missing',
      message: expect.any(String),
      request_id: headers['x-request-id'],
    });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['Bearer nonsense', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b'])(
    'answers 401 token_invalid to "%s"',
    async (authorization) => {
      const { body, headers } = await ask('/api/products', {
        ...store.headers,
        Authorization: authorization,
      }).expect(401);
      expect(body.code).toBe('token_invalid');
      expect(headers['www-authenticate']).toBe('Bearer');
    },
  );

  it.each([
    ['without "Bearer"', (token: string) => token],
    ['in quotes', (token: string) => `Bearer "${token}"`],
    ['after "Bearer" twice', (token: string) => `Bearer Bearer ${token}`],
    ['as Basic', (token: string) => `Basic ${token}`],
  ])('explains how to send a token %s, and answers alike for known and unknown tokens', async (_, form) => {
    const [known, unknown] = await Promise.all(
      [store.token, 'wha_0123456789012345678901234567890123456789'].map(async (token) => {
        const { body } = await ask('/api/products', { ...store.headers, Authorization: form(token) }).expect(
          401,
        );
        return { ...body, request_id: '' } as { code: string; message: string };
      }),
    );
    expect(known).toEqual(unknown);
    expect(known!.code).toBe('token_invalid');
    expect(known!.message).toContain('the header is "Authorization: Bearer <token>"');
    expect(known!.message).not.toContain('revoked');
  });

  it.each([
    'STORE.example.com',
    'www.store.example.com',
    'https://store.example.com',
    'http://www.store.example.com',
    ' store.example.com ',
    'https://store.example.com/',
  ])('accepts "%s" as the registered domain', async (domain) => {
    await ask('/api/products', { ...store.headers, 'X-Client-Domain': domain }).expect(200);
  });

  it.each([
    'other.example.com',
    'shop.store.example.com',
    'store.example.com:443',
    'store.example.com/shop',
    'example.com',
  ])('answers 403 domain_mismatch to "%s" and never shows the registered domain', async (domain) => {
    const { body, text } = await ask('/api/products', { ...store.headers, 'X-Client-Domain': domain }).expect(
      403,
    );
    expect(body).toMatchObject({ code: 'domain_mismatch', compared_domain: domain });
    if (!domain.includes('store.example.com')) expect(text).not.toContain('store.example.com');
  });

  it.each(['', ' ', 'https://', 'www.'])('answers 403 domain_missing to "%s"', async (domain) => {
    const { body } = await ask('/api/products', { ...store.headers, 'X-Client-Domain': domain }).expect(403);
    expect(body.code).toBe('domain_missing');
  });

  it('answers 403 subscription_inactive without, before and after a subscription', async () => {
    const stores = [
      await test.fixtures.store({ until: null }),
      await test.fixtures.store({ from: 1, until: 2 }),
      await test.fixtures.store({ from: -2, until: -1 }),
    ];
    for (const { headers } of stores) {
      const { body } = await ask('/api/products', headers).expect(403);
      expect(body.code).toBe('subscription_inactive');
    }
  });

  it('ends with the subscription, also for a store that was served a moment ago', async () => {
    const ending = await test.fixtures.store({ until: 1 / 24 });
    await ask('/api/products', ending.headers).expect(200);
    await test.timePasses(3_600);
    const { body } = await ask('/api/products', ending.headers).expect(403);
    expect(body.code).toBe('subscription_inactive');
    await ask('/api/products', store.headers).expect(200);
  });

  it('checks token, domain and subscription in this order, before the path and the body', async () => {
    const ended = await test.fixtures.store({ from: -2, until: -1 });
    const post = (path: string, headers: Record<string, string>) =>
      request(test.url).post(path).set(headers).set('Content-Type', 'application/json').send('{');
    expect((await post('/api/orders', { Authorization: 'Bearer x' })).body.code).toBe('token_invalid');
    expect((await post('/api/orders', { Authorization: ended.headers.Authorization! })).body.code).toBe(
      'domain_missing',
    );
    expect((await post('/api/orders', ended.headers)).body.code).toBe('subscription_inactive');
    expect((await post('/api/orders', store.headers)).body.code).toBe('malformed_json');
    expect((await ask('/api/nowhere', {})).body.code).toBe('token_missing');
    expect((await ask('/api/products/%ZZ', {})).body.code).toBe('token_missing');
    expect((await ask('/api/products/%ZZ', store.headers).expect(400)).body.code).toBe('malformed_path');
  });

  it('refuses a revoked token and a suspended client', async () => {
    const revoked = await test.fixtures.store();
    const suspended = await test.fixtures.store();
    await test.fixtures.revoke(revoked.tokenId);
    await test.fixtures.suspend(suspended.clientId);
    expect((await ask('/api/products', revoked.headers).expect(401)).body.code).toBe('token_invalid');
    expect((await ask('/api/products', suspended.headers).expect(401)).body.code).toBe('token_invalid');
  });

  it('accepts two tokens of one client, each for its own domain only', async () => {
    const second = await test.fixtures.token(store.clientId, 'second.example.com');
    const headers = { Authorization: `Bearer ${second.token}`, 'X-Client-Domain': 'second.example.com' };
    await ask('/api/products', headers).expect(200);
    await ask('/api/products', { ...headers, 'X-Client-Domain': store.domain }).expect(403);
  });

  it('lets a read-only token read everything, and change nothing', async () => {
    const reader = await test.fixtures.withToken(store, 'read_only');
    const { body: document } = await request(test.url).get('/docs/openapi.json').expect(200);
    const routes = Object.entries((document as { paths: Record<string, object> }).paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
    const refused: string[] = [];
    for (const route of [...routes, 'get /api/nowhere']) {
      const [method, path] = route.split(' ') as ['get' | 'post', string];
      const sent = request(test.url)[method](path.replace(/{\w+}/, 'X-1')).set(reader.headers);
      const { body } = await (method === 'post' ? sent.send({}) : sent);
      if ((body as { code?: string }).code === 'token_not_allowed') refused.push(route);
    }
    expect(refused).toEqual(
      routes.filter((route) => route.startsWith('post ') && route !== 'post /api/orders/quote'),
    );
    expect((await ask('/api/account', reader.headers)).body.data.token.kind).toBe('read_only');
  });

  it('shows the account to a client without a subscription', async () => {
    const ended = await test.fixtures.store({
      name: 'Ended',
      domain: 'ended.example.com',
      from: -2,
      until: -1,
    });
    const { body } = await ask('/api/account', ended.headers).expect(200);
    expect(body).toEqual({
      success: true,
      data: {
        client_name: 'Ended',
        domain: 'ended.example.com',
        token: {
          kind: 'full',
          prefix: ended.token.slice(0, 12),
          created_at: expect.any(String),
          age_days: 0,
        },
      },
    });
  });

  it('shows the plan to a client whose subscription has ended', async () => {
    const plan = await test.fixtures.plan({ code: 'growth', name: 'Growth', discount: '12.50' });
    const ended = await test.fixtures.store({ planId: plan.id, from: -2, until: -1 });
    const { body } = await ask('/api/plan', ended.headers).expect(200);
    expect(body.data).toMatchObject({
      code: 'growth',
      name: 'Growth',
      currency: 'INR',
      discount_percent: 12.5,
      subscription: { active: false },
    });
  });

  it('shows the subscription that began last, else the one that begins next', async () => {
    const codeOf = async ({ headers }: Store) =>
      ((await ask('/api/plan', headers).expect(200)).body as { data: { code: string } }).data.code;
    const plans = [await test.fixtures.plan(), await test.fixtures.plan(), await test.fixtures.plan()];
    const [first, second, third] = plans.map(({ id }) => id) as [number, number, number];
    const next = await test.fixtures.store({ planId: first, from: 5, until: 10 });
    await test.fixtures.subscription(next.clientId, second, 10, 20);
    expect(await codeOf(next)).toBe(plans[0]!.code);
    const last = await test.fixtures.store({ planId: first, from: -60, until: -30 });
    await test.fixtures.subscription(last.clientId, second, -30, -1);
    await test.fixtures.subscription(last.clientId, third, 5, 10);
    expect(await codeOf(last)).toBe(plans[1]!.code);
  });

  it('sends no CORS headers: a token does not belong in a browser', async () => {
    const { headers } = await ask('/api/products', { ...store.headers, Origin: 'https://store.example.com' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('saves the last use of a token when the node shuts down', async () => {
    const own = await test.fixtures.store();
    const ending = await startTestApp({}, test.database);
    await request(ending.url).get('/api/account').set(own.headers).expect(200);
    await ending.close();
    expect([...(await test.app.get(TokenUsesService).lastUses([own.tokenId])).keys()]).toEqual([own.tokenId]);
  });

  it('records the time of the last use of a token, and never an earlier one', async () => {
    const own = await test.fixtures.store();
    const unused = await test.fixtures.store();
    const uses = test.app.get(TokenUsesService);
    const use = async () => {
      const from = Date.now();
      await ask('/api/account', own.headers).expect(200);
      return { from, to: Date.now() };
    };
    const lastUse = async ({ tokenId }: Store) => {
      const { rows } = await test.pool.query<{ last_used_at: Date }>(
        'SELECT last_used_at FROM token_uses WHERE token_id = $1',
        [tokenId],
      );
      return rows.map(({ last_used_at: at }) => at.getTime());
    };
    const expectLastUse = async ({ from, to }: { from: number; to: number }) => {
      const noted = (await uses.lastUses([own.tokenId])).get(own.tokenId)!.getTime();
      await uses.run();
      const [kept] = await lastUse(own);
      for (const at of [noted, kept]) {
        expect(at).toBeGreaterThanOrEqual(from);
        expect(at).toBeLessThanOrEqual(to);
      }
    };
    const first = await use();
    await expectLastUse(first);
    await eventually(() => Date.now() > first.to);
    const second = await use();
    await expectLastUse(second);
    // A later use that another node has saved stays.
    await test.pool.query(
      `UPDATE token_uses SET last_used_at = now() + interval '1 day' WHERE token_id = $1`,
      [own.tokenId],
    );
    const [later] = await lastUse(own);
    await use();
    await uses.run();
    expect(await lastUse(own)).toEqual([later]);
    expect(await lastUse(unused)).toEqual([]);
  });

  it('records the right time for each of two tokens that are saved together', async () => {
    const uses = test.app.get(TokenUsesService);
    await uses.run();
    const stores = [await test.fixtures.store(), await test.fixtures.store()];
    const moments: [from: number, to: number][] = [];
    for (const { headers } of stores.toReversed()) {
      const from = Date.now();
      await ask('/api/account', headers).expect(200);
      moments.unshift([from, Date.now()]);
      await eventually(() => Date.now() > moments[0]![1]);
    }
    await uses.run();
    const kept = await uses.lastUses(stores.map(({ tokenId }) => tokenId));
    for (const [at, { tokenId }] of stores.entries()) {
      const [from, to] = moments[at]!;
      expect(kept.get(tokenId)!.getTime()).toBeGreaterThanOrEqual(from);
      expect(kept.get(tokenId)!.getTime()).toBeLessThanOrEqual(to);
    }
  });

  it('does not count a use of a token with the wrong domain', async () => {
    const own = await test.fixtures.store();
    await ask('/api/account', { ...own.headers, 'X-Client-Domain': 'elsewhere.example.com' }).expect(403);
    expect((await test.app.get(TokenUsesService).lastUses([own.tokenId])).size).toBe(0);
  });
});
