import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The first page of the dashboard', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ basePrice: '1000.00', stock: 10_000 })));
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
  });

  const page = async (person = owner) => (await person.get('/dashboard').expect(200)).text;
  const fill = (amount: string) =>
    test.app.get(WalletService, { strict: false }).adjust(store.clientId, amount, 'for a test', 'test');
  const place = (whose = store) => test.place(whose, [{ sku, quantity: 1 }]);

  it('tells a new client what to do', async () => {
    const html = await page();
    expect(headline(html)).toBe('No orders wait for payment');
    expect(html).toContain('href="/dashboard/api-access"');
    expect(readable(html)).toContain('To pay now ₹0.00 nothing to pay Wallet ₹0.00');
  });

  it('tells what to pay, whether the wallet lasts, what is on the way and how calls went', async () => {
    const numbers = [await place(), await place(), await place(), await place()];
    await moveOrder(test, store, numbers[2]!, 'pay', 'ship');
    await moveOrder(test, store, numbers[3]!, 'pay', 'ship', 'deliver');
    await test.fixtures.age(24, await place(await test.fixtures.store()));
    await fill('1500');
    const html = await page();
    expect(headline(html)).toBe('2 orders wait for payment');
    const text = readable(html);
    expect(text).toMatch(
      /To pay now ₹2,000\.00 2 orders, first due in 7[12] hours Wallet ₹1,500\.00 not enough for all of them/,
    );
    expect(text).toContain('On the way 1 1 delivered since yesterday');
    expect(text).toMatch(/Your store’s calls (–|100 %)/);
    expect(rows(html).map((row) => row.slice(0, 23))).toEqual(numbers.slice(0, 2));
    expect(text).toContain('Review and pay · ₹2,000.00');
  });

  it('counts as news what arrived or left since yesterday, and shows first what left last', async () => {
    const [arrived, left, lastLeft] = [await place(), await place(), await place()];
    await moveOrder(test, store, arrived, 'pay', 'ship', 'deliver');
    await moveOrder(test, store, left, 'pay', 'ship');
    await test.fixtures.age(25, arrived, left);
    await moveOrder(test, store, lastLeft, 'pay');
    expect(readable(await page())).toContain('On the way 1 none shipped since yesterday');
    await moveOrder(test, store, lastLeft, 'ship');
    const html = await page();
    expect(readable(html)).toContain('On the way 2 1 shipped since yesterday');
    expect(rows(html).map((row) => row.slice(0, 23))).toEqual([lastLeft, left]);
  });

  it('counts calls from the hour on that began a day ago, and so does the page of the calls', async () => {
    await test.fixtures.sql(
      `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests)
       VALUES ($1, date_trunc('hour', now(), 'UTC') - interval '1 day', 'GET', '(none)', 4,
         'route_not_found', 3)`,
      [store.clientId],
    );
    expect(readable(await page())).toContain('Your store’s calls 0 % 3 refused since yesterday');
    const { text } = await owner.get('/dashboard/requests').expect(200);
    expect(headline(text)).toBe('3 calls were refused since yesterday');
  });

  it('pays all of it by one click, with what it showed', async () => {
    const numbers = [await place(), await place()];
    await fill('2500');
    const html = await page();
    expect(readable(html)).toContain('Pay all 2 from wallet · ₹2,000.00');
    const fields = hiddenFields(html);
    expect(fields).toEqual({
      order: [numbers.join(' ')],
      total: ['200000'],
      balance: ['250000'],
      back: ['/dashboard'],
    });
    const { headers } = await owner.post('/dashboard/pay', fields).expect(303);
    expect(headers.location).toBe('/dashboard');
    expect(headline(await page())).toBe('No orders wait for payment');
  });

  it('leads to the review of all orders where there is more to be paid than it shows', async () => {
    await fill('100000');
    for (let n = 0; n < 8; n++) await place();
    const html = await page();
    expect(rows(html)).toHaveLength(6);
    const all = linkOf(html, 'Review and pay all 8 · ₹8,000.00');
    expect(headline((await owner.get(all).expect(200)).text)).toBe('Pay 8 orders · ₹8,000.00');
  });

  it('says what is being paid, offers none of it to be paid again, and looks again by itself', async () => {
    const [processed, waiting] = [await place(), await place()];
    await test.fixtures.age(24, processed);
    const buyer = await Buyer.of(test, store.clientId);
    const { paymentId } = (await buyer.pay(processed))!;
    const html = await page();
    expect(headline(html)).toBe('1 order waits for payment');
    expect(readable(html)).toContain(
      'A payment of ₹1,000.00 for 1 order is not finished. Continue or give it up',
    );
    expect(html).toContain(`href="/dashboard/payments/${paymentId}"`);
    expect(readable(html)).toMatch(/To pay now ₹1,000\.00 1 order, first due in 7[12] hours/);
    expect(rows(html).map((row) => row.slice(0, 23))).toEqual([waiting]);
    expect(html).toMatch(/<meta http-equiv="refresh" content="10"/);
    await test.fixtures.rewrite(`UPDATE payments SET created_at = now() - interval '1 hour'`);
    const neighbour = await test.fixtures.store();
    await (await Buyer.of(test, neighbour.clientId)).pay(await place(neighbour));
    expect(await page()).not.toContain('http-equiv="refresh"');
    await buyer.pay(waiting);
    expect(await page()).toContain('http-equiv="refresh"');
  });

  it('offers an order again after its payment was given up, even while another order is being paid', async () => {
    const [offered, processed] = [await place(), await place()];
    const buyer = await Buyer.of(test, store.clientId);
    await buyer.giveUp((await buyer.pay(offered))!.paymentId);
    await buyer.pay(processed);
    expect(rows(await page()).map((row) => row.slice(0, 23))).toEqual([offered]);
  });

  it('names the reserved part of the wallet, and shows three open payments of this client', async () => {
    await fill('400');
    const buyer = await Buyer.of(test, store.clientId);
    await buyer.pay(await place());
    expect(readable(await page())).toContain(
      'A payment of ₹600.00 for 1 order is not finished. ₹400.00 of the wallet is reserved for it.',
    );
    await (await Buyer.of(test, (await test.fixtures.store()).clientId)).topUp('77');
    for (let n = 0; n < 2; n++) await buyer.pay(await place());
    await buyer.topUp('88');
    const message = async () => readable(await page());
    expect((await message()).match(/A payment of/g)).toHaveLength(3);
    expect(await message()).not.toContain('More payments are open');
    await buyer.pay(await place());
    expect((await message()).match(/A payment of/g)).toHaveLength(3);
    expect(await message()).toContain('More payments are open. See all in your wallet');
  });

  it('says which orders an arrived payment did not cover', async () => {
    const [covered, left] = [await place(), await place()];
    const buyer = await Buyer.of(test, store.clientId);
    const { paymentId } = (await buyer.pay(covered, left))!;
    const paid = (status: string) =>
      test.fixtures.sql(`UPDATE payments SET status = $2 WHERE payment_id = $1`, [paymentId, status]);
    await paid('paid');
    await fill('1000');
    await buyer.pay(covered);
    const html = await page();
    expect(readable(html)).toContain('A payment arrived, but the wallet did not cover all of its orders.');
    expect(html).toContain(`/dashboard/pay?order=${left}`);
    for (const person of [await signIn(test, (await test.fixtures.store()).clientId)])
      expect(await page(person)).not.toContain('did not cover');
    await paid('given_up');
    expect(await page()).not.toContain('did not cover');
  });

  it('offers nothing to be paid to who may only look', async () => {
    await place();
    const html = await page(await signIn(test, store.clientId, 'viewer'));
    expect(headline(html)).toBe('1 order waits for payment');
    expect(html).not.toMatch(/action="\/dashboard\/pay"|href="\/dashboard\/pay/);
  });

  describe('shows in plots', () => {
    const table = (html: string, caption: string) => rows(html.slice(html.indexOf(`${caption}</caption>`)));

    it('nothing to a client that has not ordered', async () => {
      const html = await page();
      expect(html).not.toContain('class="plot"');
    });

    it('what orders cost in each month of the wallet, without refunds and corrections', async () => {
      const early = await place();
      await moveOrder(test, store, early, 'pay');
      await fill('750');
      await moveOrder(test, store, await place(), 'pay', 'cancel');
      await test.post(store, '/api/orders', orderBody([{ sku, quantity: 3 }])).expect(201);
      await placeAndMove(test, store, [{ sku, quantity: 2 }], 'pay');
      const months = table(await page(), 'Spent by month, latest first');
      expect(months).toHaveLength(12);
      expect(months[0]).toMatch(/ ₹3,000.00$/);
    });

    it('which products were ordered most, without cancelled orders', async () => {
      const [pen, ink] = await test.fixtures.products([
        { name: 'Pen <blue>', stock: 1_000 },
        { name: 'Ink', stock: 1_000 },
      ]);
      const order = async (...items: [typeof pen, number][]) => {
        const lines = items.map(([product, quantity]) => ({ sku: product!.sku, quantity }));
        return test.place(store, lines);
      };
      await order([pen, 3], [ink, 1]);
      await order([pen, 2]);
      await moveOrder(test, store, await order([ink, 90]), 'cancel');
      await place(await test.fixtures.store());
      const html = await page();
      expect(table(html, 'Most ordered products')).toEqual([
        `Pen <blue> ${pen!.sku} 2 5`,
        `Ink ${ink!.sku} 1 1`,
      ]);
      expect(html).toContain('Most ordered: Pen &lt;blue>, 5 units, Ink, 1 unit.');
      expect(html).toContain(`href="/dashboard/catalog/${pen!.sku}"`);
    });
  });

  afterAll(endEverything);
});

