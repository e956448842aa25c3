import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { ClientTokensService } from '../../../src/modules/auth/tokens/client-tokens.service.js';
import { TokenAdministrationService } from '../../../src/modules/auth/tokens/token-administration.service.js';
import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { ClientDomainsService } from '../../../src/modules/clients/client-domains.service.js';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { moveOrder } from '../../support/order-steps.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const test = setUpTestApp();

describe('Access', () => {
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
      doc_url: '/docs/guide#error-token_missing',
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
    'store.example.com.',
    'store.example.com/shop',
    'example.com',
  ])('answers 403 domain_mismatch to "%s" and never shows the registered domain', async (domain) => {
    const { body, text } = await ask('/api/products', { ...store.headers, 'X-Client-Domain': domain }).expect(
      403,
    );
    expect(body).toMatchObject({ code: 'domain_mismatch', compared_domain: domain });
    expect(body.message.includes('Send the domain only')).toBe(/[:/]|\.$/.test(domain));
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

  it('leaves paid orders to a store whose subscription has ended, and tells it how to follow them', async () => {
    await test.fixtures.seller();
    const ending = await test.fixtures.store({ until: 1 / 8, state: '29' });
    const { sku } = await test.fixtures.product({ stock: 9, hsn: '6912', gstRate: '18' });
    const [paid, unpaid] = [
      await test.place(ending, [{ sku, quantity: 1 }]),
      await test.place(ending, [{ sku, quantity: 1 }]),
    ];
    await moveOrder(test, ending, paid, 'pay', 'ship');
    await test.timePasses(3 * 3_600);
    const get = (path: string) => ask(path, ending.headers);
    const { body: whole } = await get(`/api/orders/${paid}`).expect(200);
    expect(whole.shipments).toMatchObject([{ parcel: 1, courier: 'Delhivery' }]);
    const [document] = whole.documents;
    expect((await get(`/api/orders/${paid}/documents`).expect(200)).body.documents).toEqual([document]);
    expect((await get('/api/documents').expect(200)).body.data).toEqual([document]);
    await get(document.url).expect(200);
    const asked = { store_return_id: 'R1', lines: [{ line: 1, quantity: 1 }], reason: 'Broken' };
    await test.post(ending, `/api/orders/${paid}/returns`, asked).expect(201);
    await test.post(ending, `/api/orders/${unpaid}/returns`, asked).expect(409);

    const refused = [
      get(`/api/orders/${unpaid}`),
      get(`/api/orders/${paid}/status`),
      get('/api/products'),
      get(`/api/products/${sku}`),
      get(`/api/products/${sku}/stock`),
      test.post(ending, '/api/orders', {}),
    ];
    for (const { status, body } of await Promise.all(refused))
      expect({ status, ...body }).toMatchObject({
        status: 403,
        code: 'subscription_inactive',
        message: expect.stringContaining('GET /api/orders/{order_number}'),
      });
    await get('/api/orders/NO-SUCH').expect(404);
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
    const expired = await test.fixtures.store();
    await test.pool.query('UPDATE tokens SET ends_at = now() WHERE id = $1', [expired.tokenId]);
    await test.app.get(SnapshotService).refreshNow();
    const unknown = `wha_${'0'.repeat(40)}`;
    const cases: [object, string][] = [
      [revoked.headers, 'This token was revoked.'],
      [expired.headers, 'This token has expired.'],
      [suspended.headers, 'Your account is suspended.'],
      [{ ...store.headers, Authorization: `Bearer ${store.token.slice(0, -1)}` }, 'not a whole token'],
      [{ ...store.headers, Authorization: `Bearer ${store.token}x` }, 'not a whole token'],
      [{ ...store.headers, Authorization: `Bearer ${unknown}` }, 'This token is unknown, was revoked, or'],
      // Who does not know the domain of the token learns nothing about it.
      [{ ...revoked.headers, 'X-Client-Domain': 'other.example' }, 'This token is unknown, was revoked, or'],
      [{ Authorization: suspended.headers.Authorization }, 'This token is unknown, was revoked, or'],
    ];
    for (const [headers, message] of cases) {
      const { body } = await ask('/api/products', headers as Record<string, string>).expect(401);
      expect(body).toMatchObject({ code: 'token_invalid', message: expect.stringContaining(message) });
    }
  });

  it('accepts two tokens of one client, each for its own domain only', async () => {
    const second = await test.fixtures.token(store.clientId, 'second.example.com');
    const headers = { Authorization: `Bearer ${second.token}`, 'X-Client-Domain': 'second.example.com' };
    await ask('/api/products', headers).expect(200);
    await ask('/api/products', { ...headers, 'X-Client-Domain': store.domain }).expect(403);
  });

  it('lets a read-only token read everything but recipients, and change nothing', async () => {
    const reader = await test.fixtures.withToken(store, 'read_only');
    const { body: document } = await request(test.url).get('/docs/openapi.json').expect(200);
    const routes = Object.entries((document as { paths: Record<string, object> }).paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
    const refused: string[] = [];
    for (const route of [...routes, 'get /api/nowhere']) {
      const [method, path] = route.split(' ') as ['get' | 'post' | 'put', string];
      const sent = request(test.url)[method](path.replace(/{\w+}/, 'X-1')).set(reader.headers);
      const { body } = await (method === 'get' ? sent : sent.send({}));
      if ((body as { code?: string }).code === 'token_not_allowed') refused.push(route);
    }
    const isRefused = (route: string) =>
      route === 'get /api/orders/{order_number}' ||
      (/^(post|put) /.test(route) && route !== 'post /api/orders/quote');
    expect(refused).toEqual(routes.filter(isRefused));
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
        currency: 'INR',
        wallet: { balance: 0, reserved: 0 },
        auto_pay: { enabled: false, order_cap: null, day_cap: null },
        unpaid: {
          unpaid_orders: 0,
          unpaid_orders_limit: expect.any(Number),
          unpaid_value: 0,
          unpaid_value_limit: expect.any(Number),
        },
      },
    });
    await test.app.get(WalletService, { strict: false }).adjust(ended.clientId, '99.50', 'test', 'test');
    await test.app
      .get(AutoPayService, { strict: false })
      .set(ended.clientId, { enabled: true, orderCap: '40' }, 'test');
    expect((await ask('/api/account', ended.headers).expect(200)).body.data).toMatchObject({
      wallet: { balance: 99.5, reserved: 0 },
      auto_pay: { enabled: true, order_cap: 40, day_cap: null },
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

const DOMAIN = 'shop.example.com';

const form = (more: object = {}) => ({ name: 'Shop', domain: DOMAIN, key: randomUUID(), ...more });

describe('Tokens in the hands of their owners', () => {
  const other = makeBeforeAll(() => startTestApp({ tokenDomains: 'any' }, test.database));
  let store: Store;
  let owner: SignedIn;
  let tokens: ClientTokensService;
  let domains: ClientDomainsService;

  beforeAll(async () => {
    tokens = test.app.get(ClientTokensService, { strict: false });
    domains = test.app.get(ClientDomainsService, { strict: false });
  });

  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
    await domains.allow(store.clientId, DOMAIN, 'test', { force: true });
  });

  const statusOf = async (token: string, { url } = test) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': DOMAIN };
    return (await fetch(`${url}/api/account`, { headers })).status;
  };

  const overview = () => test.app.get(ClientTokensService, { strict: false });

  async function audited(action: string) {
    const { rows } = await test.pool.query<{ subject: string; details: object; person_id: number }>(
      'SELECT subject, details, person_id FROM audit_log WHERE client_id = $1 AND action = $2 ORDER BY id',
      [store.clientId, action],
    );
    return rows;
  }

  it('are made for a domain that is allowed, and are good at once', async () => {
    const issued = await tokens.create(
      owner.person,
      form({ name: ' My shop ', domain: 'https://www.Shop.example.com/' }),
    );
    expect(issued).toMatchObject({ name: 'My shop', domain: DOMAIN, prefix: issued.token.slice(0, 12) });
    expect(await statusOf(issued.token)).toBe(200);
    const subject = `token ${issued.token_id}`;
    const details = { kind: 'full', name: 'My shop', domain: DOMAIN, prefix: issued.prefix };
    expect(await audited('token.issued')).toEqual([{ subject, details, person_id: owner.person.id }]);
    expect(JSON.stringify(await audited('token.issued'))).not.toContain(issued.token);
  });

  it('are made for no other domain, unless the settings say so', async () => {
    const otherPlace = form({ domain: 'elsewhere.example.com' });
    const fault = { field: 'domain', code: 'not_allowed' };
    await expect(tokens.create(owner.person, otherPlace)).rejects.toMatchObject({ errors: [fault] });
    await other.app.get(ClientTokensService, { strict: false }).create(owner.person, otherPlace);
    await domains.disallow(store.clientId, DOMAIN, 'test');
    await expect(tokens.create(owner.person, form())).rejects.toMatchObject({ errors: [fault] });
  });

  it('list all their errors at once', async () => {
    const wrong = tokens.create(owner.person, form({ name: ' ', domain: 'not a domain' }));
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_value',
      errors: [
        { field: 'name', message: 'The name must not be empty.' },
        { field: 'domain', code: 'invalid_value' },
      ],
    });
    const unknownKind = tokens.create(owner.person, form({ kind: 'root' }));
    await expect(unknownKind).rejects.toMatchObject({ errors: [{ field: 'kind', code: 'unknown_value' }] });
    const withoutKey = tokens.create(owner.person, form({ key: '' }));
    await expect(withoutKey).rejects.toMatchObject({ code: 'malformed_request' });
  });

  it('are made once by one form, however often and however simultaneously it is posted', async () => {
    const posted = form();
    const made = await Promise.allSettled([1, 2, 3].map(() => tokens.create(owner.person, posted)));
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(tokens.create(owner.person, posted)).rejects.toMatchObject({ code: 'conflict' });
    expect(await overview().listValid(owner.person)).toHaveLength(2);
    expect(await audited('token.issued')).toHaveLength(1);
  });

  it('are replaced with an overlap, and the old one ends when it is over', async () => {
    const old = await tokens.create(owner.person, form({ kind: 'read_only' }));
    const replaced = await tokens.replace(owner.person, old.token_id, { overlap: '1h', key: randomUUID() });
    expect(replaced).toMatchObject({
      kind: 'read_only',
      name: 'Shop',
      domain: DOMAIN,
      replaced: { prefix: old.prefix, overlap: '1h' },
    });
    expect([await statusOf(old.token), await statusOf(replaced.token)]).toEqual([200, 200]);
    const [, first, second] = await overview().listValid(owner.person);
    expect(first!.endsAt!.getTime() - Date.now()).toBeGreaterThan(3_500_000);
    expect(second!.endsAt).toBeNull();
    const ofBoth = { kind: 'read_only', name: 'Shop', domain: DOMAIN };
    expect(await audited('token.replaced')).toEqual([
      {
        subject: `token ${old.token_id}`,
        details: { ...ofBoth, prefix: old.prefix, overlap: '1h', successor: replaced.token_id },
        person_id: owner.person.id,
      },
    ]);
    expect((await audited('token.issued')).at(-1)).toEqual({
      subject: `token ${replaced.token_id}`,
      details: { ...ofBoth, prefix: replaced.prefix },
      person_id: owner.person.id,
    });

    await test.timePasses(3_601);
    expect([await statusOf(old.token), await statusOf(replaced.token)]).toEqual([401, 200]);
  });

  it('end no later when they are replaced once more, and at once if so it is wanted', async () => {
    const old = await tokens.create(owner.person, form());
    const replace = (overlap: string) =>
      tokens.replace(owner.person, old.token_id, { overlap, key: randomUUID() });
    const endsAt = async () =>
      (await overview().listValid(owner.person)).find(({ id }) => id === old.token_id)?.endsAt?.getTime();
    await replace('1h');
    const soon = await endsAt();
    await replace('7d');
    expect(await endsAt()).toBe(soon);
    await replace('now');
    expect(await endsAt()).toBeUndefined();
    expect(await statusOf(old.token)).toBe(401);
    await expect(replace('never')).rejects.toMatchObject({ errors: [{ field: 'overlap' }] });
    await expect(replace('now')).rejects.toMatchObject({ code: 'token_not_found' });
  });

  it('are refused on every node within a second after they were revoked', async () => {
    const { token, token_id, prefix } = await tokens.create(owner.person, form());
    await eventually(async () => (await statusOf(token, other)) === 200);
    await tokens.revoke(owner.person, token_id);
    expect(await statusOf(token)).toBe(401);
    await eventually(async () => (await statusOf(token, other)) === 401, 10_000);
    expect(await audited('token.revoked')).toEqual([
      {
        subject: `token ${token_id}`,
        details: { kind: 'full', name: 'Shop', domain: DOMAIN, prefix },
        person_id: owner.person.id,
      },
    ]);
    expect(await overview().listEnded(owner.person)).toMatchObject([
      { id: token_id, endsAt: expect.any(Date) },
    ]);
  });

  it('are renamed', async () => {
    await tokens.rename(owner.person, store.tokenId, ' Second shop ');
    expect(await overview().listValid(owner.person)).toMatchObject([
      { id: store.tokenId, name: 'Second shop' },
    ]);
    await tokens.rename(owner.person, store.tokenId, 'Second shop');
    const { domain, prefix } = (await overview().listValid(owner.person))[0]!;
    expect(await audited('token.renamed')).toEqual([
      {
        subject: `token ${store.tokenId}`,
        details: { kind: 'full', from: 'Store', name: 'Second shop', domain, prefix },
        person_id: owner.person.id,
      },
    ]);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
      await expect(tokens.rename(owner.person, store.tokenId, name)).rejects.toMatchObject({
        code: 'invalid_value',
      });
  });

  it('are twenty at most, however many are made at once', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, () => tokens.create(owner.person, form())),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    const replace = (overlap: string) =>
      tokens.replace(owner.person, store.tokenId, { overlap, key: randomUUID() });
    await expect(replace('24h')).rejects.toMatchObject({ code: 'conflict' });
    await replace('now');
    expect(await overview().listValid(owner.person)).toHaveLength(20);
  });

  describe('and the wholesaler', () => {
    it('allows a domain again while the client has tokens for it', async () => {
      const administration = test.app.get(TokenAdministrationService, { strict: false });
      const domain = 'again.example.com';
      await administration.issue(store.clientId, domain, 'operator:asha', { name: 'Again' });
      await domains.disallow(store.clientId, domain, 'operator:asha');
      expect(await domains.allow(store.clientId, domain, 'operator:asha')).toEqual({
        clientId: store.clientId,
        domain,
      });
    });

    it('allows a domain by issuing a token for it, and tells who did', async () => {
      const administration = test.app.get(TokenAdministrationService, { strict: false });
      const { token_id, prefix } = await administration.issue(
        store.clientId,
        'new.example.com',
        'operator:asha',
        { name: 'New' },
      );
      expect(await domains.ofClient(store.clientId)).toContain('new.example.com');
      await administration.revoke(token_id, 'operator:asha');
      await administration.revoke(token_id, 'operator:asha');
      const { rows } = await test.pool.query(
        `SELECT action, actor, subject, details FROM audit_log WHERE client_id = $1
          AND actor = 'operator:asha' ORDER BY id`,
        [store.clientId],
      );
      const actor = 'operator:asha';
      const details = { kind: 'full', name: 'New', domain: 'new.example.com', prefix };
      expect(rows).toEqual([
        { action: 'domain.allowed', actor, subject: 'new.example.com', details: {} },
        { action: 'token.issued', actor, subject: `token ${token_id}`, details },
        { action: 'token.revoked', actor, subject: `token ${token_id}`, details },
      ]);
    });

    it('gives no domain of one client to another without a second confirmation', async () => {
      const { clientId } = await test.fixtures.store();
      const refused = { code: 'conflict', message: expect.stringContaining(`client ${store.clientId}`) };
      await expect(domains.allow(clientId, store.domain, 'test')).rejects.toMatchObject(refused);
      await domains.allow(clientId, store.domain, 'test', { force: true });
    });

    it('lists the tokens that stay valid when a domain is not allowed any more', async () => {
      const { token_id, token } = await tokens.create(owner.person, form());
      expect(await domains.disallow(store.clientId, 'WWW.shop.example.com', 'test')).toEqual({
        clientId: store.clientId,
        domain: DOMAIN,
        tokenIds: [token_id],
      });
      expect(await statusOf(token)).toBe(200);
      const repeated = domains.disallow(store.clientId, DOMAIN, 'test');
      await expect(repeated).rejects.toMatchObject({ code: 'domain_not_found' });
      const replace = tokens.replace(owner.person, token_id, { overlap: '1h', key: randomUUID() });
      await expect(replace).rejects.toMatchObject({ errors: [{ field: 'overlap' }] });
    });
  });
});
