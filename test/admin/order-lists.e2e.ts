import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { adminApi } from '../support/admin-api.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('Lists of orders of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const packer = makeBeforeAll(() => adminApi(test, 'packer'));
  let [mango, papaya]: Store[] = [];
  let numbers: string[];
  let sku: string;

  beforeAll(async () => {
    await test.fixtures.neighbours();
    ({ sku } = await test.fixtures.product({ stock: 1_000, basePrice: '100.00', deliveryCharge: '0' }));
    [mango, papaya] = [
      await test.fixtures.store({ name: 'Mango' }),
      await test.fixtures.store({ name: 'Papaya' }),
    ];
    const place = (store: Store, quantity: number) =>
      test.place(store, { ...orderBody([{ sku, quantity }]), store_order_id: `WEB-${quantity}0` });
    numbers = [
      await place(mango!, 1),
      await place(mango!, 2),
      await place(papaya!, 3),
      await place(mango!, 4),
    ];
    // Paid and shipped in another order than they were placed.
    for (const at of [3, 0, 2]) {
      await staff.post(`orders/${numbers[at]!}/pay`, { method: 'Cash' }).expect(200);
      await staff.post(`orders/${numbers[at]!}/ship`, { courier: 'DTDC' }).expect(200);
    }
  });

  /** The numbers of all pages, each with one order, as positions in `numbers`. */
  const listed = async (query: string): Promise<number[]> => {
    const found: number[] = [];
    for (let after = ''; ;) {
      const { body } = await staff.get(`orders?limit=1&${query}${after}`).expect(200);
      found.push(...body.data.map((row: { order_number: string }) => numbers.indexOf(row.order_number)));
      if (body.next === null) return found;
      after = `&after=${String(body.next)}`;
    }
  };

  it.each([
    ['of a client, the newest first', 'client=mango', [3, 1, 0]],
    ['in a status', 'client=mango&status=awaiting_payment', [1]],
    ['by payment, the oldest first', 'client=papaya&paid_from=2020-01-01&status=shipped', [2]],
    ['by payment of a client', `client=mango&paid_from=2020-01-01&paid_to=2099-01-01T00:00:00Z`, [3, 0]],
    ['by shipment, the oldest first', 'client=mango&shipped_from=2020-01-01', [3, 0]],
    ['placed before the first order', 'to=2020-01-01', []],
    ["with a store's id", 'search=WEB-30', [2]],
    ['with a number', 'search=NUMBER', [1]],
  ])('has those %s', async (_, query, expected) => {
    expect(await listed(query.replace('NUMBER', numbers[1]!))).toEqual(expected);
  });

  it('has those of all clients by payment and by shipment, each once', async () => {
    for (const by of ['paid', 'shipped']) {
      const found = (await listed(`${by}_from=2020-01-01`)).filter((at) => at >= 0);
      expect(found).toEqual([3, 0, 2]);
    }
  });

  it('finds the page of a step by its index', async () => {
    const results = (await test.pool.query(
      `BEGIN; SET LOCAL enable_seqscan = off;
       EXPLAIN SELECT * FROM orders o WHERE o.shipped_at >= now()
         ORDER BY o.shipped_at, o.placed_at, o.order_number LIMIT 10; ROLLBACK`,
    )) as unknown as { rows: { 'QUERY PLAN': string }[] }[];
    expect(JSON.stringify(results[2]!.rows)).toContain('orders_shipped');
  });

  it('has all fields of a row, and of one order', async () => {
    const { body } = await staff.get(`orders?search=${numbers[0]!}`).expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        order_number: numbers[0],
        client: 'Mango',
        status: 'shipped',
        goods_state: null,
        total: 100,
        origin: 'api',
        items_count: 1,
        paid_at: expect.any(String) as string,
      }),
    ]);
    await staff.get(`orders/${numbers[0]!}`).expect(200);
    await staff.get('orders/%00').expect(400);
  });

  it('lists refused orders with their reasons, by pages', async () => {
    for (const quantity of [2_000, 3_000])
      await test.post(mango!, '/api/orders', orderBody([{ sku, quantity }])).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    await test.pool.query(
      `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests, left_out)
       VALUES ($1, date_trunc('hour', now()), 'POST', '/api/orders', 4, 'x', 9, 7)`,
      [mango!.clientId],
    );
    const refused: unknown[] = [];
    for (let after = ''; ;) {
      const { body } = await staff.get(`orders/refused?client=mango&limit=1${after}`).expect(200);
      refused.push(
        ...body.data.map(
          (row: { asked: { quantity: number }[]; code: string }) => row.asked[0]?.quantity ?? row.code,
        ),
      );
      if (body.next === null) break;
      after = `&after=${String(body.next)}`;
    }
    expect(refused).toEqual(['not_kept', 3_000, 2_000]);
  });

  it('adds up orders by client and period, as JSON and as CSV', async () => {
    const { body } = await staff.get('orders/totals?client=papaya&by=year').expect(200);
    expect(body.data).toMatchObject([{ client: 'Papaya', orders: 1, total: 300, paid: 300, refunded: 0 }]);
    const { text } = await staff.get('orders/totals?client=mango').set('Accept', 'text/csv').expect(200);
    expect(text).toMatch(
      /^period,client_id,client,currency,orders,cancelled,goods,.*\r\n\d{4}-\d\d,\d+,Mango,INR,3,0,700,0,700,500,0\r\n$/,
    );
  });

  it.each([
    ['orders', 'status=open&paid_to=x&after=y', 'status,paid_to'],
    ['orders', 'after=y', 'after'],
    ['orders/refused', 'after=1_x', 'after'],
    ['orders/totals', 'by=week', 'by'],
  ])('refuses a packer at %s, and a mistake', async (path, query, fields) => {
    expect((await packer.get(path).expect(403)).body.code).toBe('role_missing');
    const { body } = await staff.get(`${path}?${query}`).expect(422);
    expect(body.errors.map(({ field }: { field: string }) => field).join()).toBe(fields);
  });

  it('finds an order by its customer, phone, city, store id and each tracking number', async () => {
    const { customer, shipping, ...order } = orderBody([{ sku, quantity: 2 }], { store_order_id: 'FIND/9' });
    const number = await test.place(papaya!, {
      ...order,
      customer: { ...customer, name: 'Zubin Contractor', phone: '+91 90000 12345' },
      shipping: { ...shipping, city: 'Udhagamandalam' },
    });
    await staff.post(`orders/${number}/pay`, { method: 'Cash' }).expect(200);
    const ship = (body: object) => staff.post(`orders/${number}/ship`, { courier: 'X', ...body }).expect(200);
    await ship({ tracking_number: 'AWB-0815 IN', lines: [{ line: 1, quantity: 1 }] });
    await ship({ tracking_number: 'DL-4711 IN' });
    const find = async (text: string, more = '') => {
      const { body } = await staff.get(`orders?search=${encodeURIComponent(text)}${more}`).expect(200);
      return (body.data as { order_number: string }[]).map((row) => row.order_number);
    };
    const words = 'zubin|contractor|0 90000-12345|udhaga|awb-0815|dl-4711|FIND/9'.split('|');
    for (const text of [...words, number]) expect([text, await find(text)]).toEqual([text, [number]]);
    expect(await find('zubin', '&client=mango')).toEqual([]);
    expect(await find('zubin', '&status=pending')).toEqual([]);
  });
});
