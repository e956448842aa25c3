import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { headline, hiddenFields, readable, rows } from '../../support/page-text.js';
import { formIn, type OutcomeName, SandboxCheckout } from '../../support/sandbox-checkout.js';
import { type FormValues, type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const PAY = '/dashboard/pay';

describe('Paying in the dashboard', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let buyer: SignedIn;
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 })));
  beforeEach(async () => {
    store = await test.fixtures.store();
    buyer = await signIn(test, store.clientId, 'buyer');
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  const place = (quantity = 1) => test.place(store, [{ sku, quantity }]);
  const wallets = () => test.app.get(WalletService, { strict: false });
  const fill = (amount: string) => wallets().adjust(store.clientId, amount, 'for a test', 'test');
  const balance = async () => (await wallets().show(store.clientId)).balance;
  const statusOf = async (number: string) => {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    return (body as { status: string }).status;
  };
  const query = (...numbers: string[]) => `${PAY}?${numbers.map((number) => `order=${number}`).join('&')}`;
  const review = async (...numbers: string[]) => (await buyer.get(query(...numbers)).expect(200)).text;
  const audited = () =>
    test.audited(
      'action, subject, details',
      `client_id = $1 AND action <> 'wallet.adjusted'`,
      store.clientId,
    );

  /** Looks first, and pays what was shown. Gives where that leads. */
  async function payAsReviewed(...numbers: string[]): Promise<string> {
    const { headers } = await buyer.post(PAY, hiddenFields(await review(...numbers))).expect(303);
    return headers.location!;
  }

  it('begins no payment for an order while 20 are open, also by two posts at once', async () => {
    const numbers = [await place(), await place()];
    await test.fixtures.sql(
      `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status,
        actor)
       SELECT $1, gen_random_uuid(), 'sandbox', gen_random_uuid(), 100, 'INR', 'open', 'test'
         FROM generate_series(1, 19)`,
      [store.clientId],
    );
    const forms = [hiddenFields(await review(numbers[0]!)), hiddenFields(await review(numbers[1]!))];
    const answers = await Promise.all(forms.map((fields) => buyer.post(PAY, fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.text).toContain('Nothing was paid. You have 20 open payments.');
  });

  describe('from the wallet', () => {
    it('shows what is paid and what is left, and pays just that', async () => {
      await fill('500');
      const numbers = [await place(), await place(2)];
      const html = await review(...numbers);
      expect(headline(html)).toBe('Pay 2 orders · ₹300.00');
      expect(readable(html)).toContain('Total ₹300.00 Wallet now ₹500.00 Wallet afterwards ₹200.00');
      expect(readable(html)).toContain('Pay ₹300.00 from wallet');
      expect(rows(html)).toHaveLength(2);
      expect(await payAsReviewed(...numbers)).toBe('/dashboard/orders');
      expect(await balance()).toBe(200);
      for (const number of numbers) expect(await statusOf(number)).toBe('pending');
      expect(await audited()).toEqual([
        {
          action: 'order.paid',
          subject: '2 orders',
          details: { orders: numbers.toSorted().join(' '), total: '300.00' },
        },
      ]);
    });

    it('tells once that they are paid', async () => {
      await fill('100');
      const { headers } = await buyer.post(PAY, hiddenFields(await review(await place()))).expect(303);
      const [cookie] = headers['set-cookie'] as unknown as string[];
      const message = await buyer
        .get('/dashboard/orders')
        .set('Cookie', `${buyer.cookie}; ${cookie!.split(';')[0]}`);
      expect(readable(message.text)).toContain('1 order is paid: ₹100.00 from your wallet.');
    });

    it('takes the money once, however many tabs pay the same at once', async () => {
      await fill('1000');
      const numbers = [await place(), await place()];
      const fields = hiddenFields(await review(...numbers));
      const answers = await Promise.all(Array.from({ length: 20 }, () => buyer.post(PAY, fields)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(19).fill(409)]);
      for (const { status, text } of answers)
        if (status === 409) {
          expect(headline(text)).toBe('Already paid');
          expect(readable(text)).toContain('was already paid just now');
        }
      expect(await balance()).toBe(800);
    });

    it('is refused with both figures if the shown total changed, and shown again', async () => {
      await fill('150');
      const numbers = [await place(), await place()];
      const fields = hiddenFields(await review(...numbers));
      expect(fields).toMatchObject({ total: ['20000'], balance: ['15000'] });
      await fill('25');
      const { text } = await buyer.post(PAY, fields).expect(409);
      expect(readable(text)).toContain(
        'Nothing was paid. The page showed ₹200.00, ₹50.00 of it through the gateway. ' +
          'The total is now ₹200.00, ₹25.00 of it through the gateway.',
      );
      expect(hiddenFields(text)).toMatchObject({ total: ['20000'], balance: ['17500'] });
      expect(await balance()).toBe(175);
      const less = await buyer.post(PAY, { order: numbers, total: '19999', balance: '17500' }).expect(409);
      expect(readable(less.text)).toContain('The page showed ₹199.99, ₹24.99 of it through the gateway');
      for (const number of numbers) expect(await statusOf(number)).toBe('awaiting_payment');
      expect(await audited()).toEqual([]);
    });

    it('leaves out what is paid or cancelled already, and says so before anything is paid', async () => {
      await fill('500');
      const [paid, waiting] = [await place(), await place()];
      await payAsReviewed(paid);
      const html = await review(paid, waiting);
      expect(headline(html)).toBe('Pay 1 order · ₹100.00');
      expect(readable(html)).toContain(`Left out: ${paid} was already paid just now .`);
      const both = await buyer
        .post(PAY, { order: [paid, waiting], total: '20000', balance: '40000' })
        .expect(409);
      expect(readable(both.text)).toContain(
        'Nothing was paid. An order on this page cannot be paid any more.',
      );
      expect(await statusOf(waiting)).toBe('awaiting_payment');
    });

    it('is reviewed first if the page showed no total', async () => {
      await fill('500');
      const numbers = [await place(), await place()];
      const nothings: FormValues[] = [
        {},
        { total: '' },
        { total: 'x', balance: '1' },
        { total: '-1', balance: '1' },
      ];
      for (const fields of nothings) {
        const { headers } = await buyer.post(PAY, { order: numbers, ...fields }).expect(303);
        expect(headers.location).toBe(
          `${PAY}?order=${numbers.join('+')}&back=${encodeURIComponent('/dashboard/orders')}`,
        );
      }
      const none = await buyer.post(PAY, { total: '0', balance: '0' }).expect(303);
      expect(none.headers.location).toBe('/dashboard/orders');
      await buyer.get(PAY).expect(422);
      expect(await balance()).toBe(500);
    });

    it('takes all waiting orders at once, up to 500, and says that more wait', async () => {
      await test.fixtures.orders(store, 501);
      await fill('1000');
      const { text: html } = await buyer.get(`${PAY}?group=to_pay`).expect(200);
      expect(headline(html)).toBe('Pay 500 orders · ₹500.00');
      expect(readable(html)).toContain('More orders wait: these are the 500 that are due first.');
      const { headers } = await buyer.post(PAY, hiddenFields(html)).expect(303);
      expect(headers.location).toBe('/dashboard/orders');
      expect(await balance()).toBe(500);
      const { text: rest } = await buyer.get(`${PAY}?group=to_pay`).expect(200);
      expect(headline(rest)).toBe('Pay 1 order · ₹1.00');
      expect(readable(rest)).not.toContain('More orders wait');
      await buyer.post(PAY, hiddenFields(rest)).expect(303);
      const none = await buyer.get(`${PAY}?group=to_pay&back=/dashboard`).expect(303);
      expect(none.headers.location).toBe('/dashboard');
    });

    it('takes no more than 500 in one form', async () => {
      await test.fixtures.orders(store, 501);
      const order = Array.from(
        { length: 501 },
        (_, n) => `WO-20260101-00000-${String(n + 1).padStart(5, '0')}`,
      );
      const { text } = await buyer
        .post(PAY, { order: order.join(' '), total: '50100', balance: '0' })
        .expect(422);
      expect(readable(text)).toContain('Choose at most 500 orders at a time.');
    });

    it.each([
      ['/dashboard/orders?group=to_pay&after=x', '/dashboard/orders?group=to_pay&after=x'],
      ['/dashboard', '/dashboard'],
      ['https://evil.example/', '/dashboard/orders'],
      ['//evil.example', '/dashboard/orders'],
      ['/docs', '/dashboard/orders'],
    ])('returns to where one was: from %s to %s', async (back, goal) => {
      await fill('500');
      const { text } = await buyer
        .get(`${query(await place())}&back=${encodeURIComponent(back)}`)
        .expect(200);
      const { headers } = await buyer.post(PAY, hiddenFields(text)).expect(303);
      expect(headers.location).toBe(goal);
    });

    it('is for own orders: another client’s among them is the same 404 as an unknown one', async () => {
      const theirs = await test.post(
        await test.fixtures.store(),
        '/api/orders',
        orderBody([{ sku, quantity: 1 }]),
      );
      const { order_number: other } = theirs.body as { order_number: string };
      const own = await place();
      for (const number of [other, 'WO-20260101-AAAAA-AAAAA'])
        await buyer.get(query(own, number)).expect(404);
    });

    it('is nothing that looking does', async () => {
      await fill('500');
      const number = await place();
      const before = await test.pool.query(
        'SELECT xmin::text FROM orders UNION ALL SELECT xmin::text FROM wallets',
      );
      for (const path of ['/dashboard', '/dashboard/orders', `/dashboard/orders/${number}`, query(number)]) {
        await buyer.get(path).expect(200);
        await fetch(`${test.url}${path}`, { method: 'HEAD', headers: { Cookie: buyer.cookie } });
      }
      const after = await test.pool.query(
        'SELECT xmin::text FROM orders UNION ALL SELECT xmin::text FROM wallets',
      );
      expect(after.rows).toEqual(before.rows);
    });
  });

  describe('through the gateway', () => {
    /** Where the form on the page leads, and with what, as a browser without scripts reads it. */
    async function checkout(path: string) {
      const { text, headers } = await buyer.get(path).expect(200);
      const form = formIn(text.slice(text.indexOf('<main')));
      expect(headers['content-security-policy']).toContain(
        `form-action 'self' ${new URL(form.action).origin};`,
      );
      expect(text).toContain('data-goes-on');
      return form;
    }

    async function throughSandbox(path: string, outcome: OutcomeName): Promise<string> {
      const back = await new SandboxCheckout(test.url).pay(await checkout(path), outcome);
      const { pathname } = new URL(back.action);
      await fetch(`${test.url}${pathname}`, {
        method: 'POST',
        body: new URLSearchParams(back.fields),
        redirect: 'manual',
      });
      return path.replace(/\/checkout$/, '');
    }

    it('takes what the wallet lacks, in one step, and pays all of them', async () => {
      await fill('150');
      const numbers = [await place(), await place(2)];
      const html = await review(...numbers);
      expect(readable(html)).toContain(
        'Total ₹300.00 Wallet now ₹150.00 Through the gateway ₹150.00 Wallet afterwards ₹0.00',
      );
      expect(readable(html)).toContain('Test payments: no money moves.');
      const path = await throughSandbox(await payAsReviewed(...numbers), 'pay');
      await eventually(async () => (await buyer.get(path)).text.includes('<h1>₹150.00 is paid</h1>'));
      for (const number of numbers) expect(await statusOf(number)).toBe('pending');
      expect(await balance()).toBe(0);
      expect(await audited()).toEqual([
        {
          action: 'payment.begun',
          subject: `payment ${path.split('/').at(-1)}`,
          details: { charge: '150.00', orders: numbers.toSorted().join(' '), total: '300.00' },
        },
      ]);
      const repeated = await buyer.get(`${path}/checkout`).expect(303);
      expect(repeated.headers.location).toBe(path);
    });

    it('says during processing not to pay again, and offers no second payment', async () => {
      const number = await place();
      const path = (await payAsReviewed(number)).replace(/\/checkout$/, '');
      const html = (await buyer.get(path)).text;
      expect(headline(html)).toBe('A payment of ₹100.00 is not finished');
      expect(html).toMatch(/<meta http-equiv="refresh" content="10"/);
      const displayed = await review(number);
      expect(headline(displayed)).toBe('These orders need no payment');
      expect(readable(displayed)).toContain(`${number} is being paid ( see the payment )`);
      expect(displayed).toContain(`href="${path}"`);
      await fill('500');
      const { text } = await buyer.post(PAY, { order: number, total: '10000', balance: '50000' }).expect(409);
      expect(readable(text)).toContain('A payment for this is being processed. Do not pay again');
      const list = (await buyer.get('/dashboard/orders?group=processing')).text;
      expect(rows(list)).toEqual([expect.stringContaining('see the payment Being processed')]);
      expect(list).toContain(`href="${path}"`);
      expect(list).not.toContain('class="choose"');
      expect(rows((await buyer.get('/dashboard/orders?group=to_pay')).text)).toEqual([]);
    });

    it('can be given up by a buyer, and paid in another way then', async () => {
      const number = await place();
      const path = (await payAsReviewed(number)).replace(/\/checkout$/, '');
      const viewer = await signIn(test, store.clientId, 'viewer');
      const observed = (await viewer.get(path).expect(200)).text;
      expect(observed).not.toMatch(/give-up|checkout/);
      await viewer.post(`${path}/give-up`).expect(403);
      await viewer.get(`${path}/checkout`).expect(403);
      await buyer.post(`${path}/give-up`).expect(303);
      expect(headline((await buyer.get(path)).text)).toBe('A payment of ₹100.00 was given up');
      await fill('100');
      await payAsReviewed(number);
      expect(await statusOf(number)).toBe('pending');
      const subject = `payment ${path.split('/').at(-1)}`;
      const details = { orders: number, total: '100.00' };
      expect(await audited()).toEqual([
        { action: 'payment.begun', subject, details: { charge: '100.00', ...details } },
        { action: 'payment.given_up', subject, details: {} },
        { action: 'order.paid', subject: `order ${number}`, details },
      ]);
    });

    it('does not go on at a gateway that is not the one in use any more, and can be given up', async () => {
      const number = await place();
      const path = (await payAsReviewed(number)).replace('/checkout', '');
      await test.fixtures.rewrite(`UPDATE payments SET provider = 'razorpay' WHERE client_id = $1`, [
        store.clientId,
      ]);
      const { text } = await buyer.get(path).expect(200);
      expect(headline(text)).toBe('A payment of ₹100.00 cannot continue');
      expect(text).not.toContain('Continue and pay');
      expect(text).not.toContain('Test payments');
      const { headers } = await buyer.get(`${path}/checkout`).expect(303);
      expect(headers.location).toBe(path);
      await buyer.post(`${path}/give-up`).expect(303);
      expect(headline((await buyer.get(path)).text)).toBe('A payment of ₹100.00 was given up');
      await fill('100');
      expect(await payAsReviewed(number)).toBe('/dashboard/orders');
    });

    it('begins anew what was to be topped up at a gateway that is not in use any more', async () => {
      const topUp = async () =>
        (await buyer.post('/dashboard/wallet/top-up', { amount: '900' })).headers.location!;
      const first = await topUp();
      await test.fixtures.rewrite(`UPDATE payments SET provider = 'razorpay' WHERE client_id = $1`, [
        store.clientId,
      ]);
      const second = await topUp();
      expect(second).not.toBe(first);
      expect(await topUp()).toBe(second);
    });
  });
});
