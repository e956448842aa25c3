import { orderDesk } from '../../support/order-desk.js';
import { SALES_GROUPS } from '../../../src/modules/sales/sales-groups.js';
import { SalesService } from '../../../src/modules/sales/sales.service.js';
import { SalesSumsJob } from '../../../src/modules/sales/sales-sums.job.js';
import { SoldRepository } from '../../../src/modules/sales/sold.repository.js';
import { addDays, addMonths, type Day, dayAt, startOfDay } from '../../../src/platform/time/time.js';
import { dayOf } from '../../../src/platform/formats.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { adminApi } from '../../support/admin-api.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { withoutTriggers } from '../../support/direct-changes.js';
import { eventually } from '../../support/eventually.js';
import { all } from '../../support/operator-services.js';
import { headline, readable } from '../../support/page-text.js';
import { type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { withMethods } from '../../support/with-methods.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { lockWaits } from '../../support/while-locked.js';

const ZONE = 'Asia/Kolkata';

describe('The sales report of the desk', () => {
  const test = setUpTestApp();
  const anaya = makeBeforeAll(() => test.fixtures.store({ name: 'Anaya Home' }));
  const bela = makeBeforeAll(() => test.fixtures.store({ name: 'Bela <Stores>' }));
  let early: string;
  let staff: SignedIn<DeskPerson>;
  const today = dayAt(Date.now(), ZONE);
  const before = addDays(today, -2);

  beforeAll(async () => {
    // Only the tests and other nodes add up days.
    await test.app.get(SalesSumsJob, { strict: false }).beforeApplicationShutdown();
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '100.00', deliveryCharge: '20.00', stock: 100 },
      { sku: 'TRAY', name: 'Tray', basePrice: '50.00', deliveryCharge: '20.00', stock: 100 },
    ]);
    early = await paidOn(before, anaya, 'MUG');
    await orderDesk(test.app).refund(early, 'test', { lines: ['1=1'], reason: 'broken' });
    await paid(bela, 'MUG', 'TRAY');
    staff = await signInAtDesk(test, 'staff');
  });

  const paid = async (by: Store, ...skus: string[]) => {
    const body = orderBody(skus.map((sku) => ({ sku, quantity: 2 })));
    return placeAndMove(test, by, body, 'pay');
  };
  const paidOn = async (day: Day, by: Store, ...skus: string[]) => {
    const number = await paid(by, ...skus);
    await test.fixtures.rewrite(
      `WITH entry AS (UPDATE wallet_entries SET created_at = $3 WHERE key = $2)
       UPDATE orders SET paid_at = $3 WHERE order_number = $1`,
      [number, `order:${number}`, new Date(startOfDay(day, ZONE).getTime() + 12 * 3_600_000)],
    );
    return number;
  };

  const page = async (query = '') => (await staff.get(`/desk/reports${query}`).expect(200)).text;
  const rowsOf = (html: string) =>
    [...(/<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? '').matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
      [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => readable(cell!).trim()),
    );

  it('adds up the last 30 days by day, each payment and refund when its money moved', async () => {
    const html = await page();
    const [first, last] = [addDays(today, -29), today].map((day) => dayOf(Date.parse(day), 'UTC'));
    expect(headline(html)).toBe(`₹460.00 sold from ${first} to ${last}`);
    expect(rowsOf(html)).toEqual([
      [dayOf(Date.parse(today), 'UTC'), '1', '4', '₹300.00', '₹40.00', '₹340.00', '₹100.00', '₹240.00'],
      [dayOf(Date.parse(before), 'UTC'), '1', '2', '₹200.00', '₹20.00', '₹220.00', '₹0.00', '₹220.00'],
    ]);
    expect(readable(html)).toContain('Net sales ₹460.00');
    expect(readable(html)).toContain('Orders 2 6 units');
    expect(html.match(/class="plot-touch"/g)).toHaveLength(30 + 30);
    expect(html.match(/<rect class="accent"/g)).toHaveLength(2);
  });

  it('adds up months, clients, products and states, the highest net amount first', async () => {
    const table = async (by: string) => rowsOf(await page(`?by=${by}&from=${before}&to=${today}`));
    expect(await table('client')).toEqual([
      ['Bela <Stores>', '1', '4', '₹300.00', '₹40.00', '₹340.00', '₹0.00', '₹340.00'],
      ['Anaya Home', '1', '2', '₹200.00', '₹20.00', '₹220.00', '₹100.00', '₹120.00'],
    ]);
    const products = await table('product');
    const share = 'A product has its share, by value, of the delivery charge of an order.';
    expect(readable(await page(`?by=product&from=${before}`))).toContain(share);
    expect(readable(await page(`?by=client&from=${before}`))).not.toContain(share);
    expect(products.map(([name, orders, units]) => [name, orders, units])).toEqual([
      ['Mug MUG', '2', '4'],
      ['Tray TRAY', '1', '2'],
    ]);
    expect((await table('state')).map((row) => row.at(-1))).toEqual(['₹460.00']);
    const months = await table('month');
    expect(months.length).toBe(before.slice(0, 7) === today.slice(0, 7) ? 1 : 2);
  });

  it('opens a long period by month and a short one by day, from days or months', async () => {
    const year = `from=${addMonths(today.slice(0, 7), -11)}-01&amp;to=${today}`;
    for (const by of ['day', 'month']) {
      const html = await page(`?by=${by}`);
      expect(html).toContain(`<a href="/desk/reports?by=month&amp;${year}">Last 12 months</a>`);
      expect(html).toContain(`href="/desk/reports?by=month&amp;to=${today}">All</a>`);
      expect(html).toMatch(/href="\/desk\/reports\?by=day&amp;[^"]*"[^>]*>Last month<\/a>/);
    }
    expect(await page('?by=client')).toContain(`by=client&amp;${year}">Last 12 months`);
  });

  it('keeps days, client and grouping in the address', async () => {
    const html = await page(`?by=client&from=${before}&to=${before}`);
    expect(headline(html)).toBe(`₹220.00 sold on ${dayOf(Date.parse(before), 'UTC')}`);
    const [, drilled] = /<td class="as-title"><a href="([^"]+)">Anaya Home/.exec(html)!;
    const address = drilled!.replaceAll('&amp;', '&');
    expect(address).toBe(`/desk/reports?by=day&from=${before}&to=${before}&client=${anaya.clientId}`);
    const own = (await staff.get(address).expect(200)).text;
    expect(readable(own)).toContain('Only Anaya Home ( show all clients )');
    expect(own).toContain(`<input type="hidden" name="client" value="${anaya.clientId}"`);
    expect(own).toContain(
      `href="/desk/reports?by=state&amp;from=${before}&amp;to=${before}&amp;client=${anaya.clientId}"`,
    );
  });

  it('is the file of the admin API, in the same days', async () => {
    const query = `?by=product&from=${before}&to=${today}`;
    const { text, headers } = await staff.get(`/desk/reports/sales.csv${query}`).expect(200);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="sales-by-product-${before}-to-${today}.csv"`,
    );
    const api = (await adminApi(test)).get(`reports/sales${query}`).set('Accept', 'text/csv');
    expect(text).toBe(`\ufeff${(await api.expect(200)).text}`);
    expect(text.split('\r\n')).toHaveLength(4);
  });

  it('says that nothing was sold, also between reversed days', async () => {
    for (const query of ['?from=2020-01-01&to=2020-01-31', `?from=${today}&to=${before}`]) {
      const html = await page(query);
      expect(headline(html)).toBe('No sales in this period');
      expect(readable(html)).toContain('No order was paid and none was refunded. Choose other days.');
    }
    expect(await page(`?from=${today}&to=${before}`)).toContain('aria-invalid="true"');
  });

  it('ignores parts of the address that make no sense, and knows no unknown client', async () => {
    expect(headline(await page('?by=rain&from=2026-13-01&to=%00&client=x'))).toContain('₹460.00 sold');
    await staff.get('/desk/reports?client=999999').expect(404);
    await staff.get('/desk/reports/sales.csv?client=999999').expect(404);
  });

  it('draws a long period by months, and lists the latest hundred days of it', async () => {
    const html = await page(`?from=${addDays(today, -400)}&to=${today}`);
    expect(html.match(/class="plot-touch"/g)!.length).toBeGreaterThan(2 * 12);
    expect(html.match(/class="plot-touch"/g)!.length).toBeLessThan(2 * 16);
    const long = await page(`?to=${today}`);
    expect(headline(long)).toBe(`₹460.00 sold until ${dayOf(Date.parse(today), 'UTC')}`);
  });

  describe('keeps the sums of finished days', () => {
    const sold = () => test.app.get(SoldRepository, { strict: false });
    const keep = async () => {
      while (await sold().keepNextDay());
    };
    const months = [-3, -2, -1].map((ago) => addMonths(before.slice(0, 7), ago));
    const year = Number(before.slice(0, 4)) - 1;
    // From the middle and from the ends of months and years.
    const periods = [
      [before],
      [`${months[0]}-15`, `${months[2]}-11`],
      [`${year}-01-01`, `${year + 1}-01-01`],
      [`${year}-12-31`],
      ['2000-01-01'],
    ].map((days) => days.map((day) => startOfDay(day, ZONE)));
    const reports = async () => {
      const sales = test.app.get(SalesService, { strict: false });
      const found: unknown[] = [];
      for (const by of SALES_GROUPS)
        for (const clientId of [undefined, bela.clientId])
          for (const [from, to] of periods) {
            const filter = { clientId, from, to };
            found.push([
              by,
              filter,
              await sales.report(by, filter),
              await all((await sales.soldBy(by, filter)).rows),
            ]);
          }
      return found;
    };
    /** Sums in the days of another zone are not used. */
    const expectSameAsOrders = async () => {
      const kept = await reports();
      await test.pool.query(`UPDATE sales_sums_kept SET time_zone = 'UTC'`);
      const live = await reports();
      await test.pool.query('UPDATE sales_sums_kept SET time_zone = $1', [ZONE]);
      expect(kept).toEqual(live);
    };
    const soldIn = async (state: string) => {
      const found = rowsOf(await page(`?by=state&from=${before}&to=${before}`)).find(
        ([name]) => name === state,
      );
      return found?.at(-1);
    };
    const until = async () => {
      const { rows } = await test.pool.query<{ until: string | null }>(
        `SELECT until::text FROM sales_sums_kept WHERE dimension = 'state'`,
      );
      return rows[0]!.until;
    };
    const redirect = (state: string) =>
      orderDesk(test.app).redirect(early, 'test', { state, reason: 'moved' });

    it('and reads them instead of the orders', async () => {
      const days = ['14', '15', '28'].map((day) => `${months[0]}-${day}`);
      days.push(...['01', '28'].map((day) => `${months[1]}-${day}`));
      days.push(...['01', '10', '11'].map((day) => `${months[2]}-${day}`));
      days.push(`${year}-12-31`, `${year + 1}-01-01`);
      for (const day of days) await paidOn(day, bela, 'TRAY');
      await keep();
      expect((await until())! > before).toBe(true);
      await expectSameAsOrders();
      await test.pool.query('UPDATE sales_sums SET paid = paid + 1 WHERE day = $1', [before]);
      expect(rowsOf(await page(`?from=${before}&to=${before}`))[0]!.at(-1)).toBe('₹221.00');
      await test.pool.query('UPDATE sales_sums SET paid = paid - 1 WHERE day = $1', [before]);
    });

    it('but adds up a day again whose order goes to another state', async () => {
      await redirect('Goa');
      expect(await until()).toBe(before);
      expect(await soldIn('Goa')).toBe('₹220.00');
      await expectSameAsOrders();
      // The days from there on are taken away, then added.
      await sold().keepNextDay();
      await expectSameAsOrders();
      await keep();
      expect(await until()).not.toBe(before);
      expect(await soldIn('Goa')).toBe('₹220.00');
      await expectSameAsOrders();
    });

    it('also while that day is being added up', async () => {
      const client = await test.pool.connect();
      try {
        await test.pool.query('UPDATE sales_sums_kept SET until = $1', [before]);
        await client.query('BEGIN');
        await client.query(`UPDATE orders SET shipping_state = 'Kerala' WHERE order_number = $1`, [early]);
        const kept = keep();
        await eventually(async () => {
          const { rows } = await test.pool.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return rows[0]!.waiting === 1;
        });
        await client.query('COMMIT');
        await kept;
      } finally {
        client.release();
      }
      expect([await soldIn('Goa'), await soldIn('Kerala')]).toEqual([undefined, '₹220.00']);
      await expectSameAsOrders();
    });

    it('and starts anew in another time zone', async () => {
      await test.pool.query(`UPDATE sales_sums_kept SET time_zone = 'UTC'`);
      await test.pool.query('UPDATE sales_sums SET paid = paid + 1');
      expect(await soldIn('Kerala')).toBe('₹220.00');
      while ((await until()) !== null) await sold().keepNextDay();
      await redirect('Goa');
      expect(await until()).toBe(null);
      await redirect('Kerala');
      await keep();
      expect(await soldIn('Kerala')).toBe('₹220.00');
      await expectSameAsOrders();
      expect((await test.pool.query('SELECT DISTINCT time_zone FROM sales_sums_kept')).rows).toEqual([
        { time_zone: ZONE },
      ]);
    });
  });

  it('says that a period has too many products to find the highest', async () => {
    const sold = test.app.get(SoldRepository, { strict: false });
    const highest = () => Promise.resolve(undefined);
    const html = await withMethods(sold, { highest }, () => page(`?by=product&from=${before}`));
    expect(headline(html)).toContain('₹460.00 sold');
    expect(readable(html)).toContain('These are too many to find the highest. Choose a shorter period.');
    expect(html).toContain(`href="/desk/reports/sales.csv?by=product&amp;from=${before}"`);
  });

  describe('after a restore or a bulk load', () => {
    const day = addDays(today, -10);
    const sold = `₹${(10_001 * 50).toLocaleString('en-IN')}.00`;
    const words = 'The service is still adding up the sales of these days';
    const reports = SALES_GROUPS.map((by) => `?by=${by}&from=${day}&to=${day}`);
    const home = async () => readable((await staff.get('/desk').expect(200)).text);

    it('says which figures are still to come, until a node that starts has added them up', async () => {
      await test.pool.query(
        withoutTriggers(`
          INSERT INTO orders (client_id, order_number, status, payment_status, plan_code, currency, subtotal,
            delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city,
            shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, paid_at, payment_due_at)
          SELECT ${bela.clientId}, 'WO-BULK-' || n, 'pending', 'paid', 'p', 'INR', 50, 0, 50, 1, 'a', '1', 'a',
                 'a', 'Kerala', '560038', 'India', '', at, at, at
            FROM generate_series(1, 10001) AS n, (SELECT '${day}T12:00:00Z'::timestamptz AS at) AS noon;
          INSERT INTO order_items (client_id, order_number, line, product_id, sku, name, variation_key, quantity,
            unit_price, line_total)
          SELECT client_id, order_number, 1, (SELECT id FROM products WHERE sku = 'TRAY'), 'TRAY', 'Tray', '', 1,
                 50, 50 FROM orders WHERE order_number LIKE 'WO-BULK-%';
          DELETE FROM sales_sums;
          UPDATE sales_sums_kept SET until = NULL`),
      );
      await test.pool.query('ANALYZE orders, order_items');
      const holder = await test.pool.connect();
      // No node can add up a day.
      await holder.query('BEGIN; SELECT FROM sales_sums_kept FOR UPDATE');
      const other = startTestApp({}, test.database);
      try {
        for (const query of reports) {
          const html = await page(query);
          expect(headline(html)).toBe('These sales are still being added up');
          expect(readable(html)).toContain(`${words}. Reload this page in a few minutes.`);
          expect(html).not.toContain('sales.csv');
        }
        expect(await home()).toContain(words);
        const { text } = await staff.get(`/desk/reports/sales.csv${reports[0]}`).expect(409);
        expect(readable(text)).toContain('Try again in a few minutes.');
        // Days that need no sums are ready.
        expect(headline(await page(`?from=${before}&to=${today}`))).toContain('₹460.00 sold');
        await other;
        await eventually(async () => (await lockWaits(test.pool)) > 0);
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      await eventually(async () => !(await page(reports.at(-1))).includes(words));
      for (const query of reports) expect(headline(await page(query))).toContain(`${sold} sold`);
      expect(await home()).not.toContain(words);
      await (await other).close();
    });

    it('shows the totals while only the rows are to come, and how far the sums are', async () => {
      const sales = test.app.get(SalesService, { strict: false });
      const report = await sales.report('client', { from: startOfDay(day, ZONE) });
      const missing = { rows: [], totals: report.totals!, missing: { until: before } };
      const html = await withMethods(sales, { report: () => Promise.resolve(missing) }, () =>
        page(`?by=product&from=${day}`),
      );
      expect(headline(html)).toContain('sold since');
      expect(readable(html)).toContain(
        `${words}, and has finished those before ${dayOf(Date.parse(before), 'UTC')}.`,
      );
    });
  });
});
