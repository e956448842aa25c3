import { adminApi, dataOf } from '../../support/admin-api.js';
import { contradictions } from '../../support/books.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { placeAndMove } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';

type Lines = { line: number; quantity: number }[];

describe('A return', () => {
  const test = setUpTestApp();
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const store = makeBeforeAll(() => test.fixtures.store());
  beforeAll(() =>
    test.fixtures.products([
      { sku: 'MUG', stock: 1_000, basePrice: '10', deliveryCharge: '4' },
      { sku: 'BOX', stock: 1_000, basePrice: '3', deliveryCharge: '0' },
    ]),
  );
  afterAll(async () => expect(await contradictions(test.pool)).toEqual([]));

  const ITEMS = [
    { sku: 'MUG', quantity: 3 },
    { sku: 'BOX', quantity: 2 },
  ];
  const shipped = (items = ITEMS) => placeAndMove(test, store, items, 'pay', 'ship');
  const add = (order_number: string, lines: Lines, key?: string) => {
    const sent = staff.post('returns', { order_number, lines, reason: 'damaged' });
    return dataOf(key ? sent.set('Idempotency-Key', key) : sent, 201);
  };
  const show = (order: string) => dataOf(staff.get(`orders/${order}`));
  const load = (query: string, heading: string, rows: string[]) =>
    dataOf(
      staff
        .post(`imports/returns?${query}`)
        .set('Content-Type', 'text/csv')
        .send([heading, ...rows].join('\n')),
    );

  it('is in the history of the stock and in the audit log, with what was restocked and written off', async () => {
    const order = await shipped();
    const { number } = await add(order, [{ line: 1, quantity: 2 }]);
    const body = { restock: [{ line: 1, quantity: 1 }], refund: true };
    await staff.post(`returns/${number as string}/receive`, body).expect(200);
    const history = (await staff.get('stock/MUG/movements').expect(200)).body.data as object[];
    const actor = `key ${staff.keyId} (ERP of staff)`;
    expect(history.slice(0, 2)).toMatchObject([
      { on_hand_change: -1, reason: `written off, return ${number as string}`, actor },
      { on_hand_change: 2, reason: `return ${number as string}`, actor },
    ]);
    const log = await test.audited('action, actor, details', `subject = 'return ${number as string}'`);
    expect(log).toMatchObject([
      { action: 'return.requested', actor, details: { order, lines: '1=2', reason: 'damaged' } },
      { action: 'return.received', details: { received: '1=2', restocked: '1=1', refund: true } },
    ]);
  });

  it('is refused with a reason, after which its goods can be returned again, with a new key', async () => {
    const order = await shipped();
    const lines = [{ line: 1, quantity: 3 }];
    const { number } = await add(order, lines);
    await staff.post(`returns/${number as string}/refuse`, { reason: 'worn' }).expect(200);
    expect((await show(order)).items).toMatchObject([{ returned: 0 }, {}]);
    const { body } = await staff.post(`returns/${number as string}/receive`, {}).expect(409);
    expect(body.message).toBe(`The return ${number as string} was refused already.`);
    // The same words are the same request.
    expect(await add(order, lines)).toMatchObject({ number, state: 'refused', is_new: false });
    expect(await add(order, lines, 'second')).toMatchObject({ is_new: true });
    expect((await show(order)).items).toMatchObject([{ returned: 3 }, {}]);
  });

  it('adds up two lines of the same goods', async () => {
    const items = [1, 2].map((quantity) => ({ sku: 'MUG', quantity }));
    const order = await shipped([...items, { sku: 'BOX', quantity: 1 }]);
    const onHand = async () => [
      (await test.fixtures.stockOf('MUG')).on_hand,
      (await test.fixtures.stockOf('BOX')).on_hand,
    ];
    const [mugs, boxes] = (await onHand()) as [number, number];
    const all = ((await show(order)).items as Lines).map(({ line, quantity }) => ({ line, quantity }));
    const { number } = await add(order, all);
    await staff.post(`returns/${number as string}/receive`, { restock: all, refund: true }).expect(200);
    expect(await onHand()).toEqual([mugs + 3, boxes + 1]);
  });

  it('comes from a file, whose rows count once', async () => {
    const [first, second] = [await shipped(), await shipped()];
    const unshipped = await test.place(store, ITEMS);
    const heading = 'order_number,lines,reason,note';
    const rows = [
      `${first.toLowerCase()},1=2 2=1,damaged,Call before`,
      `${first},1=1,too many,`,
      `${second},"1=3, 2=2",damaged,`,
      `${unshipped},1=1,damaged,`,
      `${second},7=1,damaged,`,
      `${second},1=x,damaged,`,
      `${second},,damaged,`,
      `${second},1=1,,`,
      'WO-20260101-AAAAA-AAAAA,1=1,damaged,',
      'hello,1=1,damaged,',
    ];
    const noQuantity = (text: string) =>
      `"${text}" is not a quantity of a line. Write 1=2 for 2 units of line 1.`;
    const failed = [
      [5, 'lines', 'name 1 of line 1, of which 0 can be returned ("1=1")'],
      [6, 'lines', 'name line 7, which the order does not have ("7=1")'],
      [7, 'lines', noQuantity('1=x')],
      [8, 'lines', noQuantity('')],
      [9, 'reason', 'must not be empty'],
      [10, 'order_number', 'there is no order WO-20260101-AAAAA-AAAAA'],
      [11, 'order_number', 'there is no order hello'],
    ].map(([line, column, message]) => ({ line, column, message }));
    expect(await load('dry_run=true', heading, rows)).toMatchObject({ created: 3, unchanged: 0, failed });
    expect((await show(first)).returns).toEqual([]);
    expect(await load('', heading, rows)).toMatchObject({ created: 3, updated: 0, unchanged: 0, failed });
    expect((await show(first)).returns).toMatchObject([
      { reason: 'damaged', note: 'Call before', lines: [{ line: 1, quantity: 2 }, { line: 2 }] },
      { reason: 'too many', note: null, lines: [{ line: 1, quantity: 1 }] },
    ]);
    expect(await load('', heading, rows)).toMatchObject({ created: 0, unchanged: 3 });
    expect((await show(first)).returns).toHaveLength(2);
    // The same words for another order are another return.
    const another = rows[0]!.replace(/^[^,]+/, await shipped());
    expect(await load('', heading, [another])).toMatchObject({ created: 1, unchanged: 0, failed: [] });
  });

  it('of a file is refused when two rows together name more than was shipped', async () => {
    const order = await shipped();
    const rows = [`${order},1=2,damaged`, `${order},1=2,too many`, `${order},1=2,damaged`];
    const few = 'Only 1 unit of line 1 can be returned: 3 ordered, 3 shipped, 2 returned.';
    for (const query of ['dry_run=true', ''])
      expect(await load(query, 'order_number,lines,reason', rows)).toMatchObject({
        created: 1,
        failed: [
          { line: 3, column: 'order_number', message: `${few} ("${order}")` },
          { line: 4, column: 'order_number', message: `is already in row 2 ("${order}")` },
        ],
      });
  });
});
