import { ClientOrdersService } from '../../../src/modules/orders/records/client-orders.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let test: TestApp;
let store: Store;

beforeAll(async () => {
  test = await startTestApp({ unpaidValueLimit: 0 });
  store = await test.fixtures.store();
});
afterAll(() => test.close());

const create = (body: object, as = store) => test.post(as, '/api/orders', body);

const status = async (number: string, as = store) =>
  (await test.get(as, `/api/orders/${encodeURIComponent(number)}/status`).expect(200)).body;

describe('POST /api/orders', () => {
  it('answers 201 with the total of wholesale prices and delivery, and awaits payment', async () => {
    const mug = await test.fixtures.product({ basePrice: '149.50', deliveryCharge: '30.00' });
    const shirt = await test.fixtures.product({
      basePrice: '249.00',
      deliveryCharge: '49.00',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
    });
    const items = [
      { sku: mug.sku, quantity: 2 },
      { sku: shirt.sku, quantity: 1, variation: 'M' },
      { sku: shirt.sku, quantity: 1, variation: 'Size:S' },
    ];
    const { body: created, headers } = await create(orderBody(items, { store_order_id: 'WEB-1' })).expect(
      201,
    );
    expect(created).toEqual({
      success: true,
      order_number: expect.stringMatching(/^WO-\d{8}-[0-9A-Z]{5}-[0-9A-Z]{5}$/),
      store_order_id: 'WEB-1',
      subtotal: 797,
      delivery: 79,
      total: 876,
      currency: 'INR',
      items_count: 3,
      items: [
        { sku: mug.sku, variation: null, quantity: 2, unit_price: 149.5, line_total: 299 },
        { sku: shirt.sku, variation: 'Size:M', quantity: 1, unit_price: 249, line_total: 249 },
        { sku: shirt.sku, variation: 'Size:S', quantity: 1, unit_price: 249, line_total: 249 },
      ].map((item) => ({ ...item, name: expect.any(String) as string })),
      status: 'awaiting_payment',
      message: expect.any(String),
      payment_due_at: expect.any(String),
    });
    expect(headers.location).toBe(`/api/orders/${created.order_number}/status`);
    expect(await status('WEB-1')).toMatchObject({
      order_number: created.order_number,
      status: 'awaiting_payment',
      payment_status: 'unpaid',
      total_amount: 876,
      tracking: null,
      payment_due_at: created.payment_due_at,
      timeline: [{ status: 'awaiting_payment' }],
      items: [{ variation: null }, { variation: 'Size:M', unit_price: 249 }, { variation: 'Size:S' }],
    });
  });

  it('tells the lines as they were understood, also in 409, and refuses a text with two meanings', async () => {
    const { sku } = await test.fixtures.product({
      stock: 9,
      variations: [
        { name: 'Waist', values: ['30', '32'] },
        { name: 'Length', values: ['30', '32'] },
      ],
    });
    const order = (variation: string) =>
      orderBody([{ sku, quantity: 1, variation }], { store_order_id: 'JEANS' });
    const readings = ['Waist:30|Length:32', 'Waist:32|Length:30'];
    const fault = {
      field: 'items[0].variation',
      code: 'ambiguous_variation',
      message: `may mean ${readings.join(' or ')}; send one of these`,
      valid_keys: readings,
    };
    const understood = [{ sku, variation: 'Waist:32|Length:30', quantity: 1 }];
    for (const by of [store, await test.fixtures.withToken(store, 'test')]) {
      for (const path of ['/api/orders', '/api/orders/quote']) {
        const { body } = await test.post(by, path, order('30 / 32')).expect(422);
        expect(body.errors).toEqual([fault]);
      }
      const { body: created } = await create(order('Length: 30 / 32'), by).expect(201);
      const { body: repeated } = await create(order('Length: 30 / 32'), by).expect(409);
      const { body: quoted } = await test.post(by, '/api/orders/quote', order('30 / 30')).expect(409);
      expect(created.items).toMatchObject(understood);
      expect([repeated.items, quoted.items]).toEqual([created.items, created.items]);
    }
  });

  it('warns of a PIN code of another state, as the quote does, and reads it with a blank', async () => {
    const { sku } = await test.fixtures.product();
    const { shipping } = orderBody([]);
    const order = (pincode: string) =>
      orderBody([{ sku, quantity: 1 }], {
        store_order_id: 'OTHER-STATE',
        shipping: { ...shipping, state: 'Kerala', pincode },
      });
    const { body: quoted } = await test.post(store, '/api/orders/quote', order('560 038')).expect(200);
    const { body: created } = await create(order('560 038')).expect(201);
    const warnings = [
      {
        field: 'shipping.pincode',
        code: 'other_state',
        message: '560038 is not in Kerala: one of the two is probably mistyped.',
      },
    ];
    expect([quoted.warnings, created.warnings]).toEqual([warnings, warnings]);
    expect((await create(order('560038')).expect(409)).body).toMatchObject({
      same_content: true,
      message: expect.stringContaining('It has the same content.'),
    });
  });

  it('gives 72 hours to pay', async () => {
    const { sku } = await test.fixtures.product();
    const { body } = await create(orderBody([{ sku, quantity: 1 }])).expect(201);
    const { created_at: createdAt } = await status(body.order_number);
    expect(Date.parse(body.payment_due_at) - Date.parse(createdAt)).toBe(72 * 3_600_000);
  });

  it('ignores price fields and unknown fields at every level, and __proto__', async () => {
    const { sku } = await test.fixtures.product({ basePrice: '10.00' });
    const body = {
      ...orderBody([{ sku, quantity: 2, price: 1, unit_price: 1, wholesale_price: 0.01 } as never]),
      total: 1,
      subtotal: 1,
      delivery: 0,
      pricing: { wholesale_price: 1 },
      constructor: { prototype: { polluted: true } },
      unknown: { deep: [1, 2, { three: 3 }] },
    };
    const inherited = '"__proto__":{"polluted":true,"total":1},"unknown"';
    const sent = JSON.stringify(body).replace('"unknown"', inherited);
    expect((await test.post(store, '/api/orders', sent).expect(201)).body).toMatchObject({
      subtotal: 20,
      total: 20,
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('Prices', () => {
  it.each([
    ['0', '99.99', 99.99],
    ['12.50', '99.99', 87.49],
    ['33.33', '0.05', 0.03],
    ['50.00', '0.01', 0.01],
    ['99.99', '1000000.00', 100],
    ['100.00', '249.00', 0],
  ])('with %s %% off %s are %d, rounded half up once for each unit', async (discount, basePrice, price) => {
    const plan = await test.fixtures.plan({ discount });
    const caller = await test.fixtures.store({ planId: plan.id });
    const { sku } = await test.fixtures.product({ basePrice });
    const { body } = await create(orderBody([{ sku, quantity: 3 }]), caller).expect(201);
    const order = await status(body.order_number, caller);
    expect(order.items[0].unit_price).toBe(price);
    expect(body.subtotal).toBe(Math.round(price * 100 * 3) / 100);
  });

  it('are the fixed prices of the plan, without its discount, for that plan only', async () => {
    const plan = await test.fixtures.plan({ discount: '10.00' });
    const caller = await test.fixtures.store({ planId: plan.id });
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    await test.fixtures.fixedPrice(plan.id, sku, '77.77');
    const body = orderBody([{ sku, quantity: 1 }]);
    expect((await create(body, caller).expect(201)).body.total).toBe(77.77);
    expect((await create(body).expect(201)).body.total).toBe(100);
  });

  it('and names stay as they were when the order was placed', async () => {
    const { sku } = await test.fixtures.product({ name: 'Old name', basePrice: '10.00' });
    const { body } = await create(orderBody([{ sku, quantity: 1 }])).expect(201);
    await test.fixtures.changeProduct(sku, { name: 'New name', basePrice: 99, active: false });
    expect(await status(body.order_number)).toMatchObject({
      total_amount: 10,
      items: [{ sku, name: 'Old name', unit_price: 10 }],
    });
  });

  it('add up exactly for the largest possible order', async () => {
    const { sku } = await test.fixtures.product({
      basePrice: '999999.99',
      deliveryCharge: '0.01',
      stock: 10_000_000,
    });
    const items = Array.from({ length: 100 }, () => ({ sku, quantity: 100_000 }));
    const { body } = await create(orderBody(items)).expect(201);
    expect(body).toMatchObject({
      subtotal: 9_999_999_900_000,
      delivery: 0.01,
      total: 9_999_999_900_000.01,
      items_count: 100,
    });
    expect((await status(body.order_number)).total_amount).toBe(9_999_999_900_000.01);
  });
});

describe('Variations', () => {
  const COLOURED = [
    { name: 'Color', values: ['Red', 'Dark Red', 'Blue / Green'] },
    { name: 'Size', values: ['M', 'XL'] },
  ];

  it('are recognised in other spellings, and those that do not exist are answered with the valid keys', async () => {
    const { sku } = await test.fixtures.product({ variations: COLOURED });
    const { body } = await create(orderBody([{ sku, quantity: 1, variation: '  xl / Red ' }])).expect(201);
    const key = 'Color:Red|Size:XL';
    expect((await status(body.order_number)).items[0].variation).toBe(key);
    expect(await test.fixtures.stockOf(sku, key)).toEqual({ on_hand: 10, held: 1 });
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 60, held: 1 });
    const { body: refused } = await create(orderBody([{ sku, quantity: 1, variation: 'Red' }])).expect(422);
    expect(refused.errors).toEqual([
      expect.objectContaining({ field: 'items[0].variation', code: 'unknown_variation' }),
    ]);
    expect(refused.errors[0].valid_keys).toHaveLength(6);
    expect(refused.errors[0].valid_keys).toContain('Color:Dark Red|Size:M');
  });

  it('are required for a product with variations, and free text for one without', async () => {
    const shirt = await test.fixtures.product({ variations: COLOURED });
    const mug = await test.fixtures.product();
    const { body: refused } = await create(
      orderBody([{ sku: shirt.sku, quantity: 1, variation: ' ' }]),
    ).expect(422);
    expect(refused.errors[0]).toMatchObject({ field: 'items[0].variation', code: 'variation_required' });
    const { body } = await create(orderBody([{ sku: mug.sku, quantity: 1, variation: 'gift wrap' }])).expect(
      201,
    );
    expect((await status(body.order_number)).items[0].variation).toBe('gift wrap');
  });
});

describe('Stock', () => {
  it('is held for all lines or none, and shown to other clients at once', async () => {
    const mug = await test.fixtures.product({ stock: 5 });
    const plate = await test.fixtures.product({ stock: 1 });
    const items = (mugs: number, plates: number) =>
      orderBody([
        { sku: mug.sku, quantity: mugs },
        { sku: plate.sku, quantity: plates },
      ]);
    await create(items(1, 2)).expect(422);
    expect(await test.fixtures.stockOf(mug.sku)).toEqual({ on_hand: 5, held: 0 });
    await create(items(2, 1)).expect(201);
    expect(await test.fixtures.stockOf(mug.sku)).toEqual({ on_hand: 5, held: 2 });
    const { body } = await test.get(await test.fixtures.store(), `/api/products/${mug.sku}/stock`);
    expect(body).toMatchObject({ stock_qty: 3, in_stock: true });
  });

  it('is reported together with all other errors of the items', async () => {
    const mug = await test.fixtures.product({ stock: 1 });
    const gone = await test.fixtures.product({ active: false });
    const items = [
      { sku: mug.sku, quantity: 2 },
      { sku: gone.sku, quantity: 1 },
      { sku: 'NO-SUCH-SKU', quantity: 1 },
    ];
    const { body } = await create(orderBody(items)).expect(422);
    expect(
      body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).toSorted(),
    ).toEqual([
      'items[0].quantity insufficient_stock',
      'items[1].sku unknown_sku',
      'items[2].sku unknown_sku',
    ]);
  });
});

describe('A repeated store_order_id', () => {
  it('is answered with 409, the existing order and whether the content is the same', async () => {
    const { sku } = await test.fixtures.product({ stock: 2, basePrice: '20.00' });
    const body = orderBody([{ sku, quantity: 2 }], { store_order_id: 'AGAIN' });
    const { body: created } = await create(body).expect(201);
    const { body: same } = await create(body).expect(409);
    expect(same).toMatchObject({
      success: false,
      code: 'duplicate_order',
      order_number: created.order_number,
      status: 'awaiting_payment',
      total: 40,
      same_content: true,
    });
    const { body: other } = await create({ ...body, items: [{ sku: 'ANYTHING', quantity: 1 }] }).expect(409);
    expect(other).toMatchObject({ order_number: created.order_number, same_content: false });
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 2, held: 2 });
  });

  it('of a cancelled or expired order says so, and that another id is needed', async () => {
    const { sku } = await test.fixtures.product({ stock: 9 });
    for (const reason of ['out of stock', 'expired']) {
      const body = orderBody([{ sku, quantity: 1 }], { store_order_id: `DEAD ${reason}` });
      const { body: created } = await create(body).expect(201);
      if (reason !== 'expired') await moveOrder(test, store, created.order_number, 'cancel');
      else {
        await test.fixtures.age(72, created.order_number);
        await test.app.get(OrderExpiryService).run();
      }
      for (const path of ['/api/orders', '/api/orders/quote']) {
        const { body: dead } = await test.post(store, path, body).expect(409);
        expect(dead).toMatchObject({
          code: 'duplicate_order',
          order_number: created.order_number,
          status: 'cancelled',
          cancel_reason: reason,
          same_content: true,
          message:
            `You already have an order with this store_order_id: ${created.order_number}. It has the same ` +
            `content. It was cancelled (${reason}) and will not ship. To order again, send a new ` +
            'store_order_id.',
        });
      }
      const other = { ...body, items: [{ sku, quantity: 2 }] };
      const { body: differs } = await create(other).expect(409);
      expect(differs).toMatchObject({ same_content: false, cancel_reason: reason });
      expect(differs.message).toContain('Its content differs from this request. It was cancelled');
      await create({ ...body, store_order_id: `ALIVE ${reason}` }).expect(201);
    }
  });

  it('has the same content when only ignored or default values differ', async () => {
    const { sku } = await test.fixtures.product();
    const body = orderBody([{ sku, quantity: 1 }], { store_order_id: 'SAME' });
    await create(body).expect(201);
    const noise = {
      ...body,
      notes: null,
      total: 5,
      shipping: { ...body.shipping, country: 'India' },
      expected_total: 100,
    };
    expect((await create(noise).expect(409)).body.same_content).toBe(true);
  });

  it('does not count surrounding space', async () => {
    const { sku } = await test.fixtures.product();
    const body = orderBody([{ sku, quantity: 1 }], { store_order_id: ' SPACED 1\t' });
    const { body: created } = await create(body).expect(201);
    expect(created.store_order_id).toBe('SPACED 1');
    const { body: repeated } = await create({ ...body, store_order_id: 'SPACED 1' }).expect(409);
    expect(repeated).toMatchObject({ order_number: created.order_number, same_content: true });
    const { body: other } = await create({ ...body, store_order_id: 'SPACED  1' }).expect(201);
    expect(other.order_number).not.toBe(created.order_number);
  });

  it.each(['', '  '])('is refused if it is blank: %j', async (id) => {
    const { sku } = await test.fixtures.product();
    const body = orderBody([{ sku, quantity: 1 }], { store_order_id: id });
    for (const address of ['/api/orders', '/api/orders/quote']) {
      const { body: refused } = await test.post(store, address, body).expect(422);
      expect(refused.errors).toMatchObject([{ field: 'store_order_id', code: 'required' }]);
    }
    const { body: without } = await create({ ...body, store_order_id: null }).expect(201);
    expect(without.store_order_id).toBeNull();
  });

  it('is free again after the order was refused', async () => {
    const { sku } = await test.fixtures.product({ stock: 0 });
    const body = orderBody([{ sku, quantity: 1 }], { store_order_id: 'REFUSED' });
    await create(body).expect(422);
    await test.get(store, '/api/orders/REFUSED/status').expect(404);
    await test.fixtures.count(sku, 1);
    await create(body).expect(201);
  });
});

describe('A refused order', () => {
  it('reports invalid fields, unknown SKUs and unknown variations together', async () => {
    const { sku: shirt } = await test.fixtures.product({ variations: [{ name: 'Size', values: ['S'] }] });
    const { sku: mug } = await test.fixtures.product({ stock: 0 });
    const body = {
      ...orderBody([
        { sku: 'UNKNOWN', quantity: 1 },
        { sku: shirt, quantity: 1, variation: 'XXL' },
        { sku: 'NO-SUCH', quantity: 0 },
        { sku: mug, quantity: 1 },
        { sku: shirt, quantity: 1, variation: 's' },
        { sku: 'NO-SUCH', quantity: 1, variation: null as never },
      ]),
      customer: undefined,
    };
    for (const path of ['/api/orders', '/api/orders/quote']) {
      const { body: refused } = await test.post(store, path, { ...body, notes: 7 }).expect(422);
      const found = refused.errors as { field: string; code: string }[];
      expect(found.map(({ field, code }) => `${field} ${code}`)).toEqual([
        ...(path === '/api/orders' ? ['customer required'] : []),
        'items[2].quantity too_small',
        'notes wrong_type',
        'items[0].sku unknown_sku',
        'items[1].variation unknown_variation',
        'items[5].sku unknown_sku',
      ]);
    }
  });

  it.each([[[]], ['x'], [[[]]], [[{}, 7]], [Array.from({ length: 101 }, () => ({ sku: 1, variation: 2 }))]])(
    'reports only field errors when its items cannot be read: %j',
    async (items) => {
      const { body } = await create({ items }).expect(422);
      expect((body.errors as { code: string }[]).map(({ code }) => code)).not.toContain('unknown_sku');
    },
  );

  it("is logged with its reasons, without the customer's data", async () => {
    const { sku } = await test.fixtures.product({ stock: 1 });
    const caller = await test.fixtures.store();
    await create(orderBody([{ sku, quantity: 1 }], { store_order_id: 'R-1' }), caller).expect(201);
    await create(orderBody([{ sku, quantity: 1 }], { store_order_id: 'R-1' }), caller).expect(409);
    await create(orderBody([{ sku, quantity: 5 }], { store_order_id: 'R-2' }), caller).expect(422);
    await create({ store_order_id: 'R-3', customer: { name: 'Ravi Kumar' } }, caller).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const { rows } = await test.pool.query<{
      store_order_id: string;
      code: string;
      faults: { code: string }[];
    }>(
      `SELECT store_order_id, code, faults FROM store_requests
       WHERE client_id = $1 AND status >= 400 ORDER BY store_order_id`,
      [caller.clientId],
    );
    expect(rows.map((row) => [row.store_order_id, row.code, row.faults[0]!.code])).toEqual([
      ['R-1', 'duplicate_order', 'duplicate_order'],
      ['R-2', 'validation_failed', 'insufficient_stock'],
      ['R-3', 'validation_failed', 'required'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Ravi');
  });
});

describe('The state of an Indian address', () => {
  const UNREADABLE = ['Bavaria', '-', 'IN-KA', 'Bengaluru', 'कर्नाटक'];
  const fault = 'is not the name or code of an Indian state; 560038 is in Karnataka';
  const { customer, shipping } = orderBody([]);
  let order: (state: string, country?: string) => ReturnType<typeof orderBody>;
  let callers: Store[];
  beforeAll(async () => {
    const { sku } = await test.fixtures.product({ stock: 1_000, deliveryCharge: '0' });
    order = (state, country = 'India') =>
      orderBody([{ sku, quantity: 1 }], { shipping: { ...shipping, state, country } });
    callers = [store, await test.fixtures.withToken(store, 'test')];
  });
  const desk = () => orderDesk(test.app);
  const byPerson = async (body: object) => {
    const orders = test.app.get(ClientOrdersService, { strict: false });
    return orders.quote(await orders.getOrderingClient(store.clientId), body);
  };

  it.each([
    ['MH', 'Maharashtra'],
    ['27', 'Maharashtra'],
    ['Maharastra', 'Maharashtra'],
  ])('%j is kept as %s, with the warning of its PIN code', async (state, name) => {
    const warning = { code: 'other_state', message: expect.stringContaining(`560038 is not in ${name}`) };
    for (const by of callers) {
      const { body: quoted } = await test.post(by, '/api/orders/quote', order(state)).expect(200);
      const { body: created } = await create(order(state), by).expect(201);
      const path = `/api/orders/${created.order_number}`;
      const delivery = { customer: { name: customer.name, phone: customer.phone } };
      const other = { ...delivery, shipping: order(state).shipping };
      const { body: changed } = await test.put(by, `${path}/delivery`, other).expect(200);
      const { body: read } = await test.get(by, path).expect(200);
      for (const { warnings } of [quoted, created, changed]) expect(warnings).toMatchObject([warning]);
      expect([changed.shipping.state, read.shipping.state]).toEqual([name, name]);
    }
    expect((await byPerson(order(state))).quote.warnings).toMatchObject([warning]);
  });

  it('that is none has a warning while there are no invoices', async () => {
    for (const by of callers)
      expect((await create(order('Bavaria'), by).expect(201)).body.warnings).toEqual([
        { field: 'shipping.state', code: 'unknown_state', message: `"Bavaria" ${fault}.` },
      ]);
  });

  it('that is none is refused if there are invoices, everywhere', async () => {
    const placed = await Promise.all(callers.map((by) => create(order('Karnataka'), by).expect(201)));
    const numbers = placed.map(({ body }) => body.order_number as string);
    const old = (await create(order('Bavaria')).expect(201)).body.order_number as string;
    await test.fixtures.seller();
    for (const state of UNREADABLE) {
      const refused = { errors: [{ field: 'shipping.state', code: 'unknown_state', message: fault }] };
      for (const [index, by] of callers.entries()) {
        expect((await create(order(state), by).expect(422)).body).toMatchObject(refused);
        expect((await test.post(by, '/api/orders/quote', order(state)).expect(422)).body).toMatchObject(
          refused,
        );
        const path = `/api/orders/${numbers[index]}/delivery`;
        expect((await test.put(by, path, order(state)).expect(422)).body).toMatchObject(refused);
      }
      await expect(byPerson(order(state))).rejects.toMatchObject(refused);
      await expect(desk().redirect(numbers[0]!, 'sita', { state })).rejects.toThrow(`The state ${fault}.`);
    }
    await create(order('Bavaria', 'Nepal')).expect(422);
    await desk().redirect(old, 'sita', { city: 'Munich', state: 'Bavaria' });
    await expect(desk().redirect(old, 'sita', { state: 'Bayern' })).rejects.toThrow(fault);
    const { shipping: kept } = await desk().redirect(old, 'sita', { state: 'ka' });
    expect(kept).toMatchObject({ city: 'Munich', state: 'Karnataka' });
  });
});
