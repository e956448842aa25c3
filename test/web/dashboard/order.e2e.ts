import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, linkOf, readable, rows } from '../../support/page-text.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The page of an order', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let sku: string;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({
      name: 'Kurta <b>& co</b>',
      basePrice: '549.00',
      deliveryCharge: '60.00',
      variations: [{ name: 'Size', values: ['M', 'L'] }],
      stock: 1_000,
    }));
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
  });
  afterEach(async () => {
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  async function place(quantity = 2): Promise<string> {
    const body = orderBody([{ sku, quantity, variation: 'L' }], {
      store_order_id: 'WEB-7',
      notes: 'Ring twice',
    });
    return test.place(store, body);
  }

  const pathOf = (number: string) => `/dashboard/orders/${number}`;
  const page = async (number: string, person = owner) => (await person.get(pathOf(number)).expect(200)).text;
  const fill = (amount: string) =>
    test.app.get(WalletService, { strict: false }).adjust(store.clientId, amount, 'for a test', 'test');
  const statusOf = async (number: string) => {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    return (body as { status: string }).status;
  };

  it('tells its lines, what they come to, and where they go', async () => {
    const number = await place();
    const html = await page(number);
    expect(headline(html)).toBe(`${number} waits for payment`);
    expect(rows(html)).toEqual([`Kurta <b>& co</b> ${sku} · Size: L 2 ₹549.00 ₹1,098.00`]);
    const text = readable(html);
    expect(text).toContain('Your WEB-7, placed just now , due in 71 hours .');
    expect(text).toContain('Goods ₹1,098.00 Delivery ₹60.00 Total ₹1,158.00');
    expect(text).toContain('Ravi Kumar 12, MG Road Bengaluru 560038 Karnataka, India');
    expect(text).toContain('+91 98765 43210');
    expect(text).toContain('Ring twice');
  });

  it('tells what the store said of a product that has no variations', async () => {
    const { sku: plain } = await test.fixtures.product();
    const items = [{ sku: plain, quantity: 1, variation: 'As a gift' }];
    const { body } = await test.post(store, '/api/orders', orderBody(items)).expect(201);
    const [line] = rows(await page((body as { order_number: string }).order_number));
    expect(line).toContain(`${plain} · As a gift`);
  });

  it('tells what happened and by whom, and not who works for the wholesaler', async () => {
    await fill('5000');
    const number = await place();
    const buyer = await Buyer.of(test, store.clientId);
    await buyer.pay(number);
    const desk = test.app.get(OrderDeskService, { strict: false });
    await desk.redirect(number, 'sita', { name: 'Ravi Kumaran' }, 'misspelt');
    await moveOrder(test, store, number, 'ship');
    await desk.correct(number, 'sita', { trackingNumber: 'DL124' });
    await moveOrder(test, store, number, 'deliver');
    const html = await page(number);
    expect(headline(html)).toBe(`${number} was delivered`);
    const text = readable(html);
    for (const event of [
      /Placed .* by your store/,
      new RegExp(`Paid .* by ${buyer.person.email}`),
      /Corrected .* name: Ravi Kumar → Ravi Kumaran, because misspelt/,
      /Shipped .* by the wholesaler/,
      /Corrected .* tracking number: DL123 → DL124/,
      /Delivered .* by the wholesaler/,
    ])
      expect(text).toMatch(event);
    expect(text).not.toContain('sita');
  });

  it('links to where the parcel is followed, if that is a page', async () => {
    const number = await place();
    await moveOrder(test, store, number, 'pay', 'ship');
    expect(await page(number)).toMatch(
      /<a href="https:\/\/track.example.com\/DL123" rel="noopener noreferrer external">DL123</,
    );
    await test.fixtures.rewrite('UPDATE orders SET tracking_url = $2 WHERE order_number = $1', [
      number,
      'javascript:alert(1)',
    ]);
    const html = await page(number);
    expect(html).not.toContain('javascript:');
    expect(readable(html)).toContain('Tracking DL123');
  });

  it('offers to pay it from the wallet with what it showed, and else to look first', async () => {
    const number = await place();
    const review = `/dashboard/pay?order=${number}&back=${encodeURIComponent(`/dashboard/orders/${number}`)}`;
    expect(linkOf(await page(number), 'Review and pay')).toBe(review);
    await fill('1158');
    const html = await page(number);
    expect(readable(html)).toContain('Pay from wallet · ₹1,158.00');
    await owner.post('/dashboard/pay', { order: number, total: '115800', balance: '115800' }).expect(303);
    expect(headline(await page(number))).toBe(`${number} is paid and will be shipped`);
    expect(readable(await page(number))).toContain('Paid by wallet');
  });

  it('asks once more before it is cancelled, and gives the stock back', async () => {
    const number = await place(3);
    const before = await test.fixtures.stockOf(sku);
    const requested = (await owner.get(`${pathOf(number)}/cancel`).expect(200)).text;
    expect(headline(requested)).toBe(`Cancel ${number}?`);
    expect(await statusOf(number)).toBe('awaiting_payment');
    const { headers } = await owner.post(`${pathOf(number)}/cancel`).expect(303);
    expect(headers.location).toBe(pathOf(number));
    await owner.post(`${pathOf(number)}/cancel`).expect(303);
    const html = await page(number);
    expect(headline(html)).toBe(`${number} is cancelled`);
    expect(readable(html)).toContain('cancelled in the dashboard');
    expect(html).not.toMatch(/Pay from wallet|Review and pay|Cancel order/);
    expect((await test.fixtures.stockOf(sku)).held).toBe(before.held - 3);
    const audited = await test.pool.query('SELECT actor, action, details FROM audit_log WHERE subject = $1', [
      `order ${number}`,
    ]);
    expect(audited.rows).toEqual([
      {
        actor: `person ${owner.person.id} (${owner.person.email})`,
        action: 'order.cancelled',
        details: {},
      },
    ]);
  });

  it('is not cancelled when it is paid', async () => {
    const number = await place();
    await moveOrder(test, store, number, 'pay');
    await owner.post(`${pathOf(number)}/cancel`).expect(409);
    expect(headline((await owner.get(`${pathOf(number)}/cancel`)).text)).toBe(
      `${number} cannot be cancelled here`,
    );
    expect(await statusOf(number)).toBe('pending');
  });

  it('is either paid or cancelled when both are asked at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      store = await test.fixtures.store();
      owner = await signIn(test, store.clientId);
      await fill('1158');
      const number = await place();
      const [paid, cancelled] = await Promise.all([
        owner.post('/dashboard/pay', { order: number, total: '115800', balance: '115800' }),
        owner.post(`${pathOf(number)}/cancel`),
      ]);
      const { balance } = await test.app.get(WalletService, { strict: false }).show(store.clientId);
      const outcome = [paid.status, cancelled.status, await statusOf(number), balance];
      expect([
        [303, 409, 'pending', 0],
        [409, 303, 'cancelled', 1158],
      ]).toContainEqual(outcome);
    }
  });

  it('is not cancelled while it is being paid', async () => {
    const number = await place();
    const payment = await (await Buyer.of(test, store.clientId)).pay(number);
    const { text } = await owner.post(`${pathOf(number)}/cancel`).expect(409);
    expect(readable(text)).toContain('A payment for this is being processed.');
    const html = await page(number);
    expect(headline(html)).toBe(`${number} is being paid`);
    expect(html).toContain(`href="/dashboard/payments/${payment!.paymentId}"`);
    expect(html).toMatch(/<meta http-equiv="refresh" content="10"/);
    expect(html).not.toMatch(/Pay from wallet|Review and pay|Cancel order/);
    expect(await statusOf(number)).toBe('awaiting_payment');
  });

  it('tells of its payments, the last one first', async () => {
    const buyer = await Buyer.of(test, store.clientId);
    const number = await place();
    const begin = async () => (await buyer.pay(number))!.paymentId;
    const first = await begin();
    await buyer.giveUp(first);
    const last = await begin();
    const html = await page(number);
    const message = [...html.split('<dt>Through the gateway<')[1]!.matchAll(/payments\/([^"]*)"/g)].map(
      ([, id]) => id,
    );
    expect(message).toEqual([last, first]);
  });

  it('tells of a refund', async () => {
    await fill('2000');
    const number = await place();
    await test.app
      .get(OrderLifecycleService, { strict: false })
      .payFromWallet([{ clientId: store.clientId, orderNumber: number }], 'auto-pay');
    await test.app
      .get(OrderDeskService, { strict: false })
      .cancel(number, 'sita', { reason: 'out of stock' });
    const text = readable(await page(number));
    expect(text).toMatch(/Refunded ₹1,158\.00 to your wallet .* : out of stock/);
    expect(text).toMatch(/Paid .* by auto-pay/);
    expect(text).toMatch(/Cancelled .* by the wholesaler: out of stock/);
  });
});
