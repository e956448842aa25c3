import { randomUUID } from 'node:crypto';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { cursorOf, writeOrderCursor } from '../../../src/modules/orders/records/order-cursor.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf, placeAndMove } from '../../support/order-steps.js';
import {
  formFields,
  headline,
  hiddenFields,
  linkOf,
  noticeIn,
  readable,
  rows,
  unescaped,
} from '../../support/page-text.js';
import { type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const UNTRACKED = { courier: 'x', trackingNumber: null, trackingUrl: null, shippedAt: null };

describe('Packing on the desk', () => {
  const test = setUpTestApp();
  let desk: OrderDesk;
  let packer: SignedIn<DeskPerson>;
  let store: Store;

  beforeAll(async () => {
    desk = orderDesk(test.app);
    await test.fixtures.products([{ sku: 'MUG', name: 'Mug', basePrice: '100.00', stock: 1000 }]);
    store = await test.fixtures.store({ name: 'Mango Market' });
  });
  beforeEach(async () => {
    // A person may submit only so many forms a minute.
    packer = await signInAtDesk(test, 'packer');
  });
  afterEach(async () => {
    await test.pool.query(
      `UPDATE orders SET status = 'delivered', shipped_at = now(), courier = 'x' WHERE status = 'pending'`,
    );
  });

  const paid = async (of = store, storeOrderId?: string) => {
    const order = orderBody(
      [{ sku: 'MUG', quantity: 1 }],
      storeOrderId ? { store_order_id: storeOrderId } : {},
    );
    return placeAndMove(test, of, order, 'pay');
  };
  const page = async (address = '/desk/packing') => (await packer.get(address).expect(200)).text;
  const make = async (orders: string) => {
    const key = hiddenFields(await page()).key!;
    const post = () => packer.post('/desk/packing', { orders, key });
    const { headers } = await post().expect(303);
    return { list: headers.location!, post };
  };

  it('makes a list of the oldest orders, once for a form', async () => {
    const neighbours = await test.fixtures.neighbours();
    const [first, second, third] = [await paid(), await paid(), await paid()];
    expect(headline(await page())).toBe('4 paid orders wait for a packing list');
    const { list, post } = await make('3');
    for (const { headers } of await Promise.all([post(), post()])) expect(headers.location).toBe(list);
    const html = await page(list);
    expect(headline(html)).toMatch(/^Packing list \d+: 3 orders to ship$/);
    const numbers = [neighbours.orders.waiting, first, second];
    expect(rows(html).map((row) => /WO-\S+/.exec(row)![0])).toEqual(numbers);
    expect(readable(html)).toContain(`by ${packer.person.email}`);
    expect(html).not.toContain('₹');
    const overview = await page();
    expect(headline(overview)).toBe('1 paid order waits for a packing list');
    expect(rows(overview)[0]).toMatch(/List \d+ .* 3 3 0 0 0 To ship/);
    expect(readable(await page(`/desk/orders/${first}`))).toContain('It is on packing list');
    expect((await desk.show(third)).packing_list).toBeNull();
  });

  it('takes orders that were paid together by the time they were placed, as each list of orders does', async () => {
    const numbers: string[] = [];
    for (let placed = 0; placed < 6; placed++)
      numbers.push(await test.place(store, orderBody([{ sku: 'MUG', quantity: 1 }])));
    const lifecycle = test.app.get(OrderLifecycleService, { strict: false });
    await lifecycle.applyChange(
      numbers.map((orderNumber) => ({ clientId: store.clientId, orderNumber })).toReversed(),
      changeOf('pay'),
      'test',
    );
    const numbersOn = (html: string) => rows(html).map((row) => /WO-\S+/.exec(row)![0]);
    expect(numbersOn(await page('/desk/orders'))).toEqual(numbers);
    expect((await desk.firstToShip(4)).map(({ orderNumber }) => orderNumber)).toEqual(numbers.slice(0, 4));
    let after: string | undefined;
    for (const number of numbers) {
      const [first] = await desk.page({ status: 'pending' }, { after, sort: 'paid', limit: 1 });
      expect(first!.orderNumber).toBe(number);
      after = writeOrderCursor(cursorOf(first!.clientId, first!));
    }
    expect(await desk.page({ status: 'pending' }, { after, sort: 'paid', limit: 1 })).toEqual([]);
    expect(numbersOn(await page((await make('5')).list))).toEqual(numbers.slice(0, 5));
  });

  it('prints slips and a list without prices', async () => {
    const number = await paid();
    const { list } = await make('5');
    const html = await page(list);
    // On a phone a heading stands before each cell. The link says what it is.
    expect(html).not.toContain('data-heading="Slip"');
    const slips = await packer.get(linkOf(html, 'Slips, one a page')).expect(200);
    expect(slips.headers['content-type']).toBe('application/pdf');
    const label = await packer.get(linkOf(html, 'Labels')).expect(200);
    expect(label.headers['content-disposition']).toMatch(/packing-list-\d+-label\.pdf/);
    const { text } = await packer.get(linkOf(html, 'List \\(CSV\\)')).expect(200);
    expect(text).toContain(number);
    expect(text).not.toMatch(/price|total/);
  });

  describe('of an order that is changed after its slip was printed', () => {
    let number: string;
    let list: string;
    const fields = { line_1: '1', courier: 'DTDC', tracking_number: 'D7', tracking_url: '' };
    const slip = () => packer.get(`${list}/slips.pdf?order=${number}`).expect(200);
    const pack = async () => readable(await page(`${list}/orders/${number}`));
    const move = (address: string) => desk.redirect(number, 'test', { address });

    beforeEach(async () => {
      number = await paid();
      ({ list } = await make('1'));
      await slip();
      await move('99 New Road');
    });

    it('is marked, and is packed with the new slip only', async () => {
      expect(readable(await page(list))).toContain('1 slip is older than a change');
      expect(rows(await page(list))[0]).toContain('Changed after its slip');
      expect(readable(await page(`/desk/orders/${number}`))).toContain('changed after its slip was printed');
      const old = await page(`${list}/orders/${number}`);
      expect(headline(old)).toBe(`${number} needs a new slip`);
      expect(readable(old)).toContain('99 New Road');
      expect(formFields(old)).not.toHaveProperty('courier');
      const { headers } = await packer.get(linkOf(old, 'New slip')).expect(200);
      expect(headers['content-disposition']).toContain(`-${number}.pdf`);
      expect(await pack()).toContain('99 New Road');
      expect(formFields(await page(`${list}/orders/${number}`))).toHaveProperty('courier');
      expect(rows(await page(list))[0]).not.toContain('Changed after');
    });

    it('needs a yes to be shipped alone', async () => {
      const shipped = desk.ship(number, 'test', UNTRACKED);
      await expect(shipped).rejects.toMatchObject({ code: 'conflict' });
      const action = `/desk/orders/${number}/ship`;
      const review = await packer.post(action, fields).expect(200);
      expect(readable(review.text)).toContain('Ship only if the parcel has this address.');
      expect(readable(review.text)).toContain('99 New Road');
      const { old_slip: yes, ...observed } = hiddenFields(review.text);
      const unseen = await packer.post(action, { ...observed, step: 'confirm' }).expect(409);
      expect(readable(unseen.text)).toContain('changed after its slip was printed');
      await packer.post(action, { ...observed, old_slip: yes!, step: 'confirm' }).expect(303);
      expect((await desk.show(number)).status).toBe('shipped');
    });

    it('needs a yes to be shipped with many', async () => {
      const many = { orders: `${number} D8`, courier: 'DTDC', step: 'check' };
      const refused = await packer.post('/desk/packing/ship', many).expect(422);
      expect(rows(refused.text)).toEqual([expect.stringContaining('changed after its slip was printed')]);
      const yes = { ...many, old_slips: 'yes' };
      const checked = await packer.post('/desk/packing/ship', yes).expect(200);
      expect(headline(checked.text)).toBe('1 parcel can be shipped');
      const { checked: observed } = hiddenFields(checked.text);
      // Without the tick the lines are checked again.
      await packer.post('/desk/packing/ship', { ...many, step: 'ship', checked: observed! }).expect(422);
      await packer.post('/desk/packing/ship', { ...yes, step: 'ship', checked: observed! }).expect(200);
      expect((await desk.show(number)).status).toBe('shipped');
    });

    it('is not marked if the slip is right again, or never was printed', async () => {
      const { shipping } = await desk.show(number);
      expect(shipping.address).toBe('99 New Road');
      await slip();
      await move('1 Other Road');
      await move('99 New Road');
      expect(rows(await page(list))[0]).not.toContain('Changed after');
      const unprinted = await paid();
      const { list: other } = await make('1');
      await desk.redirect(unprinted, 'test', { address: '5 Lane' });
      expect(rows(await page(other))[0]).not.toContain('Changed after');
      await packer.get(`${other}/slips.pdf?order=${number}`).expect(409);
      await packer.get(`${other}/slips.pdf?order=x`).expect(404);
    });
  });

  it('marks an order of which units are cancelled after its slip was printed', async () => {
    const number = await placeAndMove(test, store, orderBody([{ sku: 'MUG', quantity: 3 }]), 'pay');
    const { list } = await make('1');
    await packer.get(`${list}/slips.pdf`).expect(200);
    expect(rows(await page(list))[0]).not.toContain('Changed after');
    await desk.cancel(number, 'test', { reason: 'sold out', lines: ['1=1'] });
    expect(rows(await page(list))[0]).toContain('Changed after its slip');
    await desk.ship(number, 'test', UNTRACKED, undefined, undefined, { oldSlip: true });
    expect((await desk.show(number)).status).toBe('shipped');
  });

  it('says before a part leaves that the rest goes to another list', async () => {
    const number = await placeAndMove(test, store, orderBody([{ sku: 'MUG', quantity: 3 }]), 'pay');
    const { list } = await make('1');
    const ship = (line: number) =>
      packer.post(`/desk/orders/${number}/ship`, { line_1: `${line}`, courier: 'DTDC' }).expect(200);
    const warning = `Packing list ${list.split('/').pop()} loses the order: the rest waits for a new list`;
    expect(readable((await ship(2)).text)).toContain(warning);
    expect(readable((await ship(3)).text)).not.toContain('loses the order');
    await desk.ship(number, 'test', UNTRACKED, ['1=2']);
    expect(rows(await page())[0]).toMatch(/List \d+ .* 1 0 0 0 1 Done/);
  });

  it('drops a list after saying what that frees', async () => {
    const [number, shipped] = [await paid(), await paid()];
    const { list } = await make('2');
    // Packers scan; the rest stands below.
    expect(await page(list)).toMatch(/<h1.*Scan.*Goods by shelf.*<table.*Drop the list/s);
    await desk.ship(shipped, 'test', UNTRACKED);
    const ask = await page(`${list}/drop`);
    expect(readable(ask)).toContain('Free for the next list 1 order Stay on the list 1 shipped, 0 cancelled');
    expect((await desk.show(number)).packing_list).not.toBeNull();
    await packer.post(`${list}/drop`).expect(303);
    await packer.post(`${list}/drop`).expect(303);
    expect((await desk.show(number)).packing_list).toBeNull();
    expect(readable(await page(list))).toContain('Dropped');
  });

  it.each(['0', 'many'])('refuses to list %p orders', async (orders) => {
    await paid();
    const { text } = await packer.post('/desk/packing', { orders, key: 'k' }).expect(422);
    expect(readable(text)).toContain('Must be a whole number above 0');
  });

  it('shows the lists on pages that follow each other', async () => {
    await test.pool.query(
      `INSERT INTO packing_lists (actor, orders) SELECT 'test', 1 FROM generate_series(1, 51)`,
    );
    const numbersIn = (html: string) => rows(html).map((row) => Number(/^List (\d+)/.exec(row)![1]));
    const first = await page();
    const numbers = [...numbersIn(first), ...numbersIn(await page(linkOf(first, 'Older')))];
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a));
  });

  it('makes no list of no orders', async () => {
    const { headers } = await packer.post('/desk/packing', { orders: '3', key: 'none' }).expect(303);
    expect(headers.location).toBe('/desk/packing');
    await packer.get('/desk/packing/999999').expect(404);
    await packer.get('/desk/packing/x').expect(404);
  });

  describe('of the goods of a list', () => {
    const SHIRT = { sku: 'SHIRT', quantity: 2, variation: 'Size:M' };
    let list: string;
    let first: string;
    let second: string;

    beforeAll(async () => {
      await test.fixtures.products([
        { sku: 'TEA', name: 'Tea', basePrice: '10.00', stock: 100 },
        {
          sku: 'SHIRT',
          name: 'Shirt',
          basePrice: '10.00',
          stock: 100,
          variations: [{ name: 'Size', values: ['S', 'M'] }],
        },
      ]);
      await test.pool.query(
        `UPDATE products SET shelf = CASE sku WHEN 'TEA' THEN 'A-1' ELSE 'B-2' END,
                barcode = CASE sku WHEN 'TEA' THEN '8901234567894' ELSE '' END
          WHERE sku IN ('TEA', 'SHIRT')`,
      );
    });

    beforeEach(async () => {
      const place = async (id: string, items: { sku: string; quantity: number }[]) => {
        return placeAndMove(test, store, orderBody(items, { store_order_id: id }), 'pay');
      };
      const at = randomUUID().slice(0, 8);
      first = await place(`P-${at}`, [{ sku: 'TEA', quantity: 2 }, SHIRT, { sku: 'MUG', quantity: 1 }]);
      second = await place(`Q-${at}`, [{ sku: 'TEA', quantity: 3 }]);
      ({ list } = await make('2'));
    });

    const go = async (address: string, status = 200) => packer.get(address).expect(status);
    const packOf = (number: string) => `${list}/orders/${number}`;
    const contentsOf = (html: string) => hiddenFields(html).in?.[0] ?? '';

    it('shows them by shelf, as far as they have not left', async () => {
      const goods = async () => rows(await page(linkOf(await page(list), 'Goods by shelf')));
      expect(await goods()).toEqual([
        'A-1 Tea TEA 5 2',
        'B-2 Shirt, Size: M SHIRT 2 1',
        'no shelf Mug MUG 1 1',
      ]);
      await desk.ship(second, 'test', UNTRACKED);
      expect((await goods())[0]).toBe('A-1 Tea TEA 2 1');
      await desk.cancel(first, 'test', { reason: 'sold out', lines: ['1=1'] });
      expect((await goods())[0]).toBe('A-1 Tea TEA 1 1');
    });

    it('finds an order by its code, or by goods that it needs', async () => {
      const find = (code: string, status = 303) => go(`${list}?code=${encodeURIComponent(code)}`, status);
      const { store_order_id: id } = await desk.show(first);
      for (const code of [first, first.toLowerCase(), id!])
        expect((await find(code)).headers.location).toBe(packOf(first));
      expect((await find('shirt')).headers.location).toBe(`${packOf(first)}?code=shirt`);
      for (const code of ['TEA', '8901234567894']) {
        const { text } = await find(code, 200);
        expect(rows(text).map((row) => row.split(' ')[0])).toEqual([first, second]);
      }
      const unknown = await find('COFFEE', 422);
      expect(readable(unknown.text)).toContain('No order of this list has or needs COFFEE.');
    });

    it('counts what is scanned, and tells what is wrong', async () => {
      let html = await page(packOf(first));
      expect(headline(html)).toBe(`Pack ${first}: 0 of 5 units are in`);
      const scan = async (code: string, status = 200) => {
        const query = new URLSearchParams({ in: contentsOf(html), code }).toString();
        html = (await go(`${packOf(first)}?${query}`, status)).text;
        return headline(html);
      };
      expect(await scan('8901234567894')).toContain('1 of 5');
      await scan('COFFEE', 422);
      expect(readable(html)).toContain('COFFEE is not in this order.');
      expect(headline(html)).toContain('1 of 5');
      expect(await scan('tea')).toContain('2 of 5');
      await scan('TEA', 422);
      expect(readable(html)).toContain('All 2 units of TEA are already in the parcel.');
      html = await page(linkOf(html, '0 of 2'));
      expect(await scan('MUG')).toBe(`All 5 units of ${first} are in`);
      expect(readable(html)).toContain('The parcel has all goods of the order.');
    });

    it('takes the scanned units for a part, and tells which were not scanned', async () => {
      const html = await page(`${packOf(first)}?${new URLSearchParams({ in: '1 TEA\n2 SHIRT Size:M' })}`);
      expect(formFields(await page(linkOf(html, 'Ship a part')))).toMatchObject({
        line_1: ['1'],
        line_2: ['2'],
        line_3: ['0'],
      });
      const review = async (opened: string, typed: Record<string, string> = {}) => {
        const { in: [contents = ''] = [], ...form } = formFields(opened);
        const fields = { ...form, in: contents, courier: 'DTDC', ...typed };
        const { text } = await packer.post(`/desk/orders/${first}/ship`, fields).expect(200);
        return readable(text);
      };
      const missing = '1 unit of TEA was not scanned. 1 unit of MUG was not scanned.';
      expect(await review(html)).toContain(missing);
      expect(await review(html, { line_1: '1', line_3: '0' })).not.toContain('not scanned');
      expect(await review(await page(packOf(first)))).not.toContain('not scanned');
    });

    it('ships an order from there, and the next one with the courier of the newest parcel of the list', async () => {
      const earlier = await paid();
      const onList = `UPDATE orders SET packing_list = $2 WHERE order_number = $1`;
      await test.pool.query(onList, [earlier, list.split('/').at(-1)]);
      await desk.ship(earlier, 'test', UNTRACKED);
      const ship = async (number: string, given: Record<string, string>) => {
        const form = formFields(await page(packOf(number)));
        const action = `/desk/orders/${number}/ship`;
        const { text } = await packer.post(action, { ...form, ...given }).expect(200);
        expect(headline(text)).toBe(`Ship ${number}?`);
        return packer.post(action, { ...hiddenFields(text), step: 'confirm' }).expect(303);
      };
      const { headers } = await ship(first, { courier: 'DTDC', tracking_number: 'PK1' });
      expect(headers.location).toBe(list);
      await test.fixtures.neighbours();
      await ship(second, { tracking_number: 'PK2' });
      expect((await desk.show(second)).parcels).toMatchObject([{ courier: 'DTDC', tracking_number: 'PK2' }]);
      expect((await desk.show(first)).status).toBe('shipped');
      // A second look: there is nothing to pack.
      const repeated = await go(packOf(first), 303);
      expect(repeated.headers.location).toBe(list);
    });

    it('packs no order of another list, and none that is cancelled', async () => {
      const other = await paid();
      const { list: another } = await make('1');
      expect((await go(packOf(other), 303)).headers.location).toBe(list);
      await go(`${another}/orders/${other}`);
      await desk.cancel(other, 'test', { reason: 'x' });
      expect((await go(`${another}/orders/${other}`, 303)).headers.location).toBe(another);
      await go(`${list}/orders/WO-20260101-AAAAA-AAAAA`, 404);
      await go('/desk/packing/999999/goods', 404);
      await go('/desk/packing/999999/orders/x', 404);
    });
  });

  describe('of chosen orders', () => {
    const choose = (action: string, order: string[], more: Record<string, string> = {}) =>
      packer.post('/desk/packing/chosen', { action, order, ...more });

    it('makes a list of them, once', async () => {
      const [first, , third] = [await paid(), await paid(), await paid()];
      const html = await page('/desk/orders');
      expect(html).toContain(`value="${first}"`);
      const { headers } = await choose('list', [third, first]).expect(303);
      const list = await page(headers.location!);
      expect(rows(list).map((row) => row.split(' ')[0])).toEqual([first, third]);
      const repeated = await choose('list', [first]).expect(303);
      expect(repeated.headers.location).toBe('/desk/orders');
    });

    it('begins to ship them together', async () => {
      const [first, second] = [await paid(), await paid()];
      const { text } = await choose('ship', [first, second]).expect(200);
      expect(headline(text)).toBe('Ship many orders');
      expect(unescaped(text)).toContain(`${first}\n${second}</textarea>`);
      const { customer, client } = await desk.show(first);
      expect(rows(text)).toHaveLength(2);
      for (const row of rows(text)) {
        expect(row).toContain(client);
        expect(row).toContain(customer.name);
      }
    });

    it('records their deliveries after a review, which asks the same rule', async () => {
      const [first, second, unshipped] = [await paid(), await paid(), await paid()];
      for (const number of [first, second]) await desk.ship(number, 'test', UNTRACKED);
      const review = await choose('deliver', [first, second, unshipped, 'WO-1']).expect(200);
      expect(headline(review.text)).toBe('Record 2 deliveries?');
      expect(readable(review.text)).toContain(`${unshipped}: `);
      expect(readable(review.text)).toContain('WO-1: ');
      expect((await desk.show(first)).status).toBe('shipped');
      expect(hiddenFields(review.text)).toMatchObject({ order: [first, second] });
      const done = await choose('deliver', [first, second], { step: 'confirm' }).expect(303);
      expect(done.headers.location).toBe('/desk/orders?status=shipped');
      for (const number of [first, second]) expect((await desk.show(number)).status).toBe('delivered');
      expect((await desk.show(unshipped)).status).toBe('pending');
      const repeated = await choose('deliver', [first, unshipped]).expect(200);
      expect(headline(repeated.text)).toBe('No delivery can be recorded');
      const late = await choose('deliver', ['a', 'b', 'c', 'd'], { step: 'confirm' }).expect(303);
      expect(noticeIn(late.headers)).toMatch(
        /0 deliveries are recorded\. a: .* b: .* c: .* 4 orders were refused\./,
      );
    });

    it('asks for some', async () => {
      const { headers } = await choose('deliver', []).expect(303);
      expect(headers.location).toBe('/desk/orders');
      const number = await paid();
      await choose('burn', [number]).expect(400);
      expect((await desk.show(number)).packing_list).toBeNull();
    });
  });

  describe('of many orders', () => {
    const ship = (orders: string, step: string, courier = 'DTDC', checked = '') =>
      packer.post('/desk/packing/ship', { orders, step, courier, checked });
    const checkedIn = (html: string) => hiddenFields(html).checked![0]!;

    it('ships pasted lines after a check, and refuses the others with their reasons', async () => {
      const [first, second] = [await paid(), await paid()];
      const lines = `${first} D 1\r\n\r\n${second.toLowerCase()}\tD2\r\nWO-20260101-AAAAA-AAAAA D3\r\nnonsense D4`;
      const checked = await ship(lines, 'check').expect(422);
      expect(headline(checked.text)).toBe('2 parcels can be shipped, 2 refused');
      expect(rows(checked.text)).toEqual([
        expect.stringMatching(/^4 order number there is no order WO-20260101-AAAAA-AAAAA/),
        expect.stringMatching(/^5 nonsense is neither our order number nor the id of a store/),
      ]);
      expect(checked.text).toContain('nonsense D4');
      expect((await desk.show(first)).status).toBe('pending');
      // Lines that were not checked are only checked.
      const changed = await ship(`${lines}\nx`, 'ship', 'DTDC', checkedIn(checked.text)).expect(422);
      expect(headline(changed.text)).toBe('2 parcels can be shipped, 3 refused');
      const done = await ship(lines, 'ship', 'DTDC', checkedIn(checked.text)).expect(422);
      expect(headline(done.text)).toBe('2 parcels shipped, 2 refused');
      expect((await desk.show(first)).parcels).toMatchObject([{ courier: 'DTDC', tracking_number: 'D 1' }]);
      expect((await desk.show(second)).status).toBe('shipped');
      // Reload: nothing leaves twice.
      const repeated = await ship(lines, 'ship', 'DTDC', checkedIn(checked.text)).expect(422);
      expect(headline(repeated.text)).toBe('0 parcels shipped, 2 refused');
      expect(readable(repeated.text)).toContain('Shipped before 2 parcels');
    });

    it('lists what will be shipped, and asks about a line without tracking and a repeated order', async () => {
      const [first, second] = [await paid(store, 'LISTED-1'), await paid()];
      const lines = `LISTED-1 E1\n${second}\n${first.toLowerCase()} E3`;
      const checked = await ship(lines, 'check').expect(422);
      expect(rows(checked.text)).toEqual([
        `2 ${second} has no tracking number: add it, or ship the order on its page`,
        `3 ${first.toLowerCase()} is in line 1 already: ship a second parcel on the order’s page`,
      ]);
      const listed = checked.text.split('To be shipped').at(-1);
      expect(rows(listed!)).toEqual([
        expect.stringMatching(new RegExp(`^${first} LISTED-1 Mango Market .+, .+ E1$`)),
      ]);
      await ship(lines, 'ship', 'DTDC', checkedIn(checked.text)).expect(422);
      expect((await desk.show(first)).parcels).toMatchObject([{ tracking_number: 'E1' }]);
      expect((await desk.show(second)).status).toBe('pending');
    });

    it('refuses the tracking number of another order, until the person accepts it', async () => {
      const [first, second, third] = [await paid(), await paid(), await paid()];
      await desk.ship(first, 'test', { ...UNTRACKED, courier: 'DTDC', trackingNumber: 'SHARED1' });
      const lines = `${second} shared1\n${third} SHARED1`;
      const checked = await ship(lines, 'check').expect(422);
      expect(headline(checked.text)).toBe('0 parcels can be shipped, 2 refused');
      const advice = 'if one parcel holds both, choose “Accept a tracking number of another order”';
      expect(rows(checked.text)).toEqual([
        expect.stringMatching(/^1 tracking number is on order /),
        expect.stringContaining(advice),
      ]);
      const accept = { orders: lines, courier: 'DTDC', sharing: 'accepted' };
      // The box was not ticked in the check.
      const late = { ...accept, step: 'ship', checked: checkedIn(checked.text) };
      const repeated = await packer.post('/desk/packing/ship', late).expect(200);
      expect(headline(repeated.text)).toBe('2 parcels can be shipped');
      expect((await desk.show(second)).status).toBe('pending');
      const done = await packer
        .post('/desk/packing/ship', { ...accept, step: 'ship', checked: checkedIn(repeated.text) })
        .expect(200);
      expect(headline(done.text)).toBe('2 parcels shipped');
    });

    it('refuses a line that is too long, and keeps it', async () => {
      const { text } = await ship(`kept ${'x'.repeat(500)}`, 'check').expect(422);
      expect(readable(text)).toContain('Line 1 is too long.');
      expect(text).toContain('kept x');
    });

    it('is one primary step at a time, and keeps what was typed', async () => {
      const form = await page('/desk/packing/ship');
      expect(form).toContain('Check the lines');
      expect(form).toContain('/desk/imports?kind=shipments');
      const { text } = await ship('x', 'check', '').expect(422);
      expect(readable(text)).toContain('1 refused');
      const long = `${'WO-20260101-AAAAA-AAAAA 1\n'.repeat(2_000)}`;
      expect((await ship(long, 'check')).status).toBe(413);
    });
  });
});
