import { getMetadataStorage } from 'class-validator';
import type request from 'supertest';
import { Readable } from 'node:stream';
import { PackingService } from '../../../src/modules/fulfilment/packing/packing.service.js';
import { CreateOrderRequest } from '../../../src/modules/orders/placing/create-order.request.js';
import { contentHash } from '../../../src/modules/orders/rules/order-content.js';
import {
  addressLines,
  DELIVERY_NAMES,
  nest,
  ORDER_FIELD_NAMES,
  orderField as fieldOf,
  type OrderFieldName,
} from '../../../src/modules/orders/rules/order-fields.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { readable } from '../../support/page-text.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

/** No texts of the order as a whole: lines, the store's id, its metadata, and a check that nothing keeps. */
const OTHERS = ['items', 'store_order_id', 'expected_total', 'metadata'];

/**
 * The contract's status form has neither the customer nor the address, and stores know what they sent. A new
 * field is shown, or named here.
 */
const NOT_IN_STATUS: readonly OrderFieldName[] = [
  'customerName',
  'customerPhone',
  'customerEmail',
  'shippingAddress',
  'shippingCity',
  'shippingState',
  'shippingPincode',
  'shippingCountry',
  'notes',
];

/** Values that stand nowhere else on a page. */
const VALUES: Record<OrderFieldName, string> = {
  customerName: 'Zubin Unique',
  customerPhone: '+91 91234 56789',
  customerEmail: 'zubin@unique.example',
  shippingAddress: '77, Unique Lane',
  shippingCity: 'Uniquepur',
  shippingState: 'Nagaland',
  shippingPincode: '797001',
  shippingCountry: 'India',
  notes: 'A unique note',
};

describe('Each field that a store sends with an order', () => {
  const test = setUpTestApp();
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 10 })));

  it('is described, and nothing else is', () => {
    const properties = (target: object) =>
      new Set(
        getMetadataStorage()
          .getTargetValidationMetadatas(target as never, '', false, false)
          .map(({ propertyName }) => propertyName),
      );
    const groups = new Set<string>(ORDER_FIELD_NAMES.map((name) => fieldOf(name).path[0]));
    expect([...properties(CreateOrderRequest)].toSorted()).toEqual([...groups, ...OTHERS].toSorted());
  });

  it('stands in the address as letters have it, if it belongs there', () => {
    const address = addressLines((name) => name).join(' ');
    const named = DELIVERY_NAMES.filter((name) => fieldOf(name).path[0] === 'shipping');
    expect(address.match(/\w+/g)!.toSorted()).toEqual(named.toSorted());
  });

  it('is refused if it is longer than described', async () => {
    const tooLong = ORDER_FIELD_NAMES.map((name) => [name, 'x'.repeat(fieldOf(name).maxLength + 1)] as const);
    const order = nest(Object.fromEntries(tooLong) as typeof VALUES);
    const store = await test.fixtures.store();
    const { body } = await test.post(store, '/api/orders', { ...order, items: [{ sku, quantity: 1 }] });
    const { errors } = body as { errors: { field: string; message: string }[] };
    const notice = errors.map(({ field, message }) => [field, Number(/\d+/.exec(message)?.[0])]);
    const described = ORDER_FIELD_NAMES.map(fieldOf).map(({ path, maxLength }) => [
      path.join('.'),
      maxLength,
    ]);
    expect(Object.fromEntries(notice)).toEqual(Object.fromEntries(described));
  });

  it('makes another order by another value', () => {
    const request = (values: Record<OrderFieldName, string>) => ({
      ...nest(values),
      items: [{ sku, quantity: 1 }],
    });
    const hashes = ORDER_FIELD_NAMES.map((name) =>
      contentHash(request({ ...VALUES, [name]: 'another' })).toString('hex'),
    );
    expect(new Set([contentHash(request(VALUES)).toString('hex'), ...hashes]).size).toBe(hashes.length + 1);
  });

  it('is shown by both pages, both files of the client, the packing list and both forms of the command', async () => {
    const store = await test.fixtures.store();
    const statusOf = async (by: Store) => {
      const order = { ...nest(VALUES), items: [{ sku, quantity: 1 }] };
      const { body } = await test.post(by, '/api/orders', order).expect(201);
      const { order_number: number } = body as { order_number: string };
      const status = await test.get(by, `/api/orders/${number}/status`).expect(200);
      const whole = await test.get(by, `/api/orders/${number}`).expect(200);
      return [number, JSON.stringify(status.body), JSON.stringify(whole.body)] as const;
    };
    const [number, status, whole] = await statusOf(store);
    const [, testStatus, testWhole] = await statusOf(await test.fixtures.withToken(store, 'test'));
    const owner = await signIn(test, store.clientId);
    const staff = await signInAtDesk(test, 'staff');
    const packing = await test.app.get(PackingService, { strict: false }).exportOrders({});
    const places: [string, string, readonly OrderFieldName[]][] = [
      ['the dashboard', readable((await owner.get(`/dashboard/orders/${number}`)).text), []],
      ['the desk', readable((await staff.get(`/desk/orders/${number}`)).text), []],
      ['the packing list', JSON.stringify(await Readable.from(packing.rows).toArray()), []],
      ['the command', (await runCommand(test.database.serviceUrl, 'order', 'show', number)).stdout, []],
      ['its JSON', JSON.stringify(await answerOf(test.database.serviceUrl, 'order', 'show', number)), []],
      ['the file', (await owner.get('/dashboard/orders.csv')).text, []],
      ['the file of lines', (await owner.get('/dashboard/orders.csv?lines=yes')).text, []],
      ['the whole order', whole, []],
      ['the whole test order', testWhole, []],
      ['the status', status, NOT_IN_STATUS],
      ['the status of a test order', testStatus, NOT_IN_STATUS],
    ];
    for (const [place, text, left] of places)
      for (const name of ORDER_FIELD_NAMES)
        expect([place, name, text.includes(VALUES[name])]).toEqual([place, name, !left.includes(name)]);
  });

  afterAll(endEverything);
});

