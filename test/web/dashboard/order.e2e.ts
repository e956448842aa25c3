import type { AuditRow } from '../../../src/modules/audit/audit-list.repository.js';
import { PackingService } from '../../../src/modules/fulfilment/packing/packing.service.js';
import { CourierReportsService } from '../../../src/modules/fulfilment/parcels/courier-reports.service.js';
import { orderReturns } from '../../support/order-returns.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { dayAt, startOfDay } from '../../../src/platform/time/time.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { headline, linkOf, readable, rows } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll, makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const test = setUpTestApp();

describe('The page of an order', () => {
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
  afterEach(async () => expect(await test.app.get(WalletBooks).check()).toEqual([]));

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
    test.app.get(WalletService).adjust(store.clientId, amount, 'for a test', 'test');
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
    expect(text).toContain(`Your WEB-7, placed on ${store.domain} just now , due in 72 hours .`);
    expect(text).toContain('Goods ₹1,098.00 Delivery ₹60.00 Total ₹1,158.00');
    expect(text).toContain('Ravi Kumar 12, MG Road Bengaluru 560038 Karnataka, India');
    expect(text).toContain('+91 98765 43210');
    expect(text).toContain('Ring twice');
  });

  it('tells what the store said of a product that has no variations', async () => {
    const { sku: plain } = await test.fixtures.product();
    const items = [{ sku: plain, quantity: 1, variation: 'As a gift' }];
    const [line] = rows(await page(await test.place(store, items)));
    expect(line).toContain(`${plain} · As a gift`);
  });

  it('tells what happened and by whom, and not who works for the wholesaler', async () => {
    await fill('5000');
    const number = await place();
    const buyer = await Buyer.of(test, store.clientId);
    await buyer.pay(number);
    const desk = orderDesk(test.app);
    await desk.redirect(number, 'person 999999 (sita@example.com)', {
      name: 'Ravi Kumaran',
      reason: 'misspelt',
    });
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
    const actor = `person ${owner.person.id} (${owner.person.email})`;
    expect(await test.audited('actor, action, details', 'subject = $1', `order ${number}`)).toEqual([
      { actor, action: 'order.cancelled', details: {} },
    ]);
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
      const { balance } = await test.app.get(WalletService).show(store.clientId);
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

  it('says for how many orders a payment is, whose amount is not that of this order', async () => {
    const buyer = await Buyer.of(test, store.clientId);
    const begin = async (count: number) => {
      const numbers: string[] = [];
      while (numbers.length < count)
        numbers.push(await test.place(store, orderBody([{ sku, quantity: 1, variation: 'L' }])));
      await buyer.pay(...numbers);
      return readable(await page(numbers[0]!));
    };
    expect(await begin(2)).toMatch(/Total ₹609\.00 .*Through the gateway ₹1,218\.00 for 2 orders together/);
    expect(await begin(1)).toMatch(/Through the gateway ₹609\.00 (?!for)/);
  });

  it('tells of a refund', async () => {
    await fill('2000');
    const number = await place();
    await test.app
      .get(OrderLifecycleService)
      .payFromWallet([{ clientId: store.clientId, orderNumber: number }], 'auto-pay');
    await orderDesk(test.app).cancel(number, 'sita', { reason: 'out of stock' });
    const text = readable(await page(number));
    expect(text).toMatch(/Refunded ₹1,158\.00 to your wallet .* : out of stock/);
    expect(text).toMatch(/Paid .* by auto-pay/);
    expect(text).toMatch(/Cancelled .* by the wholesaler: out of stock/);
  });
});

const DELIVERY = {
  name: 'Ravi Kumar',
  phone: '+91 98765 43210',
  address: '12, MG Road',
  city: 'Bengaluru',
  state: 'Karnataka',
  pincode: '560038',
  country: 'India',
  corrections: '0',
};

