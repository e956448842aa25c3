import { JobFailures } from '../../../src/modules/notices/job-failures.repository.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { orderReturns } from '../../support/order-returns.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, linkOf, readable, rows } from '../../support/page-text.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The first page of the desk', () => {
  const test = setUpTestApp();
  const shop = makeBeforeAll(() => test.fixtures.store({ name: 'Anaya Home' }));
  const other = makeBeforeAll(() => test.fixtures.store({ name: 'Bela Crafts' }));

  const order = (store: Store, sku: string, quantity = 1) => test.place(store, [{ sku, quantity }]);
  const refused = (store: Store, sku: string, quantity = 1) =>
    test.post(store, '/api/orders', orderBody([{ sku, quantity }])).expect(422);
  const today = async (role: 'packer' | 'staff' | 'admin' = 'staff') =>
    (await (await signInAtDesk(test, role)).get('/desk').expect(200)).text;
  /** The texts of the tiles by their labels. */
  const tiles = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<div class="tile card">(.*?)<\/div>/gs)].map(([, tile]) => {
        const [, label, rest] = /<dt>(.*?)<\/dt>(.*)/s.exec(tile!)!;
        return [readable(label!).trim(), readable(rest!).trim()];
      }),
    );
  const counted = (clientId: number, hoursAgo: number, statusClass: number, requests: number) =>
    test.fixtures.sql(
      `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests)
       VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), 'GET', '/api/products', $3, '', $4)`,
      [clientId, hoursAgo, statusClass, requests],
    );

  it('says that nothing waits where nothing does', async () => {
    const page = await today();
    expect(headline(page)).toBe('No orders wait to be shipped');
    expect(tiles(page)).toEqual({
      'To ship': '0 none waits',
      'Open returns': '0 none waits',
      'Transfers to confirm': '0 to compare with your bank statement',
      'Payments to check': '0 not as they were asked for',
      'Not delivered in time': '0 ask the courier',
      'Sold yesterday': '₹0.00 0 orders; a week before ₹0.00 , 0 orders',
      'To be paid': '₹0.00 0 unpaid orders',
      'In the wallets': '₹0.00 money of the clients',
      'Returns to refund': '0 none waits',
    });
    for (const words of [
      'No order was refused in the last 24 hours.',
      'No store has a problem with its calls.',
      'No product is low.',
    ])
      expect(page).toContain(words);
  });

  const TILE = 'Failures in the background';

  it('tells an admin alone which background work fails, until a day after it was recorded', async () => {
    const failed = async (role: 'staff' | 'admin') => TILE in tiles(await today(role));
    const at = (time: string) =>
      test.fixtures.sql(
        `INSERT INTO job_failures VALUES ('order_expiry', ${time})
         ON CONFLICT (job) DO UPDATE SET failed_at = excluded.failed_at`,
      );
    expect(await failed('admin')).toBe(false);
    await at(`now() - interval '23 hours'`);
    expect([await failed('admin'), await failed('staff')]).toEqual([true, false]);
    await at(`now() - interval '27 hours'`);
    expect(await failed('admin')).toBe(false);
    // It still fails.
    const failures = test.app.get(JobFailures, { strict: false });
    await failures.record('order_expiry');
    expect(await failed('admin')).toBe(true);
    const admin = await signInAtDesk(test);
    const { text } = await admin.get(linkOf(await today('admin'), TILE)).expect(200);
    expect(readable(text)).toMatch(
      /Cancelling unpaid orders .* log has the reason, and “The job works again\.”/,
    );
    expect((await admin.get('/desk/settings')).text).toContain('href="/desk/settings/failures"');
    expect(readable(text)).toContain('No mail is sent: the settings have no mail server.');
  });

  it('tells an admin alone which mails were not sent, why, and what to do', async () => {
    const mail = (recipient: string, daysAgo: number, state: string, fault: string | null = null) =>
      test.fixtures.sql(
        `INSERT INTO outbox (mail_id, recipient, subject, body, created_at, useful_until, fault,
                             next_try_at, given_up_at, sent_at)
         SELECT gen_random_uuid(), $1, 'Your link', CASE WHEN $3 = 'waiting' THEN 'text' END,
                now() - make_interval(days => $2), now() + interval '1 hour', $4,
                CASE WHEN $3 = 'waiting' THEN now() + interval '1 hour' END,
                CASE WHEN $3 = 'given up' THEN now() END, CASE WHEN $3 = 'sent' THEN now() END`,
        [recipient, daysAgo, state, fault],
      );
    await mail('again@example.com', 0, 'waiting', 'ECONNREFUSED at CONN');
    await mail('refused@example.com', 0, 'given up', 'EENVELOPE 550 at RCPT TO');
    await mail('late@example.com', 3, 'given up');
    await mail('first@example.com', 0, 'waiting');
    await mail('sent@example.com', 0, 'sent');
    const listed = (html: string) =>
      rows(html.slice(html.lastIndexOf('<tbody>'))).flatMap(
        (row) => / (\w+)@example\.com (.*)/.exec(row)?.slice(1) ?? [],
      );
    expect(tiles(await today('admin'))[TILE]).toBe('3 work and mails of the last day');
    expect(tiles(await today())[TILE]).toBeUndefined();
    const admin = await signInAtDesk(test);
    const { text } = await admin.get('/desk/settings/failures').expect(200);
    expect(listed(text)).toEqual([
      'refused',
      expect.stringMatching(/^EENVELOPE 550 at RCPT TO The service gave it up\. Check the address\./),
      'again',
      expect.stringMatching(/^ECONNREFUSED at CONN The service tries again in (1 hour|\d+ minutes)\s?\./),
      'late',
      expect.stringMatching(/^It was too old before the mail server accepted it\. The service gave it up\./),
    ]);
    expect(text).not.toContain('rel="next"');
    await test.fixtures.sql(
      `INSERT INTO outbox (mail_id, recipient, subject, created_at, useful_until, next_try_at, given_up_at)
       SELECT gen_random_uuid(), 'many@example.com', 'Your link', now(), now(), NULL, now()
         FROM generate_series(1, 1001)`,
    );
    expect(tiles(await today('admin'))[TILE]).toMatch(/^1,00\d\+ /);
    const all: string[] = [];
    let next: string | undefined = '/desk/settings/failures';
    while (next !== undefined && all.length < 2_000) {
      const { text: onePage }: { text: string } = await admin.get(next).expect(200);
      all.push(...listed(onePage).filter((_, at) => at % 2 === 0));
      next = /href="([^"]*)" rel="next"/.exec(onePage)?.[1];
    }
    expect([all.length, all.filter((name) => name === 'many').length]).toEqual([1_004, 1_001]);
    await test.fixtures.sql(`DELETE FROM outbox WHERE recipient = 'many@example.com'`);
  });

  it('counts what waits, of all stores, with the oldest', async () => {
    const neighbours = await test.fixtures.neighbours();
    const { sku } = await test.fixtures.product({ stock: 100 });
    const [first, second, third, unpaid] = [
      await order(shop, sku),
      await order(other, sku),
      await order(other, sku),
      await order(shop, sku),
    ];
    await moveOrder(test, other, second, 'pay');
    await moveOrder(test, shop, first, 'pay');
    await moveOrder(test, other, third, 'pay', 'ship');
    expect(unpaid).toBeDefined();
    const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'Arrived damaged' };
    const key = { clientId: other.clientId, orderNumber: third };
    await orderReturns(test.app).request(key, requested, 'test');
    const transfers = test.app.get(BankTransfersService, { strict: false });
    await transfers.announce(shop.clientId, '500', 'UTR000000000001', 'test');
    const page = await today();
    expect(headline(page)).toBe('4 orders wait to be shipped');
    const paid = await test.pool.query<{ paid_at: Date }>(
      'SELECT paid_at FROM orders WHERE order_number = $1',
      [neighbours.orders.listed],
    );
    expect(page).toContain(`The oldest was paid <time datetime="${paid.rows[0]!.paid_at.toISOString()}"`);
    expect(tiles(page)).toEqual({
      'To ship': expect.stringMatching(/^4 the oldest paid/) as string,
      'Open returns': expect.stringMatching(/^2 the oldest requested/) as string,
      'Transfers to confirm': '2 to compare with your bank statement',
      'E-way bills to make': '1 before the goods move',
      'Payments to check': '2 not as they were asked for',
      'Not delivered in time': '0 ask the courier',
      'Sold yesterday': '₹0.00 0 orders; a week before ₹0.00 , 0 orders',
      'To be paid': expect.stringMatching(/^₹[\d,.]+ [2-9] unpaid orders$/) as string,
      'In the wallets': expect.stringMatching(/^₹[\d,.]+ money of the clients$/) as string,
      'Returns to refund': expect.stringMatching(/^\d /) as string,
    });
    expect(readable(page)).not.toContain(neighbours.orders.shipped);
    expect(linkOf(page, 'To ship')).toBe('/desk/orders');
    // The payment counts, not the order.
    expect(rows(page).map((row) => row.split(' ')[0])).toEqual([
      neighbours.orders.listed,
      neighbours.orders.waiting,
      second,
      first,
    ]);
  });

  it('marks paid orders that did not leave in time, for packers too', async () => {
    const { sku } = await test.fixtures.product({ stock: 100 });
    const late = await order(shop, sku);
    await moveOrder(test, shop, late, 'pay');
    await test.fixtures.age(5 * 24, late);
    const packer = await signInAtDesk(test, 'packer');
    for (const path of ['/desk', '/desk/orders']) {
      const [row, ...others] = rows((await packer.get(path).expect(200)).text).filter((one) =>
        one.includes('late'),
      );
      expect(row).toMatch(new RegExp(`^${late} .* 3 days late `));
      expect(others).toEqual([]);
    }
    const { text } = await packer.get(`/desk/orders/${late}`).expect(200);
    expect(readable(text)).toMatch(/, to ship by \d+ \w+ \d{4} 3 days late \./);
    await moveOrder(test, shop, late, 'ship');
    expect(await today('packer')).not.toContain(' late<');
    const { text: shipped } = await packer.get(`/desk/orders/${late}`).expect(200);
    expect(shipped).not.toContain('to ship by');
  });

  it('names the reasons of refused orders by product, of how many stores, and leads to the last', async () => {
    const { sku } = await test.fixtures.product({ stock: 1 });
    // Of the neighbours, whose calls fail.
    await test.fixtures.sql('DELETE FROM store_request_counts', []);
    await refused(shop, sku, 5);
    await refused(shop, sku, 6);
    await refused(other, sku, 7);
    await refused(other, 'NO-SUCH-SKU');
    await refused(other, sku, -1);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const page = await today();
    const text = readable(page);
    expect(text).toContain(`Not enough stock ${sku} 3 2 Bela Crafts`);
    expect(text).toContain('Unknown SKU NO-SUCH-SKU 1 1 Bela Crafts');
    const [, last] = /NO-SUCH-SKU.*?href="([^"]+)">Bela Crafts</s.exec(page)!;
    const call = await (await signInAtDesk(test, 'staff')).get(last!).expect(200);
    expect(readable(call.text)).toContain('NO-SUCH-SKU');
    expect(text).toMatch(/items\[0\]\.quantity must \S.* 1 1/);
    expect(text).not.toContain('No store has a problem');
    expect(text).not.toContain('All reasons');
    for (let n = 1; n <= 6; n++) await refused(shop, `NOT-SOLD-${n}`);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    // Orders to ship stand in a table before that of the reasons.
    const reasons = (html: string) =>
      rows(html.slice(html.indexOf('id="refused"'))).filter((row) => row.includes('Unknown SKU')).length;
    const short = await today();
    expect(reasons(short)).toBeGreaterThan(0);
    expect(reasons(short)).toBeLessThan(7);
    const staff = await signInAtDesk(test, 'staff');
    expect(reasons((await staff.get(linkOf(short, 'All reasons')).expect(200)).text)).toBe(7);
    await test.fixtures.sql(`UPDATE store_requests SET answered_at = now() - interval '25 hours'`, []);
    expect(await today()).toContain(
      'No order was refused in the last 24 hours. No store has a problem with its calls.',
    );
  });

  it('names a refused token as its store read it, each reason apart', async () => {
    const [suspended, revoked] = [
      await test.fixtures.store({ name: 'Hema Suspended' }),
      await test.fixtures.store({ name: 'Indu Revoked' }),
    ];
    await test.fixtures.suspend(suspended.clientId);
    await test.fixtures.revoke(revoked.tokenId);
    await test.app.get(SnapshotService, { strict: false }).refreshNow();
    for (const store of [suspended, revoked])
      await test.post(store, '/api/orders', orderBody([{ sku: 'MUG', quantity: 1 }])).expect(401);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const text = readable(await today());
    expect(text).toContain('Your account is suspended. Ask the wholesaler. 1 1 Hema Suspended');
    expect(text).toContain('This token was revoked. Create a new one in the dashboard. 1 1 Indu Revoked');
    await test.fixtures.sql(`UPDATE store_requests SET answered_at = now() - interval '25 hours'`, []);
  });

  it('names stores that stopped calling and stores whose calls fail, and no others', async () => {
    const [stopped, failing, fine, small, suspended] = await Promise.all(
      ['Chitra Stopped', 'Dev Failing', 'Esha Fine', 'Farid Small', 'Gita Suspended'].map((name) =>
        test.fixtures.store({ name }),
      ),
    );
    await test.fixtures.sql('UPDATE clients SET suspended_at = now() WHERE id = $1', [suspended!.clientId]);
    await counted(suspended!.clientId, 50, 2, 700);
    await counted(stopped!.clientId, 50, 2, 700);
    await counted(failing!.clientId, 2, 2, 10);
    await counted(failing!.clientId, 2, 4, 20);
    await counted(failing!.clientId, 2, 5, 3);
    await counted(fine!.clientId, 50, 2, 700);
    await counted(fine!.clientId, 2, 2, 100);
    await counted(fine!.clientId, 2, 4, 99);
    await counted(small!.clientId, 2, 4, 19);
    await counted(small!.clientId, 50, 2, 100);
    const page = await today();
    const text = readable(page);
    expect(text).toContain('Chitra Stopped No calls for a day 0 0 0 100');
    expect(text).toContain('Dev Failing Calls fail 33 20 3 0');
    expect(text).not.toMatch(/Esha Fine|Farid Small|Gita Suspended/);
    expect(linkOf(page, 'Dev Failing')).toBe(`/desk/clients/${failing!.clientId}/requests`);
  });

  it('names goods that run out', async () => {
    const { sku } = await test.fixtures.product({ name: 'Tea light', stock: 4 });
    const page = await today();
    expect(readable(page)).toContain(`Tea light ${sku} 4 0 4 5`);
  });

  it('counts goods that run out as their page does, and no further than its limit', async () => {
    await test.fixtures.sql(
      `WITH many AS (
         INSERT INTO products (sku, name, description, category, base_price, delivery_charge, low_stock)
         SELECT 'LOW-' || n, 'Low ' || n, '', '', 10, 0, 5 FROM generate_series(1, 1200) AS n RETURNING id)
       INSERT INTO stock_items (product_id, variation_key) SELECT id, '' FROM many`,
      [],
    );
    const clerk = await signInAtDesk(test, 'staff');
    const { text } = await clerk.get('/desk/goods/low').expect(200);
    expect(headline(text)).toBe('1,000+ products are running out');
    expect(readable(text)).toContain('And 1,000+ more.');
    expect(await today()).toContain('href="/desk/goods/low">All 1,000+</a>');
  });

  it('shows the numbers of the pages that its figures lead to, before and after a change', async () => {
    const { clientId } = shop;
    const { sku } = await test.fixtures.product({ stock: 6 });
    await test.fixtures.product({ stock: 3 });
    const clerk = await signInAtDesk(test, 'staff');
    const numberIn = (text: string) => /(?:[\d,]*\d\+?)/.exec(text)?.[0] ?? '0';
    const isHead = (html: string) => numberIn(headline(html));
    const tileOf = (label: string) => (html: string) => (tiles(html)[label] ?? '₹0.00').split(' ')[0]!;
    const tabOf = (label: string) => (html: string) =>
      numberIn(readable(new RegExp(`>${label}( <|<).*?</a>`, 's').exec(html)?.[0] ?? ''));
    const pairs: Record<string, (html: string) => string> = {
      'To ship': isHead,
      'Not delivered in time': isHead,
      'Open returns': isHead,
      'Transfers to confirm': tabOf('Transfers'),
      'Payments to check': tabOf('Payments'),
      'To be paid': tileOf('To be paid'),
      'In the wallets': tileOf('In the wallets'),
      'Sold yesterday': tileOf('Net sales'),
    };
    const owner = await signIn(test, clientId);
    const lastAmount = (text: string, before = 0) => text.match(/₹[\d,.]+/g)?.at(-1 - before) ?? '₹0.00';
    const ofClient = (html: string) => rows(html).find((row) => row.includes('Anaya Home')) ?? '';
    const linesOf = (file: string) => String(file.trim().split('\r\n').length - 1);
    const orderFile = (status: string) => `/desk/orders/orders.csv?status=${status}`;
    /** Further numbers, each with the pages and files that show it. */
    const places: Record<string, [path: string, numberOf: (text: string) => string][]> = {
      'the balance of a client': [
        [`/desk/clients/${clientId}`, tileOf('In the wallet')],
        ['/desk/clients', (html) => lastAmount(ofClient(html))],
        ['/desk/money/wallets', (html) => lastAmount(ofClient(html))],
        ['/dashboard/wallet', (html) => lastAmount(headline(html))],
        ['/dashboard', tileOf('Wallet')],
      ],
      'the unpaid orders of a client': [
        [`/desk/clients/${clientId}`, tileOf('To be paid')],
        ['/desk/clients', (html) => lastAmount(ofClient(html), 1)],
        ['/desk/money/wallets', (html) => lastAmount(ofClient(html), 1)],
      ],
      'held units': [
        [`/desk/goods?search=${sku}`, (html) => /(\d+) ₹/.exec(rows(html)[0]!)![1]!],
        [`/desk/goods/products/${sku}/stock`, (html) => rows(html)[0]!.split(' ').at(-2)!],
      ],
      'paid orders': [
        ['/desk/orders?status=paid', isHead],
        [orderFile('paid'), linesOf],
      ],
      'late orders': [
        ['/desk/orders?status=late', isHead],
        [orderFile('late'), linesOf],
      ],
    };
    const walk = async () => {
      const page = await today();
      const displayed = tiles(page);
      for (const [label, numberOf] of Object.entries(pairs)) {
        const { text } = await clerk.get(linkOf(page, label)).expect(200);
        expect([label, numberOf(text)]).toEqual([label, displayed[label]!.split(' ')[0]]);
      }
      const [, unpaid] = /(\S+) unpaid order/.exec(displayed['To be paid']!)!;
      const { text: orders } = await clerk.get('/desk/orders?status=awaiting_payment').expect(200);
      expect(isHead(orders)).toBe(unpaid);
      const { text: low } = await clerk.get('/desk/goods/low').expect(200);
      expect(page).toContain(`href="/desk/goods/low">All ${isHead(low)}</a>`);
      for (const [what, readers] of Object.entries(places)) {
        const numbers = [];
        for (const [path, numberOf] of readers) {
          const person = path.startsWith('/desk') ? clerk : owner;
          numbers.push([path, numberOf((await person.get(path).expect(200)).text)]);
        }
        const [, first] = numbers[0]!;
        expect([what, numbers]).toEqual([what, numbers.map(([path]) => [path, first])]);
        displayed[what] = first!;
      }
      const toRefund = /<h2[^>]*>Returns to refund<.*?<\/table>/s.exec(page)?.[0] ?? '';
      expect(displayed['Returns to refund']!.split(' ')[0]).toBe(String(rows(toRefund).length));
      return displayed;
    };
    const before = await walk();
    const [sold, late, back] = [await order(shop, sku), await order(shop, sku), await order(shop, sku)];
    for (const store of [shop, other]) await order(store, sku);
    await moveOrder(test, shop, sold, 'pay');
    for (const number of [late, back]) await moveOrder(test, shop, number, 'pay', 'ship');
    await moveOrder(test, shop, back, 'deliver');
    await test.fixtures.age(12 * 24, late);
    const returns = orderReturns(test.app);
    const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'Arrived damaged' };
    const number = await returns.request({ clientId, orderNumber: back }, requested, 'test');
    await returns.receive(number, { restock: [], refund: undefined }, 'test');
    await returns.request({ clientId, orderNumber: late }, requested, 'test');
    const transfers = test.app.get(BankTransfersService, { strict: false });
    await transfers.announce(clientId, '700', 'UTR000000000002', 'test');
    await test.fixtures.rewrite(
      `WITH entry AS (UPDATE wallet_entries SET created_at = now() - interval '1 day' WHERE key = $2)
       UPDATE orders SET paid_at = now() - interval '1 day', placed_at = now() - interval '1 day'
        WHERE order_number = $1`,
      [sold, `order:${sold}`],
    );
    const wallets = test.app.get(WalletService, { strict: false });
    await wallets.adjust(clientId, '90', 'Corrected', 'test');
    const after = await walk();
    for (const label of [...Object.keys(pairs), ...Object.keys(places), 'Returns to refund'])
      if (label !== 'Payments to check') expect([label, after[label]]).not.toEqual([label, before[label]]);
    // A packer sees no money.
    expect(Object.keys(tiles(await today('packer')))).toEqual([
      'To ship',
      'Open returns',
      'Not delivered in time',
    ]);
  });

  it('draws orders and net sales of 30 days as the report tells them, and not for packers', async () => {
    const clerk = await signInAtDesk(test, 'staff');
    const [report, page] = await Promise.all(['/desk/reports', '/desk'].map((path) => clerk.get(path)));
    const drawn = (html: string) => [...html.matchAll(/<title>(\d+ \w+ \d+: [^<]*)</g)].map(([, one]) => one);
    expect(drawn(page!.text)).toHaveLength(30 + 30);
    expect(drawn(page!.text).at(-1)).toMatch(/: [1-9]\d* INR, [1-9]\d* orders$/);
    expect(drawn(page!.text)).toEqual(drawn(report!.text));
    expect(page!.text).toContain('<caption class="unseen">Sales by day</caption>');
    expect(await today('packer')).not.toMatch(/class="plot"|INR|₹/);
  });
});