describe('The first visit', () => {
  const test = setUpTestApp({
    contact: [
      { label: 'E-mail', value: 'orders@wholesale.example.com' },
      { label: 'Phone', value: '+91 98200 00000' },
      { label: 'Hours', value: '<10 to 18>' },
    ],
  });
  let sku: string;

  beforeAll(async () => {
    await test.fixtures.neighbours();
    ({ sku } = await test.fixtures.product({ basePrice: '1000.00', stock: 10_000 }));
  });

  const place = (store: Store) => test.place(store, [{ sku, quantity: 1 }]);

  it('shows a new client its first steps, ticks each off, and nothing when all are done', async () => {
    const fresh = await test.fixtures.store();
    const person = await signIn(test, fresh.clientId);
    const steps = async (who = person) => {
      const { text } = await who.get('/dashboard').expect(200);
      const html = /<ol class="steps">.*?<\/ol>/s.exec(text)?.[0] ?? '';
      return {
        done: html.match(/class="done"/g)?.length ?? 0,
        next: readable(/<li[^>]*aria-current.*?<\/li>/s.exec(html)?.[0] ?? '').trim(),
      };
    };
    await test.fixtures.sql('DELETE FROM tokens WHERE client_id = $1', [fresh.clientId]);
    expect(await steps()).toEqual({ done: 0, next: 'Create a token for your store. Create a token' });
    expect((await steps(await signIn(test, fresh.clientId, 'buyer'))).next).toBe(
      'Create a token for your store.',
    );
    const { tokenId, token } = await test.fixtures.token(fresh.clientId, fresh.domain);
    const store = {
      ...fresh,
      tokenId,
      token,
      headers: { ...fresh.headers, Authorization: `Bearer ${token}` },
    };
    expect(await steps()).toMatchObject({
      done: 1,
      next: expect.stringContaining('Let your store call') as string,
    });
    await test.get(store, '/api/products').expect(200);
    await test.app.get(TokenUsesService, { strict: false }).runSoon();
    expect(await steps()).toEqual({ done: 2, next: 'Top up your wallet. Top up' });
    await test.app.get(WalletService, { strict: false }).adjust(store.clientId, '5000', 'for a test', 'test');
    expect(await steps()).toEqual({ done: 3, next: 'Place the first order from your store.' });
    const number = await place(store);
    expect(await steps()).toMatchObject({
      done: 4,
      next: expect.stringContaining('Pay the order') as string,
    });
    await (await Buyer.of(test, store.clientId)).pay(number);
    expect(await steps()).toEqual({ done: 0, next: '' });
  });

  it('has the contact of the wholesaler one click from where it advises to ask', async () => {
    const store = await test.fixtures.store({ until: null });
    const person = await signIn(test, store.clientId, 'viewer');
    for (const path of ['/dashboard/plan', '/dashboard/catalog'])
      expect((await person.get(path).expect(200)).text).toContain(
        '<a href="/dashboard/help">the wholesaler</a>',
      );
    const { text } = await person.get('/dashboard/help').expect(200);
    expect(text).toContain('<a href="mailto:orders@wholesale.example.com">orders@wholesale.example.com</a>');
    expect(text).toContain('<a href="tel:+919820000000">+91 98200 00000</a>');
    expect(text).toContain('&lt;10 to 18>');
  });
});