describe('The delivery of an order', () => {
  beforeAll(() => test.fixtures.neighbours());
  let sku: string;
  let packing: PackingService;

  beforeAll(async () => {
    packing = test.app.get(PackingService);
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
  });
  const store = makeBeforeEach(() => test.fixtures.store());
  const owner = makeBeforeEach(() => signIn(test, store.clientId));
  const buyer = makeBeforeEach(() => signIn(test, store.clientId, 'buyer'));
  const viewer = makeBeforeEach(() => signIn(test, store.clientId, 'viewer'));

  const place = async (...steps: ('pay' | 'ship' | 'cancel')[]): Promise<string> => {
    return placeAndMove(test, store, [{ sku, quantity: 2 }], ...steps);
  };
  const orderAt = (number: string) => `/dashboard/orders/${number}`;
  const formAt = (number: string) => `${orderAt(number)}/delivery`;
  const desk = () => orderDesk(test.app);
  const audit = (number: string) =>
    answerOf<AuditRow[]>(test.database.serviceUrl, 'audit', 'list').then((entries) =>
      entries.filter(({ subject }) => subject === `order ${number}`),
    );

  it.each([['before it is paid', []] as const, ['after it is paid', ['pay']] as const])(
    'is changed by a buyer %s, and its history and the wholesaler see who did it',
    async (_, steps) => {
      const number = await place(...steps);
      const { text: before } = await buyer.get(orderAt(number)).expect(200);
      expect(before).toContain(`href="${formAt(number)}"`);
      const { text: form } = await buyer.get(formAt(number)).expect(200);
      expect(headline(form)).toBe(`Change the delivery of ${number}`);
      expect(form).toMatch(/value="Ravi Kumar" name="name"/);
      const changed = { ...DELIVERY, name: ' Ravi Kumaran ', city: 'Mysuru', pincode: '570001' };
      await buyer.post(formAt(number), changed).expect(303).expect('Location', orderAt(number));

      const { text: page } = await viewer.get(orderAt(number)).expect(200);
      expect(readable(page)).toContain('Ravi Kumaran 12, MG Road Mysuru 570001 Karnataka, India');
      expect(readable(page)).toContain(
        `by ${buyer.person.email}: city: Bengaluru → Mysuru, name: Ravi Kumar → Ravi Kumaran, ` +
          'pincode: 560038 → 570001',
      );
      const actor = `person ${buyer.person.id} (${buyer.person.email})`;
      const { changes } = await desk().show(number);
      expect(changes).toMatchObject([
        {
          actor,
          before: { name: 'Ravi Kumar', city: 'Bengaluru', pincode: '560038' },
          after: { name: 'Ravi Kumaran', city: 'Mysuru', pincode: '570001' },
          reason: null,
        },
      ]);
      const redirected = (await audit(number)).filter(({ action }) => action !== 'order.paid');
      expect(redirected).toMatchObject([
        {
          actor,
          action: 'order.redirected',
          client_id: store.clientId,
          details: { changed: 'name, city, pincode' },
          address: '127.0.0.1',
        },
      ]);
    },
  );

  const TO_ASHA = {
    customer: { name: ' Asha Rao ', phone: '+91 98765 43211' },
    shipping: { address: '9, Park Street', city: 'Kolkata', state: 'West Bengal', pincode: '700 016' },
  };
  const put = (number: string, delivery: object = TO_ASHA, by = store) =>
    test.put(by, `/api/orders/${encodeURIComponent(number)}/delivery`, delivery);

  it('is changed by its store, until it is packed, and once', async () => {
    const { body: list } = await test.get(store, '/api/orders').expect(200);
    const { body: placed } = await test
      .post(store, '/api/orders', orderBody([{ sku, quantity: 2 }], { store_order_id: 'A/1' }))
      .expect(201);
    const { order_number: number } = placed as { order_number: string };
    const { body: answer } = await put('A/1').expect(200);
    expect(answer).toEqual({
      success: true,
      order_number: number,
      store_order_id: 'A/1',
      status: 'awaiting_payment',
      customer: { name: 'Asha Rao', phone: '+91 98765 43211' },
      shipping: { ...TO_ASHA.shipping, pincode: '700016', country: 'India' },
    });
    await moveOrder(test, store, number, 'pay');
    expect((await put(number).expect(200)).body).toEqual({ ...answer, status: 'pending' });

    expect(readable((await viewer.get(orderAt(number))).text)).toContain(
      'by your store: city: Bengaluru → Kolkata',
    );
    const { changes } = await desk().show(number);
    expect(changes).toMatchObject([{ actor: 'store', before: { name: 'Ravi Kumar' }, reason: null }]);
    const redirected = (await audit(number)).filter(({ action }) => action === 'order.redirected');
    expect(redirected).toMatchObject([{ actor: 'store', client_id: store.clientId }]);
    const { sync_token: since } = list as { sync_token: string };
    const { body: feed } = await test.get(store, `/api/orders?since=${since}`).expect(200);
    expect(feed.data).toMatchObject([{ order_number: number }]);

    await packing.make('test', { clientId: store.clientId });
    const { body: refused } = await put(number, orderBody([])).expect(409);
    expect(refused).toMatchObject({
      code: 'not_changeable',
      status: 'pending',
      message: 'The order is being packed.',
    });
    expect((await desk().show(number)).customer.name).toBe('Asha Rao');
  });

  it('is refused to its store with faults, after shipping, and to other tokens', async () => {
    const number = await place();
    const { body } = await put(number, {
      customer: { name: 'Asha', phone: '12', email: 'asha@example.com' },
      shipping: { ...TO_ASHA.shipping, pincode: '7', country: 'Narnia' },
    }).expect(422);
    expect(body.errors.map(({ field, code }: Record<'field' | 'code', string>) => [field, code])).toEqual([
      ['shipping.pincode', 'invalid_pincode'],
      ['customer.phone', 'invalid_phone'],
      ['shipping.country', 'country_not_served'],
    ]);
    expect(body.ignored_fields).toEqual([{ field: 'customer.email' }]);
    await put(number, { customer: TO_ASHA.customer }).expect(422);
    await put(number, TO_ASHA, await test.fixtures.store()).expect(404);
    await put(number, TO_ASHA, await test.fixtures.withToken(store, 'read_only')).expect(403);
    await put(number, TO_ASHA, await test.fixtures.withToken(store, 'test')).expect(404);
    expect((await desk().show(number)).changes).toEqual([]);
    for (const closed of [await place('pay', 'ship'), await place('cancel')])
      expect((await put(closed).expect(409)).body.code).toBe('not_changeable');
  });

  it('warns its store of a PIN code of another state', async () => {
    const delivery = { ...TO_ASHA, shipping: { ...TO_ASHA.shipping, state: 'Kerala' } };
    const { body } = await put(await place(), delivery).expect(200);
    expect(body.warnings).toMatchObject([{ field: 'shipping.pincode', code: 'other_state' }]);
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name', 'Must not be empty'],
    ['a long name', { name: 'x'.repeat(201) }, 'name', 'Must have at most 200 characters'],
    ['a phone number of five digits', { phone: '12345' }, 'phone', 'Must be ten digits in India'],
    ['a country that is not served', { country: 'Nepal' }, 'country', 'Must be one of the countries'],
    ['an address of two lines', { address: '1\n2' }, 'address', 'Must be one line'],
    ['an Indian PIN code of five digits', { pincode: '56003' }, 'pincode', 'Must be 6 digits in India'],
  ])('is refused with %s at its field, and what was typed stays', async (_, wrong, field, fault) => {
    const number = await place();
    const typed = { ...DELIVERY, city: 'Mysuru & co', ...wrong };
    const { text } = await buyer.post(formAt(number), typed).expect(422);
    expect(text).toMatch(new RegExp(`id="field-${field}-fault">\\s*${fault}`));
    expect(text).toContain('value="Mysuru &amp; co"');
    expect((await desk().show(number)).changes).toEqual([]);
  });

  it('is changed only by the wholesaler while it is packed, who sees the list', async () => {
    const number = await place('pay');
    const { id: list } = (await packing.make('test', { clientId: store.clientId }))!;
    expect((await owner.get(orderAt(number)).expect(200)).text).not.toContain(formAt(number));
    const { text } = await owner.get(formAt(number)).expect(200);
    expect(headline(text)).toBe(`The delivery of ${number} cannot be changed here`);
    const refused = await owner.post(formAt(number), { ...DELIVERY, city: 'Pune' }).expect(409);
    expect(readable(refused.text)).toContain('The order is being packed. To change the delivery, ask');

    const change = (city: string) => desk().redirect(number, 'test', { city });
    expect(await change('Goa')).toMatchObject({ packing_list: list, shipping: { city: 'Goa' } });
    await packing.drop(list, 'test');
    expect(await change('Kochi')).toMatchObject({ packing_list: null, shipping: { city: 'Kochi' } });
    const form = (await owner.get(formAt(number)).expect(200)).text;
    const corrections = /name="corrections" value="(\d+)"/.exec(form)![1]!;
    await owner.post(formAt(number), { ...DELIVERY, corrections, city: 'Salem' }).expect(303);
    expect((await desk().show(number)).shipping.city).toBe('Salem');
  });

  it('does not undo a change that came between the form and its answer', async () => {
    const number = await place();
    await desk().redirect(number, 'sita', { city: 'Pune' });
    const { text } = await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215' }).expect(409);
    expect(readable(text)).toContain('The delivery was changed after you opened this form');
    expect(text).toMatch(/name="corrections" value="1"/);
    expect((await desk().show(number)).shipping.city).toBe('Pune');
    await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215', corrections: 'x' }).expect(409);
    await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215', corrections: '1' }).expect(303);
  });
});

