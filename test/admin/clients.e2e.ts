import { type AdminApi, adminApi, dataOf, faultsOf, readPages, refusalOf } from '../support/admin-api.js';
import type { Store } from '../support/fixtures.js';
import { setUpTestApp } from '../support/test-app.js';

const END = '2099-12-31';

describe('Clients of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let erp: AdminApi;
  let staff: AdminApi;
  let store: Store;
  let plan: string;

  beforeAll(async () => {
    [erp, staff] = [await adminApi(test), await adminApi(test, 'staff')];
    store = await test.fixtures.store({ name: 'Neighbour' });
    plan = (await test.fixtures.plan({ code: 'growth' })).code;
  });

  const newClient = (name: string) => ({
    name,
    email: `${name.toLowerCase()}@example.com`,
    domain: `${name.toLowerCase()}.example.com`,
    plan,
    until: END,
  });

  it('adds a client whose token works, and finds it by name, domain and address', async () => {
    const added = await dataOf(erp.post('clients', newClient('Mango')), 201);
    expect(added).toMatchObject({
      domain: 'mango.example.com',
      plan,
      until: END,
      owner: { url: expect.stringContaining('http') as string, mailed: false },
    });
    const headers = {
      Authorization: `Bearer ${added.token as string}`,
      'X-Client-Domain': 'mango.example.com',
    };
    await test.fixtures.observed();
    expect((await test.get({ ...store, headers }, '/api/plan')).status).toBe(200);
    for (const name of [added.client_id, 'mango', 'mango.example.com', 'mango%40example.com'])
      expect(await dataOf(staff.get(`clients/${String(name)}`))).toMatchObject({
        client_id: added.client_id,
        subscription: { plan, until: END, active: true },
        allowed_domains: ['mango.example.com'],
        balance: 0,
        unpaid_orders: 0,
      });
    expect((await erp.post('clients', newClient('Mango')).expect(409)).body.code).toBe('conflict');
  });

  it('lists clients in pages, with filters', async () => {
    await dataOf(erp.post('clients', newClient('Papaya')), 201);
    const names = (await readPages(staff, 'clients')).map(({ name }) => name);
    expect(names).toEqual(['Neighbour', 'Mango', 'Papaya']);
    const { body } = await staff.get('clients?search=papa').expect(200);
    expect(body).toMatchObject({ data: [{ name: 'Papaya' }], has_more: false, next: null });
    expect((await staff.get('clients?only=suspended').expect(200)).body.data).toEqual([]);
  });

  it('changes terms, suspends and resumes, and lets staff change tax data only', async () => {
    const change = {
      unpaid_value_limit: 5_000.5,
      unpaid_orders_limit: 'none',
      gstin: null,
      state: 'Karnataka',
    };
    expect(await dataOf(erp.patch('clients/Mango', change))).toMatchObject({
      unpaid_value_limit: 5_000.5,
      unpaid_orders_limit: 0,
      state: '29',
    });
    await staff.patch('clients/Mango', { billing_address: '4, Residency Road' }).expect(200);
    expect((await staff.patch('clients/Mango', { name: 'X' }).expect(403)).body.code).toBe('role_missing');
    expect(await dataOf(erp.post('clients/Mango/suspend', { reason: 'overdue' }))).toMatchObject({
      suspended_at: expect.stringMatching(/Z$/) as string,
      billing_address: '4, Residency Road',
    });
    expect(await dataOf(erp.post('clients/Mango/resume'))).toMatchObject({ suspended_at: null });
  });

  it('allows and disallows a domain, of another client only with force', async () => {
    const path = `clients/Mango/domains/${store.domain}`;
    await erp.put(path).expect(409);
    expect(await dataOf(erp.put(`${path}?force=true`))).toMatchObject({ domain: store.domain });
    expect(await dataOf(erp.delete(path))).toMatchObject({ token_ids: [] });
    expect((await erp.delete(path).expect(404)).body.code).toBe('domain_not_found');
    const owners = 'SELECT client_id FROM client_domains WHERE domain = $1';
    expect((await test.pool.query(owners, [store.domain])).rows).toEqual([{ client_id: store.clientId }]);
  });

  it('issues, lists and revokes tokens', async () => {
    const issued = await dataOf(
      erp.post('clients/Mango/tokens', { domain: 'mango.example.com', kind: 'read_only', name: 'Reports' }),
      201,
    );
    expect(issued.token).toMatch(/^wha_read_/);
    const tokens = await readPages(staff, 'clients/Mango/tokens');
    expect(tokens).toMatchObject([{ kind: 'full' }, { kind: 'read_only', name: 'Reports' }]);
    expect(JSON.stringify(tokens)).not.toContain(issued.token);
    const token = `tokens/${issued.token_id as number}`;
    const revoked = await dataOf(erp.delete(token));
    expect(revoked.revoked_at).toMatch(/Z$/);
    expect(await dataOf(erp.delete(token))).toEqual(revoked);
  });

  it('sets and ends a subscription', async () => {
    const terms = { plan, from: '2098-01-01', until: END };
    expect(await dataOf(erp.put('clients/Papaya/subscription', terms))).toMatchObject({ until: END });
    expect(await dataOf(staff.get('clients/Papaya'))).toMatchObject({ upcoming: [{ plan, until: END }] });
    expect((await dataOf(erp.delete('clients/Papaya/subscription'))).ended_at).toMatch(/Z$/);
    await erp.delete('clients/Papaya/subscription').expect(409);
  });

  it('invites, changes, disables and enables people of a client and of the desk', async () => {
    const invited = await dataOf(
      erp.post('people', { client: 'Mango', email: 'ravi@example.com', role: 'buyer', name: 'Ravi' }),
      201,
    );
    expect(invited).toMatchObject({ role: 'buyer', state: 'invited', url: expect.any(String) as string });
    const ravi = `people/${invited.person_id as number}`;
    await erp.patch(ravi, { role: 'packer', name: 'Ravi K' }).expect(422);
    expect(await dataOf(erp.get('people?client=Mango'))).toContainEqual(
      expect.objectContaining({ email: 'ravi@example.com', role: 'buyer', name: 'Ravi' }),
    );
    expect(await dataOf(erp.patch(ravi, { role: 'viewer', name: 'Ravi K' }))).toMatchObject({
      role: 'viewer',
      name: 'Ravi K',
    });
    expect(await dataOf(erp.post(`${ravi}/disable`, {}))).toMatchObject({ state: 'disabled', link: null });
    expect(await dataOf(erp.post(`${ravi}/enable`))).toMatchObject({ state: 'invited' });
    const { url } = await dataOf(erp.post('people/ravi%40example.com/link'));
    expect(url).not.toBe(invited.url);
    expect(await dataOf(erp.post(`${ravi}/reset-second-factor`))).toMatchObject({ second_factor: false });
    await dataOf(erp.post('people', { client: 'Mango', email: 'mira@example.com', role: 'viewer' }), 201);
    const names = (await readPages(erp, 'people?client=Mango')).map(({ name }) => name);
    expect(names).toEqual(['Mango', 'Ravi K', 'mira@example.com']);
    await dataOf(erp.post('people', { email: 'sunita@example.com', role: 'packer' }), 201);
    expect(await readPages(erp, 'people')).toMatchObject([{ email: 'sunita@example.com' }]);
    expect(await faultsOf(erp.post('people', { email: 'x@example.com', role: 'buyer' }))).toEqual(['role']);
  });

  it('names all faults at once', async () => {
    const wrong = { name: '', mail: 'a', until: 'soon', gstin: 'X' };
    const missing = ['email', 'gstin', 'mail', 'name', 'plan', 'until'];
    const { patch, post, put, get } = erp;
    expect(await faultsOf(post('clients', wrong))).toEqual(missing);
    const terms = { time_zone: 'Mars', unpaid_orders_limit: 0 };
    expect(await faultsOf(patch('clients/Mango', terms))).toEqual(['time_zone', 'unpaid_orders_limit']);
    expect(await faultsOf(patch('clients/Mango', { gst_category: 'uin' }))).toEqual(['gst_category']);
    const dates = await faultsOf(put('clients/Mango/subscription', { from: '01/02/2026' }));
    expect(dates).toEqual(['from', 'plan', 'until']);
    expect(await faultsOf(post('clients/Mango/tokens', { kind: 'x' }))).toEqual(['domain', 'kind']);
    expect(await faultsOf(post('people', { role: 'boss' }))).toEqual(['email', 'role']);
    expect(await faultsOf(patch('people/1', { role: 'boss' }))).toEqual(['role']);
    expect(await faultsOf(get('clients?only=rich&limit=0'))).toEqual(['limit', 'only']);
    for (const path of ['people?after=x', 'clients?after=99999999999'])
      expect(await faultsOf(get(path))).toEqual(['after']);
  });

  it.each([
    ['client', 'get clients/Nobody, patch clients/99999, post clients/99999/suspend'],
    ['client', 'put clients/99999/domains/a.example.com, get clients/99999/tokens, get people?client=99999'],
    ['token', 'delete tokens/none'],
    ['person', 'post people/99999/enable, patch people/none'],
  ])('finds no %s: %s', async (what, routes) => {
    for (const route of routes.split(', '))
      expect([route, await refusalOf(erp, route)]).toEqual([route, `404 ${what}_not_found`]);
  });

  it.each([
    'post clients, post clients/1/suspend, post clients/1/resume',
    'put clients/1/domains/a.example.com, delete clients/1/domains/a.example.com',
    'put clients/1/subscription, delete clients/1/subscription, post clients/1/tokens, delete tokens/1',
    'get people, post people, patch people/1, post people/1/disable, post people/1/enable',
    'post people/1/link, post people/1/reset-second-factor',
  ])('needs an admin: %s', async (routes) => {
    for (const route of routes.split(', '))
      expect([route, await refusalOf(staff, route)]).toEqual([route, '403 role_missing']);
  });

  it('leaves the neighbour as it was', async () => {
    expect(await dataOf(staff.get(`clients/${store.clientId}`))).toMatchObject({
      name: 'Neighbour',
      domains: [store.domain],
      suspended_at: null,
      subscription: { active: true },
    });
    expect(await readPages(erp, 'people?client=Neighbour')).toEqual([]);
  });

  it('warns of data that the invoices of a new client need', async () => {
    const add = async (name: string, more: object = {}) =>
      (await dataOf(erp.post('clients', { ...newClient(name), ...more }), 201)).warnings;
    expect(await add('Guava')).toEqual([]);
    await test.fixtures.seller();
    const lacks = 'Its parcels cannot leave: an invoice needs its GSTIN or state, and billing address.';
    expect(await add('Litchi')).toEqual([lacks]);
    expect(await add('Lychee', { state: 'Karnataka', billing_address: '4, Residency Road' })).toEqual([]);
  });
});
