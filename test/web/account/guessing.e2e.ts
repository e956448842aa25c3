import { hashOfTyped } from '../../../src/modules/people/sign-in-limits.service.js';
import { Browser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { MailServer } from '../../support/mail-server.js';
import { type Gate, hashQuickly } from '../../support/quick-scrypt.js';
import { addPerson, PASSWORD, startSession } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';

const SIGN_IN = '/dashboard/sign-in';

/** The limits of `sign-in-limits.ts`, without those for codes and invitations. */
const AT_ACCOUNT_FROM_ADDRESS = 10;
const FROM_ADDRESS = 100;
const AT_ACCOUNT = 100;
const AT_RESET_FROM_ADDRESS = 20;

/** How many of one network are hashing or wait for it, and how many of one person. */
const LINE = 17;
const OWN_LINE = 5;

const WRONG = 'not this one, I think';

describe('Who guesses passwords', () => {
  const test = setUpTestApp({ trustProxy: 1 });
  let store: Store;
  let hashing: Gate;

  beforeAll(async () => {
    hashing = hashQuickly();
    store = await test.fixtures.store();
  });
  afterEach(() => hashing.open());

  let hosts = 0;
  const anAddress = () => `198.51.100.${++hosts}`;
  const person = () => addPerson(test, store.clientId);

  const attempt = (address: string, email: string, password = WRONG, { url } = test) =>
    new Browser(url, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' }).post(SIGN_IN, {
      email,
      password,
    });

  const statuses = async (attempts: Promise<{ status: number }>[]) =>
    (await Promise.all(attempts)).map(({ status }) => status).toSorted();

  /** As if so many had been made already. */
  const attempts = (key: string, made: number) =>
    test.fixtures.sql(
      `INSERT INTO sign_in_attempts (key, attempts, window_ends_at)
        VALUES ($1, $2, now() + interval '10 minutes')`,
      [key, made],
    );

  /** What may be tried at an account from everywhere. */
  const usedUp = (email: string) =>
    test.fixtures.sql('UPDATE sign_in_attempts SET attempts = $2 WHERE key = $1', [
      `password ${hashOfTyped(email)}`,
      AT_ACCOUNT,
    ]);

  const limited = (subject: string) =>
    test.audited(
      'actor, client_id, person_id, details, address',
      `action = 'sign_in.limited' AND subject = $1`,
      subject,
    );

  it('has ten attempts at an account from one address, however many are made at once', async () => {
    const { id, email } = await person();
    const address = anAddress();
    const wrong = Array.from({ length: AT_ACCOUNT_FROM_ADDRESS + 4 }, () => attempt(address, email));
    expect(await statuses(wrong)).toEqual([...Array<number>(10).fill(422), 429, 429, 429, 429]);
    const right = await attempt(address, email, PASSWORD);
    expect(right.status).toBe(429);
    expect(right.text).toContain('Too many attempts. Try again in 15 minutes.');
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(800);
    expect(await limited(`person ${id}`)).toEqual([
      { actor: 'a stranger', client_id: store.clientId, person_id: id, details: {}, address },
    ]);
  });

  it('has used an attempt with the right password of a person who is disabled', async () => {
    const { id, email } = await person();
    const address = anAddress();
    await test.fixtures.sql('UPDATE people SET disabled_at = now() WHERE id = $1', [id]);
    expect((await attempt(address, email, PASSWORD)).status).toBe(422);
    const { rows } = await test.pool.query('SELECT attempts FROM sign_in_attempts WHERE key = $1', [
      `password ${hashOfTyped(email)} ${address}`,
    ]);
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  it('gets the same answer for an unknown account, and nothing typed is stored', async () => {
    const [address, email] = [anAddress(), 'my-password-by-mistake'];
    await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS);
    const answer = await attempt(address, email);
    expect(answer.status).toBe(429);
    expect(await limited('an unknown account')).toEqual([
      { actor: 'a stranger', client_id: null, person_id: null, details: {}, address },
    ]);
    const { rows } = await test.pool.query(
      `SELECT count(*)::int FROM audit_log a, sign_in_attempts s WHERE concat(a, s) LIKE '%by-mistake%'`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('does not keep the owner of the account out elsewhere, nor one who is signed in', async () => {
    const { id, email } = await person();
    const address = anAddress();
    await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS);
    const { get } = await startSession(test, { id });
    expect((await attempt(address, email)).status).toBe(429);
    expect((await attempt(anAddress(), email, PASSWORD)).status).toBe(303);
    await get('/dashboard/security').expect(200);
  });

  it('uses up nothing for others beyond what was tried', async () => {
    const { email } = await person();
    const address = anAddress();
    await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS);
    await statuses(Array.from({ length: LINE }, () => attempt(address, email)));
    const { rows } = await test.pool.query(`SELECT attempts FROM sign_in_attempts WHERE key = ANY ($1)`, [
      [`address ${address}`, `password ${hashOfTyped(email)}`],
    ]);
    expect(rows).toEqual([]);
  });

  it('has a hundred attempts from one address, for all accounts together', async () => {
    const address = anAddress();
    await attempts(`address ${address}`, FROM_ADDRESS - 2);
    const guesses = Array.from({ length: 5 }, (_, n) => attempt(address, `nobody-${n}@example.com`));
    expect(await statuses(guesses)).toEqual([422, 422, 429, 429, 429]);
  });

  it('is one with every address of its network', async () => {
    const { email } = await person();
    await attempts(`password ${hashOfTyped(email)} 2001:db8:1:2::/64`, AT_ACCOUNT_FROM_ADDRESS - 1);
    const guesses = [1, 2, 3].map((n) => attempt(`2001:db8:1:2::${n}`, email));
    expect(await statuses(guesses)).toEqual([422, 429, 429]);
    expect((await attempt('2001:db8:1:3::1', email)).status).toBe(422);
  });

  it('has a hundred attempts at an account from everywhere, without locking its owner out', async () => {
    const { email } = await person();
    const home = anAddress();
    expect((await attempt(home, email, PASSWORD)).status).toBe(303);
    await test.fixtures.sql('UPDATE sign_in_attempts SET attempts = $2 WHERE key = $1', [
      `password ${hashOfTyped(email)}`,
      AT_ACCOUNT - 2,
    ]);
    const guesses = Array.from({ length: 4 }, () => attempt(anAddress(), email));
    expect(await statuses(guesses)).toEqual([422, 422, 429, 429]);
    expect((await attempt(anAddress(), email, PASSWORD)).status).toBe(429);
    expect((await attempt(home, email, PASSWORD)).status).toBe(303);
  });

  it('keeps no owner out who has another address of the network where they signed in before', async () => {
    const { email } = await person();
    expect((await attempt('2001:db8:7:1::1', email, PASSWORD)).status).toBe(303);
    await usedUp(email);
    expect((await attempt('2001:db8:7:2::1', email, PASSWORD)).status).toBe(429);
    expect((await attempt('2001:db8:7:1::2', email, PASSWORD)).status).toBe(303);
  });

  it('has no more attempts where another account signed in before', async () => {
    const [{ email }, other] = [await person(), await person()];
    const home = anAddress();
    expect((await attempt(home, other.email, PASSWORD)).status).toBe(303);
    await attempts(`password ${hashOfTyped(email)}`, AT_ACCOUNT);
    expect((await attempt(home, email, PASSWORD)).status).toBe(429);
  });

  it('keeps an owner out where they have not been signed in for 90 days', async () => {
    const { id, email } = await person();
    const [lately, longAgo] = [anAddress(), anAddress()];
    for (const [address, days] of [
      [lately, 89],
      [longAgo, 91],
    ] as const) {
      expect((await attempt(address, email, PASSWORD)).status).toBe(303);
      await test.fixtures.sql(
        `UPDATE sessions SET ends_at = now() - make_interval(days => $3) WHERE person_id = $1
          AND address = $2`,
        [id, address, days],
      );
    }
    expect((await attempt(anAddress(), email, PASSWORD)).status).toBe(303);
    await usedUp(email);
    expect((await attempt(longAgo, email, PASSWORD)).status).toBe(429);
    expect((await attempt(lately, email, PASSWORD)).status).toBe(303);
  });

  it('is not kept waiting for longer because of what was tried meanwhile', async () => {
    const { email } = await person();
    const address = anAddress();
    const key = `password ${hashOfTyped(email)} ${address}`;
    await attempts(key, AT_ACCOUNT_FROM_ADDRESS);
    const end = async () =>
      (
        await test.query<{ end: Date }>(
          'SELECT window_ends_at AS end FROM sign_in_attempts WHERE key = $1',
          key,
        )
      )[0]!.end;
    const before = await end();
    expect((await attempt(address, email)).status).toBe(429);
    expect(await end()).toEqual(before);
  });

  it('may try again when the time is over, and nothing is left of what was counted before', async () => {
    const { email } = await person();
    const [address, old] = [anAddress(), `address ${anAddress()}`];
    const key = `password ${hashOfTyped(email)} ${address}`;
    await attempts(key, 50);
    await attempts(old, 50);
    await test.fixtures.sql('UPDATE sign_in_attempts SET window_ends_at = now() WHERE key = ANY ($1)', [
      [key, old],
    ]);
    expect((await attempt(address, email)).status).toBe(422);
    const { rows } = await test.pool.query(
      'SELECT key, attempts FROM sign_in_attempts WHERE key = ANY ($1)',
      [[key, old]],
    );
    expect(rows).toEqual([{ key, attempts: 1 }]);
  });

  it('does not count a right password as an attempt', async () => {
    const { email } = await person();
    const address = anAddress();
    await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS - 1);
    for (let n = 0; n < 3; n++) expect((await attempt(address, email, PASSWORD)).status).toBe(303);
  });

  it('holds up no store, and is refused what is more than a line can be', async () => {
    const { sku } = await test.fixtures.product();
    hashing.close(WRONG);
    const refused: unknown[] = [];
    const address = anAddress();
    const guesses = Array.from({ length: LINE + 12 }, async (_, n) => {
      const { status, headers } = await attempt(address, `nobody-${n}@example.com`);
      if (status !== 422) refused.push([status, headers['retry-after']]);
      return { status };
    });
    await eventually(() => refused.length === 12);
    expect(refused).toEqual(Array.from({ length: 12 }, () => [429, '2']));
    await test.get(store, `/api/products/${sku}/stock`).expect(200);
    hashing.open();
    expect((await statuses(guesses)).filter((status) => status === 422)).toHaveLength(LINE);
  });

  it('of their own is no attempt either where there is no room in the line', async () => {
    const me = await person();
    const home = anAddress();
    expect((await attempt(home, me.email, PASSWORD)).status).toBe(303);
    const session = await startSession(test, me);
    hashing.close(WRONG);
    const others = Array.from({ length: OWN_LINE + 1 }, () => attempt(home, me.email).then((each) => each));
    expect((await Promise.race(others)).status).toBe(429);
    const change = { current: WRONG, password: PASSWORD, again: PASSWORD };
    const { status, text } = await session.post('/dashboard/security/password', change);
    expect([status, text.includes('Too many people are signing in.')]).toEqual([429, true]);
    const { rows } = await test.pool.query('SELECT attempts FROM sign_in_attempts WHERE key = $1', [
      `own password ${me.id}`,
    ]);
    expect(rows).toEqual([{ attempts: 0 }]);
    hashing.open();
    expect(await statuses(others)).toEqual([...Array.from({ length: OWN_LINE }, () => 422), 429]);
  });

  describe('with a forged X-Forwarded-For', () => {
    const countedFor = async (email: string) =>
      (
        await test.query<{ key: string }>(
          'SELECT key FROM sign_in_attempts WHERE key LIKE $1 ORDER BY key',
          `password ${hashOfTyped(email)}%`,
        )
      ).map(({ key }) => key);

    // The proxy appends the address of its caller. The caller wrote everything before it.
    describe.each<[string, number | string[]]>([
      ['a hop count', 1],
      ['an address', ['127.0.0.1']],
    ])('and TRUST_PROXY as %s', (_, trustProxy) => {
      let behind: TestApp;
      beforeAll(async () => {
        behind = await startTestApp({ trustProxy }, test.database);
      });
      afterAll(() => behind.close());

      it.each([
        ['the address that the proxy appends', '198.51.100.250', '198.51.100.250'],
        ['the address of the socket if the proxy appends no address', 'unknown', '127.0.0.1'],
      ])('is counted and stored with %s', async (__, appended, address) => {
        const { id, email } = await person();
        await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS - 2);
        const tried: number[] = [];
        for (const forged of ['203.0.113.9', '127.0.0.1', '<script>', `${anAddress()}, 203.0.113.7`]) {
          tried.push((await attempt(`${forged}, ${appended}`, email, WRONG, behind)).status);
        }
        expect(tried).toEqual([422, 422, 429, 429]);
        expect(await countedFor(email)).toEqual([
          `password ${hashOfTyped(email)}`,
          `password ${hashOfTyped(email)} ${address}`,
        ]);
        expect(await limited(`person ${id}`)).toMatchObject([{ address }]);
      });
    });

    it('is counted and stored with the socket’s address unless the proxy is trusted', async () => {
      const server = await MailServer.start();
      const direct = await startTestApp({ trustProxy: ['192.0.2.1'], mail: server.settings }, test.database);
      await attempts('reset from 127.0.0.1', AT_RESET_FROM_ADDRESS - 1);
      const requested: number[] = [];
      for (const n of [1, 2, 3]) {
        const browser = new Browser(direct.url, { 'X-Forwarded-For': anAddress() });
        const { status } = await browser.post('/dashboard/reset', { email: `nobody-${n}@example.com` });
        requested.push(status);
      }
      expect(requested).toEqual([303, 429, 429]);
      const { rows } = await test.pool.query(
        `SELECT address FROM audit_log WHERE action = 'password.reset_limited'`,
      );
      expect(rows).toEqual([{ address: '127.0.0.1' }]);
      await direct.close();
    });
  });

  describe('with so many others that the line is full', () => {
    let others: Promise<{ status: number }>[];
    let answered: number;
    let address: string;
    let signedIn: Awaited<ReturnType<typeof startSession>>;
    let another: Awaited<ReturnType<typeof person>>;

    beforeEach(async () => {
      signedIn = await startSession(test, await person());
      another = await person();
      hashing.close(WRONG);
      answered = 0;
      address = anAddress();
      others = Array.from({ length: LINE + 12 }, async (_, n) => {
        const { status } = await attempt(address, `flood-${address}-${n}@example.com`);
        if (status === 422) answered++;
        return { status };
      });
      // The first that is refused says that all of the line is taken.
      expect(await Promise.race(others)).toEqual({ status: 429 });
    });
    afterEach(async () => {
      hashing.open();
      await Promise.all(others);
    });

    it('does not delay a signed-in person who changes the password', async () => {
      const { get, post } = signedIn;
      const password = 'a long way to Mysuru';
      // Supertest sends what it is asked to wait for.
      const chosen = post('/dashboard/security/password', { current: PASSWORD, password, again: password })
        .expect(303)
        .then(() => undefined);
      while (!hashing.saw(PASSWORD) && answered < LINE) {
        hashing.letOneThrough();
        await get('/dashboard/security');
      }
      expect(answered).toBeLessThan(LINE / 2);
      await chosen;
    });

    it('gets an error after too many attempts, and takes no slot in the queue', async () => {
      const { email } = await person();
      await attempts(`password ${hashOfTyped(email)} ${address}`, AT_ACCOUNT_FROM_ADDRESS);
      const answer = await attempt(address, email);
      expect(answer.text).toContain('Too many attempts.');
    });

    it('has not tried if there was no room in it', async () => {
      const { email } = await person();
      const refused = await attempt(address, email, PASSWORD);
      expect(refused.text).toContain('Too many people are signing in.');
      const { rows } = await test.pool.query(
        `SELECT DISTINCT attempts FROM sign_in_attempts WHERE key = ANY ($1)`,
        [[`password ${hashOfTyped(email)} ${address}`, `password ${hashOfTyped(email)}`]],
      );
      expect(rows).toEqual([{ attempts: 0 }]);
    });

    it('lets others in from another network after one of its attempts', async () => {
      const signingIn = attempt(anAddress(), another.email, PASSWORD).then(({ status }) => status);
      while (!hashing.saw(PASSWORD) && answered < LINE) {
        hashing.letOneThrough();
        await signedIn.get('/dashboard/security');
      }
      expect(answered).toBeLessThan(LINE / 2);
      expect(await signingIn).toBe(303);
    });

    it('does not delay people who signed in there before, even from the same network', async () => {
      const { email, id } = await person();
      await test.fixtures.sql(
        `INSERT INTO sessions (hash, person_id, ends_at, address, user_agent, ended_at)
         VALUES (decode(md5($1) || md5($1), 'hex'), $2, now() + interval '1 day', $3, '', now())`,
        [email, id, address],
      );
      expect((await attempt(address, email, PASSWORD)).status).toBe(303);
      expect(answered).toBe(0);
    });
  });
});
