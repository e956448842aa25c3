import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import type { Store } from '../../support/fixtures.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, readable, rows } from '../../support/page-text.js';
import { type FormValues, type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const SHIPMENT = {
  courier: 'BlueDart',
  trackingNumber: 'BD1',
  trackingUrl: null,
  shippedAt: null,
  sharedWithOrders: 'any' as const,
};

describe('The page of an order after its payment', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let desk: OrderDeskService;
  let number: string;

  beforeAll(async () => {
    desk = test.app.get(OrderDeskService, { strict: false });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '100.00', deliveryCharge: '30.00', stock: 100 },
      { sku: 'POT', name: 'Pot', basePrice: '50.00', stock: 100 },
    ]);
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
    const items = [
      { sku: 'MUG', quantity: 3 },
      { sku: 'POT', quantity: 2 },
    ];
    number = await test.place(store, items);
    await moveOrder(test, store, number, 'pay');
  });
  afterEach(async () => {
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  const path = () => `/dashboard/orders/${number}`;
  const page = async () => (await owner.get(path()).expect(200)).text;
  const ask = (fields: FormValues, person = owner) =>
    person.post(`${path()}/return`, { reason: 'Arrived damaged', note: '', key: 'k', ...fields });

  it('tells each parcel with its items, and what is left', async () => {
    await desk.ship(number, 'test', SHIPMENT, ['1=2']);
    const html = await page();
    expect(headline(html)).toBe(`${number} is partly shipped`);
    expect(readable(html)).toContain('Parcel 1 Courier BlueDart Tracking BD1');
    expect(readable(html)).toContain('2 × Mug');
    expect(rows(html)).toEqual(['Mug MUG · 2 sent 3 ₹100.00 ₹300.00', 'Pot POT 2 ₹50.00 ₹100.00']);
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
    await test.app.get(OrderReturnsService, { strict: false }).refuse(returned!, 'worn', 'test');
    expect(await message()).toMatch(/Return refused .*RT-\S+: worn/);
    const whole = await test.place(store, [{ sku: 'MUG', quantity: 1 }]);
    await moveOrder(test, store, whole, 'pay', 'ship', 'deliver');
    const other = readable((await owner.get(`/dashboard/orders/${whole}`).expect(200)).text);
    expect(other).not.toMatch(/Parcel 1 (left|delivered)/);
  });

  it('asks for a return of what has left, and tells where it stands', async () => {
    expect(readable(await page())).not.toContain('Return items');
    await desk.ship(number, 'test', SHIPMENT, ['1=2']);
    const form = await owner.get(`${path()}/return`).expect(200);
    expect(readable(form.text)).toContain('Mug MUG: up to 2');
    expect(readable(form.text)).not.toContain('POT: up to');
    const requested = await ask({ line_1: '1', note: 'the handle' }).expect(303);
    expect(requested.headers.location).toBe(path());
    const html = await page();
    expect(readable(html)).toMatch(
      /Return RT-\d{8}-\w{5}-\w{5} Requested Items 1 × Mug Reason Arrived damaged: the handle/,
    );
    expect(rows(html)[0]).toContain('1 to be returned');
    const [returned] = (await desk.show(number)).returns;
    const returns = test.app.get(OrderReturnsService, { strict: false });
    await returns.receive(returned!.number, { restock: [], refund: true, note: 'glued' }, 'test');
    const received = readable(await page());
    expect(received).toMatch(/Return RT-\S+ Received/);
    expect(received).toContain('1 returned 3');
    expect(received).toContain('Answer glued Refunded ₹100.00');
  });

  it('asks once for a form that is posted twice', async () => {
    await desk.ship(number, 'test', SHIPMENT);
    await ask({ line_1: '1', key: 'same' }).expect(303);
    await ask({ line_1: '1', key: 'same' }).expect(303);
    await ask({ line_1: '1', key: 'other' }).expect(303);
    expect((await desk.show(number)).returns).toHaveLength(2);
  });

  it.each([
    ['3.5', 'Must be a whole number from 0 to 3'],
    ['4', 'Must be a whole number from 0 to 3'],
    ['-1', 'Must be a whole number from 0 to 3'],
    ['two', 'Must be a whole number from 0 to 3'],
    ['0', 'Must be more than 0 for at least one item'],
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

  it('refuses to return what has not left', async () => {
    await desk.ship(number, 'test', SHIPMENT, ['1=1']);
    for (const line of [2, 9]) {
      const { text } = await ask({ line_1: '1', [`line_${line}`]: '1' }).expect(409);
      expect(readable(text)).toContain(`Line ${line} of the order cannot be returned now.`);
    }
    expect((await desk.show(number)).returns).toEqual([]);
  });
});
