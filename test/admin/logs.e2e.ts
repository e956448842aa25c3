import { type AdminApi, adminApi, faultsOf, readPages, refusalOf } from '../support/admin-api.js';
import { MailServer } from '../support/mail-server.js';
import { setUpTestApp, startTestApp } from '../support/test-app.js';

describe('Logs of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let erp: AdminApi;
  let staff: AdminApi;

  beforeAll(async () => {
    [erp, staff] = [await adminApi(test), await adminApi(test, 'staff')];
    const { code: plan } = await test.fixtures.plan();
    const domain = 'mango.example.com';
    const mango = { name: 'Mango', email: 'asha@example.com', domain, plan, until: '2099-12-31' };
    await erp.post('clients', mango).expect(201);
    await erp.put('clients/Mango/subscription', { plan, until: '2098-12-31' }).expect(200);
    await erp.post('clients/Mango/suspend', {}).expect(200);
    await erp.post('clients', { ...mango, name: 'Papaya', email: 'b@example.com', domain: 'b.example.com' });
  });

  it('lists what keys did, with filters, in pages', async () => {
    const actor = `key ${erp.keyId} (ERP of admin)`;
    const ofMango = await readPages(erp, 'audit?client=Mango');
    expect(ofMango.map(({ action }) => action)).toEqual([
      'client.suspended',
      'person.invited',
      'token.issued',
      'domain.allowed',
    ]);
    expect(new Set(ofMango.map((entry) => entry.actor))).toEqual(new Set([actor]));
    expect(await readPages(erp, 'audit?actor=erp%20of%20admin&action=token.&subject=token')).toHaveLength(2);
    expect(await readPages(erp, 'audit?client=Mango&to=2000-01-01&from=1999-01-01')).toEqual([]);
    expect((await erp.get('audit?person=nobody%40example.com').expect(404)).body.code).toBe(
      'person_not_found',
    );
  });

  it('lists the changes of prices, plans and subscriptions, in pages', async () => {
    const changes = await readPages(erp, 'price-history?subject=subscription');
    expect(changes).toHaveLength(3);
    expect(changes[1]).toMatchObject({
      actor: `key ${erp.keyId} (ERP of admin)`,
      changed_at: expect.stringMatching(/Z$/) as string,
      before: expect.any(Object) as object,
      after: expect.any(Object) as object,
    });
    expect(await readPages(erp, 'price-history?sku=NONE')).toEqual([]);
  });

  it('lists mail, and refuses a test mail without a server', async () => {
    expect(await readPages(erp, 'mail')).toEqual([]);
    expect((await erp.post('mail/test', { address: 'a@example.com' }).expect(409)).body.code).toBe(
      'conflict',
    );
  });

  it.each([
    ['audit?from=soon&to=x', ['from', 'to']],
    ['price-history?subject=stock&limit=0', ['limit', 'subject']],
    ['mail?state=lost', ['state']],
    ['mail?after=1', ['after']],
  ])('names all faults of %s', async (path, fields) => {
    expect(await faultsOf(erp.get(path))).toEqual(fields);
  });

  it.each(['audit', 'mail'])('shows %s to admins only', async (path) => {
    expect(await refusalOf(staff, `get ${path}`)).toBe('403 role_missing');
  });
});

describe('Mail of the admin API', () => {
  it('sends a test mail, and lists invitations in pages', async () => {
    const server = await MailServer.start();
    const test = await startTestApp({ rateLimitPerMinute: 0, mail: server.settings });
    const erp = await adminApi(test);
    const sent = await erp.post('mail/test', { address: 'me@example.com' }).expect(200);
    expect(sent.body.data).toEqual({ sent: true });
    expect(server.received[0]).toMatchObject({ recipient: 'me@example.com' });
    const mailing = { month: '2026-01', clients: 0, already_mailed: 0, to_mail: 0, unreachable: [] };
    for (const path of ['reports/statement/mail?dry_run=true', 'reports/statement/mail']) {
      const { body } = await erp.post(path, { month: '2026-01' }).expect(200);
      expect(body).toEqual({ success: true, ...(path.endsWith('true') && { dry_run: true }), data: mailing });
    }
    const early = await erp.post('reports/statement/mail', { month: '2099-01' }).expect(409);
    expect(early.body.code).toBe('conflict');
    expect(await faultsOf(erp.post('reports/statement/mail', { month: '1' }))).toEqual(['month']);
    const packer = await adminApi(test, 'packer');
    expect(await refusalOf(packer, 'post reports/statement/mail')).toBe('403 role_missing');
    for (const email of ['a@example.com', 'b@example.com'])
      await erp.post('people', { email, role: 'staff' }).expect(201);
    const first = await erp.get('mail?limit=1').expect(200);
    const second = await erp.get(`mail?limit=1&after=${String(first.body.next)}`).expect(200);
    expect([first, second]).toMatchObject([
      { body: { data: [{ recipient: 'b@example.com' }], has_more: true } },
      { body: { data: [{ recipient: 'a@example.com' }], has_more: false } },
    ]);
  });
});
