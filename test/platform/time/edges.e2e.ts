import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import { orderReturns } from '../../support/order-returns.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { VouchersService } from '../../../src/modules/sales/vouchers/vouchers.service.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { setClocks } from '../../support/clock.js';
import type { Store } from '../../support/fixtures.js';
import { all, sourceOf } from '../../support/operator-services.js';
import { linkOf, readable, rows } from '../../support/page-text.js';
import { runCommandIn } from '../../support/run-command.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const INDIA = 'Asia/Kolkata';
const CALIFORNIA = 'America/Los_Angeles';

/** The ends of days in both zones: a leap day, a month, the day on which the clocks change, the year of tax. */
const EDGES = [
  '2032-02-29T00:00+05:30',
  '2032-02-29T00:00-08:00',
  '2032-03-01T00:00+05:30',
  '2032-03-01T00:00-08:00',
  '2032-03-14T00:00-08:00',
  '2032-03-15T00:00-07:00',
  '2032-04-01T00:00+05:30',
  '2032-04-01T00:00-07:00',
].map((edge) => new Date(edge));

const MONTH_END: Record<string, Date> = { [INDIA]: EDGES[2]!, [CALIFORNIA]: EDGES[3]! };
const YEAR_END: Record<string, Date> = { [INDIA]: EDGES[6]!, [CALIFORNIA]: EDGES[7]! };

/** The clocks go on, so a story that begins before an edge needs time to end before it. */
const BEFORE_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rupees. An order has two of the product, and one is refunded. Each client day has cap for one order. */
const [PRICE, TOP_UP] = [100, 500];
const PARCEL = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };

