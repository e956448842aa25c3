import request from 'supertest';
import type { SalesTotal } from '../../../src/modules/sales/sales.repository.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import { dayAt, startOfDay } from '../../../src/platform/time/time.js';
import { all, sourceOf } from '../../support/operator-services.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { readable, rows } from '../../support/page-text.js';
import { answerOf, runCommand, runCommandIn } from '../../support/run-command.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';

/** 03:00 on 1 November in India, and still 31 October in Berlin. */
const AT_NIGHT = '2026-10-31T21:30:00.000Z';

describe('Time zones', () => {
  const test = setUpTestApp();
  let sku: string;
  let indian: Store;
  let german: Store;
  let inIndia: SignedIn;
  let inBerlin: SignedIn;
  let orders: { indian: string; german: string };

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
    [indian, german] = [await test.fixtures.store(), await test.fixtures.store()];
    await cli('client', 'set', String(german.clientId), '--time-zone', 'Europe/Berlin');
    [inIndia, inBerlin] = [await signIn(test, indian.clientId), await signIn(test, german.clientId)];
    orders = { indian: await place(indian, AT_NIGHT), german: await place(german, AT_NIGHT) };
  });

  const cli = (...args: string[]) => runCommand(test.database.url, ...args);

  async function place(store: Store, at: string, node = test): Promise<string> {
    const { body } = await node.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    const { order_number: number } = body as { order_number: string };
    await test.fixtures.placedAt(number, at);
    return number;
  }

  async function found(person: SignedIn, from: string, to: string): Promise<number> {
    const { text } = await person.get(`/dashboard/orders?from=${from}&to=${to}`).expect(200);
    return rows(text).filter((row) => row.includes('WO-')).length;
  }

  async function firstCells(person: SignedIn, path: string): Promise<Record<string, string>> {
    const { text } = await person.get(path).expect(200);
    const batches = await all(sourceOf(text).batches());
    const [heading, first] = batches.flatMap(({ records }) => records.map(({ cells }) => cells));
    return Object.fromEntries(heading!.map((name, at) => [name, first?.[at] ?? '']));
  }

  it('has an order of the night in the month of each client', async () => {
    expect(await found(inIndia, '2026-11-01', '2026-11-30')).toBe(1);
    expect(await found(inIndia, '2026-10-01', '2026-10-31')).toBe(0);
    expect(await found(inBerlin, '2026-11-01', '2026-11-30')).toBe(0);
    expect(await found(inBerlin, '2026-10-01', '2026-10-31')).toBe(1);
    const file = '/dashboard/orders.csv?from=2026-10-31&to=2026-11-01';
    expect(await firstCells(inIndia, file)).toMatchObject({ Placed: '2026-11-01 03:00:00' });
    expect(await firstCells(inBerlin, file)).toMatchObject({ Placed: '2026-10-31 22:30:00' });
  });

  it('tells on each page, once, which zone it is', async () => {
    for (const [person, number, message, zone] of [
      [inIndia, orders.indian, '1 Nov 2026, 03:00', /Times are in Asia\/Kolkata \(GMT\+5:30\)/g],
      [inBerlin, orders.german, '31 Oct 2026, 22:30', /Times are in Europe\/Berlin \(GMT\+[12]\)/g],
    ] as const) {
      const { text } = await person.get(`/dashboard/orders/${number}`).expect(200);
      expect(text).toContain(`title="${message}"`);
      expect(readable(text).match(zone)).toHaveLength(1);
      expect(text).toContain(`"${AT_NIGHT}"`);
    }
  });

  it('leaves the API as it is: ISO 8601 in UTC', async () => {
    for (const [store, number] of [
      [indian, orders.indian],
      [german, orders.german],
    ] as const) {
      const { body } = await test.get(store, '/api/orders').expect(200);
      expect(body).toMatchObject({ data: [{ order_number: number, created_at: AT_NIGHT }] });
      const { body: november } = await test.get(store, '/api/orders?created_from=2026-11-01').expect(200);
      expect(november).toMatchObject({ data: [] });
    }
  });

  it.each([
    ['a day of 25 hours', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999999Z'],
    ['a day of 23 hours', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999999Z'],
  ])('counts %s from its first moment to its last', async (_, day, first, last) => {
    const store = await test.fixtures.store();
    await cli('client', 'set', String(store.clientId), '--time-zone', 'Europe/Berlin');
    const person = await signIn(test, store.clientId);
    const apart = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();
    for (const at of [apart(first, -1), first, last, apart(last, 1)]) await place(store, at);
    expect(await found(person, day, day)).toBe(2);
  });

  it('has entries of the wallet in the months of its statements, in the zone of the settings', async () => {
    for (const { clientId } of [indian, german]) {
      await cli('wallet', 'adjust', String(clientId), '250', '--reason', 'a gift');
      await test.fixtures.rewrite('UPDATE wallet_entries SET created_at = $2 WHERE client_id = $1', [
        clientId,
        AT_NIGHT,
      ]);
    }
    const november = '/dashboard/wallet.csv?month=2026-11';
    expect(await firstCells(inIndia, november)).toMatchObject({ at: '2026-11-01 03:00:00' });
    expect(await firstCells(inBerlin, november)).toMatchObject({ at: '2026-11-01 03:00:00' });
    expect(await firstCells(inBerlin, '/dashboard/wallet.csv?month=2026-10')).toMatchObject({ at: '' });
    const { text } = await inBerlin.get('/dashboard/wallet').expect(200);
    expect(text).not.toContain('<option value="2026-10">');
  });

  it('has one zone on the page of the wallet, with the figures of the statement beside it', async () => {
    const { clientId } = await test.fixtures.store();
    await cli('client', 'set', String(clientId), '--time-zone', 'America/Los_Angeles');
    const person = await signIn(test, clientId);
    // Before, in and after the hours in which October ends: first in India, half a day later in California.
    const entries = [
      ['100', '2026-10-31T18:29:59Z'],
      ['20', '2026-10-31T18:30:00Z'],
      ['3', '2026-11-01T06:59:59Z'],
      ['0.4', '2026-11-01T07:00:00Z'],
    ] as const;
    for (const [amount] of entries)
      await cli('wallet', 'adjust', String(clientId), amount, '--reason', `a gift of ${amount}`);
    await test.fixtures.rewrite(
      `UPDATE wallet_entries SET created_at = ($2::timestamptz[])[entry] WHERE client_id = $1`,
      [clientId, entries.map(([, at]) => at)],
    );
    const page = readable((await person.get('/dashboard/wallet?month=2026-11').expect(200)).text);
    expect(page).toMatch(/Opening balance ₹100\.00 November 2026/);
    expect(page).toContain('Received in November 2026 ₹23.40');
    expect(page).toMatch(/Closing balance ₹123\.40 November 2026/);
    expect(page).toContain('Times and months here are in the time zone Asia/Kolkata, as on your statements.');
    expect(page.match(/Times are in [^ ]+/g)).toEqual(['Times are in Asia/Kolkata']);
    const entriesOf = async (path: string) => {
      const { text } = await person.get(`/dashboard/${path}?month=2026-11`).expect(200);
      const batches = await all(sourceOf(text).batches());
      return batches.flatMap(({ records }) => records.map(({ cells }) => cells.join(' ')));
    };
    const statement = await entriesOf('wallet/statement.csv');
    expect(statement[1]).toContain('100.00');
    expect(statement.at(-1)).toContain('123.40');
    const passbook = (await entriesOf('wallet.csv')).join('\n');
    expect(
      passbook
        .match(/a gift of [\d.]+/g)!
        .map((gift) => gift.slice(10))
        .toSorted(),
    ).toEqual(['0.4', '20', '3']);
    const admin = await signInAtDesk(test, 'admin');
    const atDesk = readable(
      (await admin.get(`/desk/clients/${clientId}/wallet?month=2026-11`).expect(200)).text,
    );
    for (const { text } of [{ text: page }, { text: atDesk }]) {
      expect(text).toContain('a gift of 20');
      expect(text).not.toContain('a gift of 100');
    }
    const home = readable((await person.get('/dashboard').expect(200)).text);
    expect(home).toContain('Times are in America/Los_Angeles');
    const list = readable((await person.get('/dashboard/orders').expect(200)).text);
    expect(list).toContain('Times are in America/Los_Angeles');
  });

  it('has the last moment of a month in this month, in the wallet of a client in another zone', async () => {
    const store = await test.fixtures.store();
    await cli('client', 'set', String(store.clientId), '--time-zone', 'America/Los_Angeles');
    const person = await signIn(test, store.clientId);
    for (const reason of ['moment 1', 'moment 2', 'moment 3', 'moment 4'])
      await cli('wallet', 'adjust', String(store.clientId), '1', '--reason', reason);
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

  it('has the wholesaler’s reports, files and commands in the zone of the settings', async () => {
    const from = ['--from', '2026-11-01', '--to', '2026-11-01'];
    const totals = await answerOf<SalesTotal[]>(test.database.url, 'order', 'totals', ...from);
    expect(totals.map(({ period, client_id, orders: count }) => [period, client_id, count])).toEqual([
      ['2026-11', indian.clientId, 1],
      ['2026-11', german.clientId, 1],
    ]);
    for (const [kind, options] of [
      ['sales-export', []],
      ['export', ['--status', 'awaiting_payment']],
    ] as const) {
      const lines = await answerOf<{ placed_at: string }[]>(
        test.database.url,
        'order',
        kind,
        ...options,
        ...from,
      );
      expect(lines.map(({ placed_at }) => placed_at)).toEqual(Array(2).fill('2026-11-01T03:00:00.000+05:30'));
    }
    const { stdout } = await cli('order', 'list', ...from);
    expect(stdout).toContain('2026-11-01 03:00:00');
    const settings = { DATABASE_URL: test.database.url, TIME_ZONE: 'UTC' };
    const inUtc = await runCommandIn(settings, 'order', 'list', '--from', '2026-10-31', '--to', '2026-10-31');
    expect(inUtc.stdout).toContain('2026-10-31 21:30:00');
    expect((await runCommandIn(settings, 'order', 'list', ...from)).stdout).toContain('No orders.');
  });

  it('is refused when the settings name none', async () => {
    const { exitCode, stderr } = await runCommandIn(
      { DATABASE_URL: test.database.url, TIME_ZONE: 'IST' },
      'order',
      'list',
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('TIME_ZONE must be a name such as Asia/Kolkata or UTC, but is "IST".');
  });

  it('of a client is set by its name, and returns to that of the settings', async () => {
    const { clientId } = await test.fixtures.store();
    const set = (zone: string) => cli('client', 'set', String(clientId), '--time-zone', zone);
    expect((await set('Asia/Singapore')).stdout).toContain('Time zone: Asia/Singapore\n');
    const wrong = await set('IST');
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      1,
      'The time zone must be a name such as Asia/Kolkata or Europe/Berlin, or default.\n',
    ]);
    expect((await cli('client', 'show', String(clientId))).stdout).toContain('Time zone: Asia/Singapore\n');
    expect((await set('')).stdout).toContain('Time zone: Asia/Kolkata, as in the settings\n');
    const { text } = await (await signIn(test, clientId)).get('/dashboard').expect(200);
    expect(readable(text)).toContain('Times are in Asia/Kolkata (GMT+5:30).');
  });

  // At each hour one of the two has another day than UTC, and one another than India.
  describe.each(['Pacific/Kiritimati', 'Etc/GMT+12'])('of the settings, %s,', (timeZone) => {
    let node: TestApp;
    beforeAll(async () => {
      node = await startTestApp({ timeZone }, test.database);
    });
    afterAll(() => node.close());

    const service = <Service>(type: new (...args: never[]) => Service) =>
      node.app.get(type, { strict: false });
    const daysOf = async (work: () => Promise<string>) => {
      const days = [dayAt(Date.now(), timeZone)];
      const number = await work();
      days.push(dayAt(Date.now(), timeZone));
      return { number, days: days.map((day) => day.replaceAll('-', '')) };
    };

    it('numbers orders and returns, and reads the files of couriers', async () => {
      const { number, days } = await daysOf(() => place(indian, AT_NIGHT, node));
      expect(days).toContain(number.split('-')[1]);
      const day = '2026-10-30';
      const hour = (hours: number) => new Date(startOfDay(day, timeZone).getTime() + hours * 3_600_000);
      await test.fixtures.placedAt(number, hour(15).toISOString());
      await moveOrder(node, indian, number, 'pay');
      const { shipments, corrections } = service(ParcelFilesService);
      const shippedAt = async (files: typeof shipments, time: string) => {
        const file = `order_number,courier,shipped_at\n${number},Delhivery,${time}\n`;
        const report = await files.import(sourceOf(file), { actor: 'test' });
        expect([await all(report.failed()), report.updated]).toEqual([[], 1]);
        await report.close();
        const { rows: sent } = await test.pool.query<{ at: Date }>(
          'SELECT shipped_at AS at FROM parcels WHERE order_number = $1',
          [number],
        );
        return sent.map(({ at }) => at);
      };
      // A day means its first moment, although the order was placed later on it.
      expect(await shippedAt(shipments, day)).toEqual([hour(0)]);
      expect(await shippedAt(corrections, `${day}T20:00`)).toEqual([hour(20)]);
      const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'broken' };
      const key = { clientId: indian.clientId, orderNumber: number };
      const returned = await daysOf(() => service(OrderReturnsService).request(key, requested, 'test'));
      expect(returned.days).toContain(returned.number.split('-')[1]);
    });

    it('dates the prices of a file at the desk', async () => {
      const { code } = await test.fixtures.plan();
      const staff = await signInAtDesk(node, 'staff');
      const { headers } = await request(node.url)
        .post('/desk/imports')
        .set({ Cookie: staff.cookie, 'Sec-Fetch-Site': 'same-origin' })
        .field('kind', 'prices')
        .attach('file', Buffer.from(`plan,sku,wholesale_price\n${code},${sku},90\n`), 'prices.csv')
        .expect(303);
      const run = headers.location as string;
      const runs = service(ImportRuns);
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
      expect(upcoming).toContain('31 Jan 2090, 00:00 1 Mar 2090, 00:00');
    });
  });
});