describe('Metadata', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 100 })));

  const METADATA = { cart: 'C-unique', gift: 'two\nlines' };
  const LINE_METADATA = { engraving: 'R-unique' };
  const bodyWith = (metadata: unknown, lineMetadata?: unknown) => ({
    ...orderBody([{ sku, quantity: 1 }]),
    items: [
      { sku, quantity: 1, metadata: lineMetadata },
      { sku, quantity: 1 },
    ],
    metadata,
  });

  it.each(['full', 'test'] as const)('of an order by a %s token is returned as sent', async (kind) => {
    const by = await test.fixtures.withToken(store, kind);
    const key = `metadata-${kind}`;
    const send = (metadata: object) =>
      test.post(by, '/api/orders', bodyWith(metadata, LINE_METADATA)).set('Idempotency-Key', key);
    const { body: placed } = await send(METADATA).expect(201);
    const number = placed.order_number as string;
    expect(placed.metadata).toEqual(METADATA);
    const { body: repeated } = await send({ attempt: '2' }).expect(201);
    expect(repeated).toEqual(placed);
    const { body: status } = await test.get(by, `/api/orders/${number}/status`).expect(200);
    expect(status.metadata).toEqual(METADATA);
    const [first, second] = status.items as object[];
    expect(first).toMatchObject({ metadata: LINE_METADATA });
    expect(second).not.toHaveProperty('metadata');
    const { body: listed } = await test.get(by, '/api/orders').expect(200);
    const row = listed.data.find((one: { order_number: string }) => one.order_number === number) as object;
    expect(row).toMatchObject({ metadata: METADATA });
  });

  it('stands on both pages, in files and in the command', async () => {
    const { body: placed } = await test
      .post(store, '/api/orders', bodyWith(METADATA, LINE_METADATA))
      .expect(201);
    const number = placed.order_number as string;
    const owner = await signIn(test, store.clientId);
    const staff = await signInAtDesk(test, 'staff');
    const packing = await test.app.get(PackingService, { strict: false }).exportOrders({});
    const places = {
      dashboard: readable((await owner.get(`/dashboard/orders/${number}`)).text),
      desk: readable((await staff.get(`/desk/orders/${number}`)).text),
      packing: JSON.stringify(await Readable.from(packing.rows).toArray()),
      command: (await runCommand(test.database.serviceUrl, 'order', 'show', number)).stdout,
      json: JSON.stringify(await answerOf(test.database.serviceUrl, 'order', 'show', number)),
      lines: (await owner.get('/dashboard/orders.csv?lines=yes')).text,
    };
    const isThere = (value: string) => (text: string) => text.includes(value);
    const found = (value: string) =>
      Object.entries(places).flatMap(([place, text]) => (isThere(value)(text) ? [place] : []));
    expect(found('C-unique')).toEqual(Object.keys(places));
    expect(found('R-unique')).toEqual(Object.keys(places));
    const { text: file } = await owner.get('/dashboard/orders.csv');
    expect([file.includes('C-unique'), file.includes('R-unique')]).toEqual([true, false]);
  });

  it('without entries is none', async () => {
    for (const none of [{}, null]) {
      const { body } = await test.post(store, '/api/orders', bodyWith(none, none)).expect(201);
      expect(body).not.toHaveProperty('metadata');
    }
  });

  it('is changed by nobody', async () => {
    const { body } = await test.post(store, '/api/orders', bodyWith(METADATA, LINE_METADATA)).expect(201);
    for (const table of ['orders', 'order_items'])
      await expect(
        test.pool.query(`UPDATE ${table} SET metadata = NULL WHERE order_number = $1`, [body.order_number]),
      ).rejects.toThrow('what was agreed is never changed');
  });

  const entries = (count: number, value = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, value]));

  const KEY_RULE =
    'must have keys of one line and 1 to 40 characters, other than __proto__, constructor, prototype';

  it.each([
    ['a key that would get lost', JSON.parse('{"__proto__":"x"}'), 'malformed', KEY_RULE],
    ['another one', { constructor: 'x' }, 'malformed', KEY_RULE],
    ['a text', 'x', 'wrong_type', 'must be an object'],
    ['a list', [], 'wrong_type', 'must be an object'],
    ['a number', { qty: 1 }, 'wrong_type', '"qty" must be a string'],
    ['an object', { ok: 'x', deep: { a: 'b' } }, 'wrong_type', '"deep" must be a string'],
    ['NUL', { odd: '\0' }, 'invalid_text', '"odd" must not contain NUL or half of a surrogate pair'],
    ['a long value', { text: 'x'.repeat(501) }, 'too_long', '"text" must have at most 500 characters'],
    ['a long key', { ['x'.repeat(41)]: '' }, 'malformed', KEY_RULE],
    ['an empty key', { '': 'x' }, 'malformed', KEY_RULE],
    ['many keys', entries(21), 'too_many', 'must have at most 20 keys'],
    [
      'much',
      entries(5, 'x'.repeat(400)),
      'too_long',
      'must have at most 2000 characters in keys and values together',
    ],
  ])('is refused with %s', async (_, metadata, code, message) => {
    for (const path of ['/api/orders', '/api/orders/quote']) {
      const { body } = await test.post(store, path, bodyWith(metadata, metadata)).expect(422);
      expect(body.errors).toEqual([
        { field: 'items[0].metadata', code, message },
        { field: 'metadata', code, message },
      ]);
    }
  });

  it.each([
    ['at its limits', { ...entries(19, 'x'.repeat(60)), ['k'.repeat(40)]: 'v'.repeat(500) }],
    ['with the names of methods', { toString: 'x', hasOwnProperty: 'y' }],
  ])('is accepted %s', async (_, metadata) => {
    const { body } = await test.post(store, '/api/orders', bodyWith(metadata, metadata)).expect(201);
    const { body: order } = await test.get(store, `/api/orders/${body.order_number}`).expect(200);
    expect([body.metadata, order.metadata, order.items[0].metadata]).toEqual([metadata, metadata, metadata]);
  });

  afterAll(endEverything);
});

