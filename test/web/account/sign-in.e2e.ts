import request from 'supertest';
import { hashPassword } from '../../../src/modules/people/passwords/password-hash.js';
import type { Store } from '../../support/fixtures.js';
import { Browser, setCookies } from '../../support/browser.js';
import { addPerson, PASSWORD, startSession } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const SIGN_IN = '/dashboard/sign-in';

const LESS_WORK = { cost: 10, blockSize: 8, parallel: 1 };

/** The headers of a browser behind the trusted proxy. */
const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

describe('Signing in', () => {
  const test = setUpTestApp({ trustProxy: 1, publicUrl: 'https://wholesale.example.com' });
  let store: Store;

  beforeAll(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
  });

  let hosts = 0;
  /** From a new address. */
  const newcomer = () => new Browser(test.url, from(`198.51.100.${++hosts}`));
  const person = () => addPerson(test, store.clientId);

  it('leads to the page that was asked for', async () => {
    const { email } = await person();
    const browser = newcomer();
    const refused = await browser.get('/dashboard/security?tab=1');
    expect(refused.status).toBe(303);
    expect(refused.headers.location).toBe('/dashboard/sign-in?next=%2Fdashboard%2Fsecurity%3Ftab%3D1');
    const form = await browser.get(refused.headers.location!);
    expect(form.status).toBe(200);
    expect(form.text).toContain('<input type="hidden" name="next" value="/dashboard/security?tab=1"/>');
    const { status, headers } = await browser.post(SIGN_IN, {
      email,
      password: PASSWORD,
      next: '/dashboard/security?tab=1',
    });
    expect([status, headers.location]).toEqual([303, '/dashboard/security?tab=1']);
    const page = await browser.get('/dashboard/security?tab=1');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Anaya Home');
  });

  it('does not take along an address that is longer than any of ours', async () => {
    const { headers } = await newcomer().get(`/dashboard/security?tab=${'1'.repeat(2_000)}`);
    expect(headers.location).toBe(SIGN_IN);
  });

  it.each(['https://evil.example/', '//evil.example', '/docs', '/dashboard/../docs'])(
    'leads to nothing but pages of the dashboard, not to %s',
    async (next) => {
      const { email } = await person();
      const { headers } = await newcomer().post(SIGN_IN, { email, password: PASSWORD, next });
      expect(headers.location).toBe('/dashboard');
    },
  );

  it('takes the address in capitals and with spaces around it', async () => {
    const { email } = await person();
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    expect(browser.cookies.has('__Host-session')).toBe(true);
  });

  it('sets a cookie for this host alone, over TLS alone, hidden from scripts and other sites', async () => {
    const { email } = await person();
    const answer = await newcomer().post(SIGN_IN, { email, password: PASSWORD });
    expect(setCookies(answer)).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/$/),
    ]);
  });

  it('replaces the secret that a browser brings, which then stops working', async () => {
    const { email } = await person();
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const planted = browser.cookies.get('__Host-session')!;
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    expect(browser.cookies.get('__Host-session')).not.toBe(planted);
    browser.cookies.set('__Host-session', planted);
    expect((await browser.get('/dashboard/security')).status).toBe(303);
  });

  it('does not take a made-up secret', async () => {
    const browser = newcomer();
    for (const secret of ['', 'x', 'A'.repeat(43), "' OR true --"]) {
      browser.cookies.set('__Host-session', secret);
      expect((await browser.get('/dashboard/security')).status).toBe(303);
    }
  });

  it('answers alike for unknown, disabled and invited accounts', async () => {
    const known = await person();
    const disabled = await person();
    await test.pool.query('UPDATE people SET disabled_at = now() WHERE id = $1', [disabled.id]);
    const invited = await person();
    await test.pool.query('UPDATE people SET password_hash = NULL WHERE id = $1', [invited.id]);
    const answers = [];
    for (const [email, password] of [
      [known.email, 'another one entirely'],
      ['nobody@example.com', PASSWORD],
      [disabled.email, PASSWORD],
      [invited.email, PASSWORD],
      ['no address at all', PASSWORD],
    ] as const) {
      const { status, text, headers } = await newcomer().post(SIGN_IN, { email, password });
      answers.push({
        status,
        text: text.replaceAll(email, '(address)'),
        headers: { ...headers, 'x-request-id': '', 'content-length': '', date: '' },
      });
    }
    expect(answers[0]!.status).toBe(422);
    expect(answers[0]!.text).toContain('The e-mail address or the password is wrong.');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('shows the address once more after a wrong password, and never the password', async () => {
    const { email } = await person();
    const { text } = await newcomer().post(SIGN_IN, { email, password: 'not this one, I think' });
    expect(text).toContain(`value="${email}"`);
    expect(text).not.toContain('not this one');
  });

  describe('with a browser that does not say of what site a form is', () => {
    const post = async (headers: object) => {
      const { email } = await person();
      const fields = { email, password: PASSWORD };
      return request(test.url)
        .post(SIGN_IN)
        .type('form')
        .set({ ...from('198.51.100.251'), Host: 'node-1.example.com:3000', ...headers })
        .send(fields);
    };

    it.each(['https://wholesale.example.com', 'https://node-1.example.com:3000'])(
      'is possible from %s',
      async (Origin) => expect((await post({ Origin })).status).toBe(303),
    );

    it.each<[string, object]>([
      ['another site', { Origin: 'https://evil.example' }],
      ['the same host without encryption', { Origin: 'http://node-1.example.com:3000' }],
      ['another port of the same machine', { Origin: 'https://node-1.example.com:4000' }],
      ['a page that is kept from saying where it is', { Origin: 'null' }],
      ['who knows how', {}],
    ])('is refused from %s', async (_, headers) => {
      const answer = await post(headers);
      expect([answer.status, setCookies(answer)]).toEqual([403, []]);
    });
  });

  it('ends with the sign-out', async () => {
    const { email } = await person();
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const secret = browser.cookies.get('__Host-session')!;
    const signedOut = await browser.post('/dashboard/sign-out');
    expect(setCookies(signedOut)).toContainEqual(
      expect.stringMatching(/^notice=[\w-]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    );
    const page = await browser.get(signedOut.headers.location!);
    expect(page.text).toContain('You are signed out.');
    expect(browser.cookies.has('__Host-session')).toBe(false);
    browser.cookies.set('__Host-session', secret);
    expect((await browser.get('/dashboard/security')).status).toBe(303);
    const repeated = await browser.follow('/dashboard/sign-out');
    expect(repeated.text).toContain('You are signed out.');
    expect(browser.cookies.has('__Host-session')).toBe(false);
  });

  it('is not open to local browsers where others use TLS: a tunnel looks the same', async () => {
    const { id, email } = await person();
    const tunnel = new Browser(test.url);
    expect((await tunnel.get(SIGN_IN)).status).toBe(403);
    expect((await tunnel.post(SIGN_IN, { email, password: PASSWORD })).status).toBe(403);
    expect(tunnel.cookies.size).toBe(0);
    const { get } = await startSession(test, { id });
    await get('/dashboard/security').expect(303);
  });

  it('makes a hash of more work of one that was made with less', async () => {
    const { id, email } = await person();
    const hash = async () =>
      (await test.query<{ hash: string }>('SELECT password_hash AS hash FROM people WHERE id = $1', id))[0]!
        .hash;
    await test.pool.query('UPDATE people SET password_hash = $2 WHERE id = $1', [
      id,
      await hashPassword(PASSWORD, LESS_WORK),
    ]);
    await newcomer().follow(SIGN_IN, { email, password: PASSWORD });
    expect(await hash()).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    expect(browser.cookies.has('__Host-session')).toBe(true);
  });

  it('is still possible for the people of a suspended client, who may owe money', async () => {
    const suspended = await test.fixtures.store();
    const { email } = await addPerson(test, suspended.clientId);
    await test.fixtures.suspend(suspended.clientId);
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    for (const page of ['/dashboard', '/dashboard/api-access'])
      expect((await browser.get(page)).text).toContain('every call of your store is refused');
  });
});