const SHIPMENT = {
  courier: 'BlueDart',
  trackingNumber: 'BD1',
  trackingUrl: null,
  shippedAt: null,
  sharedWithOrders: 'any' as const,
};

describe('The page of an order after its payment', () => {
  beforeAll(() => test.fixtures.neighbours());
  let number: string;

  const desk = makeBeforeAll(async () => orderDesk(test.app));
  beforeAll(async () => {
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '100.00', deliveryCharge: '30.00', stock: 100 },
      { sku: 'POT', name: 'Pot', basePrice: '50.00', stock: 100 },
    ]);
  });
  const store = makeBeforeEach(() => test.fixtures.store());
  const owner = makeBeforeEach(() => signIn(test, store.clientId));
  beforeEach(async () => {
    const items = [
      { sku: 'MUG', quantity: 3 },
      { sku: 'POT', quantity: 2 },
    ];
    number = await placeAndMove(test, store, items, 'pay');
  });
  afterEach(async () => expect(await test.app.get(WalletBooks).check()).toEqual([]));

  const path = () => `/dashboard/orders/${number}`;
  const page = async () => (await owner.get(path()).expect(200)).text;
  const ask = (fields: FormValues, person = owner) =>
    person.post(`${path()}/return`, { reason: 'Arrived damaged', note: '', key: 'k', ...fields });

  it('tells each parcel with its items, and what is left', async () => {
    await desk.ship(number, 'test', SHIPMENT, ['1=2']);
    const html = await page();
    expect(headline(html)).toBe(`${number} is partly shipped`);
    expect(readable(html)).toContain('Partly shipped');
    expect(readable(html)).toContain('Parcel 1 Courier BlueDart Tracking BD1');
    expect(readable(html)).toContain('2 × Mug');
    expect(rows(html)).toEqual([
      'Mug MUG · 2 of 3 shipped 3 ₹100.00 ₹300.00',
      'Pot POT · 0 of 2 shipped 2 ₹50.00 ₹100.00',
    ]);
    await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
    const both = await page();
    expect(headline(both)).toBe(`${number} is on its way`);
    expect(readable(both)).toContain('Parcel 2 Courier BlueDart Tracking BD2');
    expect(readable(both)).toContain('1 × Mug 2 × Pot');
  });

  it('needs no list of items for a parcel that has all of them', async () => {
    await desk.ship(number, 'test', SHIPMENT);
    const text = readable(await page());
    expect(text).toContain('Parcel Courier BlueDart');
    expect(text).not.toContain('3 × Mug');
  });

  it('tells cancelled lines and refunds with their reasons', async () => {
    await desk.cancel(number, 'test', { lines: ['2=1'], reason: 'one is broken' });
    await desk.refund(number, 'test', { delivery: true, reason: 'late' });
    const html = await page();
    expect(rows(html)[1]).toBe('Pot POT · 1 cancelled · 1 refunded 2 ₹50.00 ₹100.00');
    const text = readable(html);
    expect(text).toContain('Total ₹430.00 Refunded −₹80.00 Total after refunds ₹350.00');
    expect(text).toMatch(/1: ₹50\.00 to your wallet .*: one is broken 2: ₹30\.00 to your wallet .*: late/);
  });

  it('has a history of parcels, refunds and returns, in which one whole parcel is no entry of its own', async () => {
    const message = async () => readable(/History.*?<\/ol>/s.exec(await page())![0]);
    await desk.ship(number, 'test', SHIPMENT, ['1=2']);
    expect(await message()).toMatch(/Paid .*Parcel 1 left .*BlueDart, BD1/);
    await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
    expect(await message()).toMatch(
      /Parcel 1 left .*Shipped .*Parcel 2 left .*BlueDart, BD2|Parcel 2 left .*Shipped/,
    );
    await ask({ line_1: '1' });
    await desk.refund(number, 'test', { delivery: true, reason: 'late' });
    const history = await message();
    expect(history).toMatch(/Return requested .*RT-\S+: Arrived damaged .*Refunded ₹30\.00 .*late/);
    expect(history).not.toContain('Return refused');
    const [, returned] = /(RT-\S+):/.exec(history)!;
    await orderReturns(test.app).refuse(returned!, 'worn', 'test');
    expect(await message()).toMatch(/Return refused .*RT-\S+: worn/);
    const whole = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 1 }], 'pay', 'ship', 'deliver');
    const other = readable((await owner.get(`/dashboard/orders/${whole}`).expect(200)).text);
    expect(other).not.toMatch(/Parcel 1 (left|delivered)/);
  });

  it('has in its history a status that comes again for what it is, also at the desk', async () => {
    const staff = await signInAtDesk(test);
    const titles = (html: string) =>
      readable(/History.*?<\/ol>/s.exec(html)![0]).match(
        /(Placed|Paid|Shipped|Delivered|To ship again|On its way again)(?= \S+ ago| just| in| \d)/g,
      );
    const expected = async (...names: string[]) => {
      const { text } = await staff.get(`/desk/orders/${number}`).expect(200);
      for (const html of [await page(), text]) expect(titles(html)).toEqual(['Placed', 'Paid', ...names]);
    };
    await desk.ship(number, 'test', SHIPMENT);
    await desk.undo(number, 'test', { action: 'withdraw', reason: 'on the shelf' });
    await expected('Shipped', 'To ship again');
    await desk.ship(number, 'test', SHIPMENT);
    await desk.deliver(number, 'test');
    await desk.undo(number, 'test', { action: 'undeliver', reason: 'a mistake' });
    await desk.deliver(number, 'test');
    await expected('Shipped', 'To ship again', 'Shipped', 'Delivered', 'On its way again', 'Delivered');
  });

  it('shows only the day of a parcel whose courier gave no time', async () => {
    await test.fixtures.age(3 * 24, number);
    const zone = /Times are in (\S+)/.exec(await page())![1]!;
    const day = dayAt(Date.now() - 86_400_000, zone);
    await desk.ship(number, 'test', { ...SHIPMENT, shippedAt: startOfDay(day, zone) });
    expect(readable(await page())).toMatch(/Courier BlueDart Tracking BD1 Shipped \d+ \w+ \d{4} [A-Z]/);
    await test.pool.query("UPDATE parcels SET shipped_at = shipped_at + interval '1 minute'");
    expect(readable(await page())).toMatch(/Shipped \d+ \w+ \d{4}, 00:01/);
  });

  it('asks for a return of what has left, and tells where it stands', async () => {
    expect(readable(await page())).not.toContain('Return items');
    await desk.ship(number, 'test', SHIPMENT, ['1=2']);
    const form = await owner.get(`${path()}/return`).expect(200);
    expect(readable(form.text)).toContain('Mug MUG: up to 2');
    expect(readable(form.text)).not.toContain('POT: up to');
    // The form is posted twice.
    for (let times = 0; times < 2; times++) {
      const requested = await ask({ line_1: '1', note: 'the handle' }).expect(303);
      expect(requested.headers.location).toBe(path());
    }
    const html = await page();
    expect(readable(html)).toMatch(
      /Return RT-\d{8}-\w{5}-\w{5} Requested Withdraw Items 1 × Mug Reason Arrived damaged: the handle/,
    );
    expect(rows(html)[0]).toContain('1 to be returned');
    const [returned, ...more] = (await desk.show(number)).returns;
    expect(more).toEqual([]);
    const returns = orderReturns(test.app);
    await returns.receive(returned!.number, { restock: [], refund: true, note: 'glued' }, 'test');
    const received = readable(await page());
    expect(received).toMatch(/Return RT-\S+ Received/);
    expect(received).toContain('1 returned · 1 refunded 3');
    expect(received).toContain('Answer glued Refunded ₹100.00');
  });

  it('takes a request for a return back until its goods are received, also an accepted one', async () => {
    await desk.ship(number, 'test', SHIPMENT);
    const viewer = await signIn(test, store.clientId, 'viewer');
    const stranger = await signIn(test, (await test.fixtures.store()).clientId);
    const returns = orderReturns(test.app);
    await ask({ line_1: '3' }).expect(303);
    const { number: returned } = (await desk.show(number)).returns[0]!;
    await returns.accept(returned, { sendTo: 'Acme, Pune', sendBy: '2099-12-31' }, 'test');
    expect(linkOf(await page(), 'Withdraw')).toBe(`${path()}/return/${returned}/withdraw`);
    expect((await viewer.get(path())).text).not.toContain('withdraw');
    const form = `${path()}/return/${returned}/withdraw`;
    for (const [who, status] of [[viewer, 403] as const, [stranger, 404] as const]) {
      await who.get(form).expect(status);
      await who.post(form).expect(status);
    }
    expect(readable((await owner.get(form).expect(200)).text)).toContain('Items 3 × Mug');
    const another = await test.place(store, [{ sku: 'MUG', quantity: 1 }]);
    await owner.post(`/dashboard/orders/${another}/return/${returned}/withdraw`).expect(404);
    await expect(returns.refuse(returned, 'Withdrawn by the client', 'test')).rejects.toThrow(
      'Only the client',
    );
    const done = await owner.post(form).expect(303);
    expect(done.headers.location).toBe(path());
    expect(readable((await owner.post(form).expect(409)).text)).toContain('was withdrawn already');
    const html = await page();
    expect(readable(html)).toMatch(/Return RT-\S+ Withdrawn Items 3 × Mug .*Answer Withdrawn by the client/);
    expect(readable(html)).not.toContain(`${returned}: Withdrawn by the client`);
    expect(html).not.toContain('/withdraw"');
    expect(rows(html)[0]).not.toContain('returned');
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    expect(body.returns).toMatchObject([
      { number: returned, state: 'refused', refusal_reason: 'Withdrawn by the client' },
    ]);
    const packer = await signInAtDesk(test, 'packer');
    const ofDesk = await packer.get(`/desk/returns/${returned}`).expect(200);
    expect(headline(ofDesk.text)).toBe(`${returned} is withdrawn`);
    expect(readable(ofDesk.text)).toMatch(new RegExp(`Withdrawn \\S.* by ${owner.person.email}`));
    const refused = rows((await packer.get('/desk/returns?state=refused').expect(200)).text);
    expect(refused.find((row) => row.includes(returned))).toContain('Withdrawn');
    await expect(returns.refuse(returned, 'worn', 'test')).rejects.toThrow('was withdrawn already');
    const log = await answerOf<AuditRow[]>(test.database.serviceUrl, 'audit', 'list');
    expect(log.filter(({ subject }) => subject === `return ${returned}`)).toMatchObject([
      { action: 'return.withdrawn', actor: expect.stringContaining(owner.person.email) as string },
      { action: 'return.accepted' },
      { action: 'return.requested' },
    ]);
    await ask({ line_1: '3', key: 'k2' }).expect(303);
  });

  it('does not take back goods that a courier brings back', async () => {
    await desk.ship(number, 'test', SHIPMENT);
    const reports = test.app.get(CourierReportsService);
    const { fingerprint } = await desk.orderPage(number);
    await reports.report({ orderNumber: number, parcel: 1, exception: 'returned' }, 'test', fingerprint);
    const { number: returned } = (await desk.show(number)).returns[0]!;
    expect(await page()).not.toContain('/withdraw"');
    const form = `${path()}/return/${returned}/withdraw`;
    expect(readable((await owner.get(form).expect(200)).text)).toContain('cannot be withdrawn');
    await owner.post(form).expect(404);
    await owner.get(`${path()}/return/RT-1/withdraw`).expect(404);
    expect((await desk.show(number)).returns).toMatchObject([{ state: 'requested' }]);
  });

  it.each([
    ['4', 'Must be a whole number from 0 to 3'],
    ['', 'Must be more than 0 for at least one item'],
  ])('refuses %p units at the field', async (quantity, fault) => {
    await desk.ship(number, 'test', SHIPMENT);
    const { text } = await ask({ line_1: quantity }).expect(422);
    expect(readable(text)).toContain(fault);
    expect((await desk.show(number)).returns).toEqual([]);
  });

  it.each<[FormValues]>([
    [{ line_1: '1', line_01: '1' }],
    [{ line_01: '1' }],
    [{ line_1: ['1', '1'] }],
    [{ line_1: '1', line_: '1' }],
    [{ line_1: '1', 'line_1 ': '1' }],
  ])('refuses a form that does not name each line once: %j', async (fields) => {
    await desk.ship(number, 'test', SHIPMENT);
    const { text } = await ask(fields).expect(400);
    expect(readable(text)).toContain('The form must name each line once, such as line_1.');
    expect((await desk.show(number)).returns).toEqual([]);
  });
});
