import { OrderDeskRepository } from '../../../src/modules/orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { orderReturns } from '../../support/order-returns.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { Database } from '../../../src/platform/database/database.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import {
  formFields,
  headline,
  hiddenFields,
  linkOf,
  noticeIn,
  readable,
  rows,
} from '../../support/page-text.js';
import { type FormValues, type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { Buyer } from '../../support/buyer.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { withMethods } from '../../support/with-methods.js';
import { setUpTestApp } from '../../support/test-app.js';

const SHIPMENT = {
  courier: 'BlueDart',
  trackingNumber: 'BD1',
  trackingUrl: null,
  shippedAt: null,
  sharedWithOrders: 'any' as const,
};

/** The forms of one parcel with all goods of an order, and of a refund. */
const PARCEL = { line_1: '3', line_2: '2', courier: 'DTDC', tracking_number: 'D9', tracking_url: '' };
const REFUND = { amount: '', reason: 'late', line_1: '0', line_2: '0' };

const TAXED = { hsn: '691200', gstRate: '18', unit: 'PCS' };

describe('The orders on the desk', () => {
  const test = setUpTestApp();
  let desk: OrderDesk;
  let staff: SignedIn<DeskPerson>;
  let packer: SignedIn<DeskPerson>;

  beforeAll(async () => {
    desk = orderDesk(test.app);
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '100.00', deliveryCharge: '30.00', stock: 1000, ...TAXED },
      { sku: 'POT', name: 'Pot', basePrice: '50.00', stock: 1000, ...TAXED },
    ]);
    staff = await signInAtDesk(test, 'staff');
    packer = await signInAtDesk(test, 'packer');
  });
  afterEach(async () => {
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  const place = async (store: Store, change = {}) => {
    const items = [
      { sku: 'MUG', quantity: 3 },
      { sku: 'POT', quantity: 2 },
    ];
    return test.place(store, { ...orderBody(items), ...change });
  };
  const path = (number: string, action = '') => `/desk/orders/${number}${action && `/${action}`}`;
  const page = async (address: string, who = staff) => (await who.get(address).expect(200)).text;

  /** Sends the form of an action, then confirms the page with its effects. */
  const plan = async (number: string, action: string, fields: FormValues, who = staff) => {
    const { text } = await who.post(path(number, action), fields).expect(200);
    const confirm = () => who.post(path(number, action), { ...hiddenFields(text), step: 'confirm' });
    return { message: readable(text), text, confirm };
  };

  describe('in the list', () => {
    let mango: Store;
    let other: Store;
    let toShip: string;
    let unpaid: string;

    beforeAll(async () => {
      mango = await test.fixtures.store({ name: 'Mango Market' });
      other = await test.fixtures.store({ name: 'Other Shop' });
      toShip = await place(mango);
      await moveOrder(test, mango, toShip, 'pay');
      unpaid = await place(other);
      const shipped = await place(other);
      await moveOrder(test, other, shipped, 'pay');
      await desk.ship(shipped, 'test', { ...SHIPMENT, trackingNumber: 'FINDME77' });
    });

    it('are those to ship of all clients, with the counts of the others', async () => {
      const html = await page('/desk/orders');
      expect(headline(html)).toBe('Orders to ship · 1');
      expect(rows(html)).toHaveLength(1);
      expect(rows(html)[0]).toContain(toShip);
      expect(rows(html)[0]).toContain('Mango Market');
      expect(rows(html)[0]).toContain('₹430.00');
      expect(readable(html)).toContain(
        'To ship 1 Partly shipped Shipped 1 Not delivered in time 0 Came back or lost 0 ' +
          'Awaiting payment 1 Delivered 0 Cancelled 0',
      );
      const all = await page('/desk/orders?status=all');
      expect(headline(all)).toBe('All orders · 3');
      expect(rows(all)).toHaveLength(3);
    });

    it('are sorted by time, by the heading of the column, with the other filters', async () => {
      const order = (html: string) => rows(html).map((row) => /WO-\S+/.exec(row)![0]);
      const newest = await page('/desk/orders?status=all&client=other');
      expect(newest).toContain('aria-sort="descending"');
      const oldest = await page(linkOf(newest, 'Placed'));
      expect(oldest).toContain('aria-sort="ascending"');
      expect(order(newest)).toHaveLength(2);
      expect(order(oldest)).toEqual(order(newest).toReversed());
      expect(order(await page(linkOf(oldest, 'Placed')))).toEqual(order(newest));
      expect(hiddenFields(oldest)).toMatchObject({ sort: ['oldest'], status: ['all'] });
      expect(await page('/desk/orders')).not.toContain('aria-sort');
    });

    it('are filtered by client, text and period, which stay in the address', async () => {
      expect(headline(await page('/desk/orders?status=all&client=mango'))).toBe('All orders · 1');
      const found = await page('/desk/orders?status=all&search=findme77');
      expect(rows(found)).toHaveLength(1);
      const month = new URLSearchParams(linkOf(found, 'This month').split('?')[1]);
      expect([...month.keys()].toSorted()).toEqual(['from', 'search', 'status', 'to']);
      expect([month.get('status'), month.get('search')]).toEqual(['all', 'findme77']);
      expect(rows(await page('/desk/orders?status=all&to=2020-01-01'))).toHaveLength(0);
      expect(rows(await page('/desk/orders?status=awaiting_payment&client=other'))[0]).toContain(unpaid);
      const reversed = await staff.get('/desk/orders?from=2026-02-02&to=2026-02-01').expect(422);
      expect(readable(reversed.text)).toContain('The first day is later than the last one.');
    });

    it('are a file of what the filters choose, for staff', async () => {
      const list = await page('/desk/orders?status=all&client=Other+Shop');
      const address = linkOf(list, 'CSV');
      const { text, headers } = await staff.get(address).expect(200);
      expect(headers['content-type']).toContain('text/csv');
      const [heading, ...lines] = text.trimEnd().split('\r\n');
      expect(heading).toContain('order_number,client_id,client,store_order_id,status');
      expect(lines).toHaveLength(2);
      expect(lines.find((line) => line.startsWith(unpaid))).toContain('Other Shop');
      const waiting = (await staff.get('/desk/orders/orders.csv?status=pending').expect(200)).text;
      expect([waiting.includes(toShip), waiting.includes(unpaid)]).toEqual([true, false]);
      await packer.get('/desk/orders/orders.csv').expect(403);
      expect(await page('/desk/orders', packer)).not.toContain('orders.csv');
      await staff.get('/desk/orders/orders.csv?client=Nobody').expect(404);
    });

    it('tell that a client is not known or not clear', async () => {
      const { text } = await staff.get('/desk/orders?client=nobody').expect(422);
      expect(readable(text)).toContain('There is no client "nobody".');
      expect(text).toContain('value="nobody"');
      expect(rows(text)).toHaveLength(0);
    });

    it('are opened by a scanned number', async () => {
      const scanned = await staff.get(`/desk/orders?search=${toShip.toLowerCase()}`).expect(303);
      expect(scanned.headers.location).toBe(path(toShip));
    });

    it('do not hide that the look-up of a number failed', async () => {
      const orderPage = () => Promise.reject(new Error('lost'));
      await withMethods(test.app.get(OrderDeskService, { strict: false }), { orderPage }, async () => {
        await staff.get(`/desk/orders?search=${toShip}`).expect(500);
      });
    });

    it('have no unpaid orders for a packer', async () => {
      expect(headline(await page('/desk/orders?status=awaiting_payment', packer))).toBe('Orders to ship · 1');
      expect(headline(await page('/desk/orders?status=shipped', packer))).toBe('Shipped orders · 1');
      await packer.get(path(unpaid)).expect(404);
      const { headers } = await packer.get(`/desk/orders?search=${unpaid}`).expect(303);
      expect(headline(await page(headers.location!, packer))).toBe(`Nothing matches “${unpaid}”`);
    });

    it('are found from every page, whatever their status: one hit opens itself', async () => {
      const find = (text: string, who = staff) => who.get(`/desk/search?q=${encodeURIComponent(text)}`);
      const [one] = await test.query<{ number: string; phone: string }>(
        `SELECT order_number AS number, customer_phone AS phone FROM orders WHERE tracking_number = 'FINDME77'`,
      );
      for (const who of [staff, packer]) {
        expect((await find('findme77', who)).headers.location).toBe(path(one!.number));
        expect((await find(one!.number.toLowerCase(), who)).headers.location).toBe(path(one!.number));
        const { text } = await who.get('/desk').expect(200);
        expect(text).toContain('action="/desk/search"');
      }
      // A search in a tab that finds nothing there goes on here.
      const { headers } = await packer.get('/desk/orders?search=findme77').expect(303);
      expect(headers.location).toBe('/desk/search?q=findme77');

      const byPhone = (await find(one!.phone)).text;
      expect(readable(byPhone)).toContain('Orders');
      for (const number of [toShip, unpaid, one!.number]) expect(byPhone).toContain(path(number));
      const byPhoneForPacker = (await find(one!.phone, packer)).text;
      expect([byPhoneForPacker.includes(toShip), byPhoneForPacker.includes(unpaid)]).toEqual([true, false]);

      const bySku = readable((await find('mug')).text);
      expect(bySku).toContain('Orders with MUG');
      expect(bySku).toMatch(/Products .*Mug/);
      const bySkuForPacker = (await find('mug', packer)).text;
      expect(bySkuForPacker).toContain(toShip);
      // Packers open the stock of a product.
      expect(bySkuForPacker).toContain('href="/desk/goods/products/MUG/stock"');
      for (const hidden of [unpaid, '/desk/goods/products/MUG"', '₹'])
        expect(bySkuForPacker).not.toContain(hidden);

      expect((await find('mango market')).headers.location).toBe(`/desk/clients/${mango.clientId}`);
      expect(headline((await find('mango market', packer)).text)).toBe('Nothing matches “mango market”');
      expect(headline((await find('')).text)).toBe('Search');
    });

    it('say how to narrow a search that takes too long', async () => {
      const orders = test.app.get(OrderDeskRepository, { strict: false });
      await withMethods(orders, { search: () => Promise.resolve(undefined) }, async () => {
        const { text } = await staff.get('/desk/search?q=somebody');
        expect(readable(text)).toContain('Too many orders match. Add a word');
      });
      const database = test.app.get(Database, { strict: false });
      const slow = { text: 'SELECT pg_sleep(60)' };
      expect(await database.readWithin(1, (queries) => queries.query(slow, []))).toBeUndefined();
    });

    it('are found by the exact id of a store first, however many newer ids begin with it', async () => {
      const ids = ['4711', ...Array.from({ length: 10 }, (_, n) => `4711${n}`)];
      const numbers: string[] = [];
      const store = await test.fixtures.store();
      for (const id of ids) numbers.push(await place(store, { store_order_id: id }));
      const { text } = await staff.get('/desk/search?q=4711').expect(200);
      expect(rows(text)[0]).toContain(`${numbers[0]} 4711 Ravi`);
      expect(rows(text)[1]).toContain(numbers.at(-1));
      expect(rows(text).filter((row) => row.includes(numbers[0]!))).toHaveLength(1);
      const list = rows((await staff.get('/desk/orders?status=all&search=4711').expect(200)).text);
      expect([list[0], list[1]]).toEqual([
        expect.stringContaining(`${numbers[0]} 4711`),
        expect.stringContaining(numbers.at(-1)!),
      ]);
      expect(list).toHaveLength(ids.length);
      expect((await packer.get('/desk/search?q=4711').expect(200)).text).not.toContain(numbers[0]);
    });

    it('are found with what a store could not place, by its id or the id of the request', async () => {
      const refused = await test.fixtures.store();
      const refuse = (store: Store) =>
        test.post(store, '/api/orders', { ...orderBody([]), store_order_id: 'never-came' }).expect(422);
      const { headers } = await refuse(refused);
      await test.app.get(RequestLog, { strict: false }).writeAll();
      for (const id of ['never-came', headers['x-request-id']!]) {
        const opened = await staff.get(`/desk/search?q=${id}`).expect(303);
        expect(opened.headers.location).toMatch(
          new RegExp(`^/desk/clients/${refused.clientId}/requests/\\d+$`),
        );
        expect(headline(await page(opened.headers.location!))).toContain('This call was refused');
        expect(headline((await packer.get(`/desk/search?q=${id}`).expect(200)).text)).toContain('Nothing');
      }
      await refuse(await test.fixtures.store());
      await test.app.get(RequestLog, { strict: false }).writeAll();
      const both = (await staff.get('/desk/search?q=never-came').expect(200)).text;
      expect(rows(both)).toEqual(Array(2).fill(expect.stringContaining('Fields are missing or invalid')));
      expect((await staff.get('/desk/search?q=never').expect(200)).text).not.toContain('/requests/');
    });

    it('open by the id of a store, whatever else has it, but not instead of a product', async () => {
      const number = await place(await test.fixtures.store(), { store_order_id: 'S-7788' });
      await test.fixtures.product({ name: 'For S-7788' });
      expect((await staff.get('/desk/search?q=S-7788').expect(303)).headers.location).toBe(path(number));
      await test.fixtures.product({ sku: 'S-7788' });
      const { text } = await staff.get('/desk/search?q=S-7788').expect(200);
      expect(readable(text)).toMatch(/Orders .* Products /);
    });

    it('stand where they are sorted if the page would end with an exact one', async () => {
      const id = '8822';
      for (let n = 0; n < 50; n++) await place(await test.fixtures.store(), { store_order_id: id });
      const newest = await place(await test.fixtures.store(), { store_order_id: `${id}9` });
      const list = `/desk/orders?status=all&search=${id}`;
      const first = (await staff.get(list).expect(200)).text;
      expect(rows(first)[0]).toContain(newest);
      const second = (await staff.get(linkOf(first, 'Next page')).expect(200)).text;
      expect([...rows(first), ...rows(second)]).toHaveLength(51);
    });
  });

  it('are paged by key, and an exactly full page is the last one', async () => {
    const store = await test.fixtures.store({ name: 'Full Pages' });
    await test.fixtures.orders(store, 100);
    const list = `/desk/orders?status=awaiting_payment&client=${store.clientId}`;
    const first = await page(list);
    expect(headline(first)).toBe('Unpaid orders · 100');
    const second = await page(linkOf(first, 'Next page'));
    const observed = [...rows(first), ...rows(second)].map((row) => /WO-\S+/.exec(row)![0]);
    expect(new Set(observed).size).toBe(100);
    expect(second).not.toContain('rel="next"');
    // The same without a client, across all statuses.
    const all = await page(linkOf(await page('/desk/orders?status=all'), 'Next page'));
    expect(rows(all)).toHaveLength(50);
  });

  describe('one by one', () => {
    let store: Store;
    let number: string;

    beforeEach(async () => {
      // A person may submit only so many forms a minute.
      staff = await signInAtDesk(test, 'staff');
      store = await test.fixtures.store({ name: 'Lotus', state: '29' });
      number = await place(store, { store_order_id: `S-${store.clientId}` });
      await moveOrder(test, store, number, 'pay');
    });

    it('show everything with its authors', async () => {
      await desk.ship(number, `person 7 (asha@example.com)`, SHIPMENT, ['1=2']);
      await desk.correct(number, 'test', { trackingNumber: 'BD9' });
      await desk.refund(number, 'test', { delivery: true, reason: 'late' });
      const html = await page(path(number));
      expect(headline(html)).toBe(`${number} is partly shipped`);
      const text = readable(html);
      expect(text).toContain('Items Partly shipped');
      expect(rows(await page('/desk/orders?status=pending')).find((row) => row.includes(number))).toContain(
        'Partly shipped',
      );
      expect(text).toContain(`Order S-${store.clientId} of Lotus , placed`);
      expect(rows(html)[0]).toBe('Mug MUG · 2 of 3 shipped 3 ₹100.00 ₹300.00');
      expect(text).toContain('Total ₹430.00 Refunded −₹30.00 Total after refunds ₹400.00');
      expect(text).toContain('Courier BlueDart Tracking BD9');
      expect(text).toMatch(/₹30\.00 to the client’s wallet .* by test: late/);
      expect(text).toMatch(/Corrected .* by test: tracking number: BD1 → BD9/);
      expect(linkOf(html, 'Lotus')).toBe(`/desk/clients/${store.clientId}`);
      await staff.get(path('WO-20260101-AAAAA-AAAAA')).expect(404);
    });

    it('say of each line what became of its units, in sequence', async () => {
      const words = async (who = staff) =>
        rows(await page(path(number), who)).map((row) => row.replace(/ \d( ₹.*)?$/, ''));
      const report = async (parcel: string, exception: string) =>
        (await plan(number, 'report', { parcel, exception })).confirm().expect(303);
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      expect(await words(packer)).toEqual(['Mug MUG · 1 of 3 shipped', 'Pot POT · 0 of 2 shipped']);
      await desk.cancel(number, 'test', { lines: ['1=1', '2=2'], writeOff: ['2=1'], reason: 'broken' });
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'WAY2' });
      await report('1', 'lost');
      expect(await words(packer)).toEqual([
        'Mug MUG · 2 of 3 shipped · 1 lost · 1 cancelled',
        'Pot POT · 2 cancelled · 1 written off',
      ]);
      expect(readable(await page(path(number)))).toContain('Items Shipped');
      await report('2', 'returning');
      expect(await words()).toEqual([
        'Mug MUG · 2 of 3 shipped · 1 on the way back · 1 lost · 1 cancelled · 1 refunded',
        'Pot POT · 2 cancelled · 1 written off · 2 refunded',
      ]);
      expect(readable(await page(path(number)))).toContain('Items Lost in part');
      number = await place(store);
      await desk.cancel(number, 'test', {});
      expect(await words()).toEqual(['Mug MUG · 3 cancelled', 'Pot POT · 2 cancelled']);
    });

    it('are in a tab of their own while they are shipped in part', async () => {
      const listed = async (who = staff) => rows(await page('/desk/orders?status=partly', who));
      const isListed = expect.stringContaining(number) as string;
      expect(await listed()).not.toContainEqual(isListed);
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      expect(await listed()).toContainEqual(isListed);
      expect(await listed(packer)).toContainEqual(isListed);
      const own = await page(`/desk/orders?status=partly&client=${store.clientId}`);
      expect(headline(own)).toBe('Partly shipped orders · 1');
      expect(readable(own)).toContain('New packing list');
      const file = await staff.get(linkOf(own, 'CSV')).expect(200);
      expect(file.text.trimEnd().split('\r\n')).toHaveLength(2);
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
      expect(await listed()).not.toContainEqual(isListed);
    });

    it('say in the form of an RTO or a loss which parcel and goods it is about', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      const form = async (query = '') => readable(await page(path(number, 'report') + query, packer));
      expect(await form()).toContain('Parcel 1: BlueDart BD1 Items 1 × Mug What happened');
      expect(await form('?parcel=9')).not.toContain('BlueDart');
    });

    it('say that their client is suspended, and then offer no further order', async () => {
      expect(readable(await page(path(number)))).not.toContain('suspended');
      const open = await plan(number, 'ship', PARCEL);
      await test.fixtures.suspend(store.clientId);
      const html = await page(path(number));
      expect(readable(html)).toContain('Lotus is suspended.');
      expect(html).toContain(`<a href="/desk/clients/${store.clientId}">Lotus</a> is suspended.`);
      expect(html).not.toContain('Order again');
      const listed = rows(await page(`/desk/orders?client=${store.clientId}`));
      expect(listed).toEqual([expect.stringContaining('Lotus Suspended')]);
      const forPacker = await page(path(number), packer);
      expect(readable(forPacker)).toContain('Lotus is suspended.');
      expect(forPacker).not.toContain('/desk/clients/');
      await open.confirm().expect(303);
    });

    it('ship in part: first reviewed, then done once', async () => {
      const form = await page(path(number, 'ship'));
      expect(readable(form)).toContain('Mug MUG: up to 3');
      const requested = { ...PARCEL, line_1: '2', line_2: '0', tracking_number: 'BD5' };
      const { message, confirm } = await plan(number, 'ship', requested, packer);
      expect(message).toContain('Nothing is done yet.');
      expect(message).toContain('2 × Mug');
      expect(message).toContain('The order then still has goods to ship');
      expect(message).toContain('Ship 2 units');
      expect((await desk.show(number)).parcels).toEqual([]);
      const done = await confirm().expect(303);
      expect(done.headers.location).toBe(path(number));
      // Back and once more: nothing is shipped twice.
      const repeated = await confirm().expect(409);
      expect(readable(repeated.text)).toContain('The order was changed after you opened this page');
      const { parcels, status } = await desk.show(number);
      expect(parcels).toMatchObject([{ tracking_number: 'BD5', lines: [{ line: 1, quantity: 2 }] }]);
      expect(status).toBe('pending');
    });

    it('ship and correct with the tracking number of another order only after a warning', async () => {
      const [other, third] = [await place(store), await place(store)];
      await moveOrder(test, store, other, 'pay');
      await moveOrder(test, store, third, 'pay');
      await desk.ship(other, 'test', { ...SHIPMENT, trackingNumber: 'TWICE 1' });
      const fields = { ...PARCEL, tracking_number: 'twice1' };
      const { message, confirm } = await plan(number, 'ship', fields, packer);
      const warning = `The tracking number twice1 is on a parcel of ${other} too.`;
      expect(message).toContain(`${warning} Go on only if one parcel holds these orders.`);
      // Meanwhile a further order gets it, which this person was not warned of.
      await desk.ship(third, 'test', { ...SHIPMENT, trackingNumber: 'TWICE1' });
      const late = await confirm().expect(409);
      expect(readable(late.text)).toContain(`The tracking number twice1 is on a parcel of ${third} too.`);
      expect((await desk.show(number)).status).toBe('pending');
      const repeated = await plan(number, 'ship', fields, packer);
      for (const one of [other, third]) expect(repeated.message).toContain(one);
      await repeated.confirm().expect(303);
      const correct = await plan(number, 'correct', { courier: 'DTDC', tracking_number: 'TWICE9' }, packer);
      expect(correct.message).not.toContain('too.');
      await correct.confirm().expect(303);
      const back = await plan(number, 'correct', { courier: 'DTDC', tracking_number: 'TWICE1' }, packer);
      expect(back.message).toContain('The tracking number TWICE1 is on a parcel of');
      await back.confirm().expect(303);
    });

    it('add a further box to a shipment, without goods', async () => {
      await packer.get(path(number, 'box')).expect(200, /not possible now/);
      await desk.ship(number, 'test', SHIPMENT);
      const box = { courier: 'BlueDart', tracking_number: 'BD2' };
      const { message, confirm } = await plan(number, 'box', box, packer);
      expect(message).toContain('Leave the stock no goods');
      await confirm().expect(303);
      expect((await desk.show(number)).parcels).toMatchObject([{}, { tracking_number: 'BD2', lines: [] }]);
      await desk.deliver(number, 'test', 1);
      const gone = await plan(number, 'withdraw', { parcel: '2', reason: 'one box was enough' }, packer);
      expect(gone.message).toContain('The order then is delivered');
      await gone.confirm().expect(303);
      expect((await desk.show(number)).status).toBe('delivered');
    });

    it('cancel the rest after the parcels have arrived', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      await desk.deliver(number, 'test', 1);
      await desk.refund(number, 'test', { lines: ['1=3', '2=2'], reason: 'kind' });
      const requested = { line_1: '2', line_2: '2', reason: 'no stock' };
      const { message, confirm } = await plan(number, 'cancel', requested);
      expect(message).toContain('To the client’s wallet nothing: it was refunded before');
      expect(message).toContain('The order then is delivered');
      await confirm().expect(303);
      expect((await desk.show(number)).status).toBe('delivered');
    });

    it.each([
      [{ line_1: '4' }, 'Must be a whole number from 0 to 3'],
      [{ line_1: 'x' }, 'Must be a whole number from 0 to 3'],
      [{ line_1: '0', line_2: '0' }, 'Must be more than 0 for at least one item'],
      [{ tracking_url: 'javascript:alert(1)' }, 'must be an address that begins with http'],
      [{ courier: '' }, 'The courier must not be empty.'],
    ])('keep what was typed beside the mistake %p', async (change, fault) => {
      const requested = { ...PARCEL, courier: 'Kept Courier', ...change };
      const { text } = await staff.post(path(number, 'ship'), requested).expect(422);
      expect(readable(text)).toContain(fault);
      if (!('courier' in change)) expect(text).toContain('value="Kept Courier"');
    });

    it('go back to the form with what was typed', async () => {
      const requested = { ...PARCEL, line_1: '1', line_2: '0', courier: 'Typed' };
      const { text } = await plan(number, 'ship', requested);
      const edited = await staff
        .post(path(number, 'ship'), { ...hiddenFields(text), step: 'edit' })
        .expect(200);
      expect(edited.text).toContain('value="Typed"');
      expect(formFields(edited.text)).toMatchObject({ line_1: ['1'], line_2: ['0'] });
    });

    it('write broken units off instead of putting them for sale again', async () => {
      const form = await page(path(number, 'cancel'));
      const filled = await page(linkOf(form, 'Fill in all units'));
      expect(formFields(filled)).toMatchObject({ line_1: ['3'], line_2: ['2'], writeOff_1: ['0'] });
      expect(formFields(form)).toMatchObject({ line_1: ['0'], writeOff_1: ['0'] });
      const stock = () => test.fixtures.stockOf('MUG');
      const before = await stock();
      const typed = { line_1: '2', line_2: '0', writeOff_1: '1', writeOff_2: '0', reason: 'glaze broke' };
      const tooMany = await staff.post(path(number, 'cancel'), { ...typed, writeOff_1: '3' }).expect(409);
      expect(readable(tooMany.text)).toContain('Only 2 units of line 1 can be written off');
      const { message, confirm } = await plan(number, 'cancel', typed);
      expect(message).toMatch(/For sale again 1 × \w+ Written off 1 × \w+/);
      expect(await stock()).toEqual(before);
      await confirm().expect(303);
      await confirm().expect(303);
      expect(await stock()).toEqual({ on_hand: before.on_hand - 1, held: before.held - 2 });
      const { rows: movements } = await test.pool.query(
        `SELECT delta, reason, actor FROM stock_movements WHERE reason LIKE '%' || $1 || '%'`,
        [number],
      );
      const reason = `written off, order ${number} cancelled: glaze broke`;
      expect(movements).toEqual([{ delta: -1, reason, actor: expect.stringContaining(staff.person.email) }]);
      const view = readable(await page(path(number)));
      expect(view).toMatch(/Cancelled 2 × \w+ .*glaze broke/);
      expect(view).toMatch(/Written off 1 × \w+ .*glaze broke/);
      await desk.cancel(number, 'test', { reason: 'rest broke', writeOff: ['1=1'] });
      expect(await stock()).toEqual({ on_hand: before.on_hand - 2, held: before.held - 3 });
      expect(readable(await page(path(number)))).toMatch(/Written off 1 × \w+ .*rest broke/);
    });

    it('tell the second of two people what the first did', async () => {
      const admin = await signInAtDesk(test, 'admin');
      const ship = await plan(number, 'ship', PARCEL);
      const cancel = await plan(number, 'cancel', { line_1: '3', line_2: '2', reason: 'no stock' }, admin);
      expect(cancel.message).toContain('To the client’s wallet ₹430.00');
      expect(cancel.message).toContain('The order then is cancelled');
      await cancel.confirm().expect(303);
      const late = await ship.confirm().expect(409);
      expect(readable(late.text)).toContain(`cancelled by ${admin.person.email}`);
      const { status, refunded_amount } = await desk.show(number);
      expect([status, refunded_amount]).toEqual(['cancelled', 430]);
      expect(headline(await page(path(number)))).toBe(`${number} is cancelled: do not ship it`);
    });

    it('ship once, if two people confirm in the same moment', async () => {
      const fields = { ...PARCEL, line_1: '1', line_2: '1', tracking_number: '' };
      const forms = await Promise.all([staff, packer].map((who) => plan(number, 'ship', fields, who)));
      const answers = await Promise.all(forms.map(({ confirm }) => confirm()));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
      expect((await desk.show(number)).parcels).toHaveLength(1);
    });

    it('refund lines, the delivery or an amount, once for a form', async () => {
      const lines = await plan(number, 'refund', { ...REFUND, line_1: '1' });
      expect(lines.message).toContain('To the client’s wallet ₹100.00');
      expect(lines.message).toContain('Paid and not refunded ₹430.00 → ₹330.00');
      await lines.confirm().expect(303);
      await lines.confirm().expect(303);
      const rest = await plan(number, 'refund', { ...REFUND, amount: '₹12.50' });
      expect(rest.message).toContain('₹330.00 → ₹317.50');
      await rest.confirm().expect(303);
      const fee = await plan(number, 'refund', { ...REFUND, delivery: 'yes' });
      expect(fee.message).toContain('To the client’s wallet ₹30.00 For the delivery');
      expect((await desk.show(number)).refunded_amount).toBe(112.5);
      const unnamed = await staff.post(path(number, 'refund'), REFUND).expect(422);
      expect(readable(unnamed.text)).toContain('Must be more than 0 for at least one item');
      const unclear: FormValues[] = [{ line_1: '1' }, { delivery: 'yes' }];
      for (const change of unclear) {
        const fields = { ...REFUND, ...change, amount: '5' };
        const { text } = await staff.post(path(number, 'refund'), fields).expect(422);
        expect(readable(text)).toContain('Name lines, the delivery or both, or an amount alone.');
        expect(text).toContain('value="5"');
      }
      const much = { ...REFUND, amount: '1,900' };
      const { text } = await staff.post(path(number, 'refund'), much).expect(409);
      expect(readable(text)).toContain('Only 317.50 of the order can still be refunded.');
      const wrong = await staff.post(path(number, 'refund'), { ...much, amount: 'many' }).expect(422);
      expect(wrong.text).toContain('value="many"');
    });

    it('refund a lost parcel with its delivery in one form, both or none, once', async () => {
      await test.fixtures.seller();
      const again = async () => {
        const entry = `/desk/clients/${store.clientId}/order`;
        const { text } = await staff.get(`${entry}?again=${number}`).expect(200);
        const fields = { ...formFields(text), items: 'MUG 2' };
        return readable((await staff.post(entry, fields).expect(200)).text);
      };
      await desk.ship(number, 'test', SHIPMENT, ['1=2', '2=1']);
      await (await plan(number, 'report', { parcel: '1', exception: 'lost' })).confirm().expect(303);
      const lost = await page(path(number));
      // Other goods will be delivered for the delivery charge.
      expect(readable(lost)).toContain('Parcel 1 is lost: refund its goods , then use');
      expect(await page(path(number), packer)).not.toContain('Parcel 1 is lost');
      expect(await again()).toContain(`Parcel 1 of ${number} is lost. Not refunded yet: its goods.`);
      const form = formFields(await page(linkOf(lost, 'refund its goods')));
      expect(form).toMatchObject({ line_1: ['2'], line_2: ['1'] });
      expect(form).not.toHaveProperty('delivery');
      const fields = { ...form, delivery: 'yes', reason: 'lost' };
      const { message, confirm } = await plan(number, 'refund', fields);
      expect(message).toContain(
        'To the client’s wallet ₹280.00 For 2 × Mug 1 × Pot the delivery Reason lost',
      );
      expect(message).toContain('Paid and not refunded ₹430.00 → ₹150.00');
      expect(message).toContain('Code of the reason Others');
      const late = await plan(number, 'refund', fields);
      const answers = await Promise.all([confirm(), confirm()]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      await late.confirm().expect(409);
      await confirm().expect(303);
      const { refunds, refunded_amount: refunded } = await desk.show(number);
      expect([refunded, refunds.map(({ kind, amount }) => [kind, amount])]).toEqual([
        280,
        [
          ['lines', 250],
          ['delivery', 30],
        ],
      ]);
      const after = await page(path(number));
      expect(after).not.toContain('Parcel 1 is lost');
      expect(new Set(readable(after).match(/CN-\d{4}-\d{7}/g)).size).toBe(2);
      expect(await page(path(number, 'refund'))).not.toContain('name="delivery"');
      // The delivery cannot be refunded twice, so its lines are not refunded either.
      const twice = await staff
        .post(path(number, 'refund'), { ...fields, line_1: '1', line_2: '0' })
        .expect(409);
      expect(readable(twice.text)).toContain('The delivery charge of the order was refunded already.');
      const both = desk.refund(number, 'test', { lines: ['1=1'], delivery: true, reason: 'again' });
      await expect(both).rejects.toThrow('The delivery charge of the order was refunded already.');
      expect((await desk.show(number)).refunded_amount).toBe(280);
      expect(await again()).not.toContain('is lost');
    });

    it('take a refund back, all of it or a part of an amount, once for a form', async () => {
      await test.fixtures.seller();
      await desk.ship(number, 'test', SHIPMENT);
      expect(await page(path(number))).not.toContain(path(number, 'take-back'));
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'scratch' });
      await desk.refund(number, 'test', { amount: '60', reason: 'late' });
      const form = await page(path(number, 'take-back'));
      expect(readable(form)).toMatch(/Refund 1: ₹100.00 scratch.*Refund 2: ₹60.00 late/);
      const requested = { refund: '2', amount: '₹54', reason: 'meant 6' };
      const part = await plan(number, 'take-back', requested);
      expect(part.message).toContain('From the client’s wallet ₹54.00 Refund 2: late Reason meant 6');
      expect(part.message).toContain('Paid and not refunded ₹270.00 → ₹324.00');
      expect(part.message).toContain('Debit note issued for the part that was credited');
      await part.confirm().expect(303);
      await part.confirm().expect(303);
      expect((await desk.show(number)).refunded_amount).toBe(106);
      const faults: [FormValues, number, string][] = [
        [{ amount: '6.01' }, 409, 'Only 6.00 of refund 2 can be taken back.'],
        [{ refund: '' }, 422, 'The form must name a refund.'],
        [{ amount: 'some' }, 422, 'The amount'],
        [{ reason: '' }, 422, 'Must not be empty'],
      ];
      for (const [change, status, fault] of faults) {
        const answer = await staff
          .post(path(number, 'take-back'), { ...requested, ...change })
          .expect(status);
        expect(readable(answer.text)).toContain(fault);
      }
      const lines = await plan(number, 'take-back', { refund: '1', amount: '', reason: 'no' });
      await lines.confirm().expect(303);
      await desk.takeBack(number, 'test', { refund: 2, reason: 'all of it' });
      await staff.post(path(number, 'take-back'), requested).expect(409);
      expect(await page(path(number, 'take-back'))).toContain('not possible now');
      const displayed = readable(await page(path(number)));
      expect(displayed).toContain('₹54.00 of refund 2 back from the client’s wallet');
      expect(displayed).toContain('Refund taken back ₹100.00');
      expect(new Set(displayed.match(/DN-\d{4}-\d{7}/g)).size).toBe(3);
    });

    it('say before and after a refund that the time for a credit of tax is over', async () => {
      await test.fixtures.seller();
      await test.fixtures.age(24 * 800, number);
      const shippedAt = new Date(Date.now() - 799 * 86_400_000);
      await desk.ship(number, 'test', { ...SHIPMENT, shippedAt });
      const { message, confirm } = await plan(number, 'refund', { ...REFUND, delivery: 'yes' });
      expect(message).toMatch(
        /If INV-\d{4}-\d{7} is credited, its tax stays: the time for a credit of tax ended on 30 Nov \d{4}\./,
      );
      await confirm().expect(303);
      expect(readable(await page(path(number)))).toMatch(
        /Commercial credit note , .*: the time for a credit/,
      );
      const repeated = await staff.post(path(number, 'reissue'), { parcel: '1', reason: 'name' }).expect(409);
      expect(readable(repeated.text)).toContain('cannot be issued again: the time for a credit of tax ended');
    });

    it('cancel an unpaid order as a whole, without money', async () => {
      const unpaid = await place(store);
      const requested = { line_1: '3', line_2: '2', reason: 'double' };
      const { message, confirm } = await plan(unpaid, 'cancel', requested);
      expect(message).toContain('For sale again 3 × Mug 2 × Pot');
      expect(message).toContain('nothing: it was not paid');
      await confirm().expect(303);
      expect((await desk.show(unpaid)).cancel_reason).toBe('double');
    });

    it('correct a parcel and deliver one or all', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
      const fields = { parcel: '1', courier: 'BlueDart', tracking_number: 'BD11', tracking_url: '' };
      const correct = await plan(number, 'correct', fields, packer);
      expect(correct.message).toContain('Parcel 1 Tracking number BD1 → BD11');
      await correct.confirm().expect(303);
      const wrong: [FormValues, number, string][] = [
        [{ courier: '' }, 422, 'The courier must not be empty.'],
        [{ tracking_number: 'BD2' }, 409, 'The order has a parcel with this tracking number already.'],
      ];
      for (const [change, status, fault] of wrong) {
        const { text } = await packer.post(path(number, 'correct'), { ...fields, ...change }).expect(status);
        expect(readable(text)).toContain(fault);
      }
      const same = await packer.post(path(number, 'correct'), { ...fields }).expect(409);
      expect(readable(same.text)).toContain('Nothing is changed');
      const first = await page(`${path(number, 'deliver')}?parcel=1`, packer);
      expect(readable(first)).toContain('Parcel 1: BlueDart BD11');
      expect(readable(first)).toContain('The order then is shipped');
      const none = await packer.post(path(number, 'deliver'), { parcel: '3' }).expect(409);
      expect(readable(none.text)).toContain('The order has no parcel 3 on its way.');
      await packer.post(path(number, 'deliver'), { ...hiddenFields(first), step: 'confirm' }).expect(303);
      const rest = await page(path(number, 'deliver'), packer);
      expect(readable(rest)).toContain('The order then is delivered');
      await packer.post(path(number, 'deliver'), { ...hiddenFields(rest), step: 'confirm' }).expect(303);
      const { status, parcels } = await desk.show(number);
      expect([status, parcels[0]!.tracking_number]).toEqual(['delivered', 'BD11']);
    });

    it('deliver all but a parcel that came back, and the review lists just these', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
      const { confirm } = await plan(number, 'report', { parcel: '1', exception: 'returned' }, packer);
      await confirm().expect(303);
      const review = await page(path(number, 'deliver'), packer);
      expect(readable(review)).toContain('Delivered Parcel 2: BlueDart BD2');
      expect(readable(review)).not.toContain('Parcel 1');
      await packer.post(path(number, 'deliver'), { ...hiddenFields(review), step: 'confirm' }).expect(303);
      const { parcels } = await desk.show(number);
      expect(parcels.map((one) => one.delivered_at === null)).toEqual([true, false]);
    });

    it('record a parcel that came back or is lost, by packers, as its courier would report it', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1', '2=2']);
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
      await (await plan(number, 'box', { ...PARCEL, tracking_number: 'BOX3' })).confirm().expect(303);
      const displayed = await page(path(number), packer);
      for (const parcel of [1, 2, 3])
        expect(displayed).toContain(`${path(number, 'report')}?parcel=${parcel}`);
      await packer.post(path(number, 'report'), { parcel: '1' }).expect(422);
      await packer.post(path(number, 'report'), { parcel: '1', exception: 'eaten' }).expect(422);
      const box = await packer
        .post(path(number, 'report'), { parcel: '3', exception: 'returned' })
        .expect(422);
      expect(readable(box.text)).toContain('This box has no goods of its own.');

      const lost = await plan(number, 'report', { parcel: '2', exception: 'lost' }, packer);
      expect(lost.message).toContain('Parcel 2: BlueDart BD2 Items 2 × Mug Recorded Lost');
      const late = await plan(number, 'report', { parcel: '2', exception: 'returning' }, packer);
      await lost.confirm().expect(303);
      await late.confirm().expect(409, /The order was changed after you opened this page/);
      const again = await packer.post(path(number, 'report'), { parcel: '2', exception: 'lost' }).expect(409);
      expect(readable(again.text)).toContain('came back, or has this report already.');

      const back = await plan(number, 'report', { parcel: '1', exception: 'returned' }, packer);
      expect(back.message).toContain('A return waits to be received 1 × Mug 2 × Pot');
      const answers = await Promise.all([back.confirm(), back.confirm()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      const after = await page(path(number), packer);
      expect(after).not.toContain(`${path(number, 'report')}?parcel=1`);
      expect(after).toContain(`${path(number, 'report')}?parcel=2`);
      expect(readable(after)).toMatch(/The courier reports RTO, came back.*The courier reports Lost/);
      const { returns } = await desk.show(number);
      expect(returns).toHaveLength(1);
      expect(returns[0]).toMatchObject({
        state: 'requested',
        reason: 'RTO: the courier brought parcel 1 back',
        lines: [
          { line: 1, quantity: 1 },
          { line: 2, quantity: 2 },
        ],
      });
      // Nobody asked for it, so nobody waits for an answer.
      const opened = returns[0]!.number;
      expect(headline(await page(`/desk/returns/${opened}`))).toBe(`${opened} waits for its goods`);
      // What no customer had is for sale again, if nobody says otherwise.
      expect(formFields(await page(`/desk/returns/${opened}/receive`, packer))).toMatchObject({
        line_2: ['2'],
        restock_1: ['1'],
        restock_2: ['2'],
      });
      await packer.post(path(number, 'report'), { parcel: '1', exception: 'lost' }).expect(409);

      const today = async () => readable(await page('/desk', packer));
      expect(await today()).toContain('2: BlueDart BD2');
      await desk.refund(number, 'test', { amount: '10', reason: 'lost' });
      expect(await today()).toContain('2: BlueDart BD2');
      const { total, refunded_amount: refunded } = await desk.show(number);
      await desk.refund(number, 'test', { amount: String(total - refunded), reason: 'lost' });
      expect(await today()).not.toContain('2: BlueDart BD2');
    });

    it('take back a parcel, a delivery and an invoice, each with its reason and its effects', async () => {
      await test.fixtures.seller();
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: 'BD2' });
      const displayed = await page(path(number), packer);
      expect(displayed).toContain(`${path(number, 'withdraw')}?parcel=2`);
      expect(displayed).not.toContain(`${path(number, 'withdraw')}?parcel=1`);
      expect(displayed).not.toContain(path(number, 'undeliver'));
      const { headers } = await staff.get(linkOf(await page(path(number)), 'Invoice')).expect(200);
      expect(headers['content-type']).toBe('application/pdf');
      await packer.post(path(number, 'withdraw'), { parcel: '2', reason: ' ' }).expect(422);
      expect(linkOf(displayed, 'Undo the shipment')).toBe(`${path(number, 'withdraw')}?parcel=2`);
      expect(headline(await page(`${path(number, 'withdraw')}?parcel=2`, packer))).toBe(
        `Undo the shipment of ${number}`,
      );
      const requested = { parcel: '2', reason: 'still on the shelf' };
      const { message, confirm } = await plan(number, 'withdraw', requested, packer);
      expect(message).toContain('Parcel 2: BlueDart BD2');
      expect(message).toContain('In the stock again, and to ship 2 × Mug');
      expect(message).toContain('The order then still has goods to ship');
      const { headers: withdrawn } = await confirm().expect(303);
      expect(noticeIn(withdrawn)).toContain('The order is on no packing list');
      await confirm().expect(409, /The order was changed after you opened this page/);
      expect(await desk.show(number)).toMatchObject({ status: 'pending', parcels: [{ parcel: 1 }] });
      const history = readable(await page(path(number)));
      expect(history).toMatch(
        /Shipment undone .*: parcel 2: BlueDart BD2, 2 of line 1, 2 of line 2 → none.*still on the shelf/,
      );

      await desk.deliver(number, 'test', 1);
      const late = await plan(number, 'undeliver', { parcel: '1', reason: 'a neighbour has it' }, packer);
      expect(late.message).toContain('Parcel 1: BlueDart BD1');
      await late.confirm().expect(303);
      expect((await desk.show(number)).parcels[0]!.delivered_at).toBeNull();
      const corrected = /parcel 1 delivered at: \d+ \w+ \d{4}, \d\d:\d\d → none, because a neighbour has it/;
      expect(readable(await page(path(number)))).toMatch(corrected);

      const reissue = { parcel: '1', reason: 'wrong rate' };
      const same = await staff.post(path(number, 'reissue'), reissue).expect(409);
      expect(readable(same.text)).toContain('The new invoice would be the same as INV-');
      await test.pool.query(`UPDATE clients SET name = 'Lotus LLP' WHERE id = $1`, [store.clientId]);
      const repeated = await plan(number, 'reissue', reissue);
      expect(repeated.message).toContain('credited in full by a credit note');
      await repeated.confirm().expect(303);
      const documents = readable(await page(path(number))).match(/(INV|CN)-\d{4}-\d{7}/g);
      expect(new Set(documents).size).toBe(5);
    });

    it('change the delivery with old and new values, and not over a newer change', async () => {
      const { shipping, customer } = await desk.show(number);
      const fields = { ...shipping, name: customer.name, phone: customer.phone, city: 'Mysuru', reason: '' };
      const first = await plan(number, 'delivery', fields);
      expect(first.message).toContain(`City ${shipping.city} → Mysuru`);
      const second = await plan(number, 'delivery', { ...fields, city: 'Hubballi' });
      await first.confirm().expect(303);
      const late = await second.confirm().expect(409);
      expect(readable(late.text)).toContain(`corrected by ${staff.person.email}`);
      expect(late.text).toContain('value="Hubballi"');
      expect((await desk.show(number)).shipping.city).toBe('Mysuru');
      const other = await staff
        .post(path(number, 'delivery'), { ...fields, name: 'Somebody Else' })
        .expect(422);
      expect(readable(other.text)).toContain('Is needed for another recipient');
      const pin = await staff.post(path(number, 'delivery'), { ...fields, pincode: 'x' }).expect(422);
      expect(pin.text).toContain('id="field-pincode-fault"');
    });

    it('ask for a return on behalf of the client, once for a form', async () => {
      await desk.ship(number, 'test', SHIPMENT);
      const requested = { line_1: '1', line_2: '0', reason: 'Wrong item', note: 'blue, not red' };
      const { message, confirm } = await plan(number, 'return', requested);
      expect(message).toContain('Come back 1 × Mug Reason Wrong item: blue, not red');
      await confirm().expect(303);
      await confirm().expect(303);
      const { returns } = await desk.show(number);
      expect(returns).toMatchObject([
        { state: 'requested', reason: 'Wrong item', by: expect.stringContaining('person') },
      ]);
      await orderReturns(test.app).refuse(returns[0]!.number, 'worn', 'test');
      expect(readable(await page(path(number)))).toContain('Refused');
    });

    it('record a payment that came elsewhere, with its reference', async () => {
      const order = await place(store);
      expect(readable(await page(path(order)))).toContain('Record a payment');
      const missing = await staff.post(path(order, 'pay'), { method: 'Cheque', reference: ' ' }).expect(422);
      expect(readable(missing.text)).toContain('Must not be empty');
      await staff.post(path(order, 'pay'), { method: 'gold' }).expect(422);
      const { message, confirm } = await plan(order, 'pay', { method: 'Cheque', reference: '000123' });
      expect(message).toContain(
        'Amount ₹430.00 Paid by Cheque Reference 000123 The order then is paid and waits to be shipped',
      );
      await confirm().expect(303);
      expect(await desk.show(order)).toMatchObject({
        status: 'pending',
        payment: { method: 'Cheque', reference: '000123' },
      });
      const logged = await test.audited(
        'details',
        `subject = $1 AND action = 'order.paid'`,
        `order ${order}`,
      );
      expect(logged).toEqual([{ details: { method: 'Cheque', reference: '000123' } }]);
      const repeated = await confirm().expect(409);
      expect(readable(repeated.text)).toContain('not possible now');
      expect(readable(await page(path(order)))).not.toContain('Record a payment');
      const cash = await plan(await place(store), 'pay', { method: 'Cash', reference: '' });
      await cash.confirm().expect(303);
    });

    it('undo a payment that was recorded by mistake, once, and say what follows', async () => {
      const order = await place(store);
      await desk.pay(order, 'test', { method: 'Cash', reference: 'R-7' });
      expect(readable(await page(path(order)))).toContain('Undo the payment');
      const missing = await staff.post(path(order, 'unpay'), { reason: ' ' }).expect(422);
      expect(readable(missing.text)).toContain('Must not be empty');
      const reason = 'It was for another order.';
      const [first, second] = [
        await plan(order, 'unpay', { reason }),
        await plan(order, 'unpay', { reason }),
      ];
      expect(first.message).toMatch(
        /Out of the books ₹430.00 Recorded as Cash R-7 .*Reason It was .* The order then waits for payment Pay by \d/,
      );
      expect(first.message).not.toContain('The time to pay the order is over');
      await first.confirm().expect(303);
      const late = await second.confirm().expect(409);
      expect(readable(late.text)).toContain('not possible now');
      const displayed = readable(await page(path(order)));
      expect(displayed).toMatch(
        /Payment undone .*payment: Cash R-7 → none.*because It was for another order\./,
      );
      expect(displayed).toContain('Record a payment');
      // A review from before is no review of the next payment.
      await desk.pay(order, 'test', { method: 'UPI', reference: '7' });
      const stale = await second.confirm().expect(409);
      expect(readable(stale.text)).toContain(
        'The order was changed after you opened this page: pending by test',
      );
      await test.fixtures.age(100, order);
      const overdue = await plan(order, 'unpay', { reason });
      expect(overdue.message).toContain('The time to pay the order is over: it expires soon');
    });

    it('warn of a reference that stands elsewhere with a link, and refuse the same payment', async () => {
      const [first, second] = [await place(store), await place(store)];
      const typed = { method: 'UPI', reference: '4321 1234 9999' };
      await (await plan(first, 'pay', typed)).confirm().expect(303);
      const same = await plan(second, 'pay', typed);
      expect(same.message).toContain('With the same day and amount it is the same payment');
      expect(same.text).toContain(`<a href="${path(first)}">See it</a>`);
      expect(same.text).not.toContain('value="confirm"');
      const dear = await test.place(store, orderBody([{ sku: 'MUG', quantity: 1 }]));
      const other = await plan(dear, 'pay', typed);
      expect(other.message).toMatch(
        /UPI 432112349999 is recorded already: ₹430.00 of .* Accept this only if/,
      );
      await staff.post(path(dear, 'pay'), { ...typed, step: 'confirm' }).expect(409);
      expect((await desk.show(dear)).status).toBe('awaiting_payment');
      await other.confirm().expect(303);
      expect((await desk.show(dear)).payment.reference).toBe('432112349999');
    });

    it('are paid from the wallet with the consent of the client, as far as there is money', async () => {
      const order = await place(store);
      const pay = (reference: string) => ({ method: 'wallet', reference });
      await staff.post(path(order, 'pay'), pay('')).expect(422);
      const poor = await staff.post(path(order, 'pay'), pay('Asha, by phone')).expect(409);
      expect(readable(poor.text)).toMatch(/wallet/);
      expect((await desk.show(order)).status).toBe('awaiting_payment');
      const wallets = test.app.get(WalletService, { strict: false });
      // No review reads the wallet unless it shows it.
      wallets.funds = () => Promise.reject(new Error('The wallet was read.'));
      await plan(order, 'pay', { method: 'Cash', reference: '' });
      await plan(order, 'cancel', { reason: 'test' });
      Reflect.deleteProperty(wallets, 'funds');
      await wallets.adjust(store.clientId, '430', 'for a test', 'test');
      await wallets.adjust(store.clientId, '70', 'for a test', 'test');
      const { message, confirm } = await plan(order, 'pay', pay('Asha, by phone'));
      expect(message).toContain(
        'In the wallet now ₹500.00 In the wallet afterwards ₹70.00 Consent Asha, by phone',
      );
      await confirm().expect(303);
      expect((await wallets.show(store.clientId)).balance).toBe(70);
      const html = await page(path(order));
      expect(readable(html)).toContain('Paid by wallet: Asha, by phone');
      expect(html).not.toContain(path(order, 'unpay'));
    });

    it('are not paid twice while a payment is under way', async () => {
      const order = await place(store);
      await (await Buyer.of(test, store.clientId)).pay(order);
      const refused = await staff.post(path(order, 'pay'), { method: 'Cash', reference: '' }).expect(409);
      expect(readable(refused.text)).toContain('payment');
      expect((await desk.show(order)).status).toBe('awaiting_payment');
    });

    it('offer a packer nothing that moves money', async () => {
      await desk.ship(number, 'test', SHIPMENT, ['1=1']);
      const html = await page(path(number), packer);
      expect(readable(html)).toMatch(/Delivered.*Ship/);
      for (const action of [
        'cancel',
        'refund',
        'take-back',
        'return',
        'delivery',
        'reissue',
        'pay',
        'unpay',
      ]) {
        expect(html).not.toContain(path(number, action));
        await packer.get(path(number, action)).expect(403);
        await packer.post(path(number, action), { step: 'confirm', reason: 'x' }).expect(403);
      }
      await packer.get('/desk/money/invoices/INV-1.pdf').expect(403);
      await staff.get(path(number, 'elope')).expect(404);
    });

    it('go abroad without an invoice, with the reason, and only abroad', async () => {
      await test.fixtures.seller();
      const waived = { ...PARCEL, no_invoice: 'export under LUT' };
      expect((await plan(number, 'ship', waived)).message).toContain('Invoice issued for this parcel');
      expect((await packer.get(path(number, 'ship'))).text).not.toContain('no_invoice');
      await test.pool.query(`UPDATE orders SET shipping_country = 'Nepal' WHERE order_number = $1`, [number]);
      expect((await packer.get(path(number, 'ship'))).text).toContain('no_invoice');
      const { text } = await packer.post(path(number, 'ship'), PARCEL).expect(409);
      expect(readable(text)).toContain('The goods go to Nepal.');
      const any = await packer.post(path(number, 'ship'), { ...PARCEL, no_invoice: 'x' }).expect(422);
      expect(readable(any.text)).toContain('Must begin with one of: export, elsewhere, replacement, sample');
      const part = { ...waived, no_invoice: 'export', no_invoice_note: 'under LUT', line_2: '0' };
      const first = await plan(number, 'ship', part);
      expect(first.message).toContain('Invoice none: export under LUT');
      expect(first.message).toContain(
        'Goods that are invoiced elsewhere take their share of the delivery charge with them.',
      );
      await first.confirm().expect(303);
      expect(readable(await page(path(number)))).toContain('No invoice export under LUT');
      const rest = { ...waived, line_1: '0', tracking_number: 'D10' };
      await (await plan(number, 'ship', rest)).confirm().expect(303);
      expect(readable(await page(path(number)))).toContain('Goods that are invoiced elsewhere take');
      const issued = await test.pool.query('SELECT FROM tax_documents WHERE order_number = $1', [number]);
      expect(issued.rowCount).toBe(0);
    });

    it('are not shipped if the invoice lacks a fact, which the reviews of one and of many tell', async () => {
      await test.fixtures.seller();
      await test.pool.query('UPDATE clients SET state = NULL WHERE id = $1', [store.clientId]);
      const { text } = await packer.post(path(number, 'ship'), PARCEL).expect(409);
      expect(readable(text)).toContain('needs its GSTIN or state. Staff can set');
      expect(readable(text)).not.toContain('client set');
      const many = { orders: `${number} D99`, step: 'check', courier: 'DTDC' };
      const checked = await packer.post('/desk/packing/ship', many).expect(422);
      expect(headline(checked.text)).toBe('0 parcels can be shipped, 1 refused');
      expect(rows(checked.text)).toEqual([expect.stringContaining('needs its GSTIN or state')]);
      expect((await desk.show(number)).status).toBe('pending');
    });
  });
});
