import request from 'supertest';
import { eventually } from '../../support/eventually.js';
import { Browser, setCookies } from '../../support/browser.js';
import { RawConnection } from '../../support/raw-connection.js';
import { addPerson, PASSWORD, type SignedIn, signIn, startSession } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';
import { AnonymousLimit, PersonLimit } from '../../../src/platform/limits/concurrency-limit.js';
import { countWaitingFor, lockTable } from '../../support/while-locked.js';

const PAGE = '/dashboard/security';
const SIGN_IN = '/dashboard/sign-in';

/** The limits of pending database requests: for one person, and for all anonymous visitors together. */
const PLACES = 4;

describe('A session', () => {
  const test = setUpTestApp({ sessionIdleMinutes: 30, sessionDays: 2 });
  let clientId: number;
  let visitor: SignedIn;

  beforeAll(async () => ({ clientId } = await test.fixtures.store({ name: 'Anaya Home' })));

  beforeEach(async () => {
    visitor = await signIn(test, clientId);
  });

  const change = (set: string) =>
    test.fixtures.sql(`UPDATE sessions SET ${set} WHERE id = $1`, [visitor.person.sessionId]);

  /** The details of what a person did. */
  const logged = async (personId: number, action: string) =>
    (await test.audited('details', 'person_id = $1 AND action = $2', personId, action)).map(
      ({ details }) => details,
    );

  it('shows whose it is', async () => {
    const { text } = await visitor.get(PAGE).expect(200);
    expect(text).toContain('Anaya Home');
    expect(text).toContain(visitor.person.name);
  });

  it('is good for so long after the last request, and for so many days in all', async () => {
    const browser = new Browser(test.url);
    const { email } = await addPerson(test, clientId);
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const { rows } = await test.pool.query<{ days: number }>(
      `SELECT extract(epoch FROM ends_at - created_at)::int / 86400 AS days FROM sessions
        ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ days: 2 }]);

    await change(`last_seen_at = now() - interval '29 minutes'`);
    await visitor.get(PAGE).expect(200);
    await change(`last_seen_at = now() - interval '30 minutes'`);
    await visitor.get(PAGE).expect(303);
    await change(`last_seen_at = now(), ends_at = now() - interval '1 second'`);
    await visitor.get(PAGE).expect(303);
  });

  it('is noted to have been used once a minute at most', async () => {
    const lastSeen = async () =>
      (
        await test.query<{ seconds: number }>(
          'SELECT extract(epoch FROM now() - last_seen_at)::int AS seconds FROM sessions WHERE id = $1',
          visitor.person.sessionId,
        )
      )[0]!.seconds;
    await change(`last_seen_at = now() - interval '50 seconds'`);
    await visitor.get(PAGE).expect(200);
    expect(await lastSeen()).toBeGreaterThanOrEqual(50);
    await change(`last_seen_at = now() - interval '70 seconds'`);
    await visitor.get(PAGE).expect(200);
    expect(await lastSeen()).toBeLessThan(50);
  });

  it.each([
    ['its person was disabled', 'UPDATE people SET disabled_at = now() WHERE id = $1'],
    ['it was ended', 'UPDATE sessions SET ended_at = now() WHERE person_id = $1'],
  ])('is refused from the next request on when %s', async (_, sql) => {
    await visitor.get(PAGE).expect(200);
    await test.fixtures.sql(sql, [visitor.person.id]);
    await visitor.get(PAGE).expect(303);
  });

  it('is refused when its client is gone', async () => {
    const { clientId: gone } = await test.fixtures.store();
    const { get } = await signIn(test, gone);
    await get(PAGE).expect(200);
    await test.fixtures.rewrite('DELETE FROM clients WHERE id = $1', [gone]);
    await get(PAGE).expect(303);
  });

  it('is listed with the others of its person, and ends the selected ones', async () => {
    const here = visitor;
    const otherPlace = await startSession(test, here.person);
    const third = await startSession(test, here.person);
    const outsider = await signIn(test, clientId);
    const { text } = await here.get(PAGE).expect(200);
    expect(text.match(/<tr>/g)).toHaveLength(4);
    expect(text).toContain('This browser');

    await here.post(`${PAGE}/sessions/${otherPlace.person.sessionId}/end`).expect(303);
    await otherPlace.get(PAGE).expect(303);
    await third.get(PAGE).expect(200);
    await here.post(`${PAGE}/sessions/${otherPlace.person.sessionId}/end`).expect(404);
    await here.post(`${PAGE}/sessions/${outsider.person.sessionId}/end`).expect(404);
    await here.post(`${PAGE}/sessions/x/end`).expect(404);
    await outsider.get(PAGE).expect(200);

    await here.post(`${PAGE}/sessions/end-others`).expect(303);
    await third.get(PAGE).expect(303);
    await here.get(PAGE).expect(200);
    // One had ended before.
    expect(await logged(here.person.id, 'session.others_ended')).toEqual([{ sessions_ended: 1 }]);
  });

  it('takes the place of the former session of its browser, unless that one has ended', async () => {
    const { id, email } = await addPerson(test, clientId);
    const browser = new Browser(test.url);
    const signInAgain = () => browser.follow(SIGN_IN, { email, password: PASSWORD });
    await signInAgain();
    await signInAgain();
    await test.fixtures.sql('UPDATE sessions SET ended_at = now() WHERE person_id = $1', [id]);
    await signInAgain();
    expect(await logged(id, 'session.begun')).toEqual([
      {},
      { instead_of: expect.stringMatching(/^session \d+$/) },
      {},
    ]);
  });

  it('is forgotten 90 days after its end, when its own person signs in', async () => {
    const [me, other] = [await addPerson(test, clientId), await addPerson(test, clientId)];
    const old: number[] = [];
    for (const { id } of [me, other]) old.push((await startSession(test, { id })).person.sessionId);
    await test.fixtures.sql(`UPDATE sessions SET ends_at = now() - interval '91 days' WHERE id = ANY ($1)`, [
      old,
    ]);
    await new Browser(test.url).follow(SIGN_IN, { email: me.email, password: PASSWORD });
    const { rows } = await test.pool.query('SELECT id FROM sessions WHERE id = ANY ($1)', [old]);
    expect(rows).toEqual([{ id: old[1] }]);
  });

  it('is not listed any more when its time is over', async () => {
    const [idle, over] = [await startSession(test, visitor.person), await startSession(test, visitor.person)];
    await test.fixtures.sql(
      `UPDATE sessions SET last_seen_at = now() - interval '30 minutes' WHERE id = $1`,
      [idle.person.sessionId],
    );
    await test.fixtures.sql('UPDATE sessions SET ends_at = now() WHERE id = $1', [over.person.sessionId]);
    const { text } = await visitor.get(PAGE).expect(200);
    expect(text.match(/<tr>/g)).toHaveLength(2);
  });

  it('keeps no more than the beginning of what a browser says of itself, and nothing odd of it', async () => {
    const { id, email } = await addPerson(test, clientId);
    const browser = new Browser(test.url, { 'User-Agent': `Firé\tfox${'x'.repeat(1_000)}` });
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    const { rows } = await test.pool.query('SELECT user_agent FROM sessions WHERE person_id = $1', [id]);
    expect(rows).toEqual([{ user_agent: `Firfox${'x'.repeat(294)}` }]);
  });

  it('makes room for a new one when there are twenty', async () => {
    const { id, email } = await addPerson(test, clientId);
    const oldest = await startSession(test, { id });
    await test.fixtures.sql(
      `UPDATE sessions SET last_seen_at = now() - interval '5 minutes' WHERE person_id = $1`,
      [id],
    );
    const others = [];
    for (let n = 1; n < 20; n++) others.push(await startSession(test, { id }));
    const browser = new Browser(test.url);
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    await oldest.get(PAGE).expect(303);
    expect(await logged(id, 'session.begun')).toEqual([{ instead_of: `session ${oldest.person.sessionId}` }]);
    await others[0]!.get(PAGE).expect(200);
    expect((await browser.get(PAGE)).status).toBe(200);
  });

  describe('over plain http', () => {
    const credentials = async () => ({ email: (await addPerson(test, clientId)).email, password: PASSWORD });

    it('is possible on the machine itself, with a cookie of another name', async () => {
      const answer = await new Browser(test.url).post(SIGN_IN, await credentials());
      expect(setCookies(answer)).toEqual([
        expect.stringMatching(/^session=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/$/),
      ]);
    });

    it.each([
      ['under another name', { Host: 'wholesale.example.com' }],
      ['under a name that only begins like it', { Host: 'localhost.example.com' }],
      ['through a proxy that is not trusted', { 'X-Forwarded-Proto': 'https' }],
      ['through a proxy that tells where it came from', { 'X-Forwarded-For': '127.0.0.1' }],
      ['through a proxy that tells only that it is there', { Via: '1.1 tunnel' }],
      ['through a proxy that tells where it was asked for', { 'X-Forwarded-Host': 'localhost' }],
      [
        'through a proxy that says so in the words of the standard',
        { Forwarded: 'for=127.0.0.1;proto=https' },
      ],
    ])('is refused %s, and says what to set up', async (_, headers) => {
      const browser = new Browser(test.url, headers);
      const form = await browser.get(SIGN_IN);
      expect(form.status).toBe(403);
      expect(form.text).toContain('Signing in needs a secure connection');
      expect(form.text).toContain('TRUST_PROXY');
      expect(form.text).not.toContain('type="password"');
      const answer = await browser.post(SIGN_IN, await credentials());
      expect(answer.status).toBe(403);
      expect(setCookies(answer)).toEqual([]);
    });

    it.each(['https://wholesale.example.com', 'http://wholesale.example.com', 'https://localhost', 'null'])(
      'is refused to a page that the browser has found at %s, through a proxy that tells nothing of itself',
      async (Origin) => {
        const browser = new Browser(test.url, { Origin });
        const answer = await browser.post(SIGN_IN, await credentials());
        expect(answer.status).toBe(403);
        expect(setCookies(answer)).toEqual([]);
        const { post } = await startSession(test, await addPerson(test, clientId));
        const { headers } = await post(`${PAGE}/sessions/end-others`).set({ Origin });
        expect(headers.location).toBe(SIGN_IN);
      },
    );

    it('is possible for a page of the machine itself', async () => {
      const browser = new Browser(test.url, { Origin: 'http://localhost:3000' });
      expect((await browser.post(SIGN_IN, await credentials())).status).toBe(303);
    });

    it('is not even read when it was started over TLS, nor one of the machine itself elsewhere', async () => {
      const token = visitor.cookie.replace('session=', '');
      await request(test.url).get(PAGE).set('Cookie', `__Host-session=${token}`).expect(303);
      await visitor.get(PAGE).set('Host', 'wholesale.example.com').expect(303);
    });
  });

  describe('in a crowd', () => {
    // On a busy machine the pages here wait longer for a slot than the two seconds of real ones.
    beforeAll(() => {
      for (const limit of [PersonLimit, AnonymousLimit])
        test.app.get(limit, { strict: false })['limits'].maxWaitMs = 60_000;
    });

    const holdUp = (table = 'sessions') => lockTable(test.pool, table);

    const asking = (table = 'sessions') => countWaitingFor(test.pool, table);

    const send = async (cookie: string, path = PAGE) => {
      const answer = await fetch(test.url + path, { headers: { Cookie: cookie }, redirect: 'manual' });
      await answer.text();
      return answer.status;
    };
    const madeUp = (n: number) => `session=${String(n).padStart(43, 'A')}`;

    it('has places of its own, so that made-up secrets do not delay people who are signed in', async () => {
      await visitor.get(PAGE).expect(200);
      const letGo = await holdUp();
      const strangers = Array.from({ length: 3 * PLACES }, (_, n) => send(madeUp(n)));
      await eventually(async () => (await asking()) === PLACES);
      const own = Array.from({ length: PLACES - 1 }, () => send(visitor.cookie));
      await eventually(async () => (await asking()) === PLACES + own.length);
      await letGo();
      expect(new Set(await Promise.all(own))).toEqual(new Set([200]));
      expect(new Set(await Promise.all(strangers))).toEqual(new Set([303]));
    });

    it('asks the database four things at a time, also when clients hang up', async () => {
      await visitor.get(PAGE).expect(200);
      const letGo = await holdUp();
      const bytes = `GET ${PAGE} HTTP/1.1\r\nHost: localhost\r\nCookie: ${visitor.cookie}\r\n\r\n`;
      const hangingUp = await Promise.all(
        Array.from({ length: PLACES }, () => RawConnection.open(test.url, bytes)),
      );
      await eventually(async () => (await asking()) === PLACES);
      for (const connection of hangingUp) connection.end();
      await Promise.all(hangingUp.map(({ closed }) => closed));
      const own = Array.from({ length: 2 * PLACES }, () => send(visitor.cookie));
      // Later requests are answered, so the earlier ones had their turn.
      for (let n = 0; n < 3; n++) expect((await fetch(`${test.url}/health/ready`)).status).toBe(200);
      expect(await asking()).toBe(PLACES);
      await letGo();
      expect(new Set(await Promise.all(own))).toEqual(new Set([200]));
    });

    it('has its places back from forms whose senders left before these were read', async () => {
      await visitor.get(PAGE).expect(200);
      const letGo = await holdUp();
      const form = 'current=none';
      const head = [
        `POST ${PAGE}/password HTTP/1.1`,
        `Host: ${new URL(test.url).host}`,
        `Origin: ${test.url}`,
        `Cookie: ${visitor.cookie}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${form.length}`,
      ];
      const leaving = await Promise.all(
        Array.from({ length: PLACES }, () =>
          RawConnection.open(test.url, `${head.join('\r\n')}\r\n\r\n${form}`),
        ),
      );
      await eventually(async () => (await asking()) === PLACES);
      for (const connection of leaving) connection.end();
      await Promise.all(leaving.map(({ closed }) => closed));
      await letGo();
      expect(await send(visitor.cookie)).toBe(200);
    });

    it('starts one more for each that is over, and not two', async () => {
      await visitor.get(PAGE).expect(200);
      const letFirstGo = await holdUp('recovery_codes');
      const first = send(visitor.cookie, `${PAGE}/two-factor`);
      await eventually(async () => (await asking('recovery_codes')) === 1);
      const letGo = await holdUp();
      const others = Array.from({ length: 2 * PLACES }, () => send(visitor.cookie));
      await eventually(async () => (await asking()) === PLACES - 1);
      await letFirstGo();
      expect(await first).toBe(200);
      await eventually(async () => (await asking()) >= PLACES);
      for (let n = 0; n < 3; n++) expect((await fetch(`${test.url}/health/ready`)).status).toBe(200);
      expect(await asking()).toBe(PLACES);
      await letGo();
      expect(new Set(await Promise.all(others))).toEqual(new Set([200]));
    });

    it('asks no more in several browsers, of which the service sees each for the first time', async () => {
      const browsers = await Promise.all(
        Array.from({ length: 2 * PLACES }, () => startSession(test, visitor.person)),
      );
      const letGo = await holdUp('recovery_codes');
      const pages = browsers.map(({ cookie }) => send(cookie, `${PAGE}/two-factor`));
      await eventually(async () => (await asking('recovery_codes')) === PLACES);
      for (let n = 0; n < 3; n++) expect((await fetch(`${test.url}/health/ready`)).status).toBe(200);
      expect(await asking('recovery_codes')).toBe(PLACES);
      await letGo();
      expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
    });
  });
});