describe('An order with a name of other APIs', () => {
  const test = setUpTestApp();

  it('is refused if it asks for a trial, or for a key that nobody reads', async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product({ stock: 5 });
    const body = (more: object = {}) => orderBody([{ sku, quantity: 1 }], more);
    const refusal = async (send: request.Test, field: string) => {
      const { errors } = (await send.expect(422)).body as { errors: object[] };
      expect(errors).toMatchObject([{ field, code: 'unknown_parameter' }]);
    };
    const post = (more: object = {}, query = '') => test.post(store, `/api/orders${query}`, body(more));
    await refusal(post({}, '?dry_run=true'), 'dry_run');
    await refusal(post({ validateOnly: true }), 'validateOnly');
    await refusal(test.post(store, '/api/orders/X/cancel?dry-run=1'), 'dry-run');
    await refusal(post().set('X-Idempotency-Key', 'a'), 'x-idempotency-key');
    await refusal(post({ idempotency_key: 'a' }), 'idempotency_key');
    await refusal(post({}, '?idempotencyKey=a'), 'idempotencyKey');
    const { rows } = await test.pool.query('SELECT count(*)::int AS orders FROM orders');
    expect(rows).toEqual([{ orders: 0 }]);
    await post({ test: false }, '?dry_run=false').expect(201);
    await post({ store_order_id: 'WEB-1' }).set('X-Idempotency-Key', 'a').expect(201);
  });
});

