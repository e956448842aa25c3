import { orderBody } from '../../support/order-body.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('POST /api/orders/quote', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(async () => {
    const plan = await test.fixtures.plan({ discount: '10.00' });
    return test.fixtures.store({ planId: plan.id });
  });

  const quote = (body: object) => test.post(store, '/api/orders/quote', body);
  const create = (body: object) => test.post(store, '/api/orders', body);

  const held = async () => {
    const text = `SELECT (SELECT sum(held) FROM stock_items), (SELECT count(*) FROM orders) AS orders,
                         (SELECT count(*) FROM store_order_ids) AS ids`;
    return (await test.pool.query(text)).rows as unknown[];
  };

  it('answers a GET, which reads an order by its id, with the right method', async () => {
    const { body } = await test.get(store, '/api/orders/quote').expect(404);
    expect(body.message).toContain('For a quote, send a POST');
  });

  it('prices every line, delivery and total without a customer, and holds no stock', async () => {
    const mug = await test.fixtures.product({ basePrice: '149.55', deliveryCharge: '30.00', stock: 5 });
    const shirt = await test.fixtures.product({
      name: 'Shirt',
      basePrice: '200.00',
      deliveryCharge: '49.00',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      stock: { 'Size:S': 3, 'Size:M': 0 },
    });
    const before = await held();
    const { body } = await quote({
      items: [
        { sku: mug.sku, quantity: 2, variation: 'gift wrap' },
        { sku: shirt.sku, quantity: 1, variation: 's' },
        { sku: shirt.sku, quantity: 2, variation: 'Size: S' },
      ],
    }).expect(200);
    expect(body).toEqual({
      success: true,
      orderable: true,
      errors: [],
      items: [
        {
          sku: mug.sku,
          name: `Product ${mug.sku}`,
          variation: 'gift wrap',
          quantity: 2,
          unit_price: 134.6,
          line_total: 269.2,
          stock: { requested: 2, available: 5, sufficient: true },
        },
        {
          sku: shirt.sku,
          name: 'Shirt',
          variation: 'Size:S',
          quantity: 1,
          unit_price: 180,
          line_total: 180,
          stock: { requested: 3, available: 3, sufficient: true },
        },
        expect.objectContaining({
          quantity: 2,
          line_total: 360,
          stock: { requested: 3, available: 3, sufficient: true },
        }),
      ],
      subtotal: 809.2,
      delivery: 79,
      delivery_breakdown: [
        { sku: mug.sku, charge: 30 },
        { sku: shirt.sku, charge: 49 },
      ],
      total: 888.2,
      currency: 'INR',
    });
    expect(await held()).toEqual(before);
  });

  it('shows the same totals as the order that follows it', async () => {
    const mug = await test.fixtures.product({ basePrice: '33.33', deliveryCharge: '7.77', stock: 9 });
    const body = orderBody([{ sku: mug.sku, quantity: 3 }], { store_order_id: 'QUOTED' });
    const { body: quoted } = await quote(body).expect(200);
    const { body: created } = await create({ ...body, expected_total: quoted.total }).expect(201);
    const { subtotal, delivery, total, currency } = quoted;
    expect(created).toMatchObject({ subtotal, delivery, total, currency });
  });

  it('reports insufficient stock line by line, with the same errors as the order', async () => {
    const mug = await test.fixtures.product({ stock: 5 });
    const plate = await test.fixtures.product({ stock: 5 });
    const items = [4, 5, 2].map((quantity, at) => ({ sku: at === 1 ? plate.sku : mug.sku, quantity }));
    const body = orderBody(items);
    const { body: quoted } = await quote(body).expect(200);
    const { body: refused } = await create(body).expect(422);
    expect(quoted).toMatchObject({
      success: true,
      orderable: false,
      items: [
        { stock: { requested: 6, available: 5, sufficient: false } },
        { stock: { requested: 5, available: 5, sufficient: true } },
        { stock: { requested: 6, available: 5, sufficient: false } },
      ],
    });
    expect(quoted.errors).toEqual(refused.errors);
    expect(quoted.errors).toHaveLength(2);
  });

  it('answers 422 exactly as the order does when it cannot price the items', async () => {
    const shirt = await test.fixtures.product({ variations: [{ name: 'Size', values: ['S', 'M'] }] });
    const bodies = [
      orderBody([
        { sku: 'NOWHERE', quantity: 1 },
        { sku: shirt.sku, quantity: 1 },
        { sku: shirt.sku, quantity: 1, variation: 'XL' },
        { sku: shirt.sku, quantity: 99, variation: 'S' },
      ]),
      {
        ...orderBody([{ sku: shirt.sku, quantity: 0 }]),
        customer: { name: '', phone: 5 },
        expected_total: '10',
      },
    ];
    for (const body of bodies) {
      const { body: quoted } = await quote(body).expect(422);
      const { body: refused } = await create(body).expect(422);
      expect({ ...quoted, request_id: '' }).toEqual({ ...refused, request_id: '' });
    }
  });

  it('finds only the store_order_id of its own client, as the order does', async () => {
    const { sku } = await test.fixtures.product();
    const body = orderBody([{ sku, quantity: 1 }], { store_order_id: 'OF-TWO' });
    const stores = [await test.fixtures.store(), await test.fixtures.store()];
    const ask = (path: string) => Promise.all(stores.map((each) => test.post(each, path, body)));
    const numbers = [];
    for (const each of stores) {
      await test.post(each, '/api/orders/quote', body).expect(200);
      numbers.push((await test.post(each, '/api/orders', body).expect(201)).body.order_number as string);
    }
    for (const path of ['/api/orders/quote', '/api/orders'])
      expect((await ask(path)).map(({ body: refused }) => refused.order_number as string)).toEqual(numbers);
  });

  it('answers 409 exactly as the order does to a taken store_order_id, before other errors', async () => {
    const mug = await test.fixtures.product({ basePrice: '100.00', stock: 1 });
    const body = orderBody([{ sku: mug.sku, quantity: 1 }], { store_order_id: 'TAKEN' });
    const { body: created } = await create(body).expect(201);
    const bodies = [
      body,
      { ...body, expected_total: 1 },
      { ...body, items: [{ sku: mug.sku, quantity: 5 }] },
      { ...body, items: [...body.items, { sku: 'NOWHERE', quantity: 1 }] },
    ];
    for (const repeated of bodies) {
      const { body: quoted } = await quote(repeated).expect(409);
      const { body: refused } = await create(repeated).expect(409);
      expect(quoted).toMatchObject({ code: 'duplicate_order', order_number: created.order_number });
      expect({ ...quoted, request_id: '' }).toEqual({ ...refused, request_id: '' });
    }
    const { customer: _, ...nameless } = body;
    expect((await quote(nameless).expect(409)).body).toMatchObject({ same_content: false });
  });

  it('reports a price that differs from expected_total', async () => {
    const mug = await test.fixtures.product({ basePrice: '100.00' });
    const body = orderBody([{ sku: mug.sku, quantity: 1 }]);
    expect((await quote({ ...body, expected_total: 89.99 }).expect(200)).body).toMatchObject({
      orderable: false,
      total: 90,
      errors: [{ field: 'expected_total', code: 'price_changed', total: 90 }],
    });
  });

  it('needs items, and checks the other fields that are sent', async () => {
    expect((await quote({}).expect(422)).body.errors).toEqual([
      { field: 'items', code: 'required', message: 'is required' },
    ]);
    const { body } = await quote({ items: [{ sku: 'A', quantity: 1 }], shipping: { pincode: '1' } }).expect(
      422,
    );
    expect(body.errors).toContainEqual(
      expect.objectContaining({ field: 'shipping.pincode', code: 'invalid_pincode' }),
    );
  });

  describe('expected_total', () => {
    const buyer = makeBeforeAll(() => test.fixtures.store());

    it('refuses an order with another total with 409, and leaves stock and id free', async () => {
      const mug = await test.fixtures.product({ basePrice: '19.99', deliveryCharge: '5.00', stock: 1 });
      const body = orderBody([{ sku: mug.sku, quantity: 1 }], { store_order_id: 'EXPECTED' });
      const { body: refused } = await test
        .post(buyer, '/api/orders', { ...body, expected_total: 20 })
        .expect(409);
      expect(refused).toMatchObject({ code: 'price_changed', total: 24.99, expected_total: 20 });
      await test.get(buyer, '/api/orders/EXPECTED/status').expect(404);
      await test.post(buyer, '/api/orders', { ...body, expected_total: 24.99 }).expect(201);
    });

    it('is checked after SKUs and stock', async () => {
      const mug = await test.fixtures.product({ stock: 1 });
      const body = { ...orderBody([{ sku: mug.sku, quantity: 2 }]), expected_total: 1 };
      expect((await test.post(buyer, '/api/orders', body).expect(422)).body.errors[0].code).toBe(
        'insufficient_stock',
      );
    });

    it.each([
      ['1', 'wrong_type'],
      [-1, 'too_small'],
      [1.005, 'too_precise'],
      [1e300, 'too_large'],
      [1e-7, 'too_precise'],
      [true, 'wrong_type'],
      [[], 'wrong_type'],
    ])('answers %j with 422 %s', async (expectedTotal, code) => {
      const { sku } = await test.fixtures.product();
      const body = { ...orderBody([{ sku, quantity: 1 }]), expected_total: expectedTotal };
      const { body: refused } = await test.post(buyer, '/api/orders', body).expect(422);
      expect(refused.errors).toEqual([expect.objectContaining({ field: 'expected_total', code })]);
    });

    it('may be null, which means no expectation', async () => {
      const mug = await test.fixtures.product();
      await test
        .post(buyer, '/api/orders', { ...orderBody([{ sku: mug.sku, quantity: 1 }]), expected_total: null })
        .expect(201);
    });
  });

  afterAll(endEverything);
});

