import { adminApi, dataOf } from '../../support/admin-api.js';
import { LinkUseService } from '../../../src/modules/auth/sign-in/link-use.service.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The people of a client', () => {
  const test = setUpTestApp();
  const admin = makeBeforeAll(() => adminApi(test));
  let client: string;
  let made = 0;
  beforeAll(() => test.fixtures.plan({ code: 'gold' }));
  beforeEach(async () => void (client = String((await test.fixtures.store()).clientId)));

  const invite = async (role = 'owner') => {
    const body = { client, email: `person-${++made}@example.com`, role };
    return (await dataOf(admin.post('people', body), 201)) as {
      email: string;
      person_id: number;
      url: string;
    };
  };
  const list = async () => (await admin.get(`people?client=${client}`).expect(200)).body.data as object[];
  const use = (url: string) =>
    test.app
      .get(LinkUseService, { strict: false })
      .use(
        url.split('#')[1]!,
        { name: 'Newcomer', password: 'tractor violin mosaic' },
        { address: '192.0.2.7', userAgent: 'a test' },
        undefined,
      );

  it('are not two with one address: a new client is refused with it, and force skips the invitation', async () => {
    const add = (email: string, force = false) => {
      const domain = `store-${++made}.example.com`;
      const body = { name: `Store ${made}`, email, domain, plan: 'gold', until: '2099-12-31', force };
      return admin.post('clients', body);
    };
    const { email, person_id: id } = await invite();
    const { body } = await add(email.toUpperCase()).expect(409);
    expect(body.message).toContain(`${email} is already person ${id} of another client.`);
    expect((await dataOf(add(email, true), 201)).owner).toBeNull();
    const other = { client, email, role: 'viewer' };
    expect((await admin.post('people', other).expect(409)).body.code).toBe('conflict');
  });

  it('have one link at a time, which is not listed after its end', async () => {
    const invited = await invite();
    const link = () => dataOf(admin.post(`people/${invited.person_id}/link`));
    const second = await link();
    await expect(use(invited.url)).rejects.toMatchObject({ code: 'link_invalid' });
    await test.pool.query('UPDATE person_links SET ends_at = now() WHERE person_id = $1', [
      invited.person_id,
    ]);
    expect(await list()).toMatchObject([{ state: 'invited', link: null }]);
    await expect(use(second.url as string)).rejects.toMatchObject({ code: 'link_invalid' });
    const third = await link();
    expect(third.link).toMatchObject({ kind: 'invitation' });
    await use(third.url as string);
    expect((await link()).link).toMatchObject({ kind: 'reset' });
  });

  it('always have an owner, unless the wholesaler must lock out the only one', async () => {
    const { url, person_id: id } = await invite();
    await use(url);
    // An invited person may never come.
    await invite();
    const { body } = await admin.patch(`people/${id}`, { role: 'viewer' }).expect(409);
    expect(body.message).toContain('is the only owner');
    await admin.post(`people/${id}/disable`, {}).expect(409);
    const disabled = admin.post(`people/${id}/disable`, { force: true });
    expect(await dataOf(disabled)).toMatchObject({ state: 'disabled' });
  });
});