describe('An Idempotency-Key', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  let keys = 0;

  beforeEach(async () => ({ sku } = await test.fixtures.product({ stock: 3 })));

  const newKey = () => `8e03978e-40d5-43dd ${keys++}`;
  const send = (key: string, more: object = {}, by: Store = store) =>
    test
      .post(by, '/api/orders', { ...orderBody([{ sku, quantity: 1 }]), ...more })
      .set('Idempotency-Key', key);
  const orders = async () => {
    const { rows } = await test.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM order_items WHERE sku = $1',
      [sku],
    );
    return rows[0]!.count;
  };

  it('gets the first answer again for the same content, until the order is cancelled', async () => {
    const key = newKey();
    const first = await send(key, { storeId: 1 }).expect(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(first.body.store_order_id).toBeNull();
    const repeated = await send(key, { storeId: 1 }).expect(201);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers).toMatchObject({
      'idempotent-replayed': 'true',
      location: first.headers.location,
    });
    await moveOrder(test, store, first.body.order_number, 'cancel');
    const { body: dead } = await send(key, { storeId: 1 }).expect(409);
    expect(dead).toMatchObject({
      code: 'duplicate_order',
      order_number: first.body.order_number,
      status: 'cancelled',
      cancel_reason: 'out of stock',
      same_content: true,
    });
    expect(dead.message).toContain('To order again, send a new Idempotency-Key.');
    expect(await orders()).toBe(1);
  });

  it('is refused with other content', async () => {
    const key = newKey();
    const { body: first } = await send(key).expect(201);
    const { body } = await send(key, { notes: 'Ring twice' }).expect(422);
    expect(body).toMatchObject({ code: 'idempotency_key_reused', order_number: first.order_number });
    expect(await orders()).toBe(1);
  });

  it('is not used up by a refused order', async () => {
    const key = newKey();
    const items = [{ sku, quantity: 4 }];
    await send(key, { items }).expect(422);
    await send(key).expect(201);
  });

  it('makes one order of many simultaneous requests', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(key).expect(201)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await orders()).toBe(1);
  });

  it('is its own client’s, no store_order_id, and ignored beside one', async () => {
    const key = newKey();
    const other = await test.fixtures.store();
    const { body: first } = await send(key).expect(201);
    await send(key, {}, other).expect(201);
    await send('x'.repeat(300), { store_order_id: key }).expect(201);
    const { body: found } = await test
      .get(store, `/api/orders/${encodeURIComponent(key)}/status`)
      .expect(200);
    expect(found.order_number).not.toBe(first.order_number);
    await send(newKey(), { store_order_id: key }).expect(409);
  });

  it.each(['', ' ', 'x'.repeat(256), 'ü'])('must have 1 to 255 ASCII characters: %j', async (key) => {
    const { body } = await send(key).expect(422);
    expect(body.errors).toMatchObject([{ field: 'Idempotency-Key', code: 'malformed' }]);
  });
});