// The suggestions are renewed once a minute, so these tests have an application of their own.
describe('A misspelt SKU', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'TSHIRT-CLASSIC' });
    await test.fixtures.product({ sku: 'MUG-350' });
    for (const sku of ['SKU-00002', 'SKU-00003']) await test.fixtures.product({ sku });
    await test.fixtures.changeProduct('SKU-00003', { active: false });
    await test.fixtures.product({ sku: 'LAMP-DESK', active: false });
  });

  const faults = async (...skus: string[]) => {
    const { body } = await test
      .post(store, '/api/orders', orderBody(skus.map((sku) => ({ sku, quantity: 1 }))))
      .expect(422);
    return body.errors as { code: string; message: string; suggestion?: string; inactive?: boolean }[];
  };

  it.each([
    ['tshirt-classic', 'TSHIRT-CLASSIC'],
    ['TSHIRTCLASSIC', 'TSHIRT-CLASSIC'],
    ['0MUG 350', 'MUG-350'],
  ])(
    'gets the SKU as a suggestion that differs in case, spaces, dashes or leading zeros: %s',
    async (sku, suggestion) => {
      expect(await faults(sku)).toEqual([expect.objectContaining({ code: 'unknown_sku', suggestion })]);
    },
  );

  it('gets no suggestion of a possibly different or inactive product', async () => {
    for (const fault of await faults('KETTLE-XL', 'MUG-35', 'TSHRIT-CLASSIC', 'SKU-00004', 'lamp-desk'))
      expect(fault).not.toHaveProperty('suggestion');
  });

  it('is distinct from an inactive SKU, which gets no suggestion', async () => {
    const [inactive, unknown] = await faults('SKU-00003', 'SKU-00005');
    expect(inactive).toMatchObject({
      code: 'unknown_sku',
      inactive: true,
      message: expect.stringContaining('inactive'),
    });
    for (const fault of [inactive, unknown]) expect(fault).not.toHaveProperty('suggestion');
    expect(unknown).not.toHaveProperty('inactive');
    for (const path of ['/api/products/SKU-00003', '/api/products/SKU-00003/stock']) {
      const { body } = await test.get(store, path).expect(404);
      expect(body).toMatchObject({ code: 'product_not_found', inactive: true });
      expect(body).not.toHaveProperty('suggestion');
    }
  });

  it('is not called inactive when the product is active again or was never on sale', async () => {
    await test.fixtures.changeProduct('SKU-00003', { active: true });
    await test.get(store, '/api/products/SKU-00003').expect(200);
    await test.fixtures.changeProduct('SKU-00003', { active: false });
    for (const sku of ['LAMP-DESK', 'sku-00003'])
      expect((await test.get(store, `/api/products/${sku}`).expect(404)).body).not.toHaveProperty('inactive');
  });

  it('in a path gets the SKU as a suggestion that differs only in case or dashes', async () => {
    for (const path of ['/api/products/mug350', '/api/products/mug%20350/stock']) {
      expect((await test.get(store, path).expect(404)).body).toMatchObject({
        code: 'product_not_found',
        suggestion: 'MUG-350',
      });
    }
    expect((await test.get(store, '/api/products/MUG-35').expect(404)).body).not.toHaveProperty('suggestion');
  });

  afterAll(endEverything);
});

