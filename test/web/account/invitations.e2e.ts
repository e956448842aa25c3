import type { Response } from 'supertest';
import { ResetRequestsService } from '../../../src/modules/people/links/reset-requests.service.js';
import type { OtherActor } from '../../../src/modules/audit/audit-log.js';
import type { ClientPerson } from '../../../src/platform/access/signed-in-person.js';
import { PeopleAdministrationService } from '../../../src/modules/people/people-administration.service.js';
import { Browser, setCookies } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { MailServer, refusal as refusalOfMail } from '../../support/mail-server.js';
import { ServiceProcess } from '../../support/service-process.js';
import { addPerson, PASSWORD, signIn, startSession } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { lockTable } from '../../support/while-locked.js';

const LINK = '/dashboard/link';
const CHOOSE = '/dashboard/link/password';
const RESET = '/dashboard/reset';
const SIGN_IN = '/dashboard/sign-in';

const CHOSEN = 'tractor violin mosaic';
const CHOICE = { name: 'Meera Nair', password: CHOSEN, again: CHOSEN };

/** The headers of a browser behind the trusted proxy. */
const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

describe('A link', () => {
  let test: TestApp;
  let server: MailServer;
  let store: Store;
  let operator: OtherActor<number>;

  beforeAll(async () => {
    server = await MailServer.start();
    test = await startTestApp({
      trustProxy: 1,
      publicUrl: 'https://wholesale.example.com',
      mail: server.settings,
    });
    store = await test.fixtures.store({ name: 'Anaya Home' });
    operator = { clientId: store.clientId, actor: 'operator:test' };
  });
  afterAll(() => test.close());

  let hosts = 0;
  /** From a new address. */
  const newcomer = () => new Browser(test.url, from(`198.51.100.${++hosts}`));

  let made = 0;
  const address = () => `somebody-${++made}@example.com`;

  const administration = () => test.app.get(PeopleAdministrationService, { strict: false });

  const invite = async (role = 'buyer', email = address()) => {
    const { person_id: id, url } = await administration().invite(operator, { email, role });
    return { id, email, secret: secretIn(url!) };
  };

  const resetLink = async (id: number) => secretIn((await administration().makeLink(operator, id)).url!);

  const opened = async (secret: string) => {
    const browser = newcomer();
    await browser.follow(LINK, { code: secret });
    return browser;
  };

  const signsInWith = async (email: string, password: string) => {
    const { status, headers } = await newcomer().post(SIGN_IN, { email, password });
    return status === 303 ? headers.location : status;
  };

  /** How the link looks to who opens it, and in all that is not the same in every answer. */
  const refusal = async (secret: string) => {
    const { status, text } = await newcomer().post(LINK, { code: secret });
    return { status, text };
  };

  const mailTo = (email: string, subject: string) =>
    server.received.find((mail) => mail.recipient === email && mail.subject === subject);

  const audit = (personId: number) =>
    test.audited(
      'action, actor, subject, details, address',
      `person_id = $1 OR subject = 'person ' || $1::int`,
      personId,
    );

  it('of an invitation lets a person choose a name and a password, and signs them in', async () => {
    const { id, email, secret } = await invite('buyer');
    const browser = newcomer();
    const page = await browser.get(LINK);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<input [^>]*data-fragment="true" name="code"/);
    const choose = await browser.follow(LINK, { code: secret });
    expect(choose.text).toContain('<h1>Welcome to Anaya Home</h1>');
    expect(choose.text).toContain('a buyer, who sees everything and pays');
    expect(choose.text).toContain(email);
    const { status, headers } = await browser.post(CHOOSE, CHOICE);
    expect([status, headers.location]).toEqual([303, '/dashboard']);
    expect([...browser.cookies.keys()].toSorted()).toEqual(['__Host-session', 'notice']);
    const people = await browser.get('/dashboard/people');
    expect(people.status).toBe(200);
    expect(people.text).toContain('Meera Nair');
    expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
    const by = { actor: `person ${id} (${email})`, address: expect.stringContaining('198.51') as string };
    const subject = `person ${id}`;
    expect((await audit(id)).slice(0, 3)).toEqual([
      {
        action: 'person.invited',
        actor: 'operator:test',
        subject,
        details: { email, role: 'buyer', mailed: true },
        address: null,
      },
      { ...by, action: 'person.joined', subject, details: { sessions_ended: 0 } },
      {
        ...by,
        action: 'session.begun',
        subject: expect.stringMatching(/^session \d+$/) as string,
        details: {},
      },
    ]);
  });

  it('comes by mail, and says what it is, with its end in the zone of the client', async () => {
    await test.fixtures.sql(`UPDATE clients SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [store.clientId]);
    const { email, secret } = await invite('owner');
    const mail = await eventually(() => server.to(email));
    expect(mail.subject).toBe('You are invited to the dashboard of Anaya Home');
    expect(mail.text).toContain(`\nhttps://wholesale.example.com/dashboard/link#${secret}\n`);
    expect(mail.text).toContain('as an owner, who sees everything, pays, and manages tokens');
    expect(mail.text).toMatch(/ once, until [-\d]{10} \d\d:\d\d GMT\+9\./);
    expect((await newcomer().post(LINK, { code: linkIn(mail.text) })).status).toBe(303);
  });

  it('has its secret in no address: it follows the #, is posted, and kept in a cookie', async () => {
    const { secret } = await invite();
    const browser = newcomer();
    const answer = await browser.post(LINK, { code: secret });
    expect(answer.headers.location).toBe(CHOOSE);
    expect(setCookies(answer)).toEqual([
      `__Host-link=${secret}; Max-Age=900; Secure; HttpOnly; SameSite=Lax; Path=/`,
    ]);
    const page = await browser.get(CHOOSE);
    expect(page.text).not.toContain(secret);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    const used = await browser.post(CHOOSE, CHOICE);
    expect(setCookies(used)[0]).toBe('__Host-link=; Max-Age=0; Secure; HttpOnly; SameSite=Lax; Path=/');
  });

  it('is not used up by mail scanners that follow it', async () => {
    const { secret } = await invite();
    const scanner = newcomer();
    await scanner.get(LINK);
    // Some run scripts.
    await scanner.follow(LINK, { code: secret });
    await scanner.follow(LINK, { code: secret });
    const browser = await opened(secret);
    expect((await browser.post(CHOOSE, CHOICE)).status).toBe(303);
  });

  it('may be pasted as a whole, where no script runs', async () => {
    const { secret } = await invite();
    const code = ` https://wholesale.example.com/dashboard/link#${secret}\n`;
    expect((await newcomer().post(LINK, { code })).headers.location).toBe(CHOOSE);
  });

  it('is good once, by two at the same moment too', async () => {
    const { secret, email } = await invite();
    const browsers = [await opened(secret), await opened(secret)];
    const answers = await Promise.all(
      browsers.map((browser, at) =>
        browser.post(CHOOSE, { ...CHOICE, password: `${CHOSEN} ${at}`, again: `${CHOSEN} ${at}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 410]);
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(await signsInWith(email, `${CHOSEN} ${winner}`)).toBe('/dashboard');
    expect(await signsInWith(email, `${CHOSEN} ${1 - winner}`)).toBe(422);
  });

  it('that is no good any more looks like one that never was', async () => {
    const never = await refusal('A'.repeat(43));
    expect(never).toMatchObject({ status: 410, text: expect.stringContaining('no longer works') });

    const used = await invite();
    await (await opened(used.secret)).post(CHOOSE, CHOICE);
    const older = await invite();
    await resetLink(older.id);
    const ended = await invite();
    await test.pool.query(`UPDATE person_links SET ends_at = now() WHERE person_id = $1`, [ended.id]);
    const disabled = await invite();
    await administration().disable(operator, disabled.id);
    await administration().enable(operator, disabled.id);
    for (const { secret } of [used, older, ended, disabled, { secret: 'no secret at all' }, { secret: '' }])
      expect(await refusal(secret)).toEqual(never);
  });

  it('that ends while a person chooses a password is refused', async () => {
    const { id, email, secret } = await invite();
    const browser = await opened(secret);
    await test.pool.query(`UPDATE person_links SET ends_at = now() WHERE person_id = $1`, [id]);
    expect((await browser.get(CHOOSE)).status).toBe(410);
    expect(browser.cookies.has('__Host-link')).toBe(false);
    browser.cookies.set('__Host-link', secret);
    expect((await browser.post(CHOOSE, CHOICE)).status).toBe(410);
    expect(await signsInWith(email, CHOSEN)).toBe(422);
  });

  it('is sent back to where it is opened without its cookie', async () => {
    expect((await newcomer().get(CHOOSE)).headers.location).toBe(LINK);
    expect((await newcomer().post(CHOOSE, CHOICE)).headers.location).toBe(LINK);
  });

  it('tells all faults of name and password, keeps the name, and stays unused', async () => {
    const { secret } = await invite();
    const browser = await opened(secret);
    const weak = await browser.post(CHOOSE, { name: ' ', password: 'short', again: 'short' });
    expect(weak.status).toBe(422);
    expect(weak.text).toContain('Must not be empty');
    expect(weak.text).toContain('Must have at least 12 characters');
    const slip = await browser.post(CHOOSE, { ...CHOICE, again: 'another one entirely' });
    expect(slip.text).toContain('Does not match the new password');
    expect(slip.text).toContain('value="Meera Nair"');
    expect(slip.text).not.toContain(CHOSEN);
    const guessed = await browser.post(CHOOSE, {
      ...CHOICE,
      password: 'anaya-home-2026',
      again: 'anaya-home-2026',
    });
    expect(guessed.text).toContain('too easy to guess');
    expect((await browser.post(CHOOSE, CHOICE)).status).toBe(303);
  });

  it('is opened over no connection that others can read', async () => {
    const { secret } = await invite();
    const browser = new Browser(test.url, { 'X-Forwarded-For': '198.51.100.250' });
    expect((await browser.get(LINK)).status).toBe(403);
    expect((await browser.post(LINK, { code: secret })).status).toBe(403);
    expect(browser.cookies.size).toBe(0);
  });

  describe('for a new password', () => {
    it('ends all sessions, all links and the old password, without signing in', async () => {
      const { id, email } = await addPerson(test, store.clientId);
      const otherPlace = newcomer();
      await otherPlace.follow(SIGN_IN, { email, password: PASSWORD });
      expect((await otherPlace.get('/dashboard/people')).status).toBe(200);
      const secret = await resetLink(id);
      const browser = newcomer();
      const page = await browser.follow(LINK, { code: secret });
      expect(page.text).toContain('<h1>Choose a new password</h1>');
      expect(page.text).not.toContain('name="name"');
      const { headers } = await browser.post(CHOOSE, { password: CHOSEN, again: CHOSEN });
      expect(headers.location).toBe(SIGN_IN);
      expect(browser.cookies.has('__Host-session')).toBe(false);
      expect((await otherPlace.get('/dashboard/people')).status).toBe(303);
      await eventually(() => mailTo(email, 'Your password was changed'));
      expect(await signsInWith(email, PASSWORD)).toBe(422);
      expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
      const by = { actor: `person ${id} (${email})`, subject: `person ${id}` };
      expect(await audit(id)).toMatchObject([
        { action: 'session.begun', details: {} },
        {
          action: 'person.link_made',
          actor: 'operator:test',
          details: { email, kind: 'reset', mailed: true },
        },
        { ...by, action: 'password.reset', details: { sessions_ended: 1 } },
        { action: 'session.begun', details: {} },
      ]);
    });

    it('does not stand in for the second step', async () => {
      const { id, email } = await addPerson(test, store.clientId);
      await test.pool.query(
        `UPDATE people SET totp_secret = 'JBSWY3DPEHPK3PXP', totp_enabled_at = now() WHERE id = $1`,
        [id],
      );
      await (await opened(await resetLink(id))).post(CHOOSE, { password: CHOSEN, again: CHOSEN });
      expect(await signsInWith(email, CHOSEN)).toMatch(/^\/dashboard\/sign-in\/code/);
    });
  });

  describe('that is asked for', () => {
    const ask = (email: string, browser = newcomer()) => browser.post(RESET, { email });

    const settled = () => test.app.get(ResetRequestsService, { strict: false }).settled();

    const linksOf = (email: string) =>
      test.query(`SELECT kind FROM person_links JOIN people ON id = person_id WHERE email = $1`, email);

    it('goes to the address, and leads to another password', async () => {
      const { id, email } = await addPerson(test, store.clientId);
      const { headers } = await ask(` ${email.toUpperCase()} `);
      expect(headers.location).toBe(SIGN_IN);
      const mail = await eventually(() => mailTo(email, 'A new password'));
      const browser = await opened(secretIn(linkIn(mail!.text)));
      await browser.follow(CHOOSE, { password: CHOSEN, again: CHOSEN });
      expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
      expect((await audit(id))[0]).toEqual({
        action: 'password.reset_asked',
        actor: 'a stranger',
        subject: `person ${id}`,
        details: {},
        address: expect.stringContaining('198.51') as string,
      });
    });

    it('is answered alike for every address, and sent only to its person', async () => {
      const known = await addPerson(test, store.clientId);
      const disabled = await addPerson(test, store.clientId);
      await administration().disable(operator, disabled.id);
      const invited = await invite();
      const nobody = address();
      const answers = [];
      for (const email of [known.email, disabled.email, invited.email, nobody, 'no address', ''])
        answers.push(alike(await ask(email)));
      expect(new Set(answers).size).toBe(1);
      await settled();
      expect(await linksOf(known.email)).toEqual([{ kind: 'reset' }]);
      expect(await linksOf(disabled.email)).toEqual([]);
      expect(await linksOf(invited.email)).toEqual([{ kind: 'invitation' }]);
    });

    it('is limited: the fourth in an hour is refused for every address', async () => {
      const known = await addPerson(test, store.clientId);
      for (const email of [known.email, address()]) {
        for (const _ of [1, 2, 3]) expect((await ask(email)).status).toBe(303);
        const refused = await ask(email);
        expect(refused.status).toBe(429);
        expect(refused.text).toContain('Too many attempts');
        expect(refused.headers['retry-after']).toMatch(/^\d+$/);
      }
      await settled();
      expect((await audit(known.id)).filter(({ action }) => action === 'password.reset_asked')).toHaveLength(
        3,
      );
    });

    it('is refused after many requests from one address', async () => {
      const browser = newcomer();
      const statuses = [];
      for (let requested = 0; requested < 21; requested++)
        statuses.push((await ask(address(), browser)).status);
      expect(statuses.filter((status) => status === 303)).toHaveLength(20);
      expect(statuses.at(-1)).toBe(429);
      const found = await test.audited(
        'actor, client_id, person_id, subject, details',
        `action = 'password.reset_limited' AND address = $1`,
        `198.51.100.${hosts}`,
      );
      const nobody = { actor: 'a stranger', client_id: null, person_id: null };
      expect(found).toEqual([{ ...nobody, subject: 'an account', details: {} }]);
    });

    it('is made before the service ends that was asked for it', async () => {
      const { email } = await addPerson(test, store.clientId);
      const ending = await startTestApp({ mail: server.settings }, test.database);
      const release = await lockTable(test.pool, 'people');
      await ask(email, new Browser(ending.url));
      const closed = ending.close();
      // It has had its chance to end without it.
      for (let n = 0; n < 50; n++) await test.pool.query('SELECT 1');
      await release();
      await closed;
      expect(await linksOf(email)).toEqual([{ kind: 'reset' }]);
    });

    it('cannot be had where no mail is sent: an owner makes it', async () => {
      const without = await startTestApp({}, test.database);
      const { email } = await addPerson(test, store.clientId);
      const browser = new Browser(without.url);
      const page = await browser.get(RESET);
      expect(page.text).toContain('Ask a person who manages the people of your account');
      expect(page.text).not.toContain('<form');
      expect((await browser.post(RESET, { email })).status).toBe(200);
      await without.app.get(ResetRequestsService, { strict: false }).settled();
      expect(await linksOf(email)).toEqual([]);
      await without.close();
    });
  });

  it('and what is chosen by it are in no log', async () => {
    const service = await ServiceProcess.start({
      DATABASE_URL: test.database.serviceUrl,
      ACCESS_LOG: 'all',
      ...server.environment,
    });
    const { email, secret } = await invite();
    const browser = new Browser(service.url);
    await browser.get(LINK);
    await browser.follow(LINK, { code: secret });
    await browser.post(CHOOSE, { ...CHOICE, again: 'a slip' });
    await browser.follow(CHOOSE, CHOICE);
    await browser.post(LINK, { code: secret });
    await browser.post(RESET, { email });
    const mail = await eventually(() => mailTo(email, 'A new password'));
    await eventually(() => service.output.includes('"route":"/dashboard/reset"'));
    await service.end('SIGINT');
    for (const notice of [secret, secretIn(linkIn(mail!.text)), CHOSEN, email, 'Meera'])
      expect(service.output).not.toContain(notice);
    expect(service.output).toContain('"route":"/dashboard/link/password"');
  });

  it('is not sent any more when it was used, replaced or taken back before it left', async () => {
    server.checkRecipient = () => refusalOfMail(452, 'mailbox full');
    const { id, email } = await invite();
    await administration().makeLink(operator, id);
    const secret = await resetLink(id);
    const browser = await opened(secret);
    await browser.follow(CHOOSE, CHOICE);
    const other = await invite();
    await administration().disable(operator, other.id);
    server.forget();
    const { rows } = await test.pool.query(
      `SELECT recipient, count(withdrawn_at)::int AS withdrawn, count(body)::int AS texts
         FROM outbox WHERE recipient = ANY ($1) GROUP BY recipient ORDER BY recipient`,
      [[email, other.email]],
    );
    expect(rows).toEqual(
      [
        { recipient: email, withdrawn: 3, texts: 0 },
        { recipient: other.email, withdrawn: 1, texts: 0 },
      ].toSorted((one, another) => (one.recipient < another.recipient ? -1 : 1)),
    );
  });

  describe('of an invitation that was not used', () => {
    let otherPlace: OtherActor<number>;
    let owner: ClientPerson;

    beforeAll(async () => {
      otherPlace = {
        clientId: (await test.fixtures.store({ name: 'Elsewhere' })).clientId,
        actor: 'operator:test',
      };
      owner = (await signIn(test, otherPlace.clientId)).person;
    });

    const hasEnded = (id: number) =>
      test.pool.query('UPDATE person_links SET ends_at = now() WHERE person_id = $1', [id]);

    const inviteFromOther = async (email: string) =>
      (await administration().invite(owner, { email, role: 'viewer' })).person_id;

    const taken = {
      code: 'conflict',
      message: expect.stringContaining('cannot be invited: it belongs to another account'),
    };

    it('keeps the address as long as it is good', async () => {
      const { email } = await invite();
      await expect(inviteFromOther(email)).rejects.toMatchObject(taken);
    });

    it.each<[string, (id: number) => Promise<unknown>]>([
      ['has ended', hasEnded],
      ['was taken back', (id) => administration().disable(operator, id)],
    ])('frees it when it %s, without telling whose it was', async (_, end) => {
      const { id, email, secret } = await invite();
      await end(id);
      const before = await administration().show(operator, id);
      const now = await inviteFromOther(email.toUpperCase());
      expect(await administration().show(operator, id)).toEqual(before);
      expect((await refusal(secret)).status).toBe(410);
      const there = secretIn((await administration().makeLink(otherPlace, now)).url!);
      const browser = await opened(there);
      await browser.post(CHOOSE, CHOICE);
      expect((await browser.get('/dashboard/people')).text).toContain('Elsewhere');
      expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
      // The address is that of the new person everywhere, whichever row the database finds first.
      await test.fixtures.sql('UPDATE people SET name = name WHERE id = $1', [now]);
      expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
      await newcomer().post(RESET, { email });
      await test.app.get(ResetRequestsService, { strict: false }).settled();
      const { rows: links } = await test.pool.query(
        'SELECT person_id, kind FROM person_links WHERE person_id = ANY ($1) AND ends_at > now()',
        [[id, now]],
      );
      expect(links).toEqual([{ person_id: now, kind: 'reset' }]);
      await administration().enable(operator, id);
      await expect(administration().makeLink(operator, id)).rejects.toMatchObject({
        code: 'conflict',
        message: `${email} is already person ${now} of client ${otherPlace.clientId}.`,
      });
      const released = await test.audited(
        'actor, client_id, person_id, details',
        `action = 'person.address_released' AND subject = $1`,
        `person ${id}`,
      );
      const actor = `person ${owner.id} (${owner.email})`;
      expect(released).toEqual([{ actor, client_id: null, person_id: null, details: {} }]);
    });

    it('can be made anew where it was, once it has ended elsewhere too', async () => {
      const { id, email } = await invite();
      await hasEnded(id);
      await hasEnded(await inviteFromOther(email));
      await expect(invite('buyer', email)).rejects.toMatchObject({ code: 'conflict' });
      const browser = await opened(await resetLink(id));
      await browser.post(CHOOSE, CHOICE);
      expect(await signsInWith(email, CHOSEN)).toBe('/dashboard');
    });

    it('gives it to one of those who want it at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, email } = await invite();
        await hasEnded(id);
        const third = { clientId: (await test.fixtures.store()).clientId, actor: 'operator:test' };
        const expected = await Promise.allSettled([
          administration().makeLink(operator, id),
          administration().invite(otherPlace, { email, role: 'viewer' }),
          administration().invite(third, { email, role: 'viewer' }),
        ]);
        const refused = expected.flatMap((each) =>
          each.status === 'rejected' ? [each.reason as unknown] : [],
        );
        expect(refused).toMatchObject([{ code: 'conflict' }, { code: 'conflict' }]);
        const { rows } = await test.pool.query(
          `SELECT count(*)::int FROM people JOIN person_links ON person_id = id
            WHERE email = $1 AND released_at IS NULL AND ends_at > now()`,
          [email],
        );
        expect(rows).toEqual([{ count: 1 }]);
      }
    });
  });

  it('opened in the browser of another person replaces their session there alone', async () => {
    const other = await signIn(test, store.clientId);
    const { secret } = await invite();
    const [browser, copy, otherPlace] = [newcomer(), newcomer(), newcomer()];
    const planted = other.cookie.split('=')[1]!;
    for (const each of [browser, copy]) each.cookies.set('__Host-session', planted);
    otherPlace.cookies.set('__Host-session', (await startSession(test, other.person)).cookie.split('=')[1]!);
    const statuses = async () =>
      (await Promise.all([copy, otherPlace].map((each) => each.get('/dashboard/people')))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual([200, 200]);
    await browser.follow(LINK, { code: secret });
    await browser.post(CHOOSE, CHOICE);
    expect((await browser.get('/dashboard/people')).text).toContain('Meera Nair');
    expect(await statuses()).toEqual([303, 200]);
  });
});

/** What stands behind the # of a link. */
function secretIn(url: string): string {
  return url.split('#')[1]!;
}

function linkIn(text: string): string {
  return /https?:\S+#\S+/.exec(text)![0];
}

/** All that a browser gets to see of an answer, but for when it came and what it is called. */
function alike({ status, text, headers }: Response): string {
  const { date: _, 'x-request-id': __, ...others } = headers as Record<string, unknown>;
  return JSON.stringify({ status, text, others });
}
