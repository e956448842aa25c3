import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Listed {
  order_number: string;
  store_order_id: string | null;
  status: string;
}

let test: TestApp;
let sku: string;

beforeAll(async () => {
  test = await startTestApp();
  await test.fixtures.neighbours();
  sku = (await test.fixtures.product({ basePrice: '50.00', stock: 10_000 })).sku;
});
afterAll(() => test.close());

async function place(store: Store, storeOrderId?: string): Promise<string> {
  const more = storeOrderId === undefined ? {} : { store_order_id: storeOrderId };
  const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], more)).expect(201);
  return body.order_number;
}

async function placeMany(store: Store, count: number): Promise<string[]> {
  const numbers: string[] = [];
  for (let n = 0; n < count; n++) numbers.push(await place(store, `N-${n}`));
  return numbers;
}

async function list(store: Store, query = '') {
  const { body } = await test.get(store, `/api/orders${query}`).expect(200);
  return body as { data: Listed[]; next_cursor?: string; sync_token?: string; has_more?: boolean };
}

const numbersOf = ({ data }: { data: Listed[] }) => data.map((order) => order.order_number);

describe('GET /api/orders', () => {
  it('shows only the orders of the client, newest first', async () => {
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    const numbers = await placeMany(store, 3);
    await place(other);
    await moveOrder(test, store, numbers[0]!, 'pay', 'ship');
    const { body } = await test.get(store, '/api/orders').expect(200);
    expect(numbersOf(body)).toEqual(numbers.toReversed());
    expect(body.data[2]).toEqual({
      order_number: numbers[0],
      store_order_id: 'N-0',
      status: 'shipped',
      payment_status: 'paid',
      total_amount: 50,
      refunded_amount: 0,
      currency: 'INR',
      items_count: 1,
      tracking: {
        courier: 'Delhivery',
        tracking_number: 'DL123',
        tracking_url: 'https://track.example.com/DL123',
        shipped_at: expect.any(String),
      },
      created_at: expect.any(String),
      status_changed_at: expect.any(String),
      payment_due_at: expect.any(String),
    });
    expect(await list(await test.fixtures.store())).toMatchObject({ success: true, data: [] });
  });

  it('shows every order once over all pages while new orders are placed', async () => {
    const store = await test.fixtures.store();
    const numbers = await placeMany(store, 7);
    let page = await list(store, '?limit=3');
    const observed = numbersOf(page);
    while (page.next_cursor) {
      await place(store);
      page = await list(store, `?limit=3&cursor=${page.next_cursor}`);
      // Changes of the orders on the pages before would be missed.
      expect(page).not.toHaveProperty('sync_token');
      observed.push(...numbersOf(page));
    }
    expect(observed).toEqual(numbers.toReversed());
  });

  it.each([
    [2, false],
    [3, false],
    [4, true],
  ])('has a next page only if there are more orders: %i orders, three per page', async (count, hasMore) => {
    const store = await test.fixtures.store();
    const numbers = await placeMany(store, count);
    for (const query of ['?limit=3', '?limit=3&status=awaiting_payment']) {
      const page = await list(store, query);
      expect(numbersOf(page)).toEqual(numbers.toReversed().slice(0, 3));
      expect('next_cursor' in page).toBe(hasMore);
      expect(page.has_more).toBe(hasMore);
    }
  });

  it('continues after a deleted order, and among orders of the same millisecond', async () => {
    const store = await test.fixtures.store();
    const numbers = await placeMany(store, 5);
    for (const [index, number] of numbers.entries())
      await test.fixtures.placedAt(number, `2026-03-10T12:00:00.00000${index}Z`);
    const first = await list(store, '?limit=2');
    await test.fixtures.removeOrder(numbers[3]!);
    const second = await list(store, `?limit=2&cursor=${first.next_cursor}`);
    const third = await list(store, `?limit=2&cursor=${second.next_cursor}`);
    const observed = [first, second, third].flatMap(numbersOf);
    expect(observed).toEqual(numbers.toReversed());
  });

  it('answers 422 to the cursor of another client', async () => {
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    await placeMany(store, 2);
    const { next_cursor: cursor } = await list(store, '?limit=1');
    const { body } = await test.get(other, `/api/orders?cursor=${cursor}`).expect(422);
    expect(body.errors).toEqual([expect.objectContaining({ field: 'cursor', code: 'malformed' })]);
  });

  it('filters by status, payment status, store_order_id and time of creation', async () => {
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    const numbers = await placeMany(store, 5);
    await placeMany(other, 5);
    await moveOrder(test, store, numbers[1]!, 'pay');
    await moveOrder(test, store, numbers[2]!, 'pay', 'cancel');
    const days = ['06', '07', '08', '09', '10'];
    for (const [index, day] of days.entries())
      await test.fixtures.placedAt(numbers[index]!, `2026-03-${day}T12:00:00Z`);
    const found = async (query: string) =>
      numbersOf(await list(store, query)).map((number) => numbers.indexOf(number));
    expect(await found('?status=awaiting_payment')).toEqual([4, 3, 0]);
    expect(await found('?status=awaiting_payment&limit=2')).toEqual([4, 3]);
    expect(await found('?payment_status=paid')).toEqual([1]);
    expect(await found('?payment_status=refunded&status=cancelled')).toEqual([2]);
    expect(await found('?store_order_id=N-3')).toEqual([3]);
    expect(await found('?store_order_id=N-3&status=shipped')).toEqual([]);
    expect(await found('?created_from=2026-03-08&created_to=2026-03-09')).toEqual([3, 2]);
    expect(await found('?created_from=2026-03-08T12:00:00Z')).toEqual([4, 3, 2]);
    expect(await found('?created_to=2026-03-08T12:00:00Z')).toEqual([1, 0]);
    expect(await found('?created_to=2026-03-08T17:30:01%2B05:30')).toEqual([2, 1, 0]);
    expect(await found('?created_from=0001-01-01&created_to=9999-12-31')).toEqual([4, 3, 2, 1, 0]);
  });

  it.each([
    ['status=open', 'status', 'unknown_value'],
    ['status=shipped&status=pending', 'status', 'unknown_value'],
    ['payment_status=constructor', 'payment_status', 'unknown_value'],
    ['created_from=yesterday', 'created_from', 'malformed'],
    ['created_from=2026-03-08T12:00+05:30', 'created_from', 'malformed', 'in a URL, write + as %2B'],
    ['created_to=2026-02-30', 'created_to', 'malformed'],
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_large'],
    ['limit=0x10', 'limit', 'wrong_type'],
    ['limit=1&limit=2', 'limit', 'wrong_type'],
    ['cursor=nonsense', 'cursor', 'malformed'],
    ['cursor=a&cursor=b', 'cursor', 'malformed'],
    ['since=nonsense', 'since', 'malformed'],
    ['store_order_id=%00', 'store_order_id', 'invalid_text'],
    ['store_order_id=', 'store_order_id', 'required'],
  ])('answers ?%s with 422 at %s: %s', async (query, field, code, advice = '') => {
    const { body } = await test.get(await test.fixtures.store(), `/api/orders?${query}`).expect(422);
    const message = expect.stringContaining(advice);
    expect(body.errors).toEqual([expect.objectContaining({ field, code, message })]);
  });

  it('answers 304 while nothing changes, and recommends a polling interval', async () => {
    const store = await test.fixtures.store();
    const number = await place(store);
    const first = await test.get(store, '/api/orders').expect(200);
    expect(Number(first.headers['x-poll-interval'])).toBeGreaterThan(0);
    const repeated = () => test.get(store, '/api/orders').set('If-None-Match', first.headers.etag!);
    const unchanged = await repeated().expect(304);
    expect(unchanged.headers['x-poll-interval']).toBe(first.headers['x-poll-interval']);
    await moveOrder(test, store, number, 'pay');
    await repeated().expect(200);
  });
});

