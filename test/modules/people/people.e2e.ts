import { LinkUseService } from '../../../src/modules/auth/sign-in/link-use.service.js';
import type { PersonWithLink } from '../../../src/modules/people/people-administration.service.js';
import type { PersonListItem } from '../../../src/modules/people/people-list.service.js';
import { MailServer } from '../../support/mail-server.js';
import { answerOf, runCommandIn } from '../../support/run-command.js';
import { giveSecondStep, signIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const PUBLIC_URL = 'https://wholesale.example.com';
const PASSWORD = 'tractor violin mosaic';

interface ClientAdded {
  client_id: number;
  owner: { person_id: number; url: string; mailed: boolean } | null;
}

describe('The people of a client', () => {
  let test: TestApp;
  let clientId: number;
  let made = 0;

  beforeAll(async () => {
    test = await startTestApp();
    await answer('plan', 'set', 'gold');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ({ clientId } = await test.fixtures.store({ name: 'Anaya Home' }));
  });

  const run = (...args: string[]) =>
    runCommandIn({ DATABASE_URL: test.database.serviceUrl, PUBLIC_URL }, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const address = () => `person-${++made}@example.com`;
  const invite = (role = 'owner', email = address()) =>
    answer<PersonWithLink>('person', 'invite', String(clientId), '--email', email, '--role', role);
  const list = () => answer<PersonListItem[]>('person', 'list', String(clientId));
  const add = (email: string, ...more: string[]) => {
    const domain = `store-${++made}.example.com`;
    const options = ['--name', `Store ${made}`, '--email', email, '--domain', domain, '--plan', 'gold'];
    return ['client', 'add', ...options, '--until', '2099-12-31', ...more];
  };

  const links = () => test.app.get(LinkUseService, { strict: false });
  const browser = { address: '192.0.2.7', userAgent: 'a test' };
  const join = ({ url }: { url: string | null }, password = PASSWORD) =>
    links().use(secretIn(url!), { name: 'Newcomer', password }, browser, undefined);

  const audit = async () =>
    (
      await test.pool.query<Record<string, unknown>>(
        `SELECT actor, action, subject, details FROM audit_log WHERE client_id = $1 ORDER BY id`,
        [clientId],
      )
    ).rows;

  it('begin with the owner that `client add` invites, whose link is shown once', async () => {
    const email = address();
    const { exitCode, stdout } = await run(...add(email));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Owner: .*${PUBLIC_URL}/dashboard/link#[\\w-]{43}, `));
    const id = /Client id: (\d+)/.exec(stdout)![1]!;
    const [found] = await answer<PersonListItem[]>('person', 'list', id);
    expect(found).toMatchObject({
      role: 'owner',
      state: 'invited',
      link: { kind: 'invitation', mail: null },
    });
    const repeated = await run('person', 'list', id);
    expect(repeated.stdout).not.toContain(secretIn(stdout.match(/https:[^\s,]+/)![0]));
  });

  it('are not two with one address: `client add` refuses it, and --force skips the invitation', async () => {
    const email = address();
    const first = await answer<ClientAdded>(...add(email));
    const refused = await run(...add(email.toUpperCase()));
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `${email} is already person ${first.owner!.person_id} of another client.`,
    );
    const forced = await answer<ClientAdded>(...add(email, '--force'));
    expect(forced.owner).toBeNull();
    const requested = ['person', 'invite', String(clientId), '--email', email, '--role', 'viewer', '--json'];
    const other = await run(...requested);
    expect(JSON.parse(other.stderr)).toMatchObject({ code: 'conflict' });
    expect(await list()).toEqual([]);
  });

  it('are invited for an existing client, by mail if mail is set up', async () => {
    const server = await MailServer.start();
    const email = address();
    const env = { DATABASE_URL: test.database.serviceUrl, ...server.environment, PUBLIC_URL };
    const args = ['person', 'invite', String(clientId), '--email', email, '--role', 'buyer', '--json'];
    const invited = JSON.parse((await runCommandIn(env, ...args)).stdout) as PersonWithLink;
    expect(invited).toMatchObject({
      mailed: true,
      url: expect.stringContaining(PUBLIC_URL),
      link: { mail: 'waiting' },
    });
    const { rows } = await test.pool.query<{ recipient: string; subject: string; body: string }>(
      'SELECT recipient, subject, body FROM outbox ORDER BY created_at DESC LIMIT 1',
    );
    expect(rows[0]).toMatchObject({
      recipient: email,
      subject: 'You are invited to the dashboard of Anaya Home',
      body: expect.stringContaining(`\n${invited.url}\n`) as string,
    });
    expect(rows[0]!.body).toContain('as a buyer');
  });

  it('are listed without an expired link', async () => {
    const { person_id: id } = await invite();
    expect(await list()).toMatchObject([{ link: { kind: 'invitation' } }]);
    await test.pool.query('UPDATE person_links SET ends_at = now() WHERE person_id = $1', [id]);
    expect(await list()).toMatchObject([{ state: 'invited', link: null }]);
  });

  it('get a new invitation until they sign in, then a password link; the earlier link ends', async () => {
    const invited = await invite();
    const second = await answer<PersonWithLink>('person', 'link', invited.email);
    expect(second.link).toMatchObject({ kind: 'invitation' });
    await expect(join(invited)).rejects.toMatchObject({ code: 'link_invalid' });
    await join(second);
    const reset = await answer<PersonWithLink>('person', 'link', String(invited.person_id));
    expect(reset.link).toMatchObject({ kind: 'reset' });
    expect(new Date(reset.link!.ends_at).getTime()).toBeLessThan(Date.now() + 3_700_000);
    await expect(join(second)).rejects.toMatchObject({ code: 'link_invalid' });
    expect(await join(reset, 'another tractor violin')).toBeUndefined();
    await expect(join(reset)).rejects.toMatchObject({ code: 'link_invalid' });
  });

  it('are given other roles and names', async () => {
    await invite('owner');
    const { email } = await invite('viewer');
    const set = await answer<PersonListItem>(
      'person',
      'set',
      email,
      '--role',
      'buyer',
      '--name',
      'Meera Nair',
    );
    expect(set).toMatchObject({ role: 'buyer', name: 'Meera Nair' });
    await answer('person', 'set', email, '--role', 'buyer', '--name', 'Meera Nair');
    expect((await audit()).slice(2)).toMatchObject([
      { action: 'person.role_changed', details: { email, from: 'viewer', to: 'buyer' } },
      { action: 'person.renamed', details: { email, from: email, to: 'Meera Nair' } },
    ]);
  });

  it('lose access when disabled, and get it back with the same password when enabled', async () => {
    await signIn(test, clientId);
    const { person } = await signIn(test, clientId, 'buyer');
    const open = () =>
      test.pool.query('SELECT FROM sessions WHERE person_id = $1 AND ended_at IS NULL', [person.id]);
    await test.pool.query(`UPDATE people SET password_hash = 'some hash' WHERE id = $1`, [person.id]);
    const { url } = await answer<PersonWithLink>('person', 'link', person.email);
    expect((await open()).rowCount).toBe(1);
    expect(await answer('person', 'disable', person.email)).toMatchObject({ state: 'disabled', link: null });
    expect((await open()).rowCount).toBe(0);
    await expect(links().open(secretIn(url!), '127.0.0.1')).rejects.toMatchObject({ code: 'link_invalid' });
    expect(await run('person', 'link', person.email)).toMatchObject({ exitCode: 1 });
    expect(await answer('person', 'enable', person.email)).toMatchObject({ state: 'active' });
    expect((await open()).rowCount).toBe(0);
  });

  it('are signed out and not asked for a code any more when they have lost what makes them', async () => {
    const { person, get } = await signIn(test, clientId);
    await giveSecondStep(test, person);
    await get('/dashboard').expect(200);
    await test.pool.query(`INSERT INTO recovery_codes (person_id, hash) VALUES ($1, 'x')`, [person.id]);
    expect(await list()).toMatchObject([{ second_factor: true }]);
    expect(await answer('person', 'reset-second-factor', person.email)).toMatchObject({
      second_factor: false,
    });
    await answer('person', 'reset-second-factor', person.email);
    await get('/dashboard').expect(303);
    const { rows } = await test.pool.query('SELECT FROM recovery_codes WHERE person_id = $1', [person.id]);
    expect(rows).toEqual([]);
    const details = { email: person.email };
    expect(await audit()).toMatchObject([{ action: 'person.second_factor_removed', details }]);
  });

  it('always have an owner, unless the wholesaler must lock out the only one', async () => {
    const owner = await invite();
    await join(owner);
    // An invited person may never come.
    await invite('owner');
    const refusal = { exitCode: 1, stderr: expect.stringContaining('is the only owner') as string };
    expect(await run('person', 'set', owner.email, '--role', 'viewer')).toMatchObject(refusal);
    expect(await run('person', 'disable', owner.email)).toMatchObject(refusal);
    expect(await answer('person', 'disable', owner.email, '--force')).toMatchObject({ state: 'disabled' });
  });
});

/** What stands behind the # of a link. */
function secretIn(url: string): string {
  return url.split('#')[1]!;
}
