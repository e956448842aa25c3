import request from 'supertest';
import { AdminKeysService } from '../../src/modules/auth/keys/admin-keys.service.js';
import { type AdminApi, adminApi } from '../support/admin-api.js';
import { eventually } from '../support/eventually.js';
import { readable } from '../support/page-text.js';
import { runCommand } from '../support/run-command.js';
import { signInAtDesk } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';

describe('An admin key', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let keys: AdminKeysService;
  let erp: AdminApi;
  let number: string;
  let token: string;

  beforeAll(async () => {
    keys = test.app.get(AdminKeysService, { strict: false });
    erp = await adminApi(test);
    const store = await test.fixtures.store();
    ({ token } = store);
    const { sku } = await test.fixtures.product({ stock: 5 });
    number = await test.place(store, [{ sku, quantity: 1 }]);
  });

  const ask = (authorization?: string) => {
    const sent = request(test.app.getHttpServer()).get(`/api/admin/orders/${number}`);
    return authorization === undefined ? sent : sent.set('Authorization', authorization);
  };
  const add = (input: Partial<Parameters<AdminKeysService['add']>[0]> = {}) =>
    keys.add({ name: 'Books', role: 'staff', ...input }, 'test');

  it.each<[string, () => Promise<string | undefined> | string | undefined, string, string]>([
    ['nothing', () => undefined, 'key_missing', 'Send the header'],
    ['Basic credentials', () => 'Basic abc', 'key_invalid', 'It uses the scheme Basic'],
    ['a token of a store', () => `Bearer ${token}`, 'key_invalid', 'a token of a store'],
    ['a part of a key', () => `Bearer ${erp.key.slice(0, -1)}`, 'key_invalid', 'not a whole admin key'],
    ['another key', () => `Bearer whk_${'a'.repeat(40)}`, 'key_invalid', 'There is no such admin key'],
    [
      'a revoked key',
      async () => {
        const { key, key_id: id } = await add();
        await ask(`Bearer ${key}`).expect(200);
        await keys.revoke(id, 'test');
        return `Bearer ${key}`;
      },
      'key_invalid',
      'was revoked',
    ],
    [
      'a key that has ended',
      async () => {
        const { key, key_id: id } = await add({ endsAt: new Date(Date.now() + 60_000) });
        await ask(`Bearer ${key}`).expect(200);
        await test.fixtures.sql(`UPDATE admin_keys SET ends_at = now() WHERE id = $1`, [id]);
        return `Bearer ${key}`;
      },
      'key_invalid',
      'has expired',
    ],
  ])('is needed: %s is refused', async (_, credentials, code, message) => {
    const { body } = await ask(await credentials()).expect(401);
    expect(body).toMatchObject({ success: false, code, message: expect.stringContaining(message) as string });
  });

  it('is refused on the routes of stores', async () => {
    const asked = request(test.app.getHttpServer())
      .get('/api/products')
      .set('X-Client-Domain', 'a.example.com');
    const { body } = await asked.set('Authorization', `Bearer ${erp.key}`).expect(401);
    expect(body).toMatchObject({ code: 'token_invalid' });
    expect(body.message).toContain('This is an admin key');
  });

  it('works from its networks alone', async () => {
    const { key: near } = await add({ networks: ['127.0.0.0/8', '::1'] });
    await ask(`Bearer ${near}`).expect(200);
    const { key: far } = await add({ networks: ['203.0.113.7'] });
    expect((await ask(`Bearer ${far}`).expect(403)).body).toMatchObject({ code: 'address_not_allowed' });
  });

  it.each([
    ['no network', { networks: ['300.1.1.1/8'] }, 'is no network'],
    ['a network that is too long', { networks: ['10.0.0.0/33'] }, 'is no network'],
    ['no role', { role: 'owner' }, 'must be one of packer, staff, admin'],
    ['no name', { name: ' ' }, 'name'],
    ['an end in the past', { endsAt: new Date(0) }, 'later than now'],
  ])('is not made with %s', async (_, input, message) => {
    await expect(add(input)).rejects.toThrow(message);
  });

  it('is stored hashed, and has its last use and address', async () => {
    const { key, key_id: id } = await add();
    await ask(`Bearer ${key}`).expect(200);
    const { rows } = await test.pool.query<{ row: string }>('SELECT k::text AS row FROM admin_keys k');
    expect(rows.some(({ row }) => row.includes(key.slice(12)))).toBe(false);
    const used = await eventually(async () =>
      (await keys.list()).find((one) => one.key_id === id && one.last_used_at !== null),
    );
    expect(used).toMatchObject({ last_used_address: '127.0.0.1' });
  });

  it('is made, shown once, listed and revoked at the desk by admins, and in the audit log', async () => {
    const admin = await signInAtDesk(test, 'admin');
    const staff = await signInAtDesk(test, 'staff');
    await staff.get('/desk/settings/keys').expect(403);
    const form = { name: 'Warehouse', role: 'packer', networks: '10.0.0.0/8 ::1', until: '2999-12-31' };
    const made = await admin.post('/desk/settings/keys/new', form).expect(200);
    const [key] = /whk_\w{40}/.exec(made.text)!;
    expect(readable(made.text)).toContain('It is shown only once');
    const list = await admin.get('/desk/settings/keys').expect(200);
    expect(readable(list.text)).toMatch(/Warehouse whk_\w{8}… packer 10.0.0.0\/8, ::1\/128/);
    expect(list.text).not.toContain(key);
    await ask(`Bearer ${key}`).expect(403);
    const { key_id: id } = (await keys.list()).find(({ name }) => name === 'Warehouse')!;
    expect(readable((await admin.get(`/desk/settings/keys/${id}/revoke`).expect(200)).text)).toContain(
      'Revoke “Warehouse”?',
    );
    await admin.post(`/desk/settings/keys/${id}/revoke`).expect(303);
    await ask(`Bearer ${key}`).expect(401);
    expect(readable((await admin.get('/desk/settings/keys').expect(200)).text)).toMatch(
      /Ended keys .*Warehouse/,
    );
    const wrong = await admin.post('/desk/settings/keys/new', { ...form, networks: 'home' }).expect(422);
    expect(readable(wrong.text)).toContain('"home" is no network such as');
    const audit = await admin.get('/desk/audit').expect(200);
    expect(readable(audit.text)).toMatch(/key\.revoked|Revoked/i);
  });

  it('is made, listed and revoked by commands', async () => {
    const run = async (...command: string[]) => {
      const { stdout, exitCode } = await runCommand(test.database.serviceUrl, ...command, '--json');
      expect(exitCode).toBe(0);
      return JSON.parse(stdout) as { key: string; key_id: number }[] & { key: string; key_id: number };
    };
    const { key, key_id: id } = await run(
      'key',
      'add',
      '--name',
      'Courier',
      '--role',
      'staff',
      '--network',
      '::1',
      '--network',
      '127.0.0.1',
    );
    await ask(`Bearer ${key}`).expect(200);
    expect((await run('key', 'list')).find((one) => one.key_id === id)).toMatchObject({ name: 'Courier' });
    await run('key', 'revoke', String(id));
    await ask(`Bearer ${key}`).expect(401);
  });
});