describe('Unknown fields', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 1_000 })));

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
        { field: 'items[0].Variation', meant: 'items[0].variation' },
        { field: 'items[0].price' },
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
    [{ items: [{ product_code: 'CUP', Qty: 1 }] }, 'items[0].sku', 'items[0].quantity'],
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
        doc_url: '/docs/guide#error-validation_failed',
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
    expect(await ignored(body({ items }))).toEqual([{ field: 'items[0].price' }]);
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
    ['/api/orders?status=pending&sort=asc', 'sort'],
    ['/api/orders/status?orders=A&_=1', '_'],
    ['/api/stock?skus=A&colour=red', 'colour'],
    ['/api/stock?fields=sku', 'fields'],
    ['/api/categories?sort=asc', 'sort'],
    ['/api/plan?x%0d%0aSet-Cookie:a=1&%zz=1', 'x%0D%0ASet-Cookie%3Aa, %25zz'],
  ])('in the query %s are listed in a header', async (path, names) => {
    const { headers, body: listed } = await test.get(store, path).expect(200);
    expect(headers['x-ignored-parameters']).toBe(names);
    // Lists tell it in the body too; an answer about one thing does not.
    const decoded = path.startsWith('/api/plan') ? undefined : names.split(', ');
    expect(listed.ignored_parameters).toEqual(decoded);
  });

  it('in the query of a list change only the end of its body, and its tag', async () => {
    for (const path of ['/api/products', '/api/stock', '/api/orders']) {
      const plain = await test.get(store, path).expect(200);
      const { body: listed, headers } = await test.get(store, `${path}?brand=x`).expect(200);
      expect(listed).toEqual({ ...plain.body, ignored_parameters: ['brand'] });
      const repeat = (query: string) =>
        test.get(store, `${path}?${query}`).set('If-None-Match', headers.etag!);
      await repeat('brand=y').expect(304);
      await repeat('colour=x').expect(200);
    }
  });

  it('never change what the endpoints about one product or order answer', async () => {
    for (const path of [`/api/products/${sku}`, `/api/products/${sku}/stock`]) {
      const plain = await test.get(store, path).expect(200);
      expect((await test.get(store, `${path}?page=2&limit=5`).expect(200)).body).toEqual(plain.body);
    }
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
    [
      '/api/orders?per_page=20&created_after=2026-01-01&filter[status]=pending',
      { per_page: 'limit', created_after: 'created_from', 'filter[]': 'status' },
    ],
    ['/api/products?pageSize=20&q=mug', { pageSize: 'limit', q: 'search' }],
    [
      '/api/documents?from=2026-01-01&created_to=2026-01-31&since=x',
      { from: 'issued_from', created_to: 'issued_to', since: 'issued_from' },
    ],
    ['/api/orders?id=7', { id: 'store_order_id' }],
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

  const NEXT = 'send the "next_cursor" of the previous page as "cursor"';
  const SINCE = 'send the "sync_token" of the last answer';

  it.each([
    ['/api/products?limit=20&page=2', 'page', 'cursor', NEXT],
    ['/api/products?offset=20', 'offset', 'cursor', NEXT],
    ['/api/orders?page[number]=2', 'page[]', 'cursor', NEXT],
    ['/api/orders?updated_since=2026-01-01', 'updated_since', 'since', SINCE],
    ['/api/products?created_after=2026-01-01', 'created_after', 'since', SINCE],
    ['/api/stock?page=2', 'page', undefined, 'this list has no pages'],
    ['/api/categories?per_page=10', 'per_page', undefined, 'this list has no pages'],
    ['/api/orders?order_number=A', 'order_number', undefined, 'use "orders" of GET /api/orders/status, or'],
    ['/api/orders?orders=A', 'orders', undefined, 'or GET /api/orders/{order_number}'],
    ['/api/orders?number=A', 'number', undefined, 'or GET /api/orders/{order_number}'],
    ['/api/orders/status?order_number=A&orders=A', 'order_number', 'orders', 'did you mean "orders"?'],
    ['/api/orders?search=x', 'search', undefined, 'GET /api/products has "search"'],
    ['/api/orders?from=2026-01-01', 'from', 'created_from', 'did you mean "created_from"?'],
    ['/api/orders?email=a@example.com', 'email', undefined, 'this list has status, payment_status, '],
    ['/api/documents?order_number=A', 'order_number', undefined, 'use GET /api/orders/{order_number}/doc'],
    ['/api/documents?order_id=A', 'order_id', undefined, 'use GET /api/orders/{order_number}/documents'],
    ['/api/documents?number=A', 'number', undefined, 'use GET /api/documents/{document_number}'],
    ['/api/documents?status=paid', 'status', undefined, 'GET /api/orders has "status"'],
    ['/api/products?skus=A', 'skus', undefined, 'use GET /api/products/{sku}, or "skus" of GET /api/stock'],
    ['/api/products?filter[colour]=red', 'filter[]', undefined, 'this list has limit, cursor, category'],
    ['/api/products?status=active', 'status', undefined, 'GET /api/orders has "status"'],
    ['/api/stock?in_stock=true', 'in_stock', undefined, 'this list has skus, since; GET /api/products has'],
    ['/api/stock?category=Apparel', 'category', undefined, 'GET /api/products has "category"'],
    ['/api/stock?expand=details', 'expand', undefined, 'GET /api/products has "expand"'],
    ['/api/categories?q=shirt', 'q', undefined, 'no parameters; GET /api/products has "search"'],
  ])(
    'in the query %s that page or filter a list in another way are refused',
    async (path, field, meant, advice) => {
      const { body: refused } = await test.get(store, path).expect(422);
      expect(refused.errors).toHaveLength(1);
      expect(refused.errors[0]).toMatchObject({ field, code: 'unknown_parameter' });
      expect(refused.errors[0].meant).toBe(meant);
      expect(refused.errors[0].message).toContain(advice);
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
