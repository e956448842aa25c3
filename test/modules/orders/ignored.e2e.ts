import { orderBody } from '../../support/order-body.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Unknown fields', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
  });

  const body = (more: object = {}, item: object = {}) => ({
    ...orderBody([{ sku, quantity: 1, ...item }]),
    ...more,
  });
  const ignored = async (sent: object, path = '/api/orders') => {
    const { body: answer } = await test.post(store, path, sent).expect(path.endsWith('quote') ? 200 : 201);
    return (answer as { ignored_fields?: object[] }).ignored_fields;
  };

  it.each([['/api/orders'], ['/api/orders/quote']])(
    'in a body of %s are listed with the probable intended field',
    async (path) => {
      const sent = body({ storeOrderId: 'WEB-1', note: 'x', gift: true }, { Variation: 'x', price: 1 });
      expect(await ignored(sent, path)).toEqual([
        { field: 'items[].Variation', meant: 'items[].variation' },
        { field: 'items[].price' },
        { field: 'storeOrderId', meant: 'store_order_id' },
        { field: 'note', meant: 'notes' },
        { field: 'gift' },
      ]);
    },
  );

  it('are explained beside a known field that is null', async () => {
    expect(await ignored(body({ storeOrderId: 'WEB-3', store_order_id: null }))).toEqual([
      { field: 'storeOrderId', meant: 'store_order_id' },
    ]);
  });

  it.each(['order_id', 'orderId', 'OrderID', 'order-number', 'reference', 'order_reference'])(
    'that name the id of the order in the words of another API are explained: %s',
    async (name) => {
      const suggested = [{ field: name, meant: 'store_order_id' }];
      expect(await ignored(body({ [name]: 'WEB-7' }))).toEqual(suggested);
      expect(await ignored(body({ [name]: 'WEB-7' }), '/api/orders/quote')).toEqual(suggested);
      // With an id of its own, the order has nothing left to be meant.
      expect(await ignored(body({ [name]: 'WEB-7', store_order_id: `OWN-${name}` }))).toEqual([
        { field: name },
      ]);
    },
  );

  it.each([
    [{ customer: { full_name: 'Ravi', mobile: '98' } }, 'customer.name', 'customer.phone'],
    [{ shipping: { address_1: '1, Hill Road', zipCode: '400050' } }, 'shipping.address', 'shipping.pincode'],
    [{ items: [{ product_code: 'CUP', Qty: 1 }] }, 'items[].sku', 'items[].quantity'],
  ])(
    'that name a missing field in the words of another shop are explained: %j',
    async (sent, ...suggested) => {
      const { body: refused } = await test.post(store, '/api/orders', body(sent)).expect(422);
      const { ignored_fields: notice } = refused as { ignored_fields: { meant?: string }[] };
      expect(notice.map((one) => one.meant)).toEqual(suggested);
    },
  );

  it.each([['/api/orders'], ['/api/orders/quote']])(
    'are listed in each 422 of %s as well, and in no other refusal',
    async (path) => {
      const missing = await test
        .post(store, path, { ...body({ item: 1 }), items: undefined, notez: 'x' })
        .expect(422);
      expect(missing.body).toEqual({
        success: false,
        code: 'validation_failed',
        message: '1 field needs attention.',
        errors: [{ field: 'items', code: 'required', message: 'is required' }],
        request_id: missing.headers['x-request-id'],
        ignored_fields: [
          { field: 'item', meant: 'items' },
          { field: 'notez', meant: 'notes' },
        ],
      });
      const unknown = await test.post(store, path, body({ order_id: 'WEB-9' }, { sku: 'NONE' })).expect(422);
      expect(unknown.body).toMatchObject({
        errors: [{ field: 'items[0].sku', code: 'unknown_sku' }],
        ignored_fields: [{ field: 'order_id', meant: 'store_order_id' }],
      });
      const plain = await test.post(store, path, body({}, { quantity: 0 })).expect(422);
      expect(plain.text).not.toContain('ignored');
      const changed = await test
        .post(store, path, body({ expected_total: 0.01, gift: true }))
        .expect(path === '/api/orders' ? 409 : 200);
      expect(changed.body.code === 'price_changed' && 'ignored_fields' in changed.body).toBe(false);
    },
  );

  it('in customer and shipping are listed too, without suggesting a field that is present', async () => {
    const { customer, shipping } = body();
    const sent = body({
      customer: { ...customer, e_mail: 'x', Phone: '1' },
      shipping: { ...shipping, contry: 'Nepal' },
    });
    expect(await ignored(sent)).toEqual([
      { field: 'customer.e_mail' },
      { field: 'customer.Phone' },
      { field: 'shipping.contry', meant: 'shipping.country' },
    ]);
  });

  it('are not mentioned when there are none', async () => {
    const { text } = await test.post(store, '/api/orders', body({ store_order_id: 'WEB-2' })).expect(201);
    expect(text).not.toContain('ignored');
    expect(await ignored(body(), '/api/orders/quote')).toBeUndefined();
  });

  it('are listed once for many lines', async () => {
    const items = Array.from({ length: 100 }, () => ({ sku, quantity: 1, price: 1 }));
    expect(await ignored(body({ items }))).toEqual([{ field: 'items[].price' }]);
  });

  it('never make an answer large', async () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 190 }, (_, n) => [`${n}${'x'.repeat(1_000)}`, n]),
    );
    const notice = await ignored(body(hostile));
    expect(notice).toHaveLength(20);
    expect(JSON.stringify(notice).length).toBeLessThan(2_000);
  });

  it.each([
    ['/api/products?lmti=1&category=x', 'lmti'],
    ['/api/products?lmti=1&lmti=2&brand=x', 'lmti, brand'],
    ['/api/plan?expand[]=variations&Limit=1', 'expand%5B%5D, Limit'],
    ['/api/orders?status=pending&page=2', 'page'],
    ['/api/plan?x%0d%0aSet-Cookie:a=1&%zz=1', 'x%0D%0ASet-Cookie%3Aa, %25zz'],
  ])('in the query %s are listed in a header', async (path, names) => {
    const { headers } = await test.get(store, path).expect(200);
    expect(headers['x-ignored-parameters']).toBe(names);
  });

  it.each([
    ['/api/stock?sku=A', { sku: 'skus' }],
    ['/api/stock?Skus[]=A&skus[0][sku]=A', { 'Skus[]': 'skus', 'skus[]': 'skus' }],
    [
      '/api/products?limit[]=0&Category=x&in-stock=1&ctegory=x',
      {
        'limit[]': 'limit',
        Category: 'category',
        'in-stock': 'in_stock',
        ctegory: 'category',
      },
    ],
    ['/api/orders/status?order=A', { order: 'orders' }, ['orders']],
    ['/api/orders?Ssince=x&limit=0', { Ssince: 'since' }, ['limit']],
  ])(
    'in the query %s that nearly have the name of a known parameter are refused',
    async (path, suggested, others = []) => {
      const { body: notice } = await test.get(store, path).expect(422);
      expect(notice.errors).toEqual([
        ...Object.entries(suggested).map(([field, name]) => ({
          field,
          code: 'unknown_parameter',
          message: `is unknown; did you mean "${name}"?`,
          meant: name,
        })),
        ...others.map((field) => expect.objectContaining({ field })),
      ]);
    },
  );

  it('in a query are listed with errors too, but not for a caller without access', async () => {
    const path = `/api/products/NONE?x=1`;
    expect((await test.get(store, path).expect(404)).headers['x-ignored-parameters']).toBe('x');
    const outsider = { ...store, headers: { ...store.headers, Authorization: 'Bearer no' } };
    expect((await test.get(outsider, path).expect(401)).headers).not.toHaveProperty('x-ignored-parameters');
  });

  it('in a query set no header when every parameter is known, in any encoding', async () => {
    for (const path of [
      '/api/products',
      '/api/products?limit=1',
      '/api/products?%6Cimit=1',
      '/api/products?',
    ])
      expect((await test.get(store, path).expect(200)).headers).not.toHaveProperty('x-ignored-parameters');
  });

  it('in a query set a header of limited length', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `${n}${'y'.repeat(10)}=1`).join('&');
    const { headers } = await test.get(store, `/api/products?${many}`).expect(200);
    expect((headers['x-ignored-parameters'] as string).split(', ')).toHaveLength(10);
  });
});
