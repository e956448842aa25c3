import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { startOfDay } from '../../../src/platform/time/time.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import type { Store } from '../../support/fixtures.js';
import { adminApi } from '../../support/admin-api.js';
import { readable, rows } from '../../support/page-text.js';
import { type SignedIn, signIn, signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

/** The rest of what zones change is in `platform/time/edges`. */
describe('Time zones', () => {
  const test = setUpTestApp();
  let sku: string;
  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 1_000 })));

  const setZone = async (clientId: number, time_zone: string) =>
    (await adminApi(test)).patch(`clients/${clientId}`, { time_zone });

  async function place(store: Store, at: string): Promise<void> {
    await test.fixtures.placedAt(await test.place(store, [{ sku, quantity: 1 }]), at);
  }

  async function found(person: SignedIn, from: string, to: string): Promise<number> {
    const { text } = await person.get(`/dashboard/orders?from=${from}&to=${to}`).expect(200);
    return rows(text).filter((row) => row.includes('WO-')).length;
  }

  it.each([
    ['a day of 25 hours', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999999Z'],
    ['a day of 23 hours', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999999Z'],
  ])('counts %s from its first moment to its last', async (_, day, first, last) => {
    const store = await test.fixtures.store();
    await setZone(store.clientId, 'Europe/Berlin');
    const person = await signIn(test, store.clientId);
    const apart = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();
    for (const at of [apart(first, -1), first, last, apart(last, 1)]) await place(store, at);
    expect(await found(person, day, day)).toBe(2);
  });

  it('has the last moment of a month in this month, in the wallet of a client in another zone', async () => {
    const store = await test.fixtures.store();
    await setZone(store.clientId, 'America/Los_Angeles');
    const person = await signIn(test, store.clientId);
    for (const reason of ['moment 1', 'moment 2', 'moment 3', 'moment 4'])
      await test.app.get(WalletService, { strict: false }).adjust(store.clientId, '1', reason, 'test');
    await test.fixtures.rewrite(
      `UPDATE wallet_entries
          SET created_at = (ARRAY['2026-09-30T18:29:59.999999Z', '2026-09-30T18:30:00Z',
                                  '2026-10-31T18:29:59.999999Z', '2026-10-31T18:30:00Z'])[entry]::timestamptz
        WHERE client_id = $1`,
      [store.clientId],
    );
    const entriesOf = async (month: string) => {
      const { text: page } = await person.get(`/dashboard/wallet?month=${month}`).expect(200);
      const { text: file } = await person.get(`/dashboard/wallet.csv?month=${month}`).expect(200);
      const displayed = rows(page).map((row) => /moment (\d)/.exec(row)![1]);
      const filed = [...file.matchAll(/moment (\d)/g)].map(([, entry]) => entry);
      expect(filed).toEqual(displayed);
      return displayed;
    };
    expect(await entriesOf('2026-09')).toEqual(['1']);
    expect(await entriesOf('2026-10')).toEqual(['3', '2']);
    expect(await entriesOf('2026-11')).toEqual(['4']);
  });

  it('of a client is set by its name, and returns to that of the settings', async () => {
    const { clientId } = await test.fixtures.store();
    const set = (zone: string) => setZone(clientId, zone);
    expect((await set('Asia/Singapore')).body).toMatchObject({ data: { time_zone: 'Asia/Singapore' } });
    const message = 'The time zone must be a name such as Asia/Kolkata or Europe/Berlin, or default.';
    expect(await set('IST')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'time_zone', message }] },
    });
    expect((await set('')).body).toMatchObject({ data: { time_zone: null } });
    const { text } = await (await signIn(test, clientId)).get('/dashboard').expect(200);
    expect(readable(text)).toContain('Times are in Asia/Kolkata (GMT+5:30).');
  });

  it('of the settings dates the prices of a file at the desk', async () => {
    const timeZone = 'Pacific/Kiritimati';
    const node = await startTestApp({ timeZone }, test.database);
    const { code } = await test.fixtures.plan();
    const staff = await signInAtDesk(node, 'staff');
    const content = Buffer.from(`plan,sku,wholesale_price\n${code},${sku},90\n`);
    const run = await uploadAtDesk(node.url, staff.cookie, { kind: 'prices', name: 'prices.csv', content });
    const runs = node.app.get(ImportRuns, { strict: false });
    await runs.settled();
    const dates = { from: '2090-01-31', to: '2090-02-28' };
    await staff.post(`${run}/check`, dates).expect(303);
    await runs.settled();
    await staff.post(`${run}/apply`, { checks: '2', ...dates }).expect(303);
    await runs.settled();
    const { rows: kept } = await test.pool.query(
      'SELECT from_at, to_at FROM price_schedules ORDER BY id DESC LIMIT 1',
    );
    const [from_at, to_at] = ['2090-01-31', '2090-03-01'].map((day) => startOfDay(day, timeZone));
    expect(kept).toEqual([{ from_at, to_at }]);
    const upcoming = readable((await staff.get('/desk/goods/prices').expect(200)).text);
    expect(upcoming).toContain('31 Jan 2090, 00:00 28 Feb 2090');
    await node.close();
  });
});
