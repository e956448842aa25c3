import { TOTP } from 'otpauth';
import request from 'supertest';
import { PeopleAdministrationService } from '../../../src/modules/people/people-administration.service.js';
import type { DeskRole } from '../../../src/platform/access/access-rule.js';
import { Browser } from '../../support/browser.js';
import type { Store } from '../../support/fixtures.js';
import { addPerson, PASSWORD, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

describe('Signing in at the desk', () => {
  const test = setUpTestApp({ trustProxy: 1, publicUrl: 'http://localhost:3000' });
  let store: Store;
  let made = 0;

  beforeAll(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
  });

  const newcomer = () =>
    new Browser(test.url, { 'X-Forwarded-For': `198.51.100.${++made}`, 'X-Forwarded-Proto': 'https' });

  const invite = async (role: DeskRole) => {
    const email = `${role}-${++made}@wholesale.example`;
    const by = { clientId: null, actor: 'test' };
    const { person_id: id, url } = await test.app
      .get(PeopleAdministrationService)
      .invite(by, { email, role });
    return { id, email, url: url! };
  };

  it('keeps the address of the first admin from every person, and says where its link is until then', async () => {
    const people = test.app.get(PeopleAdministrationService);
    const [pathname = '', code = ''] = (await people.firstAdminPath()).split('#');
    const browser = newcomer();
    const hint = async () => (await newcomer().get('/desk/sign-in')).text.includes('first-admin-link.txt');
    expect(await hint()).toBe(true);
    expect((await newcomer().get('/dashboard/sign-in')).text).not.toContain('first-admin-link.txt');
    await browser.post(pathname, { code });
    const chosen = { name: 'Asha', password: PASSWORD, again: PASSWORD };
    const reserved = 'First-Admin@desk.invalid';
    const refused = await browser.post('/desk/link/password', { ...chosen, email: reserved });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('is reserved');
    for (const clientId of [null, store.clientId])
      await expect(
        people.invite({ clientId, actor: 'test' }, { email: reserved, role: clientId ? 'buyer' : 'admin' }),
      ).rejects.toMatchObject({ code: 'invalid_value' });
    const own = await browser.post('/desk/link/password', { ...chosen, email: 'asha@wholesale.example' });
    expect(own.headers.location).toBe('/desk');
    expect(await hint()).toBe(false);
  });

  it('leads strangers to its own sign-in, and back', async () => {
    const browser = newcomer();
    const { status, headers } = await browser.get('/desk/people');
    expect([status, headers.location]).toEqual([303, '/desk/sign-in?next=%2Fdesk%2Fpeople']);
    expect((await browser.get(headers.location!)).text).toContain('action="/desk/sign-in"');
    const { headers: otherPlace } = await browser.get('/desk/no/such/page');
    expect(otherPlace.location).toBe('/desk/sign-in?next=%2Fdesk%2Fno%2Fsuch%2Fpage');
  });

  it('lets an invited admin in by the link, after a second step is set up', async () => {
    const { email, url } = await invite('admin');
    const { pathname, hash } = new URL(url);
    expect(pathname).toBe('/desk/link');
    const browser = newcomer();
    expect((await browser.post(pathname, { code: hash.slice(1) })).headers.location).toBe(
      '/desk/link/password',
    );
    const choose = await browser.get('/desk/link/password');
    expect(choose.text).toContain('Welcome to the wholesaler');
    const chosen = { name: 'Meera', password: PASSWORD, again: PASSWORD };
    expect((await browser.post('/desk/link/password', chosen)).headers.location).toBe('/desk');

    const { headers } = await browser.get('/desk');
    expect(headers.location).toBe('/desk/security/two-factor');
    expect((await browser.get('/desk/people')).headers.location).toBe('/desk/security/two-factor');
    expect((await browser.post('/desk/people/invite', { email: 'a@b.example' })).status).toBe(303);
    const started = await browser.post('/desk/security/two-factor', { password: PASSWORD });
    const secret = /value="([A-Z2-7 ]{39})"/.exec(started.text)![1]!.replaceAll(' ', '');
    const totp = new TOTP({ secret });
    const confirmed = await browser.post('/desk/security/two-factor/confirm', { code: totp.generate() });
    expect(confirmed.text).toMatch(/\w{4}-\w{4}-\w{4}-\w{4}/);
    expect((await browser.get('/desk')).status).toBe(200);

    const later = newcomer();
    const signedIn = await later.post('/desk/sign-in', { email, password: PASSWORD, next: '/desk/people' });
    expect(signedIn.headers.location).toBe('/desk/sign-in/code?next=%2Fdesk%2Fpeople');
    await test.pool.query('UPDATE people SET totp_last_step = totp_last_step - 1');
    const finished = await later.post('/desk/sign-in/code', {
      code: new TOTP({ secret }).generate(),
      next: '/desk/people',
    });
    expect(finished.headers.location).toBe('/desk/people');
    expect((await later.get('/desk/people')).text).toContain(`<small>${email}</small>`);
    expect((await later.post('/desk/sign-out')).headers.location).toBe('/desk/sign-in');
    expect((await later.get('/desk')).headers.location).toBe('/desk/sign-in?next=%2Fdesk');
  });

  it('closes to a session with the password alone when its person turns the second step on elsewhere', async () => {
    const { id, email } = await addPerson(test, null, { role: 'admin' });
    const browsers = [newcomer(), newcomer()];
    for (const browser of browsers)
      await browser.post('/desk/sign-in', { email, password: PASSWORD, next: '/desk' });
    const [here, otherPlace] = browsers as [Browser, Browser];
    const started = await here.post('/desk/security/two-factor', { password: PASSWORD });
    const secret = /value="([A-Z2-7 ]{39})"/.exec(started.text)![1]!.replaceAll(' ', '');
    const code = new TOTP({ secret }).generate();
    expect((await here.post('/desk/security/two-factor/confirm', { code })).status).toBe(200);
    expect((await here.get('/desk')).status).toBe(200);
    expect((await otherPlace.get('/desk')).headers.location).toBe('/desk/sign-in?next=%2Fdesk');
    expect((await otherPlace.post('/desk/people/invite', { email: 'a@b.example' })).status).toBe(303);

    // Without the second step even the session that turned it off does no more than set it up.
    expect((await here.post('/desk/security/two-factor/off', { password: PASSWORD })).status).toBe(303);
    expect((await here.get('/desk')).headers.location).toBe('/desk/security/two-factor');
    expect(await test.audited('action', `person_id = $1 AND action LIKE 'two_factor.%'`, id)).toEqual([
      { action: 'two_factor.enabled' },
      { action: 'two_factor.disabled' },
    ]);
  });

  it('needs no second step where one person tries the service on one machine', async () => {
    const trial = await startTestApp({ isOnTrial: true });
    const admin = await signInAtDesk(trial);
    await trial.pool.query('UPDATE people SET totp_enabled_at = NULL');
    await admin.get('/desk').expect(200);
    await trial.close();
  });

  it('sends people of a store to their dashboard, and people of the desk from there to theirs', async () => {
    const owner = await signIn(test, store.clientId);
    const admin = await signInAtDesk(test);
    const { headers } = await owner.get('/desk/people').expect(303);
    expect(headers.location).toBe('/dashboard');
    const back = await admin.get('/dashboard/orders').expect(303);
    expect(back.headers.location).toBe('/desk');

    const refused = await owner
      .post('/desk/people/invite', { email: 'a@b.example', role: 'admin' })
      .expect(403);
    expect(refused.text).toContain(
      'This page is for people of the wholesaler. You are signed in for Anaya Home.',
    );
    await admin.post('/dashboard/people/invite', { email: 'a@b.example', role: 'owner' }).expect(403);
    const { rows } = await test.pool.query(`SELECT id FROM people WHERE email = 'a@b.example'`);
    expect(rows).toEqual([]);
  });

  it('takes no token of a store for a person, and no person for a store', async () => {
    await request(test.url)
      .get('/desk/people')
      .set({ Authorization: `Bearer ${store.token}`, 'X-Client-Domain': store.domain })
      .expect(303);
    const admin = await signInAtDesk(test);
    await admin.get('/api/products').expect(401);
  });

  describe('People', () => {
    it('are invited, given other roles and disabled by admins, with a place in the audit log', async () => {
      const admin = await signInAtDesk(test);
      const email = `rohan-${++made}@wholesale.example`;
      const { text } = await admin.post('/desk/people/invite', { email, role: 'packer' }).expect(200);
      expect(text).toMatch(/http:\/\/localhost:3000\/desk\/link#[\w-]+/);
      const { rows } = await test.pool.query<{ id: number; role: string; client_id: null }>(
        'SELECT id, role, client_id FROM people WHERE email = $1',
        [email],
      );
      expect(rows).toEqual([{ id: expect.any(Number) as number, role: 'packer', client_id: null }]);
      const { id } = rows[0]!;
      await admin.post(`/desk/people/${id}/role`, { role: 'staff' }).expect(303);
      // Another admin whose page still shows the first role gets an error.
      const late = await admin
        .post(`/desk/people/${id}/role`, { role: 'admin', shown: 'packer' })
        .expect(409);
      expect(late.text).toContain('Another person changed the role in the meantime. It is now staff.');
      await admin.post(`/desk/people/${id}/disable`).expect(303);
      const columns = `actor, client_id, person_id, action, details - 'email' AS details, address`;
      const log = await test.audited(columns, 'subject = $1', `person ${id}`);
      const by = {
        actor: `person ${admin.person.id} (${admin.person.email})`,
        client_id: null,
        person_id: admin.person.id,
        address: '127.0.0.1',
      };
      expect(log).toEqual([
        { ...by, action: 'person.invited', details: { role: 'packer', mailed: false } },
        { ...by, action: 'person.role_changed', details: { from: 'packer', to: 'staff' } },
        { ...by, action: 'person.disabled', details: {} },
      ]);
    });

    it('have roles of the desk only, and those of a store only theirs', async () => {
      const admin = await signInAtDesk(test);
      const owner = await signIn(test, store.clientId);
      const email = 'both@wholesale.example';
      const desk = await admin.post('/desk/people/invite', { email, role: 'owner' }).expect(422);
      expect(desk.text).toContain('Must be one of packer, staff, admin');
      const shop = await owner.post('/dashboard/people/invite', { email, role: 'admin' }).expect(422);
      expect(shop.text).toContain('Must be one of viewer, buyer, owner');
    });

    it.each<DeskRole>(['packer', 'staff'])('are nothing that a %s can see or change', async (role) => {
      const person = await signInAtDesk(test, role);
      const { text } = await person.get('/desk/people').expect(403);
      expect(text).toContain(
        `Only admins can do this. Your role at the wholesaler is ${role}: ask one of its admins.`,
      );
      expect(text).not.toContain('href="/desk/people"');
      await person.post('/desk/people/invite', { email: 'x@wholesale.example', role: 'admin' }).expect(403);
      await person.post(`/desk/people/${person.person.id}/role`, { role: 'admin' }).expect(403);
    });

    it('of a store are unknown here, and those of the desk there', async () => {
      const admin = await signInAtDesk(test);
      const owner = await signIn(test, store.clientId);
      await admin.get(`/desk/people/${owner.person.id}`).expect(404);
      await admin.post(`/desk/people/${owner.person.id}/disable`).expect(404);
      await owner.get(`/dashboard/people/${admin.person.id}`).expect(404);
      await owner.post(`/dashboard/people/${admin.person.id}/disable`).expect(404);
      expect((await admin.get('/desk/people')).text).not.toContain(owner.person.email);
    });

    it('keep one admin who can sign in', async () => {
      const alone = await startTestApp();
      const admin = await signInAtDesk(alone);
      await alone.pool.query(`UPDATE people SET password_hash = 'a hash' WHERE id = $1`, [admin.person.id]);
      const { text } = await admin
        .post(`/desk/people/${admin.person.id}/role`, { role: 'staff' })
        .expect(409);
      expect(text).toContain('is the only admin who can sign in. Make another person an admin first.');
      await alone.close();
    });

    it('who lost a role between two pages are refused by the next one', async () => {
      const admin = await signInAtDesk(test);
      await test.pool.query(`UPDATE people SET role = 'packer' WHERE id = $1`, [admin.person.id]);
      await admin.get('/desk/people').expect(403);
    });

    it('get links for a new password to the desk', async () => {
      const { id } = await addPerson(test, null, { role: 'staff' });
      const admin = await signInAtDesk(test);
      const { text } = await admin.post(`/desk/people/${id}/link`).expect(200);
      expect(text).toContain('http://localhost:3000/desk/link#');
    });
  });
});
