import type { Application } from 'express';
import request from 'supertest';
import { hashPassword, NO_ACCOUNT_HASH } from '../../../src/modules/people/passwords/password-hash.js';
import { Browser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/mail-server.js';
import { ServiceProcess } from '../../support/service-process.js';
import { addPerson, giveSecondStep, PASSWORD, postForm, startSession } from '../../support/sign-in.js';
import { makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const PAGE = '/dashboard/security/password';
const TWO_FACTOR = '/dashboard/security/two-factor';
const SIGN_IN = '/dashboard/sign-in';

const NEW_PASSWORD = 'three goats, 2 bridges';

describe('Security', () => {
  const test = setUpTestApp();
  let clientId: number;
  let id: number;
  let email: string;

  beforeAll(async () => ({ clientId } = await test.fixtures.store({ name: 'Anaya Home' })));

  beforeEach(async () => ({ id, email } = await addPerson(test, clientId)));
  const visitor = makeBeforeEach(() => startSession(test, { id }));

  describe('of a password', () => {
    const change = (current: string, password: string, repeated = password) =>
      visitor.post(PAGE, { current, password, again: repeated });

    it('is changed by who knows the one until now, and ends every other session', async () => {
      const otherPlace = await startSession(test, { id });
      await change(PASSWORD, NEW_PASSWORD).expect(303);
      await visitor.get(PAGE).expect(200);
      await otherPlace.get(PAGE).expect(303);
      const browser = new Browser(test.url);
      expect((await browser.post(SIGN_IN, { email, password: PASSWORD })).status).toBe(422);
      expect((await browser.post(SIGN_IN, { email, password: NEW_PASSWORD })).status).toBe(303);
      const actor = `person ${id} (${email})`;
      expect(
        await test.audited(
          'actor, details, address',
          `subject = $1 AND action = 'password.changed'`,
          `person ${id}`,
        ),
      ).toEqual([{ actor, details: { sessions_ended: 1 }, address: '127.0.0.1' }]);
    });

    it.each([
      ['not the one until now', ['not this one, I think', NEW_PASSWORD], 'Is not your current password'],
      ['mistyped', [PASSWORD, NEW_PASSWORD, 'three goats, 3 bridges'], 'Does not match the new password'],
      ['short', [PASSWORD, 'xK9#mPq2vLw'], 'Must have at least 12 characters'],
      ['what everybody tries', [PASSWORD, 'Welcome@12345'], 'Is too easy to guess'],
      ['the name of the store', [PASSWORD, 'anaya-home-2026'], 'Is too easy to guess'],
    ] as const)('is refused when it is %s, and nothing typed is shown again', async (_, given, fault) => {
      const [current, password, repeated] = given;
      const { text } = await change(current, password, repeated).expect(422);
      expect(text).toContain(fault);
      for (const typed of given) expect(text).not.toContain(typed);
      expect((await new Browser(test.url).post(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
    });

    it('counts no right password as a guess, even if the change is refused', async () => {
      await test.fixtures.sql(
        `INSERT INTO sign_in_attempts (key, attempts, window_ends_at)
          VALUES ($1, 9, now() + interval '10 minutes')`,
        [`own password ${id}`],
      );
      await change(PASSWORD, 'xK9#mPq2vLw').expect(422);
      await change(PASSWORD, NEW_PASSWORD).expect(303);
    });

    it('takes ten wrong guesses with a stolen session, and no more', async () => {
      await test.fixtures.sql(
        `INSERT INTO sign_in_attempts (key, attempts, window_ends_at)
          VALUES ($1, 9, now() + interval '10 minutes')`,
        [`own password ${id}`],
      );
      const guesses = [1, 2, 3].map(() => change('not this one, I think', NEW_PASSWORD));
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([422, 429, 429]);
      await change(PASSWORD, NEW_PASSWORD).expect(429);
      await visitor.get(PAGE).expect(200);
      const limited = await test.audited(
        'actor, subject, details',
        `action = 'sign_in.limited' AND person_id = $1`,
        id,
      );
      expect(limited).toEqual([{ actor: `person ${id} (${email})`, subject: `person ${id}`, details: {} }]);
    });

    /** The hash that was verified is another one by the time that counts for which it was. */
    async function whileItChanges<Answer>(
      ask: () => PromiseLike<Answer>,
      set = `password_hash = '${NO_ACCOUNT_HASH}'`,
    ): Promise<Answer> {
      await test.fixtures.sql(
        `CREATE FUNCTION change_meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN UPDATE people SET ${set} WHERE id = ${id}; RETURN NULL; END $$;
         GRANT EXECUTE ON FUNCTION change_meanwhile() TO PUBLIC;
         CREATE TRIGGER meanwhile AFTER UPDATE ON sign_in_attempts
           FOR EACH ROW EXECUTE FUNCTION change_meanwhile()`,
      );
      const answer = await ask();
      await test.fixtures.sql('DROP TRIGGER meanwhile ON sign_in_attempts; DROP FUNCTION change_meanwhile');
      return answer;
    }

    const stored = async () =>
      (
        await test.query<Record<'password_hash' | 'totp_secret', string | null>>(
          'SELECT password_hash, totp_secret FROM people WHERE id = $1',
          id,
        )
      )[0];

    it('refuses a sign-in with the old one that ran while it was changed', async () => {
      const { status } = await whileItChanges(() =>
        new Browser(test.url).post(SIGN_IN, { email, password: PASSWORD }),
      );
      expect(status).toBe(422);
    });

    it('refuses a person who is disabled while they sign in', async () => {
      const { status } = await whileItChanges(
        () => new Browser(test.url).post(SIGN_IN, { email, password: PASSWORD }),
        'disabled_at = now()',
      );
      expect(status).toBe(422);
    });

    it('is not changed by who knows only the one before that', async () => {
      const { status } = await whileItChanges(() => change(PASSWORD, NEW_PASSWORD));
      expect(status).toBe(422);
      expect(await stored()).toMatchObject({ password_hash: NO_ACCOUNT_HASH });
    });

    it.each([
      ['set up', '', false],
      ['turned off', '/off', true],
      ['given new codes', '/codes', true],
    ])('lets no second step be %s with the one before while it was changed', async (_, path, isOn) => {
      if (isOn) await giveSecondStep(test, { id });
      const { status, text } = await whileItChanges(() =>
        visitor.post(`${TWO_FACTOR}${path}`, { password: PASSWORD }),
      );
      expect([status, text]).toEqual([422, expect.stringContaining('Is not your current password')]);
      expect(await stored()).toMatchObject({ totp_secret: isOn ? 'A' : null });
    });

    it('is told by mail to be another one, where mail is sent', async () => {
      const server = await MailServer.start();
      const mailing = await startTestApp({ mail: server.settings }, test.database);
      const here = await startSession(mailing, { id });
      await here.post(PAGE, { current: PASSWORD, password: NEW_PASSWORD, again: NEW_PASSWORD }).expect(303);
      const { subject, text } = await eventually(() => server.to(email));
      expect(subject).toBe('Your password was changed');
      expect(text).toContain('now needs the new password');
      expect(text).not.toContain(NEW_PASSWORD);
      await mailing.close();
    });

    it('makes every link from before it useless', async () => {
      await test.fixtures.sql(
        `INSERT INTO person_links (person_id, kind, hash, ends_at)
          VALUES ($1, 'reset', '\\x01', now() + interval '1 hour')`,
        [id],
      );
      await change(PASSWORD, NEW_PASSWORD).expect(303);
      const { rows } = await test.pool.query('SELECT 1 FROM person_links WHERE person_id = $1', [id]);
      expect(rows).toEqual([]);
    });
  });

  it('is in the audit log: who, what, when, from where', async () => {
    const browser = new Browser(test.url);
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    await visitor.post('/dashboard/security/sessions/end-others').expect(303);
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const { text } = await browser.get('/dashboard/security');
    const [, other] = /sessions\/(\d+)\/end/.exec(text)!;
    expect(Number(other)).toBe(visitor.person.sessionId);
    await browser.post(`/dashboard/security/sessions/${other}/end`);
    await browser.post('/dashboard/sign-out');
    const { rows: sessions } = await test.pool.query<{ id: number }>(
      'SELECT id FROM sessions WHERE person_id = $1 AND id <> $2 ORDER BY id',
      [id, visitor.person.sessionId],
    );
    const [first, second] = sessions.map((session) => `session ${session.id}`);
    const found = await test.audited('actor, action, subject, details, address', 'person_id = $1', id);
    const by = { actor: `person ${id} (${email})`, details: {}, address: '127.0.0.1' };
    expect(found).toEqual([
      { ...by, action: 'session.begun', subject: first },
      { ...by, action: 'session.others_ended', subject: `person ${id}`, details: { sessions_ended: 1 } },
      { ...by, action: 'session.begun', subject: second },
      { ...by, action: 'session.ended', subject: `session ${other}` },
      { ...by, action: 'session.ended', subject: second },
    ]);
  });

  it('keeps no secret where it could be read', async () => {
    const browser = new Browser(test.url);
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const [secret] = browser.cookies.values();
    const { rows } = await test.pool.query<{ dump: string }>(
      `SELECT concat((SELECT json_agg(p) FROM people p), (SELECT json_agg(s)
        FROM sessions s), (SELECT json_agg(a) FROM audit_log a)) AS dump`,
    );
    for (const each of [secret!, PASSWORD]) expect(rows[0]!.dump).not.toContain(each);
  });

  it('writes neither passwords nor secrets of sessions nor addresses into a log', async () => {
    const service = await ServiceProcess.start({ DATABASE_URL: test.database.serviceUrl, ACCESS_LOG: 'all' });
    // The work that quick-scrypt.ts does.
    const hash = await hashPassword(PASSWORD, { cost: 4, blockSize: 8, parallel: 1 });
    await test.pool.query('UPDATE people SET password_hash = $2 WHERE id = $1', [id, hash]);
    const browser = new Browser(service.url);
    await browser.get(`${SIGN_IN}?next=%2Fdashboard%2Fsecurity`);
    await browser.post(SIGN_IN, { email, password: 'not this one, I think' });
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const [secret] = browser.cookies.values();
    await browser.get('/dashboard/security');
    await browser.post('/dashboard/sign-out');
    await eventually(() => service.output.includes('/dashboard/sign-out'));
    expect(await service.end('SIGINT')).toBe(0);
    expect(service.output).toContain(`"person_id":${id}`);
    for (const each of [secret!, PASSWORD, 'not this one', email, 'next='])
      expect(service.output).not.toContain(each);
  });

  describe('of the pages', () => {
    /** What is there for those who are not signed in yet, or cannot any more. */
    const OPEN = new Set([
      'GET /dashboard/sign-in',
      'POST /dashboard/sign-in',
      'GET /dashboard/sign-in/code',
      'POST /dashboard/sign-in/code',
      'GET /dashboard/link',
      'POST /dashboard/link',
      'GET /dashboard/link/password',
      'POST /dashboard/link/password',
      'GET /dashboard/reset',
      'POST /dashboard/reset',
      'GET /dashboard/notices/off',
      'POST /dashboard/notices/off',
    ]);

    interface Route {
      path: string;
      methods: Record<string, boolean>;
    }

    /** What is served for any method is what is served for addresses that are none. */
    const routes = () => {
      const { router } = test.app.getHttpAdapter().getInstance() as Application;
      return (router.stack as unknown as { route?: Route }[])
        .flatMap(({ route }) => (route?.path.startsWith('/dashboard') ? [route] : []))
        .filter(({ methods }) => Object.keys(methods).length === 1)
        .map(({ path, methods }) => `${Object.keys(methods)[0]!.toUpperCase()} ${path}`);
    };

    it('shows and does nothing without a session, except signing in', async () => {
      expect(routes().length).toBeGreaterThan(OPEN.size);
      for (const route of routes()) {
        const [method, pattern] = route.split(' ') as [string, string];
        const path = pattern.replace(/:\w+/g, '1');
        const requested = method === 'POST' ? postForm(test.url, path) : request(test.url).get(path);
        const { status, headers } = await requested;
        const isRefused = status === 303 && headers.location!.startsWith(SIGN_IN);
        if (!OPEN.has(route)) expect([route, isRefused]).toEqual([route, true]);
      }
    });

    it('has all of those that are named here as open', () => {
      const open = routes().filter((route) => OPEN.has(route));
      expect(new Set(open)).toEqual(OPEN);
    });

    it('takes no form from another site, even with a session', async () => {
      for (const route of routes().filter((each) => each.startsWith('POST '))) {
        const path = route.slice('POST '.length).replace(/:\w+/g, '1');
        const { status } = await visitor.post(path).set('Sec-Fetch-Site', 'cross-site');
        expect([route, status]).toEqual([route, 403]);
      }
      await visitor.get(PAGE).expect(200);
    });
  });
});
