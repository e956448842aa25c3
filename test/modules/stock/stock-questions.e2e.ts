import { adminApi, dataOf } from '../../support/admin-api.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Questions about the stock', () => {
  const test = setUpTestApp();
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const store = makeBeforeAll(() => test.fixtures.store());
  let numbers: string[];

  const rowsOf = async (path: string) => (await staff.get(path).expect(200)).body.data as object[];
  const receive = (sku: string, quantity: number, variation?: string, reason?: string) =>
    staff.post(`stock/${sku}/movements`, { quantity, variation, reason }).expect(200);

  beforeAll(async () => {
    await test.fixtures.neighbours();
    const variations = [{ name: 'Size', values: ['S', 'M'] }];
    await test.fixtures.products([
      { sku: 'SHIRT', variations, stock: { 'Size:S': 10, 'Size:M': 3 } },
      { sku: 'MUG', stock: 100 },
      { sku: 'OLD', stock: 0, active: false },
      { sku: 'EMPTY', stock: 0 },
      { sku: 'NEVER', stock: 0 },
      { sku: 'SOCKS', variations, stock: { 'Size:S': 0, 'Size:M': 0 } },
    ]);
    const place = (variation: string, ...quantities: number[]) =>
      test.place(store, orderBody(quantities.map((quantity) => ({ sku: 'SHIRT', quantity, variation }))));
    numbers = [await place('S', 3, 1), await place('S', 1), await place('M', 2)];
    await moveOrder(test, store, numbers[0]!, 'pay', 'ship');
    await moveOrder(test, store, numbers[1]!, 'cancel');
    await receive('SHIRT', 5, 'S', 'Delivery 7');
    await staff.put('stock/SHIRT', { variation: 'S', quantity: 12 }).expect(200);
    for (const quantity of [2, -2]) await receive('EMPTY', quantity);
    // Its other variation never came in.
    await receive('SOCKS', 100, 'S');
  });

  it('are answered of one product: what there is, and what orders hold', async () => {
    expect(await dataOf(staff.get('stock/SHIRT'))).toMatchObject({
      on_hand: 15,
      held: 2,
      for_sale: 13,
      variations: [
        { variation: 'Size:S', on_hand: 12, held: 0, for_sale: 12 },
        { variation: 'Size:M', on_hand: 3, held: 2, for_sale: 1 },
      ],
    });
  });

  it('show each change: when, why, by whom, and the counts after it', async () => {
    type Event = Record<'on_hand_change' | 'held_change' | 'on_hand' | 'held' | 'reason' | 'actor', unknown>;
    const events = (await rowsOf('stock/SHIRT/movements?variation=s')) as Event[];
    expect(
      events.map((event) => [
        event.on_hand_change,
        event.held_change,
        event.on_hand,
        event.held,
        event.reason,
      ]),
    ).toEqual([
      [1, 0, 12, 0, 'count'],
      [5, 0, 11, 0, 'Delivery 7'],
      [0, -1, 6, 0, `cancelled ${numbers[1]}: out of stock`],
      [-4, -4, 6, 1, `shipped ${numbers[0]}`],
      [0, 1, 10, 5, `ordered ${numbers[1]}`],
      [0, 4, 10, 4, `ordered ${numbers[0]}`],
    ]);
    expect(events.slice(1, 3).map(({ actor }) => actor)).toEqual([
      `key ${staff.keyId} (ERP of staff)`,
      'test',
    ]);
    expect(await rowsOf('stock/SHIRT/movements')).toHaveLength(7);
  });

  it('are answered of what runs out, the least first, also if it never came in, but not of what is not sold', async () => {
    const low = async (more = '') =>
      ((await rowsOf(`stock?low=true${more}`)) as Record<string, string>[]).map(
        ({ sku, variation, for_sale, below }) => `${sku} ${variation}`.trim() + ` ${for_sale} < ${below}`,
      );
    const gone = (below: number) => ['EMPTY', 'NEVER', 'SOCKS Size:M'].map((item) => `${item} 0 < ${below}`);
    expect(await low('&below=13')).toEqual([...gone(13), 'SHIRT Size:M 1 < 13', 'SHIRT Size:S 12 < 13']);
    expect(await low('&below=12')).toHaveLength(4);
    expect(await low()).toEqual([...gone(5), 'SHIRT Size:M 1 < 5']);
    // The threshold of the product counts, with and without the one of the request.
    await staff.put('products/SHIRT', { low_stock: 2 }).expect(200);
    expect(await low()).toEqual([...gone(5), 'SHIRT Size:M 1 < 2']);
    expect(await low('&below=13')).toEqual([...gone(13), 'SHIRT Size:M 1 < 2']);
    await staff.put('products/SHIRT', { low_stock: 0 }).expect(200);
    for (const sku of ['EMPTY', 'NEVER', 'SOCKS']) await test.fixtures.changeProduct(sku, { active: false });
    expect(await low('&below=1')).toEqual([]);
  });
});