describe('GET /api/orders?since', () => {
  it('shows new orders and orders with a new status, and no others', async () => {
    const store = await test.fixtures.store();
    const numbers = await placeMany(store, 4);
    const { sync_token: token } = await list(store, '?limit=2');
    expect(await list(store, `?since=${token}`)).toMatchObject({
      data: [],
      sync_token: token,
      has_more: false,
    });
    await moveOrder(test, store, numbers[0]!, 'pay');
    const placed = await place(store);
    const changes = await list(store, `?since=${token}`);
    expect(changes.data.map(({ order_number, status }) => [order_number, status])).toEqual([
      [numbers[0], 'pending'],
      [placed, 'awaiting_payment'],
    ]);
    expect(await list(store, `?since=${changes.sync_token}`)).toMatchObject({
      data: [],
      sync_token: changes.sync_token,
    });
  });

  it('keeps its token when orders of other clients or the catalog change', async () => {
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    await place(store);
    const { sync_token: token } = await list(store);
    await place(other);
    await test.fixtures.product();
    expect((await list(store)).sync_token).toBe(token);
  });

  it('gives a token to a client without orders', async () => {
    const store = await test.fixtures.store();
    const { sync_token: token } = await list(store);
    const number = await place(store);
    expect(numbersOf(await list(store, `?since=${token}`))).toEqual([number]);
  });

  it('misses no change of a transaction that commits late', async () => {
    const store = await test.fixtures.store();
    const [slow, quick] = await placeMany(store, 2);
    const { sync_token: before } = await list(store);
    const late = await test.pool.connect();
    try {
      await late.query('BEGIN');
      await late.query(`UPDATE orders SET courier = 'late' WHERE order_number = $1`, [slow]);
      await moveOrder(test, store, quick!, 'pay');
      const during = await list(store, `?since=${before}`);
      expect(numbersOf(during)).toEqual([quick]);
      await late.query('COMMIT');
      const after = await list(store, `?since=${during.sync_token}`);
      expect(numbersOf(after)).toContain(slow);
      expect(await list(store, `?since=${after.sync_token}`)).toMatchObject({ data: [], has_more: false });
    } finally {
      late.release();
    }
  });

  it('leads to the same orders as the whole list while many orders change', async () => {
    const store = await test.fixtures.store();
    const known = new Map<string, string>();
    let token = (await list(store)).sync_token!;
    const sync = async () => {
      const { data, sync_token: next } = await list(store, `?since=${token}`);
      for (const { order_number, status } of data) known.set(order_number, status);
      token = next!;
    };
    const progress = { working: true };
    const work = Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const number = await place(store);
        if (n % 3 > 0) await moveOrder(test, store, number, 'pay');
        if (n % 3 > 1) await moveOrder(test, store, number, 'ship');
      }),
    ).finally(() => (progress.working = false));
    while (progress.working) await sync();
    await work;
    await sync();
    const { data } = await list(store, '?limit=100');
    expect(known.size).toBe(30);
    expect(known).toEqual(new Map(data.map(({ order_number, status }) => [order_number, status])));
  });

  it('splits many changes into several answers', async () => {
    const store = await test.fixtures.store();
    const { sync_token: begin } = await list(store);
    await test.fixtures.orders(store, 1_500);
    for (const digit of [1, 2, 3]) {
      await test.pool.query(
        `UPDATE orders SET courier = 'changed' WHERE client_id = $1 AND order_number LIKE $2`,
        [store.clientId, `%${digit}`],
      );
    }
    const first = await list(store, `?since=${begin}`);
    expect(first).toMatchObject({ data: { length: 1_050 }, has_more: true });
    const rest = await list(store, `?since=${first.sync_token}`);
    expect(rest).toMatchObject({ data: { length: 450 }, has_more: false });
    expect(new Set([...numbersOf(first), ...numbersOf(rest)]).size).toBe(1_500);
  });

  it.each([
    [998, 1, false],
    [999, 1, false],
    [1_000, 1, true],
  ])('has has_more only if there are more changes: %i and then %i', async (many, one, hasMore) => {
    const store = await test.fixtures.store();
    await test.fixtures.orders(store, many + one);
    const { sync_token: begin } = await list(store);
    for (const isLast of [false, true])
      await test.pool.query(
        `UPDATE orders SET courier = 'changed' WHERE client_id = $1 AND (order_number LIKE '%00001') = $2`,
        [store.clientId, isLast],
      );
    const changes = await list(store, `?since=${begin}`);
    expect(changes).toMatchObject({ data: { length: hasMore ? many : many + one }, has_more: hasMore });
  });

  it('does not ask for an immediate repeat while an open transaction holds changes back', async () => {
    const store = await test.fixtures.store();
    await test.fixtures.orders(store, 1_500);
    const { sync_token: begin } = await list(store);
    const late = await test.pool.connect();
    const change = `UPDATE orders SET courier = 'changed' WHERE client_id = $1 AND order_number LIKE $2`;
    try {
      await late.query('BEGIN');
      await late.query(change, [store.clientId, '%01500']);
      for (const digit of [1, 2, 3, 4, 5, 6, 7, 8, 9])
        await test.pool.query(change, [store.clientId, `%${digit}`]);
      const { sync_token: token } = await list(store, `?since=${begin}`);
      const held = await list(store, `?since=${token}`);
      expect(held).toMatchObject({ data: { length: 1_050 }, has_more: false, sync_token: token });
      await late.query('COMMIT');
      expect(await list(store, `?since=${token}`)).toMatchObject({ has_more: true });
    } finally {
      late.release();
    }
  });

  it('answers 422 to a token together with a filter', async () => {
    const store = await test.fixtures.store();
    const { sync_token: token } = await list(store);
    const { body } = await test.get(store, `/api/orders?since=${token}&status=pending`).expect(422);
    expect(body.errors).toEqual([expect.objectContaining({ field: 'since', code: 'not_combinable' })]);
  });

  it('answers 410 to a token of another client, list or history, or of the future', async () => {
    const { writeSyncToken, readSyncToken } =
      await import('../../../src/read-model/synced-lists/sync-token.js');
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    const { sync_token: own } = await list(store);
    const { body: catalog } = await test.get(store, '/api/products');
    const { body: stock } = await test.get(store, '/api/stock');
    const token = readSyncToken(own!)!;
    const expired = [
      (await list(other)).sync_token!,
      catalog.sync_token,
      stock.sync_token,
      writeSyncToken({ ...token, generation: '000000000000' }, ''),
      writeSyncToken({ ...token, watermark: 2 ** 40 }, ''),
    ];
    for (const since of expired) {
      expect((await test.get(store, `/api/orders?since=${since}`).expect(410)).body.code).toBe(
        'sync_token_expired',
      );
    }
  });
});

