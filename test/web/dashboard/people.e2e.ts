import type { ClientRole } from '../../../src/platform/access/signed-in-person.js';
import { PeopleAdministrationService } from '../../../src/modules/people/people-administration.service.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { MailServer } from '../../support/mail-server.js';
import { readable } from '../../support/page-text.js';
import { addPerson, giveSecondStep, type SignedIn, startSession } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const PEOPLE = '/dashboard/people';

describe('The page of the people', () => {
  const test = setUpTestApp({ publicUrl: 'http://localhost:3000' });
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let made = 0;
  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await join('owner');
  });

  const join = async (role: ClientRole, clientId = store.clientId) =>
    startSession(test, await addPerson(test, clientId, { role }));

  const address = () => `somebody-${++made}@example.com`;

  const roleOf = async (id: number) =>
    (await test.query<{ role: string }>('SELECT role FROM people WHERE id = $1', id))[0]!.role;

  const audit = () =>
    test.audited('actor, action, subject, details, address', 'client_id = $1', store.clientId);

  /** An entry of what the owner did to a person. */
  const logged = (
    { person: { id, email } }: { person: { id: number; email: string } },
    action: string,
    details: object = { email },
  ) => ({
    actor: `person ${owner.person.id} (${owner.person.email})`,
    action,
    subject: `person ${id}`,
    details,
    address: '127.0.0.1',
  });

  it('shows an owner who is in, with role, second step and when they were last seen', async () => {
    const buyer = await join('buyer');
    await giveSecondStep(test, buyer.person);
    await test.pool.query(
      `UPDATE sessions SET last_seen_at = now() - interval '3 hours' WHERE person_id = $1`,
      [buyer.person.id],
    );
    const { text } = await owner.get(PEOPLE).expect(200);
    expect(text).toContain('<h1>2 people can sign in</h1>');
    expect(text).toContain('(you)');
    const row = rowOf(text, buyer.person.email);
    for (const message of ['Buyer', '3 hours ago', 'On', 'Can sign in', `${PEOPLE}/${buyer.person.id}`])
      expect(row).toContain(message);
  });

  it.each<ClientRole>(['viewer', 'buyer'])(
    'does not show a %s who of the others lacks a second step',
    async (role) => {
      const me = await join(role);
      const { text } = await me.get(PEOPLE).expect(200);
      const secondStep = (email: string) =>
        /data-heading="Second step">([^<]*)</.exec(rowOf(text, email))![1];
      expect(secondStep(owner.person.email)).toBe('–');
      expect(secondStep(me.person.email)).toBe('Off');
    },
  );

  it('counts no invitation that is refused because of how it was filled in', async () => {
    await owner.post(`${PEOPLE}/invite`, { email: 'nobody', role: 'buyer' }).expect(422);
    await owner.post(`${PEOPLE}/invite`, { email: address(), role: 'admin' }).expect(422);
    const counted = () =>
      test.query<{ attempts: number }>(
        'SELECT attempts FROM sign_in_attempts WHERE key = $1',
        `invitations of client ${store.clientId}`,
      );
    expect(await counted()).toEqual([]);
    await owner.post(`${PEOPLE}/invite`, { email: owner.person.email, role: 'buyer' }).expect(422);
    expect(await counted()).toEqual([{ attempts: 1 }]);
  });

  it('invites a person, and without mail shows the link once', async () => {
    const email = address();
    const { text } = await owner.post(`${PEOPLE}/invite`, { email, role: 'buyer' }).expect(200);
    const url = /value="(http:\/\/localhost:3000\/dashboard\/link#[\w-]{43})"/.exec(text)?.[1];
    expect(url).toBeDefined();
    const list = await owner.get(PEOPLE).expect(200);
    expect(list.text).toContain('<h1>One person can sign in, one is invited</h1>');
    expect(rowOf(list.text, email)).toContain('Invited');
    expect(list.text).not.toContain(url!.split('#')[1]);
    expect(await audit()).toEqual([
      {
        actor: `person ${owner.person.id} (${owner.person.email})`,
        action: 'person.invited',
        subject: expect.stringMatching(/^person \d+$/) as string,
        details: { email, role: 'buyer', mailed: false },
        address: '127.0.0.1',
      },
    ]);
  });

  it('invites no more than a hundred', async () => {
    await test.fixtures.sql(
      `INSERT INTO people (client_id, email, name, role, disabled_at)
       SELECT $1::int, 'one-of-many-' || n || '@client-' || $1::int || '.example.com', 'One of many',
         'viewer', now() FROM generate_series(1, 98) AS n`,
      [store.clientId],
    );
    const invite = () => owner.post(`${PEOPLE}/invite`, { email: address(), role: 'viewer' });
    await invite().expect(200);
    const { text } = await invite().expect(409);
    expect(text).toContain('An account can have at most 100 people.');
  });

  it('mails the link if mail is set up, does not show it, and tells if it was not delivered', async () => {
    const server = await MailServer.start();
    const mailing = await startTestApp({ mail: server.settings }, test.database);
    const here = await startSession(mailing, owner.person);
    const email = address();
    const answer = await here.post(`${PEOPLE}/invite`, { email, role: 'viewer' }).expect(303);
    expect(answer.headers.location).toBe(PEOPLE);
    await test.pool.query(
      `UPDATE outbox SET given_up_at = now(), next_try_at = NULL, sent_at = NULL, body = NULL,
              fault = 'EENVELOPE 550 at RCPT TO'
        WHERE recipient = $1`,
      [email],
    );
    const { text } = await here.get(PEOPLE);
    expect(rowOf(text, email)).toContain('Mail not delivered');
    const { person_id: id } = (await person(email))!;
    const own = readable((await here.get(`${PEOPLE}/${id}`)).text);
    expect(own).toContain('Not delivered: the server answered 550. Check the address, or send another link.');
    expect(own).not.toContain('EENVELOPE');
    const repeated = await here.post(`${PEOPLE}/${id}/link`).expect(303);
    expect(repeated.text).not.toContain('/dashboard/link#');
    await mailing.close();
  });

  it('mails a person whose second step was removed, if mail is set up', async () => {
    const server = await MailServer.start();
    const mailing = await startTestApp({ mail: server.settings }, test.database);
    const buyer = await join('buyer');
    await giveSecondStep(test, buyer.person);
    const here = await startSession(mailing, owner.person);
    await here.post(`${PEOPLE}/${buyer.person.id}/second-step/remove`).expect(303);
    const mail = await eventually(() => server.to(buyer.person.email));
    expect(mail.subject).toBe('Your second step was removed');
    expect(mail.text).toContain('now needs only the password');
    await mailing.close();
  });

  const person = async (email: string) =>
    (
      await test.query<{ person_id: number; disabled_at: Date | null; totp_secret: string | null }>(
        'SELECT id AS person_id, disabled_at, totp_secret FROM people WHERE email = $1',
        email,
      )
    )[0];

  it.each([
    ['blanks alone', '   ', 'Must not be empty'],
    ['longer than one can be', `${'a'.repeat(250)}@example.com`, 'Must have at most 254 characters'],
    ['no address at all', 'nobody', 'Must look like name@example.com'],
    ['several addresses', 'a@example.com, b@example.com', 'Must look like name@example.com'],
  ])('asks again where the address is %s, and keeps what was typed', async (_, email, fault) => {
    const { text } = await owner.post(`${PEOPLE}/invite`, { email, role: 'buyer' }).expect(422);
    expect(text).toContain(fault);
    expect(text).toContain(`value="${email}"`);
    expect(text).toMatch(/value="buyer"[^>]* checked|checked[^>]* value="buyer"/);
  });

  it('says that an address is taken, and not by whom', async () => {
    const otherPlace = await join('owner', (await test.fixtures.store({ name: 'Another Store' })).clientId);
    for (const { email } of [otherPlace.person, owner.person]) {
      const { text } = await owner.post(`${PEOPLE}/invite`, { email, role: 'buyer' }).expect(422);
      expect(text).toContain('Is already in use');
      expect(text).not.toContain('Another Store');
    }
  });

  it('changes a role from the next request on', async () => {
    const buyer = await join('buyer');
    await owner.post(`${PEOPLE}/${buyer.person.id}/role`, { role: 'owner' }).expect(303);
    await buyer.get(`${PEOPLE}/invite`).expect(200);
    expect(await audit()).toEqual([
      logged(buyer, 'person.role_changed', { email: buyer.person.email, from: 'buyer', to: 'owner' }),
    ]);
  });

  it('refuses a role that there is none', async () => {
    const buyer = await join('buyer');
    await owner.post(`${PEOPLE}/${buyer.person.id}/role`, { role: 'admin' }).expect(422);
    await owner.post(`${PEOPLE}/${buyer.person.id}/role`).expect(422);
    expect(await roleOf(buyer.person.id)).toBe('buyer');
  });

  it('signs a disabled person out at once, and lets them in again', async () => {
    const buyer = await join('buyer');
    await owner.post(`${PEOPLE}/${buyer.person.id}/disable`).expect(303);
    await buyer.get(PEOPLE).expect(303);
    expect(rowOf((await owner.get(PEOPLE)).text, buyer.person.email)).toContain('Disabled');
    await owner.post(`${PEOPLE}/${buyer.person.id}/enable`).expect(303);
    expect(await person(buyer.person.email)).toMatchObject({ disabled_at: null });
    // What was ended stays so.
    await buyer.get(PEOPLE).expect(303);
    expect(await audit()).toEqual([logged(buyer, 'person.disabled'), logged(buyer, 'person.enabled')]);
  });

  it('offers only another invitation for a person who never joined, once they are disabled', async () => {
    const email = address();
    await owner.post(`${PEOPLE}/invite`, { email, role: 'buyer' }).expect(200);
    const path = `${PEOPLE}/${(await person(email))!.person_id}`;
    const formsOf = async () =>
      [...(await owner.get(path).expect(200)).text.matchAll(/<form[^>]* action="([^"]*)"/g)]
        .map(([, action]) => action!)
        .filter((action) => action.startsWith(path));
    expect((await owner.get(path)).text).toContain('data-confirm="Their invitation stops working."');
    await owner.post(`${path}/disable`).expect(303);
    expect(await formsOf()).toEqual([`${path}/link`]);
    expect((await owner.get(path)).text).toContain('Invite again');
    await owner.post(`${path}/link`).expect(200);
    expect(rowOf((await owner.get(PEOPLE)).text, email)).toContain('Invited');
    expect((await audit()).map(({ action }) => action)).toEqual(
      ['invited', 'disabled', 'enabled', 'link_made'].map((change) => `person.${change}`),
    );
  });

  it('removes a lost second step, and ends the sessions of its person', async () => {
    const [buyer, neighbour] = [await join('buyer'), await join('buyer')];
    await giveSecondStep(test, buyer.person);
    await owner.post(`${PEOPLE}/${buyer.person.id}/second-step/remove`).expect(303);
    expect(await person(buyer.person.email)).toMatchObject({ totp_secret: null });
    await buyer.get(PEOPLE).expect(303);
    await neighbour.get(PEOPLE).expect(200);
    expect(await audit()).toEqual([logged(buyer, 'person.second_factor_removed')]);
  });

  it('lets no owner bypass their own password: no link, no removed second step, no disabling', async () => {
    const other = await join('owner');
    const own = `${PEOPLE}/${owner.person.id}`;
    await giveSecondStep(test, owner.person);
    const page = await owner.get(own).expect(200);
    for (const action of ['/link', '/second-step/remove', '/disable']) {
      expect(page.text).not.toContain(`${own}${action}`);
      const { text } = await owner.post(`${own}${action}`).expect(409);
      expect(text).toContain('under Security');
    }
    expect(await person(owner.person.email)).toMatchObject({ totp_secret: 'A', disabled_at: null });
    expect(await audit()).toEqual([]);
    expect((await other.get(own).expect(200)).text).toContain(`${own}/second-step/remove`);
  });

  it('leaves one of two owners who take each other’s role away at the same moment', async () => {
    const other = await join('owner');
    const answers = await Promise.all([
      owner.post(`${PEOPLE}/${other.person.id}/role`, { role: 'viewer' }),
      other.post(`${PEOPLE}/${owner.person.id}/role`, { role: 'viewer' }),
    ]);
    // The second one is no owner any more.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    const roles = [await roleOf(owner.person.id), await roleOf(other.person.id)];
    expect(roles.toSorted()).toEqual(['owner', 'viewer']);
  });

  it('lets no owner force what only the wholesaler may', async () => {
    const forced = test.app
      .get(PeopleAdministrationService, { strict: false })
      .disable(owner.person, owner.person.id, { force: true });
    await expect(forced).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['one person', 9, () => `invitations of person ${owner.person.id}`],
    ['an account', 49, () => `invitations of client ${store.clientId}`],
  ])('is no way to send mail without end for %s', async (_, attempts, key) => {
    const administration = test.app.get(PeopleAdministrationService, { strict: false });
    const email = address();
    const { person_id: id } = await administration.invite(owner.person, { email, role: 'viewer' });
    await test.pool.query('UPDATE sign_in_attempts SET attempts = $2 WHERE key = $1', [key(), attempts]);
    await owner.post(`${PEOPLE}/${id}/link`).expect(200);
    await owner.post(`${PEOPLE}/${id}/link`).expect(429);
    const invited = { person: { id, email } };
    expect((await audit()).slice(-2)).toEqual([
      logged(invited, 'person.link_made', { email, kind: 'invitation', mailed: false }),
      { ...logged(invited, 'person.invitations_limited', {}), subject: `client ${store.clientId}` },
    ]);
  });

  it('shows what was typed as what it is', async () => {
    await test.pool.query(`UPDATE people SET name = '<script>alert(1)</script>' WHERE id = $1`, [
      owner.person.id,
    ]);
    for (const path of [PEOPLE, `${PEOPLE}/${owner.person.id}`]) {
      const { text } = await owner.get(path).expect(200);
      expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    }
  });
});

/** The row of the table that holds this. */
function rowOf(html: string, part: string): string {
  const row = html.split('<tr>').find((each) => each.includes(part));
  if (row === undefined) throw new Error(`There is no row with ${part}.`);
  return row.split('</tr>')[0]!;
}
