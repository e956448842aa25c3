import request from 'supertest';
import { Background } from '../../../src/server/background.js';
import { Browser } from '../../support/browser.js';
import { RawConnection } from '../../support/raw-connection.js';
import { addPerson, PASSWORD, postForm, signIn, type SignedIn } from '../../support/sign-in.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestDatabase } from '../../support/test-database.js';

describe('The pages of the dashboard', () => {
  let service: TestApp;
  let anaya: SignedIn;

  beforeAll(async () => {
    service = await startTestApp();
    anaya = await signIn(service, (await service.fixtures.store({ name: 'Anaya <b>Home</b>' })).clientId);
  });

  afterAll(() => service.close());

  const get = (path: string) => request(service.url).get(path);

  it('answer an unknown address with a page that says so', async () => {
    const { status, text, headers } = await anaya.get('/dashboard/nowhere');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).toContain('<h1>There is nothing here</h1>');
    expect(text).toContain('<nav class="navigation"');
  });

  it('tell who is not signed in of no address whether there is a page', async () => {
    for (const path of ['/dashboard/nowhere', '/dashboard/security', '/dashboard/orders/%ff']) {
      const { status, headers } = await get(path);
      expect([status, headers.location]).toEqual([
        303,
        `/dashboard/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    }
  });

  it.each(['/dashboard/orders/%ff', '/dashboard/%', '/dashboard/nowhere/'])(
    'answer %s with a page, and its head with the like',
    async (path) => {
      const page = await anaya.get(path);
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<h1>There is nothing here</h1>');
      const head = await request(service.url).head(path).set('Cookie', anaya.cookie);
      expect([head.status, head.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );

  it.each([
    ['/dashboard/', '/dashboard'],
    ['/dashboard/orders/', '/dashboard/orders'],
  ])('lead from %s to %s', async (path, goal) => {
    for (const method of ['get', 'head'] as const) {
      const { status, headers } = await request(service.url)[method](path).set('Cookie', anaya.cookie);
      expect([status, headers.location]).toEqual([303, goal]);
    }
  });

  it('lead to no address that is none for a browser, but say that there is nothing', async () => {
    const { host } = new URL(service.url);
    const head = `GET /dashboard/orders/a\\b/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    const raw = await RawConnection.open(service.url, `${head}Cookie: ${anaya.cookie}\r\n\r\n`);
    await raw.closed;
    expect(raw.received).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('run nothing inline, go into no frame and no cache, and tell other sites nothing', async () => {
    const { headers, text } = await anaya.get('/dashboard/nowhere');
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' https:; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/<style| style=|<script>| on\w+=/);
  });

  it('load files that may be kept for ever, because their address names their content', async () => {
    const { text } = await anaya.get('/dashboard/nowhere');
    const paths = text.match(/\/assets\/[\w-]+\.\w+/g)!;
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toBe('Accept-Encoding');
    }
  });

  it('have a font of their own, with the rupee sign, that is small and kept for ever', async () => {
    const { text } = await anaya.get('/dashboard/nowhere');
    const style = await get(/\/assets\/pages-[\w-]+\.css/.exec(text)![0]);
    const paths = [...style.text.matchAll(/url\((\/assets\/[\w-]+\.woff2)\)/g)].map(([, path]) => path!);
    expect(paths).toHaveLength(2);
    expect(text).toContain(`<link rel="preload" href="${paths[0]}" as="font"`);
    for (const path of paths) {
      const { status, headers } = await get(path);
      expect([status, headers['content-type']]).toEqual([200, 'font/woff2']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(Number(headers['content-length'])).toBeLessThan(30_000);
    }
  });

  it('still have a style on a node of another version, which may not be kept', async () => {
    const { status, headers } = await get('/assets/pages-AAAAAAAAAAAAAAAAAAAA.css');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour of ours', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin, in a browser that says no more', { Origin: 'http://localhost:1' }],
    ['nobody knows where', {}],
  ])('take no form from %s', async (_, headers) => {
    const { status, text } = await request(service.url)
      .post('/dashboard/nowhere')
      .set('Cookie', anaya.cookie)
      .set(headers);
    expect(status).toBe(403);
    expect(text).toContain('<h1>You may not do this</h1>');
  });

  it.each([
    ['says so', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
    ['only names its origin', () => ({ Origin: service.url })],
  ])('take a form of ours from a browser that %s', async (_, headers) => {
    await request(service.url)
      .post('/dashboard/nowhere')
      .set({ Cookie: anaya.cookie, ...headers() })
      .expect(404);
  });

  it('show foreign text as text, never as markup', async () => {
    const { text } = await anaya.get('/dashboard/security');
    expect(text).toContain('Anaya &lt;b>Home&lt;/b>');
    expect(text).not.toContain('<b>');
  });

  it('tell who only asks for the head what the page would be like', async () => {
    const page = await anaya.get('/dashboard/security');
    const head = await request(service.url).head('/dashboard/security').set('Cookie', anaya.cookie);
    expect(head.status).toBe(200);
    expect(head.text).toBeUndefined();
    for (const name of ['content-type', 'content-security-policy', 'cache-control', 'content-length'])
      expect([name, head.headers[name]]).toEqual([name, page.headers[name]]);
  });

  it('say which ways they are asked in, where they are asked in another', async () => {
    const { status, headers, text } = await anaya.post('/dashboard/security');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(text).toContain('<h1>This page cannot do that</h1>');
  });

  it('lead to the sign-in who is not signed in, however long the address is', async () => {
    const { status, headers } = await get(`/dashboard/security?q=${'x'.repeat(5_000)}`);
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/dashboard\/sign-in/)]);
  });

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 303],
    ['application/json', 404],
    ['*/*', 404],
  ])('are where the bare address leads a browser; asked for %s it answers %i', async (accept, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(service.url, { method, redirect: 'manual', headers: { Accept: accept } });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('location')).toBe(status === 303 ? '/dashboard' : null);
      if (status === 404 && method === 'GET')
        expect(await answer.json()).toMatchObject({ code: 'route_not_found' });
    }
    const posted = await fetch(service.url, { method: 'POST', headers: { Accept: 'text/html' } });
    expect(posted.status).toBe(404);
  });

  it.each([
    ['/dashboard/orders?group=to_pay', '/dashboard/orders?group=to_pay'],
    // It only answers forms.
    ['/dashboard/orders/WO-1/cancel/x', undefined],
  ])('from which a form came too late: %s is shown again after the sign-in', async (from, next) => {
    const { headers } = await postForm(service.url, '/dashboard/pay').set('Referer', service.url + from);
    const goal = new URL(headers.location!, service.url);
    expect([goal.pathname, goal.searchParams.get('next') ?? undefined]).toEqual(['/dashboard/sign-in', next]);
  });

  describe('show a notice', () => {
    const noticeOf = (notice: object | string) =>
      typeof notice === 'string' ? notice : Buffer.from(JSON.stringify(notice)).toString('base64url');
    const displayed = async (notice: object | string) => {
      const { text } = await anaya
        .get('/dashboard/security')
        .set('Cookie', [anaya.cookie, `notice=${noticeOf(notice)}`]);
      return /<div class="notices" role="status">(.*?)<\/div><div class="page-head">/.exec(text)?.[1] ?? '';
    };

    it('once', async () => {
      const browser = new Browser(service.url);
      const { text } = await browser.follow('/dashboard/security/sessions/1/end');
      expect(text).toContain('Your session has ended, so the form “End a session” was not sent.');
      expect((await browser.get('/dashboard/sign-in')).text).not.toContain('Your session has ended');
    });

    it('as text from every author', async () => {
      expect(await displayed({ kind: 'accent', text: '<img src=x>' })).toContain('&lt;img src=x>');
    });

    it.each([
      ['no notice', {}],
      ['of no kind that there is', { kind: 'x" onclick="', text: 'a' }],
      ['without a text', { kind: 'accent', text: ['a'] }],
      ['that is nothing', 'AAAA'],
      ['null', 'bnVsbA'],
    ])('not if it is one %s', async (_, notice) => {
      expect(await displayed(notice)).toBe('');
    });
  });

  it('say of a fault of ours only by what name we find it again', async () => {
    await service.pool.query(`
      CREATE POLICY broken ON sessions USING (1 / (id - id) = 1);
      ALTER TABLE sessions ENABLE ROW LEVEL SECURITY`);
    const { status, text, headers } = await anaya.get('/dashboard/security');
    await service.pool.query('ALTER TABLE sessions DISABLE ROW LEVEL SECURITY');
    expect(status).toBe(500);
    expect(text).toContain('<h1>Something went wrong on our side</h1>');
    expect(text).toContain(headers['x-request-id']);
    expect(text).not.toMatch(/sessions|division|SELECT/);
  });
});