describe('GET /api/orders/status', () => {
  const statuses = (store: Store, query: string) => test.get(store, `/api/orders/status?${query}`);

  it('shows the status of each order by either number, and lists the unknown numbers', async () => {
    const [store, other] = [await test.fixtures.store(), await test.fixtures.store()];
    const [first, second] = await placeMany(store, 2);
    const foreign = await place(other, 'FOREIGN');
    const { body } = await statuses(store, `orders=${second},N-0,NO-SUCH,${foreign},FOREIGN`).expect(200);
    expect(numbersOf(body)).toEqual([second, first]);
    expect(body.unknown).toEqual(['NO-SUCH', foreign, 'FOREIGN']);
    expect(body.data[1]).toEqual((await test.get(store, '/api/orders/N-0/status')).body);
  });

  it('accepts repeated parameters, and shows an order once that is named twice', async () => {
    const store = await test.fixtures.store();
    const [first] = await placeMany(store, 1);
    for (const name of ['orders', 'orders[]']) {
      const query = [first, 'N-0', 'N-0', 'X'].map((number) => `${name}=${number}`).join('&');
      const { body } = await statuses(store, query).expect(200);
      expect([numbersOf(body), body.unknown]).toEqual([[first], ['X']]);
    }
  });

  it('finds a number that contains a comma, alone or in repeated parameters', async () => {
    const store = await test.fixtures.store();
    await place(store, 'A,B');
    await place(store, 'A');
    const ids = async (query: string) => {
      const { body } = await statuses(store, query).expect(200);
      return [(body.data as Listed[]).map((order) => order.store_order_id), body.unknown];
    };
    expect(await ids('orders=A%2CB')).toEqual([['A,B'], []]);
    expect(await ids('orders=A%2CB&orders=A')).toEqual([['A,B', 'A'], []]);
    expect(await ids('orders=A%2CB,A')).toEqual([['A,B', 'A'], []]);
    expect(await ids('orders=A,C')).toEqual([['A'], ['C']]);
  });

  it('answers 422 to an empty list and to more than 100 orders', async () => {
    const store = await test.fixtures.store();
    const fault = async (query: string) => (await statuses(store, query).expect(422)).body.errors;
    for (const query of ['', 'orders=', 'orders=,,', 'orders=%20,%20', 'orders=&orders='])
      expect(await fault(query)).toEqual([{ field: 'orders', code: 'required', message: 'is required' }]);
    expect(await fault(`orders=${'X,'.repeat(100)}X`)).toEqual([
      expect.objectContaining({ code: 'too_many' }),
    ]);
    expect((await statuses(store, 'orders=%00').expect(200)).body.unknown).toEqual(['\0']);
  });

  it('answers 304 while no order changes, and a longer polling interval once all are final', async () => {
    const store = await test.fixtures.store();
    const [open, done] = await placeMany(store, 2);
    await moveOrder(test, store, done!, 'pay', 'ship', 'deliver');
    const both = await statuses(store, `orders=${open},${done}`).expect(200);
    const final = await statuses(store, `orders=${done}`).expect(200);
    expect(Number(final.headers['x-poll-interval'])).toBeGreaterThan(Number(both.headers['x-poll-interval']));
    const repeated = () => statuses(store, `orders=${open},${done}`).set('If-None-Match', both.headers.etag!);
    await repeated().expect(304);
    await moveOrder(test, store, open!, 'pay');
    await repeated().expect(200);
  });
});

/** The plan of a query is not visible from outside, so this explains a query like that of the list. */
it.each([
  ['orders_newest', ''],
  ['orders_newest_by_status', `AND status = 'delivered'`],
  ['orders_newest_by_payment', `AND payment_status = 'paid'`],
])('The order list reads a page through the index %s', async (index, condition) => {
  const store = await test.fixtures.store();
  await test.fixtures.orders(store, 3_000);
  await test.pool.query('ANALYZE orders');
  const { rows } = await test.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT * FROM orders WHERE client_id = ${store.clientId} ${condition}
      ORDER BY placed_at DESC, order_number DESC LIMIT 50`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`using ${index} `);
});
