import { AuditLog } from '../../src/audit/audit-log.js';
import { linkOf, readable, rows } from '../support/page-text.js';
import { signInAtDesk } from '../support/sign-in.js';
import { given } from '../support/given.js';
import { givenTestApp } from '../support/test-app.js';

describe('The audit log at the desk', () => {
  const test = givenTestApp();
  const shop = given(() => test.fixtures.store({ name: 'Anaya Home' }));
  const other = given(() => test.fixtures.store({ name: 'Bela Crafts' }));
  const admin = given(() => signInAtDesk(test));

  beforeAll(async () => {
    const log = test.app.get(AuditLog, { strict: false });
    await log.record({
      actor: 'operator:meera',
      clientId: shop.clientId,
      action: 'client.changed',
      subject: `client ${shop.clientId}`,
      details: { name: 'Anaya Home', name_before: 'Anaya', state: null, state_before: '27' },
    });
    await log.record({
      person: admin.person,
      action: 'person.invited',
      subject: 'person 77',
      details: { email: 'new@example.com' },
    });
    await log.record({
      actor: 'operator:rohan',
      clientId: other.clientId,
      action: 'client.suspended',
      subject: `client ${other.clientId}`,
    });
  });

  const open = async (query = '') => (await admin.get(`/desk/audit${query}`).expect(200)).text;

  it('shows who did what to what, with the values before and after, newest first', async () => {
    const shown = rows(await open());
    expect(shown).toHaveLength(3);
    expect(shown[0]).toContain(`operator:rohan client.suspended client ${other.clientId}`);
    expect(shown[1]).toContain(`person ${admin.person.id} (${admin.person.email}) 127.0.0.1 person.invited`);
    expect(shown[1]).toContain('email: new@example.com');
    expect(shown[2]).toContain('name: Anaya → Anaya Home state: 27 → none');
  });

  it.each([
    ['who', 'actor=MEERA', ['operator:meera']],
    ['the beginning of an action', 'action=client.', ['operator:rohan', 'operator:meera']],
    ['a whole action', 'action=client.suspended', ['operator:rohan']],
    ['a part of the subject', 'subject=person+77', ['person']],
    ['a client by name', 'client=Bela', ['operator:rohan']],
    ['nothing', 'actor=nobody', []],
  ])('is searched by %s', async (_, query, found) => {
    const shown = rows(await open(`?${query}`));
    expect(shown).toHaveLength(found.length);
    for (const [at, who] of found.entries()) expect(shown[at]).toContain(who);
  });

  it('says so if there is no such client, or the days are reversed', async () => {
    const unknown = await admin.get('/desk/audit?client=nobody').expect(422);
    expect(readable(unknown.text)).toContain('There is no client');
    const reversed = await admin.get('/desk/audit?from=2026-11-02&to=2026-11-01').expect(422);
    expect(readable(reversed.text)).toContain('The first day is later than the last one.');
    await admin.get('/desk/audit?before=x&from=never&actor=%00').expect(200);
  });

  it('shows the last 30 days, and others when asked', async () => {
    const log = test.app.get(AuditLog, { strict: false });
    await log.record({ actor: 'operator:old', clientId: null, action: 'audit.tried', subject: 'a test' });
    expect(await open()).toContain('operator:old');
    expect(await open('?from=2020-01-01&to=2020-01-31')).toContain('No entry matches.');
  });

  it('has pages of 50, and no page after one that is exactly full', async () => {
    const log = test.app.get(AuditLog, { strict: false });
    const add = (n: number) =>
      log.record({ actor: 'operator:many', clientId: null, action: 'list.filled', subject: `row ${n}` });
    for (let n = 1; n <= 50; n++) await add(n);
    const full = await open('?actor=many');
    expect(rows(full)).toHaveLength(50);
    expect(full).not.toContain('rel="next"');
    await add(51);
    const first = await open('?actor=many');
    expect(rows(first)[0]).toContain('row 51');
    const { text: second } = await admin.get(linkOf(first, 'Older')).expect(200);
    expect(rows(second)).toHaveLength(1);
    expect(rows(second)[0]).toContain('row 1');
    expect(second).not.toContain('rel="next"');
  });
});