describe('While the database is away, the pages of the dashboard', () => {
  let service: TestApp;
  let proxy: TcpProxy;
  let clientId: number;
  let anaya: SignedIn;

  beforeAll(async () => {
    const database = await createTestDatabase();
    proxy = await TcpProxy.before(database.serviceUrl);
    service = await startTestApp({ databaseTimeoutMs: 500 }, { ...database, serviceUrl: proxy.url });
    ({ clientId } = await service.fixtures.store());
    anaya = await signIn(service, clientId);
    // Their transactions would be cut off instead of those of the pages.
    const jobs = service.app.get(Background, { strict: false }).jobs();
    await Promise.all(jobs.map((job) => job.beforeApplicationShutdown()));
    proxy.freeze();
  });
  afterEach(() => proxy.freeze());

  afterAll(async () => {
    await service.close();
    await proxy.close();
    await service.database.drop();
  });

  it('say so, and that nothing was changed', async () => {
    const { status, text, headers } = await anaya.get('/dashboard/security');
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(text).toContain('<h1>The database does not answer</h1>');
    expect(text).toContain('Nothing was changed.');
  });

  it('say that nothing was done if the request had not started', async () => {
    const { status, text } = await anaya.post('/dashboard/security/sessions/end-others');
    expect(status).toBe(503);
    expect(text).toContain('Nothing was done.');
  });

  it('promise nothing of what was under way', async () => {
    proxy.thaw();
    const lost = proxy.dropAnswerTo('COMMIT');
    const { status, text } = await anaya.post('/dashboard/security/sessions/end-others');
    await lost;
    expect(status).toBe(503);
    expect(text).toContain('We do not know whether it was done.');
  });

  it('still let people sign out of the browser, and say what that is worth', async () => {
    const { id, email } = await addPerson(service, clientId);
    const browser = new Browser(service.url);
    proxy.thaw();
    await browser.follow('/dashboard/sign-in', { email, password: PASSWORD });
    proxy.freeze();
    const page = await browser.follow('/dashboard/sign-out');
    expect(page.text).toContain(
      'You are signed out in this browser, but the server could not end the session now.',
    );
    expect(browser.cookies.has('session')).toBe(false);
    const { rows } = await service.pool.query(
      'SELECT count(*)::int FROM sessions WHERE person_id = $1 AND ended_at IS NULL',
      [id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});
