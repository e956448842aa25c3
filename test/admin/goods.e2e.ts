import { type AdminApi, adminApi } from '../support/admin-api.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { setUpTestApp } from '../support/test-app.js';

type Row = Record<string, unknown>;

describe('Products, stock, plans and prices of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let admin: AdminApi;
  let staff: AdminApi;
  let packer: AdminApi;

  beforeAll(async () => {
    [admin, staff, packer] = [
      await adminApi(test),
      await adminApi(test, 'staff'),
      await adminApi(test, 'packer'),
    ];
    await test.fixtures.plan({ code: 'GOLD', discount: '10' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Red mug', category: 'Kitchen', basePrice: '230.00', stock: 5 },
      { sku: 'CUP', name: 'Cup', category: 'kitchen', basePrice: '100.00', stock: 3 },
      {
        sku: 'TEE',
        name: 'Tee',
        category: 'Clothes',
        variations: [{ name: 'Size', values: ['S', 'M'] }],
        stock: 2,
      },
    ]);
  });

  const data = async (path: string, program = admin) =>
    (await program.get(path).expect(200)).body.data as Row;
  /** All pages of one row each. */
  const pages = async (path: string, program = admin) => {
    const rows: Row[] = [];
    for (let after = ''; ;) {
      const { body } = await program
        .get(`${path}${path.includes('?') ? '&' : '?'}limit=1${after}`)
        .expect(200);
      rows.push(...(body.data as Row[]));
      if (!body.has_more) return rows;
      after = `&after=${body.next as string}`;
    }
  };

  it('lists products by page, word, category and state', async () => {
    const skus = async (query: string) => (await pages(`products${query}`, staff)).map(({ sku }) => sku);
    expect(await skus('')).toEqual(['MUG', 'CUP', 'TEE']);
    expect(await skus('?category=KITCHEN')).toEqual(['MUG', 'CUP']);
    expect(await skus('?category=kitchen&search=red')).toEqual(['MUG']);
    expect(await skus('?category=kit')).toEqual([]);
    expect(await skus('?active=false')).toEqual([]);
    expect((await pages('products?search=cup'))[0]).toEqual({
      sku: 'CUP',
      name: 'Cup',
      category: 'kitchen',
      barcode: '',
      shelf: '',
      base_price: 100,
      active: true,
      on_hand: 3,
      held: 0,
    });
  });

  it('changes a product, empties a field, and refuses the mark of older values', async () => {
    const { was } = await data('products/MUG', staff);
    const { body } = await staff
      .put('products/MUG', { base_price: 240.5, shelf: 'A-1', images: ['https://a.example/1.jpg'], was })
      .expect(200);
    expect(body.data).toMatchObject({
      product: {
        base_price: 240.5,
        shelf: 'A-1',
        images: ['https://a.example/1.jpg'],
        mrp: null,
        active: true,
      },
      changed: [
        { column: 'images' },
        { column: 'base_price', from: '230.00', to: '240.50' },
        { column: 'shelf' },
      ],
    });
    expect((await staff.put('products/MUG', { shelf: 'B', was }).expect(409)).body.code).toBe('conflict');
    await staff.put('products/MUG', { shelf: null, images: '' }).expect(200);
    expect(await data('products/MUG')).toMatchObject({ shelf: '', images: [], base_price: 240.5 });
    const unusual = await staff.put('products/MUG', { base_price: '1' }).expect(422);
    expect(unusual.body.errors).toMatchObject([{ field: 'base_price' }]);
    expect(unusual.body.message).toMatch(/add max_change or force/);
    await staff.put('products/MUG', { base_price: '120', max_change: 60 }).expect(200);
    await staff.put('products/MUG', { base_price: 240.5, force: true }).expect(200);
  });

  it('schedules a price, lists it and withdraws it', async () => {
    const { body } = await staff
      .put('products/CUP', { base_price: 110, from: '2099-01-01', to: '2099-01-31' })
      .expect(200);
    expect(body.data).toMatchObject({
      sku: 'CUP',
      column: 'base_price',
      old: 100,
      new: 110,
      to: '2099-01-31T18:30:00.000Z',
    });
    const discount = await admin.put('plans/GOLD', { discount: 12, from: '2099-03-01' }).expect(200);
    expect(discount.body.data).toMatchObject({ code: 'GOLD', old: 10, new: 12 });
    const { change } = body.data as { change: number };
    expect(await pages('price-changes', staff)).toMatchObject([
      { change, what: 'base price of CUP', state: 'waiting', by: `key ${staff.keyId} (ERP of staff)` },
      { what: 'discount of GOLD' },
    ]);
    expect(await pages(`price-changes/${change}/prices`)).toEqual([
      { plan: null, sku: 'CUP', old: 100, new: 110, state: 'waiting' },
    ]);
    expect((await staff.delete(`price-changes/${change}`).expect(200)).body.data).toMatchObject({
      change,
      had_begun: false,
    });
    expect(await pages('price-changes')).toHaveLength(1);
    expect(await pages('price-changes?past=true')).toHaveLength(2);
    await staff.delete(`price-changes/${change}`).expect(409);
    const { change: discountChange } = discount.body.data as { change: number };
    expect((await staff.delete(`price-changes/${discountChange}`).expect(403)).body.code).toBe(
      'role_missing',
    );
  });

  it('makes, changes and deletes a plan', async () => {
    expect((await admin.put('plans/SILVER', { discount: '5.5' }).expect(200)).body.data).toEqual({
      code: 'SILVER',
      name: 'SILVER',
      discount: 5.5,
      created: true,
    });
    await admin.put('plans/SILVER', { name: 'Silver' }).expect(200);
    expect((await staff.get('plans').expect(200)).body).toMatchObject({
      data: [
        { code: 'GOLD' },
        { code: 'SILVER', name: 'Silver', discount: 5.5, fixed_prices: 0, active_subscriptions: 0 },
      ],
      has_more: false,
    });
    expect((await admin.delete('plans/SILVER').expect(200)).body.data).toEqual({
      code: 'SILVER',
      fixed_prices: 0,
    });
    expect((await admin.delete('plans/GOLD').expect(409)).body.code).toBe('conflict');
  });

  it('counts and moves stock, once for one Idempotency-Key, and tells all changes', async () => {
    expect(
      (await packer.put('stock/TEE', { variation: 's', quantity: 9, expected: 2 }).expect(200)).body.data,
    ).toEqual({
      sku: 'TEE',
      variation: 'Size:S',
      on_hand: 9,
      held: 0,
      for_sale: 9,
    });
    const arrive = () =>
      packer.post('stock/TEE/movements', { variation: 'M', quantity: 4 }).set('Idempotency-Key', 'a');
    expect((await arrive().expect(200)).text).toBe((await arrive().expect(200)).text);
    await packer.post('stock/TEE/movements', { variation: 'M', quantity: -1, reason: 'torn' }).expect(200);
    await packer.put('stock/TEE', { variation: 'S', quantity: 8, expected: 2 }).expect(409);
    expect(await data('stock/TEE', packer)).toMatchObject({
      on_hand: 14,
      variations: [
        { variation: 'Size:S', on_hand: 9 },
        { variation: 'Size:M', on_hand: 5 },
      ],
    });
    const movements = await pages('stock/TEE/movements', packer);
    expect(movements.slice(0, 3)).toMatchObject([
      {
        variation: 'Size:M',
        on_hand_change: -1,
        on_hand: 5,
        reason: 'torn',
        actor: `key ${packer.keyId} (ERP of packer)`,
      },
      { variation: 'Size:M', on_hand_change: 4, on_hand: 6, reason: 'goods in' },
      { variation: 'Size:S', on_hand_change: 7, on_hand: 9, reason: 'count' },
    ]);
    expect(await pages('stock/TEE/movements?variation=S')).toHaveLength(1);
    expect(await data('stock/MUG')).toMatchObject({ on_hand: 5 });
  });

  it('lists low stock by page, and holds only to staff', async () => {
    const store = await test.fixtures.store();
    await test.place(store, orderBody([{ sku: 'MUG', quantity: 4 }]));
    expect((await pages('stock?low=true', staff)).map(({ sku, for_sale }) => [sku, for_sale])).toEqual([
      ['MUG', 1],
      ['CUP', 3],
    ]);
    expect(await pages('stock?below=2')).toMatchObject([{ sku: 'MUG', below: 2 }]);
    const isHold = ({ held_change }: Row) => held_change === 4;
    expect((await pages('stock/MUG/movements', staff)).some(isHold)).toBe(true);
    expect((await pages('stock/MUG/movements', packer)).some(isHold)).toBe(false);
    const { body } = await staff.post('products/MUG/deactivate').expect(200);
    expect(body.data).toMatchObject({ product: { active: false }, open_orders: [{ quantity: 4 }] });
    expect(await pages('stock?low=true')).toMatchObject([{ sku: 'CUP' }]);
  });

  it('takes a product off sale, and lists the orders that want it and have not left', async () => {
    const [store, { sku }] = [await test.fixtures.store(), await test.fixtures.product({ stock: 9 })];
    const [waiting, paid, shipped] = [1, 2, 3].map((quantity) => test.place(store, [{ sku, quantity }]));
    await moveOrder(test, store, await paid!, 'pay');
    await moveOrder(test, store, await shipped!, 'pay', 'ship');
    const off = async () => (await staff.post(`products/${sku}/deactivate`).expect(200)).body.data as object;
    const open_orders = [
      { order_number: await waiting, status: 'awaiting_payment', quantity: 1 },
      { order_number: await paid, status: 'pending', quantity: 2 },
    ].toSorted((a, b) => (a.order_number! < b.order_number! ? -1 : 1));
    expect(await off()).toMatchObject({ changed: [{ column: 'active', from: true, to: false }] });
    const { open_orders: listed } = (await off()) as { open_orders: { order_number: string }[] };
    expect(listed.toSorted((a, b) => (a.order_number < b.order_number ? -1 : 1))).toEqual(open_orders);
  });

  it.each([
    ['packer', 'get', 'products'],
    ['packer', 'get', 'products/MUG'],
    ['packer', 'put', 'products/MUG'],
    ['packer', 'post', 'products/MUG/deactivate'],
    ['packer', 'get', 'stock?low=true'],
    ['packer', 'get', 'plans'],
    ['packer', 'get', 'price-changes'],
    ['packer', 'get', 'price-changes/1/prices'],
    ['packer', 'delete', 'price-changes/1'],
    ['staff', 'put', 'plans/GOLD'],
    ['staff', 'delete', 'plans/GOLD'],
  ] as const)('refuses a %s: %s %s', async (role, method, path) => {
    const { body } = await { packer, staff }[role][method](path).expect(403);
    expect(body).toMatchObject({ code: 'role_missing' });
  });

  it.each([
    ['get', 'products?limit=0&activ=1', undefined, 422, 'activ'],
    ['get', 'products?after=MTIz', undefined, 422, 'after'],
    ['get', 'products/NONE', undefined, 404, 'product_not_found'],
    ['put', 'products/MUG', { base_price: {}, colour: 'red', from: 'soon' }, 422, 'colour base_price from'],
    ['put', 'products/MUG', { shelf: 'A', from: '2099-01-01' }, 422, 'invalid_value'],
    ['get', 'stock?low=false', undefined, 422, 'low'],
    ['get', 'stock/NONE', undefined, 404, 'product_not_found'],
    ['put', 'stock/TEE', { quantity: -1, variaton: 'S' }, 422, 'variaton quantity'],
    ['put', 'stock/TEE', { quantity: 1 }, 422, 'invalid_value'],
    ['post', 'stock/MUG/movements', { quantity: 0 }, 422, 'quantity'],
    ['post', 'stock/MUG/movements', { quantity: -900 }, 409, 'conflict'],
    ['put', 'plans/GOLD', { discount: 120 }, 422, 'discount'],
    ['delete', 'plans/NONE', undefined, 404, 'plan_not_found'],
    ['delete', 'price-changes/0', undefined, 404, 'scheduled_change_not_found'],
    ['get', 'price-changes/99/prices', undefined, 404, 'scheduled_change_not_found'],
  ] as const)('says what is wrong: %s %s %j', async (method, path, sent, status, what) => {
    const { body } = await admin[method](path, sent).expect(status);
    const fields = (body.errors as { field: string }[] | undefined)?.map(({ field }) => field) ?? [body.code];
    expect(fields.toSorted()).toEqual(what.split(' ').toSorted());
  });
});