const clock = (at: Date, timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return format.format(at).replace(',', '');
};
const dayIn = (zone: string, at: Date) => clock(at, zone).slice(0, 10);
const monthIn = (zone: string, at: Date) => clock(at, zone).slice(0, 7);
const inWords = (at: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', options).format(at);
const dayInWords = (day: string) => inWords(new Date(day), { dateStyle: 'medium', timeZone: 'UTC' });
const monthInWords = (month: string) =>
  inWords(new Date(month), { month: 'long', year: 'numeric', timeZone: 'UTC' });
const plusDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const rupees = (amount: number) =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(amount);

/** What happened at one moment. */
interface Visit {
  at: Date;
  order: string;
  placedAt: Date;
  isAutoPaid: boolean;
  /** The orders since midnight in UTC, as the API lists them. */
  listed: string[];
}

describe.each([
  { wholesaler: INDIA, client: CALIFORNIA, edges: EDGES },
  // Here the days of the law are not the wholesaler's.
  { wholesaler: CALIFORNIA, client: INDIA, edges: [...Object.values(MONTH_END), ...Object.values(YEAR_END)] },
])('The edges of days with the wholesaler in $wholesaler and a client in $client', ({ edges, ...zones }) => {
  const moments = edges.flatMap((edge) => [new Date(edge.getTime() - BEFORE_MS), edge]);
  const start = new Date(moments[0]!.getTime() - 2 * DAY_MS);
  let database: TestDatabase;
  let test: TestApp;
  let store: Store;
  let sku: string;
  /** A store of another plan, which gets a discount later and then ends. */
  let other: Store;
  let owner: SignedIn;
  let staff: SignedIn<DeskPerson>;
  const visits: Visit[] = [];

  const service = <Service>(type: new (...args: never[]) => Service) => test.app.get(type, { strict: false });
  const desk = () => orderDesk(test.app);

  beforeAll(async () => {
    database = await createTestDatabase();
    await setClocks(database, start);
    test = await startTestApp({ timeZone: zones.wholesaler, sessionIdleMinutes: 100_000 }, database);
    await test.fixtures.seller({ receiptVouchers: true });
    store = await test.fixtures.store({ state: '29', until: 400 });
    const plan = await test.fixtures.plan();
    other = await test.fixtures.store({ name: 'Other', planId: plan.id });
    await test.fixtures.sql('UPDATE clients SET time_zone = $1', [zones.client]);
    ({ sku } = await test.fixtures.product({
      basePrice: `${PRICE}.00`,
      stock: 1_000,
      hsn: '6912',
      gstRate: '18',
    }));
    await command('wallet', 'auto-pay', String(store.clientId), '--enabled', '--day-cap', String(2 * PRICE));
    await command('wallet', 'adjust', String(store.clientId), '10000', '--reason', 'opening');
    await command('plan', 'set', plan.code, '--discount', '10', '--from', '2032-03-01');
    const until = ['--plan', plan.code, '--until', '2032-03-31'];
    await command('subscription', 'set', String(other.clientId), ...until);
  });
  afterAll(async () => {
    await test.close();
    await database.drop();
  });

  const command = async <Row = object>(...args: string[]): Promise<Row[]> => {
    const env = { DATABASE_URL: database.url, TIME_ZONE: zones.wholesaler };
    const { exitCode, stdout, stderr } = await runCommandIn(env, ...args, '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Row[];
  };
  const page = async (by: Pick<SignedIn, 'get'>, path: string) => (await by.get(path).expect(200)).text;
  const fileOf = async (by: Pick<SignedIn, 'get'>, path: string) => {
    const batches = await all(sourceOf(await page(by, path)).batches());
    const [heading, ...lines] = batches.flatMap(({ records }) => records.map(({ cells }) => cells));
    return lines.map((cells) => Object.fromEntries(heading!.map((name, at) => [name, cells[at] ?? ''])));
  };
  const ordersIn = (html: string) =>
    rows(html)
      .flatMap((row) => /WO-[\w-]+/.exec(row) ?? [])
      .toSorted();

  /** An order that auto-pay pays if its day allows it, a parcel with an invoice, a credit note, and a receipt. */
  async function visit(at: Date): Promise<Visit> {
    const order = await test.place(store, [{ sku, quantity: 2 }]);
    await service(AutoPayJobService).run();
    const isAutoPaid = (await desk().show(order)).payment_status === 'paid';
    if (!isAutoPaid) await desk().payFromWallet([order], 'test');
    const shipBy = dayInWords(plusDays(dayIn(zones.wholesaler, at), 2));
    expect(readable(await page(staff, `/desk/orders/${order}`))).toContain(`to ship by ${shipBy}`);
    const { placed_at } = await desk().ship(order, 'test', PARCEL);
    await desk().refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    const transfers = service(BankTransfersService);
    const utr = `N${String(visits.length).padStart(15, '0')}`;
    const { transfer_id: id } = await transfers.announce(store.clientId, String(TOP_UP), utr, 'test');
    await transfers.confirm(id, 'test');
    const { body } = await test.get(store, `/api/orders?created_from=${dayIn('UTC', at)}`).expect(200);
    const { data } = body as { data: { order_number: string; created_at: string }[] };
    expect(data[0]!.created_at).toBe(placed_at.toISOString());
    const listed = data.map(({ order_number: number }) => number).toSorted();
    return { at, order, placedAt: placed_at, isAutoPaid, listed };
  }

  const on = (zone: string, day: string) => visits.filter(({ at }) => dayIn(zone, at) === day);
  const during = (zone: string, month: string) => visits.filter(({ at }) => monthIn(zone, at) === month);
  const numbersOf = (some: Visit[]) => some.map(({ order }) => order).toSorted();

  describe.each(moments)('%s', (at) => {
    const [today, clientToday] = [dayIn(zones.wholesaler, at), dayIn(zones.client, at)];
    const [month, taxDay] = [monthIn(zones.wholesaler, at), dayIn(INDIA, at)];
    beforeAll(async () => {
      await setClocks(database, at);
      await service(ScheduledPricesJob).run();
      await test.fixtures.observed();
      [owner, staff] = [await signIn(test, store.clientId), await signInAtDesk(test)];
      visits.push(await visit(at));
    });

    it('has its day in the numbers of orders and returns', async () => {
      const { order } = visits.at(-1)!;
      const key = { clientId: store.clientId, orderNumber: order };
      const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'broken' };
      const returned = await orderReturns(test.app).request(key, requested, 'test');
      expect([order, returned].map((number) => number.split('-')[1])).toEqual(
        Array(2).fill(today.replaceAll('-', '')),
      );
    });

    it('has one automatic payment a day of the client', async () => {
      const paid = on(zones.client, clientToday).map(({ isAutoPaid }) => isAutoPaid);
      expect(paid).toEqual(paid.map((_, place) => place === 0));
      const text = readable(await page(owner, '/dashboard/wallet/auto-pay'));
      expect(text).toContain(`Paid by auto-pay today ${rupees(2 * PRICE)}`);
    });

    it('numbers and dates documents by the law', async () => {
      const year = Number(taxDay.slice(2, 4)) - (taxDay.slice(5) < '04-01' ? 1 : 0);
      const args = ['invoice', 'list', '--month', taxDay.slice(0, 7)];
      const issued = await command<{ number: string; issued_on: string }>(...args);
      expect(issued).toHaveLength(3 * during(INDIA, taxDay.slice(0, 7)).length);
      const latest = issued.slice(0, 3);
      expect(latest.map(({ issued_on: day }) => day)).toEqual(Array(3).fill(taxDay));
      const numbers = ['CN', 'INV', 'RV'].map((series) =>
        expect.stringContaining(`${series}-${year}${year + 1}-`),
      );
      expect(latest.map(({ number }) => number).toSorted()).toEqual(numbers);
      for (const [by, path] of [
        [owner, '/dashboard/invoices'],
        [staff, '/desk/money/invoices'],
      ] as const)
        expect(rows(await page(by, `${path}?month=${taxDay.slice(0, 7)}`)).slice(0, 3)).toEqual(
          Array(3).fill(expect.stringContaining(dayInWords(taxDay))),
        );
    });

    it('has its orders under “Today”, and in files', async () => {
      for (const [by, path, zone, day] of [
        [owner, '/dashboard/orders?', zones.client, clientToday],
        [staff, '/desk/orders?status=all&', zones.wholesaler, today],
      ] as const) {
        const link = `${path}from=${day}&to=${day}`;
        expect(await page(by, path)).toContain(`href="${link.replaceAll('&', '&amp;')}">Today</a>`);
        expect([path, ordersIn(await page(by, link))]).toEqual([path, numbersOf(on(zone, day))]);
        const name = by === owner ? 'orders.csv?' : 'orders/orders.csv?';
        const file = await fileOf(by, link.replace('orders?', name));
        const times = on(zone, day).map(({ placedAt }) =>
          [placedAt, new Date(placedAt.getTime() + 3 * DAY_MS)].map((time) => clock(time, zone)),
        );
        expect(
          file.map((row) => [row.Placed ?? row.placed_at, row['Pay by'] ?? row.payment_due_at]).toSorted(),
        ).toEqual(times);
      }
      const days = ['--from', today, '--to', today];
      const placed = on(zones.wholesaler, today);
      const listed = await command<{ order_number: string }>('order', 'list', ...days);
      expect(listed.map(({ order_number: number }) => number).toSorted()).toEqual(numbersOf(placed));
      const sold = await command<{ placed_at: string }>('order', 'sales-export', ...days);
      expect(
        [...new Set(sold.map(({ placed_at: time }) => time.slice(0, 19).replace('T', ' ')))].toSorted(),
      ).toEqual(placed.map(({ placedAt }) => clock(placedAt, zones.wholesaler)));
    });

    it('is in UTC for stores', () => {
      expect(visits.at(-1)!.listed).toEqual(numbersOf(on('UTC', dayIn('UTC', at))));
    });

    it('shows its times on pages, and which zone it is', async () => {
      const { order, placedAt } = visits.at(-1)!;
      for (const [by, path, zone] of [
        [owner, '/dashboard/orders', zones.client],
        [staff, '/desk/orders', zones.wholesaler],
      ] as const) {
        const time = inWords(placedAt, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
        const html = await page(by, `${path}/${order}`);
        expect(html).toContain(`title="${time}"`);
        const offset = inWords(at, { timeZone: zone, timeZoneName: 'shortOffset' }).split(', ')[1];
        expect(readable(html).match(/Times are in [^ ]+ \([^)]+\)/g)).toEqual([
          `Times are in ${zone} (${offset})`,
        ]);
      }
    });

    it('has the prices and subscriptions that were dated for days of the wholesaler', async () => {
      const [from, until] = [MONTH_END[zones.wholesaler]!, YEAR_END[zones.wholesaler]!];
      const { body, status } = await test.get(other, `/api/products/${sku}`);
      expect(status).toBe(at < until ? 200 : 403);
      if (status === 200)
        expect(body).toMatchObject({
          data: { pricing: { wholesale_price: at < from ? PRICE : 0.9 * PRICE } },
        });
      expect(readable(await page(staff, `/desk/clients/${other.clientId}`))).toMatch(
        at < until ? 'until 31 Mar 2032' : 'ended 31 Mar 2032',
      );
      const person = await signIn(test, other.clientId);
      for (const zone of Object.values(zones)) {
        await test.fixtures.sql('UPDATE clients SET time_zone = $2 WHERE id = $1', [other.clientId, zone]);
        const last = dayInWords(dayIn(zone, new Date(until.getTime() - 1)));
        expect(readable(await page(person, '/dashboard/plan'))).toContain(`until ${last}`);
        const upcoming = await fileOf(person, '/dashboard/plan/prices.csv');
        expect(upcoming.map(({ From }) => From)).toEqual(at < from ? [clock(from, zone)] : []);
      }
    });

    it('is the first moment of the day in the files of couriers', async () => {
      const { order } = visits.at(-1)!;
      const file = `order_number,courier,shipped_at\n${order},Delhivery,${today}\n`;
      const report = await service(ParcelFilesService).corrections.import(sourceOf(file), { actor: 'test' });
      expect([await all(report.failed()), report.updated]).toEqual([[], 1]);
      await report.close();
      const { rows: parcels } = await test.pool.query<{ at: Date }>(
        'SELECT shipped_at AS at FROM parcels WHERE order_number = $1',
        [order],
      );
      expect(parcels.map((parcel) => clock(parcel.at, zones.wholesaler))).toEqual([`${today} 00:00:00`]);
    });

    it('has the money of the month of the wholesaler', async () => {
      const count = during(zones.wholesaler, month).length;
      const others = visits.length - count;
      const isFirst = month === monthIn(zones.wholesaler, start);
      const opening = isFirst ? 0 : 10_000 + others * (TOP_UP - PRICE);
      const received = count * (TOP_UP + PRICE) + (isFirst ? 10_000 : 0);
      const spent = count * 2 * PRICE;
      const closing = opening + received - spent;
      const wallet = readable(await page(owner, '/dashboard/wallet'));
      expect(wallet).toContain(`the time zone ${zones.wholesaler}, as on your statements.`);
      expect(wallet.match(/Times are in [^ ]+/g)).toEqual([`Times are in ${zones.wholesaler}`]);
      expect(wallet).toContain(`Money in this month ${rupees(received)}`);
      expect(wallet).toContain(`Money out this month ${rupees(spent)}`);
      expect(rows(await page(owner, `/dashboard/wallet?month=${month}`))).toHaveLength(
        3 * count + Number(isFirst),
      );
      expect(rows(await page(staff, `/desk/clients/${store.clientId}/wallet?month=${month}`))).toHaveLength(
        3 * count + Number(isFirst),
      );
      const figures = {
        opening_balance: opening,
        money_in: received,
        money_out: spent,
        closing_balance: closing,
      };
      expect(await command('report', 'statement', String(store.clientId), '--month', month)).toMatchObject(
        figures,
      );
      expect(rows(await page(staff, `/desk/money/month?month=${month}`))[0]).toBe(
        `Test store ${[opening, received, spent, closing].map(rupees).join(' ')} PDF CSV`,
      );
      const home = await page(owner, '/dashboard');
      expect(readable(home)).toContain(`Months are in the time zone ${zones.wholesaler}, as in your wallet.`);
      const plot = rows(home.slice(home.indexOf('Spent by month, latest first</caption>')));
      expect(plot[0]).toBe(`${monthInWords(month)} ${rupees(count * PRICE)}`);
    });

    it('has the money of its day and month in files', async () => {
      for (const file of ['wallet.csv', 'wallet/statement.csv']) {
        const entries = await fileOf(owner, `/dashboard/${file}?month=${month}`);
        // Documents have the days of India.
        const money = entries.filter((row) => !row.document);
        const times = money.map((row) => row.at ?? row.time ?? '').filter(Boolean);
        expect([file, times.toSorted().at(-1)!.slice(0, 10)]).toEqual([file, today]);
      }
      const yesterday = plusDays(today, -1);
      const before = visits.filter((one) => dayIn(zones.wholesaler, one.at) < today).length;
      expect(await command('report', 'balances', '--on', yesterday)).toMatchObject([
        { wallet: 10_000 + before * (TOP_UP - PRICE) },
        {},
      ]);
    });

    it('has its documents in the return of the month of India', async () => {
      const taxMonth = taxDay.slice(0, 7);
      const { files } = (await command('report', 'gst', '--month', taxMonth)) as unknown as {
        files: { docs: Record<string, string>[] };
      };
      const counts = files.docs.map((row) => Number(row['Total Number']));
      expect(counts).toEqual(Array(3).fill(during(INDIA, taxMonth).length));
    });

    it('has its calls in the hour that its day counts', async () => {
      await service(RequestLog).writeAll();
      // Calls are counted by whole hours, so a day begins with the first of them: at 00:30 in India.
      const hourOf = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
      const day = dayIn(zones.client, hourOf(at));
      const html = await page(owner, '/dashboard/requests?span=all');
      const table = html.slice(html.indexOf('Calls by time</caption>'));
      const count = visits.filter((one) => dayIn(zones.client, hourOf(one.at)) === day).length;
      const label = inWords(new Date(day), { day: 'numeric', month: 'short', timeZone: 'UTC' });
      // An order and a list.
      expect(rows(table)).toContainEqual(expect.stringMatching(`^${label} ${2 * count}\\b`));
      const calls = await page(owner, linkOf(table, label));
      expect(rows(calls.slice(calls.indexOf('Writes, refusals and failures,')))).toHaveLength(count);
    });

    it('has the last month of the law for the accountant', async () => {
      const [year, number] = taxDay.split('-').map(Number) as [number, number];
      const last = new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
      expect(readable(await page(staff, '/desk/money/month'))).toContain(
        `Month’s end: ${monthInWords(last)}`,
      );
    });

    it('has its sales on its day', async () => {
      const expected = (name: string, some: Visit[]) =>
        expect.stringMatching(
          new RegExp(`^${name} ${some.length} ${2 * some.length} .* ${rupees(some.length * PRICE)}$`),
        );
      const report = await page(staff, '/desk/reports');
      expect(rows(report)[0]).toEqual(expected(dayInWords(today), on(zones.wholesaler, today)));
      const drawn = (html: string) =>
        [...html.matchAll(/<title>(\d+ \w+ \d+: [^<]*)</g)].map(([, one]) => one);
      expect(drawn(report).at(-1)).toContain(dayInWords(today));
      expect(drawn(await page(staff, '/desk'))).toEqual(drawn(report));
      const ofMonth = await page(staff, `${linkOf(report, 'This month')}&by=month`.replace('by=day&', ''));
      expect(rows(ofMonth)).toEqual([expected(monthInWords(month), during(zones.wholesaler, month))]);
      const paid = await command('report', 'sales', '--by', 'product', '--from', today, '--to', today);
      expect(paid).toMatchObject([{ orders: on(zones.wholesaler, today).length }]);
      expect(await command('order', 'totals', '--by', 'day', '--from', today)).toMatchObject([
        { period: today, orders: on(zones.wholesaler, today).length },
      ]);
    });

    it('has its entries in the audit log', async () => {
      const link = `/desk/audit?from=${today}&to=${today}`;
      expect(await page(staff, '/desk/audit')).toContain(`href="${link.replace('&', '&amp;')}">Today</a>`);
      const confirmed = rows(await page(staff, link)).filter((row) => row.includes('Transfer confirmed'));
      expect(confirmed).toHaveLength(on(zones.wholesaler, today).length);
    });

    it('has vouchers for Tally on the days of India', async () => {
      const found = await all(service(VouchersService).month(taxDay.slice(0, 7)));
      const days = found.map(({ day }) => day).filter((day) => day === taxDay);
      // An invoice, a credit note and the top-up.
      expect(days).toHaveLength(3 * on(INDIA, taxDay).length);
      expect(found.length).toBeGreaterThanOrEqual(3 * during(INDIA, taxDay.slice(0, 7)).length);
    });
  });
});
