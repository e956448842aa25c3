import { TOTP } from 'otpauth';
import { Browser } from '../../support/browser.js';
import { addPerson, PASSWORD, postForm, type SignedIn, startSession } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const PAGE = '/dashboard/security/two-factor';
const SIGN_IN = '/dashboard/sign-in';
const CODE = '/dashboard/sign-in/code';
const WRONG = 'The e-mail address or the password is wrong.';

describe('The second step of signing in', () => {
  const test = setUpTestApp({ trustProxy: 1 });
  let clientId: number;
  let id: number;
  let email: string;
  let visitor: SignedIn;

  beforeAll(async () => ({ clientId } = await test.fixtures.store()));

  beforeEach(async () => {
    ({ id, email } = await addPerson(test, clientId));
    visitor = await startSession(test, { id });
  });

  let hosts = 0;
  const newcomer = () =>
    new Browser(test.url, { 'X-Forwarded-For': `198.51.100.${++hosts}`, 'X-Forwarded-Proto': 'https' });

  /** A code that was not used yet: the last one was of an earlier period. */
  async function nextCode(secret: string): Promise<string> {
    await test.pool.query('UPDATE people SET totp_last_step = totp_last_step - 1 WHERE id = $1', [id]);
    return new TOTP({ secret }).generate();
  }

  /** Turned on, as a person does it. */
  async function turnOn(): Promise<{ secret: string; codes: string[] }> {
    const { text: started } = await visitor.post(PAGE, { password: PASSWORD }).expect(200);
    const secret = /value="([A-Z2-7 ]{39})"/.exec(started)![1]!.replaceAll(' ', '');
    const { text } = await visitor.post(`${PAGE}/confirm`, { code: await nextCode(secret) }).expect(200);
    return { secret, codes: text.match(/\w{4}-\w{4}-\w{4}-\w{4}/g)! };
  }

  async function passwordPage(browser = newcomer()): Promise<Browser> {
    const { status, headers } = await browser.post(SIGN_IN, {
      email,
      password: PASSWORD,
      next: '/dashboard/security',
    });
    expect([status, headers.location]).toEqual([303, `${CODE}?next=%2Fdashboard%2Fsecurity`]);
    return browser;
  }

  const message = () =>
    test.audited(
      'action, actor, client_id, subject, details',
      `person_id = $1 AND action NOT LIKE 'session.%'`,
      id,
    );
  const changes = (...actions: string[]) =>
    actions.map((action) => ({
      action,
      actor: action === 'sign_in.limited' ? 'a stranger' : `person ${id} (${email})`,
      client_id: clientId,
      subject: `person ${id}`,
      details: {},
    }));

  it('is set up with a picture, a key and a first code, and gives ten codes to write down', async () => {
    const { text } = await visitor.post(PAGE, { password: PASSWORD }).expect(200);
    expect(text).toContain('<svg class="qr"');
    expect(text).not.toMatch(/ style=|otpauth:/);
    const { codes } = await turnOn();
    expect(new Set(codes).size).toBe(10);
    const page = await visitor.get('/dashboard/security').expect(200);
    expect(page.text).toContain('10 recovery codes are');
    for (const code of codes) expect(page.text).not.toContain(code);
    expect(await message()).toEqual(changes('two_factor.enabled'));
  });

  it('is not on before a first code was shown', async () => {
    const { text } = await visitor.post(PAGE, { password: PASSWORD }).expect(200);
    expect(text).toContain('Enter the first code');
    const wrong = await visitor.post(`${PAGE}/confirm`, { code: '000000' }).expect(422);
    expect(wrong.text).toContain('Is not the code that the app shows now');
    expect(wrong.text).not.toContain('<svg class="qr"');
    const { headers } = await newcomer().post(SIGN_IN, { email, password: PASSWORD });
    expect(headers.location).toBe('/dashboard');
  });

  it('ends all other sessions when it is turned on, and those of no other person', async () => {
    const otherPlace = await startSession(test, { id });
    // It passed an earlier second step.
    await test.fixtures.sql('UPDATE sessions SET second_step_at = now() WHERE id = $1', [
      otherPlace.person.sessionId,
    ]);
    const neighbour = await startSession(test, await addPerson(test, clientId));
    await turnOn();
    await otherPlace.get(PAGE).expect(303);
    await visitor.get(PAGE).expect(200);
    await neighbour.get(PAGE).expect(200);
  });

  it('ends all other sessions when it is turned off', async () => {
    await turnOn();
    const otherPlace = await startSession(test, { id });
    await otherPlace.get(PAGE).expect(200);
    await visitor.post(`${PAGE}/off`, { password: PASSWORD }).expect(303);
    await otherPlace.get(PAGE).expect(303);
    await visitor.get(PAGE).expect(200);
  });

  it('is asked for again where only the password was shown, also after a restart', async () => {
    const { secret } = await turnOn();
    const full = await passwordPage();
    expect((await full.post(CODE, { code: await nextCode(secret) })).status).toBe(303);
    await test.fixtures.sql('UPDATE sessions SET second_step_at = NULL WHERE id = $1', [
      visitor.person.sessionId,
    ]);
    const { headers } = await visitor.get('/dashboard/orders').expect(303);
    expect(headers.location).toMatch(/^\/dashboard\/sign-in\?/);
    await visitor.post('/dashboard/people/invite', { email: 'a@b.example', role: 'owner' }).expect(303);
    const later = await startTestApp({ trustProxy: 1 }, test.database);
    try {
      await postForm(later.url, PAGE, { password: PASSWORD }).set('Cookie', visitor.cookie).expect(303);
    } finally {
      await later.close();
    }
    expect((await full.get(PAGE)).status).toBe(200);
  });

  it('is asked for if it was turned on while the password was checked', async () => {
    await visitor.post(PAGE, { password: PASSWORD }).expect(200);
    await test.fixtures.sql(
      `CREATE FUNCTION turn_on() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN UPDATE people SET totp_enabled_at = now() WHERE id = ${id}; RETURN NULL; END $$;
       GRANT EXECUTE ON FUNCTION turn_on() TO PUBLIC;
       CREATE TRIGGER meanwhile AFTER UPDATE ON sign_in_attempts
         FOR EACH ROW EXECUTE FUNCTION turn_on()`,
    );
    try {
      await passwordPage();
    } finally {
      await test.fixtures.sql('DROP TRIGGER meanwhile ON sign_in_attempts; DROP FUNCTION turn_on');
    }
  });

  it('is neither set up nor confirmed again while it is on', async () => {
    const { secret, codes } = await turnOn();
    await visitor.post(PAGE, { password: PASSWORD }).expect(409);
    await visitor.post(`${PAGE}/confirm`, { code: await nextCode(secret) }).expect(409);
    // The app and the recovery codes are still the same.
    for (const code of [await nextCode(secret), codes[0]!])
      expect((await (await passwordPage()).post(CODE, { code })).status).toBe(303);
  });

  it.each([
    ['set up', PAGE],
    ['turned off', `${PAGE}/off`],
    ['given new codes', `${PAGE}/codes`],
  ])('is not %s with a stolen session', async (_, path) => {
    if (path !== PAGE) await turnOn();
    const { text } = await visitor.post(path, { password: 'not this one, I think' }).expect(422);
    expect(text).toContain('Is not your current password');
    const { rows } = await test.pool.query<{ secret: string | null }>(
      'SELECT totp_secret AS secret FROM people WHERE id = $1',
      [id],
    );
    expect(rows[0]!.secret === null).toBe(path === PAGE);
  });

  it('asks for a code when the password was right, and then leads to where one was going', async () => {
    const { secret } = await turnOn();
    const browser = await passwordPage();
    expect(browser.cookies.has('__Host-session')).toBe(false);
    expect((await browser.get('/dashboard/security')).status).toBe(303);
    const form = await browser.get(`${CODE}?next=%2Fdashboard%2Fsecurity`);
    expect(form.text).toContain('Enter your code');
    const code = await nextCode(secret);
    const { headers } = await browser.post(CODE, {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
      next: '/dashboard/security',
    });
    expect(headers.location).toBe('/dashboard/security');
    expect([...browser.cookies.keys()]).toEqual(['__Host-session']);
    expect((await browser.get('/dashboard/security')).status).toBe(200);
  });

  it('tells only after the password whether there is one', async () => {
    await turnOn();
    const { status, text } = await newcomer().post(SIGN_IN, { email, password: 'not this one, I think' });
    expect([status, text.includes(WRONG)]).toEqual([422, true]);
  });

  it('takes each code once, and none from before it', async () => {
    const { secret } = await turnOn();
    const code = await nextCode(secret);
    const before = new TOTP({ secret }).generate({ timestamp: Date.now() - 30_000 });
    expect((await (await passwordPage()).post(CODE, { code })).status).toBe(303);
    for (const used of [code, before]) {
      const answer = await (await passwordPage()).post(CODE, { code: used });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('This code is wrong, or was used already.');
    }
    expect((await (await passwordPage()).post(CODE, { code: await nextCode(secret) })).status).toBe(303);
  });

  it('replaces the secret that a browser brings, which then stops working', async () => {
    const { secret } = await turnOn();
    const [browser, copy] = [newcomer(), newcomer()];
    for (const each of [browser, copy])
      each.cookies.set('__Host-session', visitor.cookie.replace('session=', ''));
    expect((await copy.get(PAGE)).status).toBe(200);
    await passwordPage(browser);
    expect((await browser.post(CODE, { code: await nextCode(secret) })).status).toBe(303);
    expect((await browser.get(PAGE)).status).toBe(200);
    expect((await copy.get(PAGE)).status).toBe(303);
  });

  it('does not take the code with which it was set up', async () => {
    const { secret } = await turnOn();
    const code = new TOTP({ secret }).generate();
    expect((await (await passwordPage()).post(CODE, { code })).status).toBe(422);
  });

  it('takes one code once, however many show it at the same time', async () => {
    const { secret } = await turnOn();
    const browsers = [await passwordPage(), await passwordPage(), await passwordPage()];
    const code = await nextCode(secret);
    const answers = await Promise.all(browsers.map((browser) => browser.post(CODE, { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
  });

  it('takes each recovery code once, however it is typed, and tells the log of it', async () => {
    const { codes } = await turnOn();
    const [code] = codes;
    expect(
      (await (await passwordPage()).post(CODE, { code: ` ${code!.toLowerCase().replaceAll('-', ' ')} ` }))
        .status,
    ).toBe(303);
    expect((await (await passwordPage()).post(CODE, { code: code! })).status).toBe(422);
    expect(await message()).toEqual(changes('two_factor.enabled', 'recovery_code.used'));
    const { text } = await visitor.get('/dashboard/security');
    expect(text).toMatch(/\b9 recovery codes are/);
  });

  it('takes no replaced recovery codes, and none of another person', async () => {
    const { codes } = await turnOn();
    const { text } = await visitor.post(`${PAGE}/codes`, { password: PASSWORD }).expect(200);
    const [renewed] = text.match(/\w{4}-\w{4}-\w{4}-\w{4}/g)!;
    const another = await startSession(test, await addPerson(test, clientId));
    visitor = another;
    const { codes: foreign } = await turnOn();
    for (const code of [codes[0]!, foreign[0]!])
      expect((await (await passwordPage()).post(CODE, { code })).status).toBe(422);
    expect((await (await passwordPage()).post(CODE, { code: renewed! })).status).toBe(303);
    expect(await message()).toEqual(
      changes('two_factor.enabled', 'recovery_codes.renewed', 'recovery_code.used'),
    );
  });

  it('is tried five times from one address, and no more', async () => {
    const { secret } = await turnOn();
    const browser = await passwordPage();
    const statuses = await Promise.all(
      Array.from({ length: 7 }, () => browser.post(CODE, { code: '000000' }).then(({ status }) => status)),
    );
    expect(statuses.toSorted()).toEqual([422, 422, 422, 422, 422, 429, 429]);
    expect((await browser.post(CODE, { code: await nextCode(secret) })).status).toBe(429);
    expect((await (await passwordPage()).post(CODE, { code: await nextCode(secret) })).status).toBe(303);
    expect(await message()).toEqual(changes('two_factor.enabled', 'sign_in.limited'));
  });

  it('is tried twenty times from everywhere, without locking its owner out at known addresses', async () => {
    const { secret } = await turnOn();
    const home = await passwordPage();
    expect((await home.post(CODE, { code: await nextCode(secret) })).status).toBe(303);
    await test.fixtures.sql('UPDATE sign_in_attempts SET attempts = 19 WHERE key = $1', [`code ${id}`]);
    expect((await (await passwordPage()).post(CODE, { code: '000000' })).status).toBe(422);
    expect((await (await passwordPage()).post(CODE, { code: await nextCode(secret) })).status).toBe(429);
    await passwordPage(home);
    expect((await home.post(CODE, { code: await nextCode(secret) })).status).toBe(303);
  });

  it('is no attempt when the code is right: one may come back as often as one likes', async () => {
    const { secret } = await turnOn();
    const browser = newcomer();
    for (let n = 0; n < 6; n++) {
      await passwordPage(browser);
      expect((await browser.post(CODE, { code: await nextCode(secret) })).status).toBe(303);
    }
  });

  it('is over after ten minutes, and when its person is disabled or changes the password meanwhile', async () => {
    const { secret } = await turnOn();
    const late = await passwordPage();
    await test.fixtures.sql(`UPDATE second_steps SET ends_at = now() WHERE person_id = $1`, [id]);
    const answer = await late.post(CODE, { code: await nextCode(secret) });
    expect([answer.status, answer.headers.location]).toEqual([303, SIGN_IN]);

    const shutOut = await passwordPage();
    await test.fixtures.sql('UPDATE people SET disabled_at = now() WHERE id = $1', [id]);
    expect((await shutOut.post(CODE, { code: await nextCode(secret) })).headers.location).toBe(SIGN_IN);
    await test.fixtures.sql('UPDATE people SET disabled_at = NULL WHERE id = $1', [id]);

    const overtaken = await passwordPage();
    const password = 'three goats, 2 bridges';
    await visitor
      .post('/dashboard/security/password', { current: PASSWORD, password, again: password })
      .expect(303);
    const refused = await overtaken.post(CODE, { code: await nextCode(secret) });
    expect([refused.status, refused.headers.location]).toEqual([303, SIGN_IN]);
    expect(overtaken.cookies.has('__Host-session')).toBe(false);
  });

  it('needs the word that the password was right', async () => {
    const { secret } = await turnOn();
    const browser = newcomer();
    expect((await browser.get(CODE)).headers.location).toBe(SIGN_IN);
    for (const made of ['', 'A'.repeat(43)]) {
      browser.cookies.set('__Host-second-step', made);
      const { headers } = await browser.post(CODE, { code: await nextCode(secret) });
      expect(headers.location).toBe(SIGN_IN);
    }
    expect(browser.cookies.has('__Host-session')).toBe(false);
  });

  it('is not asked for any more when it was turned off, and its codes are gone', async () => {
    await turnOn();
    await visitor.post(`${PAGE}/off`, { password: PASSWORD }).expect(303);
    const browser = newcomer();
    await browser.follow(SIGN_IN, { email, password: PASSWORD });
    expect(browser.cookies.has('__Host-session')).toBe(true);
    const { rows } = await test.pool.query(
      `SELECT totp_secret, (SELECT count(*)::int FROM recovery_codes WHERE person_id = $1) AS codes
        FROM people WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ totp_secret: null, codes: 0 }]);
    expect(await message()).toEqual(changes('two_factor.enabled', 'two_factor.disabled'));
  });
});
