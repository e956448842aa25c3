import { makeBeforeAll } from '../../support/suite-hooks.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';
import type { Store } from '../../support/fixtures.js';

describe('An Idempotency-Key', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  let keys = 0;

  beforeEach(async () => {
    ({ sku } = await test.fixtures.product({ stock: 3 }));
  });

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

  it.each(['x'.repeat(256), 'ü'])('must have 1 to 255 ASCII characters: %s', async (key) => {
    const { body } = await send(key).expect(422);
    expect(body.errors).toMatchObject([{ field: 'Idempotency-Key', code: 'malformed' }]);
  });
});
