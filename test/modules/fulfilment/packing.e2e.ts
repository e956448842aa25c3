import { PackingService } from '../../../src/modules/fulfilment/packing/packing.service.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';
import { whileLocked } from '../../support/while-locked.js';

describe('A packing list', () => {
  const test = setUpTestApp();
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const store = makeBeforeAll(() => test.fixtures.store());
  let packing: PackingService;

  beforeAll(async () => {
    packing = test.app.get(PackingService, { strict: false });
    await test.fixtures.product({ sku: 'MUG', name: 'Mug', stock: 10_000 });
    await test.fixtures.product({ sku: 'BOX', name: 'Box', stock: 10_000 });
    await staff.put('products/BOX', { shelf: 'A-12-3' }).expect(200);
  });
  // Each test begins without orders that wait for a list.
  beforeEach(async () => {
    const made = await packing.make('before', {});
    for (const { order_number: number } of made ? await packing.ordersOf(made.id) : []) {
      const { client_id: clientId } = await order(number);
      await moveOrder(test, { ...store, clientId: clientId as number }, number, 'ship');
    }
  });

  const order = (number: string) => dataOf(staff.get(`orders/${number}`));
  const act = (number: string, action: string, body: object) =>
    staff.post(`orders/${number}/${action}`, body);
  const make = async (body: object = {}) =>
    (await dataOf(staff.post('packing-lists', body), 201)) as { packing_list: number; orders: number };
  const place = async (by: Store = store, more: Parameters<typeof orderBody>[1] = {}): Promise<string> => {
    const items = [
      { sku: 'MUG', quantity: 3 },
      { sku: 'BOX', quantity: 2 },
    ];
    return test.place(by, orderBody(items, more));
  };
  const paid = async (by?: Store, more?: Parameters<typeof orderBody>[1]): Promise<string> => {
    const number = await place(by, more);
    await moveOrder(test, by ?? store, number, 'pay');
    return number;
  };
  const listOf = async (number: string) => (await order(number)).packing_list;
  /** The rows of the file, each as number, line, SKU and units. */
  const linesOf = async (list: number, query = '') => {
    const sent = staff.get(`packing-lists/${list}${query}`).set('Accept', 'text/csv');
    const { text } = await sent.expect(200);
    const units = text.matchAll(/(WO-[^,]+).*,(\d),(MUG|BOX),[^,]*,,(\d+),/g);
    return [...units].map((unit) => unit.slice(1).join(' '));
  };
  const slips = async (list: number, query = '') =>
    (await staff.get(`packing-lists/${list}${query}`).set('Accept', 'application/pdf').expect(200))
      .body as Buffer;
  const rowsOf = async (list: number) =>
    (await dataOf(staff.get(`packing-lists/${list}`))).rows as {
      order_number: string;
      slip_is_old: boolean;
    }[];

  it('takes each paid order once, the oldest payment first, with shelf, address and notes', async () => {
    const [second, first, unpaid, cancelled] = [
      await place(store, { store_order_id: 'S-1', notes: 'Please call\nfirst' }),
      await paid(),
      await place(),
      await paid(),
    ];
    await moveOrder(test, store, second, 'pay');
    await moveOrder(test, store, cancelled, 'cancel');
    const { packing_list: list, orders } = await make();
    expect(orders).toBe(2);
    const { text } = await staff.get(`packing-lists/${list}`).set('Accept', 'text/csv').expect(200);
    expect(text.slice(0, text.indexOf('\r'))).toBe(
      'packing_list,order_number,client_id,client,store_order_id,status,courier,placed_at,customer_name,' +
        'customer_phone,customer_email,address,city,state,pincode,country,line,sku,name,variation,quantity,shelf,' +
        'notes,metadata,line_metadata',
    );
    expect(text).toContain(',Karnataka,560038,India,2,BOX,Box,,2,A-12-3,"Please call\nfirst",');
    // Products with a shelf come first.
    expect(await linesOf(list)).toEqual(
      [first, second].flatMap((number) => [`${number} 2 BOX 2`, `${number} 1 MUG 3`]),
    );
    const later = await paid();
    const { packing_list: afternoon } = await make();
    expect(afternoon).toBeGreaterThan(list);
    expect(await Promise.all([unpaid, first, later].map(listOf))).toEqual([null, list, afternoon]);
  });

  it('can be limited to a client and to a number of orders', async () => {
    const other = await test.fixtures.store();
    // Placed first and paid last: it waits.
    const theirNext = await place(other);
    const [mine, theirs] = [await paid(), await paid(other)];
    await moveOrder(test, other, theirNext, 'pay');
    const { packing_list: list, orders } = await make({ client: String(other.clientId), limit: 1 });
    expect(orders).toBe(1);
    expect(await Promise.all([mine, theirs, theirNext].map(listOf))).toEqual([null, list, null]);
  });

  it('prints one slip alone; slip and label must be printed again if both were printed', async () => {
    const [number, other] = [await paid(), await paid()];
    const { packing_list: list } = await make();
    await slips(list);
    const changed = async () =>
      (await rowsOf(list)).filter((row) => row.slip_is_old).map((row) => row.order_number);
    for (const one of [number, other]) await act(one, 'address', { address: '99 New Road' }).expect(200);
    expect(await changed()).toEqual([number, other]);
    expect(new Set((await linesOf(list, `?order=${other}`)).map((line) => line.split(' ')[0]))).toEqual(
      new Set([other]),
    );
    const refused = await act(other, 'ship', { courier: 'DTDC' }).expect(409);
    expect(refused.body.message).toContain('confirm the old slip');
    await act(other, 'ship', { courier: 'DTDC', old_slip: true }).expect(200);
    for (const [address, layout, old] of [
      ['99 New Road', 'label', [number]],
      ['99 New Road', 'page', []],
      ['98 New Road', 'half', [number]],
      ['98 New Road', 'label', []],
    ] as const) {
      await act(number, 'address', { address }).expect(200);
      await slips(list, `?order=${number}&layout=${layout}`);
      expect([layout, await changed()]).toEqual([layout, old]);
    }
  });

  it('has only what is left: of orders that left or were cancelled, as a whole or in part', async () => {
    const [parted, cut, gone] = [await paid(), await paid(), await paid()];
    const { packing_list: first } = await make();
    await act(cut, 'cancel', { lines: [{ line: 1, quantity: 3 }], reason: 'broken' }).expect(200);
    await act(parted, 'ship', { courier: 'Delhivery', lines: [{ line: 1, quantity: 2 }] }).expect(200);
    await moveOrder(test, store, gone, 'cancel');
    // The rest of an order that left in part waits for the next list.
    expect(await Promise.all([parted, cut].map(listOf))).toEqual([null, first]);
    expect(await linesOf(first)).toEqual([`${cut} 2 BOX 2`]);
    const { packing_list: second, orders } = await make();
    expect(orders).toBe(1);
    expect(await linesOf(second)).toEqual([`${parted} 2 BOX 2`, `${parted} 1 MUG 1`]);
    await moveOrder(test, store, cut, 'ship');
    expect(await linesOf(first)).toEqual([]);
  });

  it('makes the same slips each time, one page for each order', async () => {
    await paid(store, {
      customer: { name: 'முருகன் क्षत्रिय', phone: '98765 43210' },
      shipping: { address: '১২ ধর্মতলা স্ট্রিট', city: 'কলকাতা', state: 'West Bengal', pincode: '700013' },
    });
    // More than one statement reads for slips.
    for (let more = 0; more < 26; more++) await paid();
    const { packing_list: list } = await make();
    const [one, two] = [await slips(list), await slips(list)];
    expect(one.equals(two)).toBe(true);
    const text = one.toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(27);
    for (const script of ['Tamil', 'Bengali']) expect(text).toContain(`+NotoSans${script}-`);
    // Neither the service nor the wholesaler signs a client's slips.
    expect(text).not.toMatch(/wholesale/i);
  });

  it('is dropped once, which frees the orders that have not left, and is in the audit log', async () => {
    const [left, shipped, cancelled] = [await paid(), await paid(), await paid()];
    const { packing_list: list } = await make();
    await moveOrder(test, store, shipped, 'ship');
    await moveOrder(test, store, cancelled, 'cancel');
    expect(await dataOf(staff.delete(`packing-lists/${list}`))).toMatchObject({ freed: 1 });
    expect(await Promise.all([left, shipped, cancelled].map(listOf))).toEqual([null, list, list]);
    const { body } = await staff.delete(`packing-lists/${list}`).expect(409);
    expect(body.message).toBe(`Packing list ${list} is already dropped.`);
    expect((await make()).orders).toBe(1);
    const actor = `key ${staff.keyId} (ERP of staff)`;
    expect(await test.audited('action, actor, details', `subject = 'packing list ${list}'`)).toEqual([
      { action: 'packing.made', actor, details: { orders: 3 } },
      { action: 'packing.dropped', actor, details: { orders: 1 } },
    ]);
  });

  it('is made once with a key, by requests that wait for each other', async () => {
    for (const _ of [1, 2]) await paid();
    const once = () => packing.make('test', { limit: 1, key: 'twice' });
    const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    const [first, second] = await whileLocked(test.pool, lock, ['twice'], [once, once]);
    expect(first!.status).toBe('fulfilled');
    expect(second).toEqual(first);
    expect((await packing.make('test', {}))!.orders).toBe(1);
  });

  it('never shares an order with a list that is made in the same moment', async () => {
    const numbers = [];
    for (let count = 0; count < 12; count++) numbers.push(await paid());
    const made = await Promise.all(Array.from({ length: 6 }, () => packing.make('test', { limit: 5 })));
    const lists = made.flatMap((list) => list ?? []);
    const taken = (await Promise.all(lists.map(({ id }) => packing.ordersOf(id)))).map((orders) =>
      orders.map(({ order_number }) => order_number),
    );
    // No order is on two lists, and each list has as many orders as it was made for.
    expect(taken.map(({ length }) => length)).toEqual(lists.map(({ orders }) => orders));
    await packing.make('test', {});
    expect(new Set(await Promise.all(numbers.map(listOf)))).not.toContain(null);
    expect(new Set(taken.flat()).size).toBe(taken.flat().length);
  });

  it('skips an order that is being shipped, cancelled or corrected at the moment', async () => {
    const [busy, free] = [await paid(), await paid()];
    const other = await test.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [busy]);
    const made = await packing.make('test', {});
    expect((await packing.ordersOf(made!.id)).map(({ order_number }) => order_number)).toEqual([free]);
    await other.query('ROLLBACK');
    other.release();
    expect((await packing.make('test', {}))!.orders).toBe(1);
  });

  it.each(['ship', 'cancel'] as const)(
    'and an attempt to %s its orders decide one after the other',
    async (step) => {
      const numbers = [await paid(), await paid(), await paid(), await paid()];
      const made = await packing.make('test', {});
      const [dropped] = await Promise.all([
        packing.drop(made!.id, 'test'),
        ...numbers.map((number) => moveOrder(test, store, number, step)),
      ]);
      const kept = (await packing.ordersOf(made!.id)).map(({ order_number }) => order_number);
      expect(kept).toHaveLength(4 - dropped.freed);
      const { to_ship, shipped, cancelled } = await packing.find(made!.id);
      expect([to_ship, shipped + cancelled]).toEqual([0, kept.length]);
      expect(await packing.make('test', {})).toBeUndefined();
    },
  );
});
