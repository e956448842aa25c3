import { orderReturns } from '../../support/order-returns.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { placeAndMove } from '../../support/order-steps.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const lines = [{ line: 1, quantity: 2 }];

const NOTHING = { restocked: 0, written_off: 0, refunded_amount: 0 };

describe('A return that a store asks for', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const store = makeBeforeAll(() => test.fixtures.store());
  let order: string;

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'MUG', stock: 1_000 });
    await test.fixtures.product({ sku: 'BOX', stock: 1_000 });
  });
  beforeEach(async () => {
    const items = ['MUG', 'BOX'].map((sku) => ({ sku, quantity: 3 }));
    order = await placeAndMove(test, store, items, 'pay', 'ship');
  });

  const requested = (more: object = {}) => ({ store_return_id: 'R1', lines, reason: 'Broken', ...more });
  const ask = (more: object = {}, number = order, by = store) =>
    test.post(by, `/api/orders/${number}/returns`, requested(more));
  const status = async () => (await test.get(store, `/api/orders/${order}/status`).expect(200)).body;

  it('is made once, and a repeat gets the same answer', async () => {
    const first = await ask({ note: 'Two mugs\nare broken', returnId: 'x' }).expect(201);
    const { data } = first.body;
    expect(first.body).toEqual({
      success: true,
      order_number: order,
      data: {
        number: expect.stringMatching(/^RT-\d{8}-/),
        store_return_id: 'R1',
        state: 'requested',
        reason: 'Broken',
        lines: [{ ...lines[0], received: null, ...NOTHING }],
        refunded: 0,
      },
      ignored_fields: [{ field: 'returnId' }],
    });
    expect(first.headers).toMatchObject({ location: `/api/orders/${order}/status` });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const repeated = await ask({ note: ' Two mugs\nare broken ', returnId: 'x' }).expect(201);
    expect(repeated.text).toBe(first.text);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect(await status()).toMatchObject({ returns: [data], items: [{ returned: 2 }, { returned: 0 }] });

    await orderReturns(test.app).refuse(data.number, 'The seal is broken.', 'test');
    const { body } = await ask({ note: 'Two mugs\nare broken' }).expect(201);
    expect(body.data).toEqual({
      ...data,
      state: 'refused',
      lines: [{ ...lines[0], received: 0, ...NOTHING }],
      refusal_reason: 'The seal is broken.',
    });
  });

  it('shows the requested, received and refunded units of each line', async () => {
    const asksFor = [
      { line: 1, quantity: 2 },
      { line: 2, quantity: 1 },
    ];
    const { body: first } = await ask({ lines: asksFor }).expect(201);
    const [{ unit_price: mug }, { unit_price: box }] = (await status()).items;
    const came = [
      { line: 1, quantity: 1 },
      { line: 2, quantity: 1 },
    ];
    const returns = orderReturns(test.app);
    const receipt = { lines: came, restock: came.slice(0, 1), refund: true, note: 'One mug is missing.' };
    await returns.receive(first.data.number, receipt, 'test');
    const partly = {
      ...first.data,
      state: 'partly_received',
      lines: [
        { ...asksFor[0], received: 1, restocked: 1, written_off: 0, refunded_amount: mug },
        { ...asksFor[1], received: 1, restocked: 0, written_off: 1, refunded_amount: box },
      ],
      refunded: mug + box,
      answer: 'One mug is missing.',
    };
    expect((await status()).returns).toEqual([partly]);
    expect((await ask({ lines: asksFor }).expect(201)).body.data).toEqual(partly);
    expect((await status()).items).toMatchObject([{ returned: 1 }, { returned: 1 }]);
    await expect(returns.receive(first.data.number, receipt, 'test')).rejects.toThrow(
      'was partly received already',
    );

    const { body: second } = await ask({ store_return_id: 'R2', lines: [came[0]] }).expect(201);
    await returns.receive(second.data.number, { restock: [], refund: false }, 'test');
    const whole = (await status()).returns[1];
    expect(whole).toMatchObject({ state: 'received', lines: [{ received: 1, refunded_amount: 0 }] });
    expect(whole).not.toHaveProperty('answer');
  });

  it('is one, however many requests for it come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(new Set(answers.map(({ status: code, text }) => `${code} ${text}`)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(5);
    expect((await status()).returns).toHaveLength(1);
  });

  it('has an id for one content, of one order, apart from the keys of other routes', async () => {
    const { body: first } = await ask().expect(201);
    for (const other of [{ reason: 'Torn' }, { note: 'n' }, { lines: [{ line: 1, quantity: 1 }] }]) {
      const { body } = await ask(other).expect(409);
      expect(body).toMatchObject({ code: 'duplicate_return', return_number: first.data.number });
    }
    const one = [{ line: 2, quantity: 1 }];
    await orderReturns(test.app).add(order, { lines: one, reason: 'x', key: 'R2' }, 'test');
    await ask({ store_return_id: 'R2', lines: one }).expect(201);
    expect((await status()).returns.map((each: object) => 'store_return_id' in each)).toEqual([
      true,
      false,
      true,
    ]);
    const next = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 2 }], 'pay', 'ship');
    const { body } = await ask({}, next).expect(201);
    expect(body.data.number).not.toBe(first.data.number);
  });

  it.each<[string, object, number, string, string]>([
    [
      'more units than have left',
      { lines: [{ line: 1, quantity: 4 }] },
      409,
      'not_returnable',
      'Only 3 units',
    ],
    [
      'a line that the order lacks',
      { lines: [{ line: 3, quantity: 1 }] },
      422,
      'validation_failed',
      'no line 3',
    ],
    ['a line twice', { lines: [...lines, ...lines] }, 422, 'validation_failed', 'Line 1 is named twice'],
    [
      'lines that are not sorted',
      { lines: [{ line: 9, quantity: 1 }, ...lines] },
      422,
      'validation_failed',
      '"field":"lines[0].line"',
    ],
    ['no lines', { lines: [] }, 422, 'validation_failed', 'at least 1 entry'],
    ['no id', { store_return_id: ' ' }, 422, 'validation_failed', 'is required'],
    ['no reason', { reason: null }, 422, 'validation_failed', 'is required'],
    ['half a unit', { lines: [{ line: 1, quantity: 0.5 }] }, 422, 'validation_failed', 'whole number'],
  ])('is refused for %s', async (_, more, code, name, words) => {
    const { body, text } = await ask(more).expect(code);
    expect(body.code).toBe(name);
    expect(text).toContain(words);
    expect((await status()).returns).toEqual([]);
  });

  it('is refused before the goods have left, and for the order of another client', async () => {
    const waiting = await test.place(store, [{ sku: 'MUG', quantity: 2 }]);
    const { body } = await ask({}, waiting).expect(409);
    expect(body).toMatchObject({ code: 'not_returnable', message: expect.stringContaining('2 ordered') });
    const outsider = await test.fixtures.store();
    await ask({}, order, outsider).expect(404);
    expect((await status()).returns).toEqual([]);
  });

  describe('where the wholesaler takes returns in the dashboard only', () => {
    const closed = makeBeforeAll(() => startTestApp({ returnsByApi: false }, test.database));

    it('is refused, and says so', async () => {
      const { body } = await closed.post(store, `/api/orders/${order}/returns`, requested()).expect(403);
      expect(body).toMatchObject({ code: 'returns_in_dashboard' });
      expect((await status()).returns).toEqual([]);
    });
  });
});
