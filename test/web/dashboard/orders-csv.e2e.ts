import type { QueryResultRow } from 'pg';
import { ClientOrdersService } from '../../../src/modules/orders/records/client-orders.service.js';
import {
  type DeskFilter,
  OrderDeskRepository,
} from '../../../src/modules/orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import type { OrderFilter, OrderSort } from '../../../src/modules/orders/records/order-filter.js';
import { Database, type SqlStatement } from '../../../src/platform/database/database.js';
import { manyOrders } from '../../support/many-orders.js';
import { all, sourceOf } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { signIn } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll, makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const CSV = '/dashboard/orders.csv';

describe('Orders as a file', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const store = makeBeforeEach(() => test.fixtures.store());
  const viewer = makeBeforeEach(() => signIn(test, store.clientId, 'viewer'));

  /** As a spreadsheet reads it. */
  async function read(query = ''): Promise<Record<string, string>[]> {
    const { text } = await viewer.get(`${CSV}${query}`).expect(200);
    const batches = await all(sourceOf(text).batches());
    const [heading, ...rows] = batches.flatMap(({ records }) => records.map(({ cells }) => cells));
    return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [heading![at]!, cell])));
  }

  it('has all that is known of each order, for every role', async () => {
    const { sku } = await test.fixtures.product({ basePrice: '1234.50', deliveryCharge: '40.00' });
    const body = orderBody([{ sku, quantity: 2 }], {
      store_order_id: 'WEB-1',
      notes: 'Ring, twice "please"\nthen wait',
    });
    const number = await placeAndMove(test, store, body, 'pay', 'ship');
    expect(await read()).toEqual([
      expect.objectContaining({
        Order: number,
        'Your id': 'WEB-1',
        Status: 'Shipped',
        Placed: expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/) as string,
        'Placed in': 'Store',
        Delivered: '',
        Refunded: '0.00',
        'Time zone': 'Asia/Kolkata',
        Customer: 'Ravi Kumar',
        Phone: '+91 98765 43210',
        Notes: 'Ring, twice "please"\nthen wait',
        Items: '1',
        Goods: '2469.00',
        Delivery: '40.00',
        Total: '2509.00',
        Currency: 'INR',
        Domain: store.domain,
        Courier: 'Delhivery',
        Tracking: 'DL123',
      }),
    ]);
  });

  it('says the state in the words of the page', async () => {
    const { sku } = await test.fixtures.product();
    const place = () => test.place(store, [{ sku, quantity: 1 }]);
    await place();
    await moveOrder(test, store, await place(), 'pay', 'cancel');
    const states = (await read()).map((row) => [row.Status, row.Refunded, row['Cancelled because']]);
    expect(states).toEqual([
      ['Cancelled', '100.00', 'out of stock'],
      ['Awaiting payment', '0.00', ''],
    ]);
  });

  it('has a row for each line of an order on request, whose totals still add up', async () => {
    const [first, second] = await test.fixtures.products([
      { basePrice: '10.00', deliveryCharge: '40.00', variations: [{ name: 'Size', values: ['S', 'L'] }] },
      { basePrice: '2.50', deliveryCharge: '0.00' },
    ]);
    const items = [
      { sku: first!.sku, quantity: 2, variation: 'L' },
      { sku: second!.sku, quantity: 1, variation: 'as a gift' },
    ];
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-2' })).expect(201);
    await test.post(store, '/api/orders', orderBody([items[1]!])).expect(201);
    const { text, headers } = await viewer.get(`${CSV}?lines=yes`).expect(200);
    expect(headers['content-disposition']).toMatch(/filename="order-lines-[\d-]+\.csv"/);
    expect(text).toContain(
      ',Quantity,Price,Amount,Line metadata,Goods,Delivery,Total,Refunded,Currency,Domain\r\n',
    );
    const rows = await read('?lines=yes');
    expect(
      rows.map((row) =>
        ['Your id', 'SKU', 'Variation', 'Quantity', 'Amount', 'Total'].map((name) => row[name]),
      ),
    ).toEqual([
      ['', second!.sku, 'as a gift', '1', '2.50', '2.50'],
      ['WEB-2', first!.sku, 'Size:L', '2', '20.00', '62.50'],
      ['WEB-2', second!.sku, 'as a gift', '1', '2.50', ''],
    ]);
  });

  it('is a file to be saved, in UTF-8 for every spreadsheet, and in no cache', async () => {
    const { headers, text } = await viewer.get(CSV).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="orders-[\d-]+\.csv"$/) as string,
      'cache-control': 'no-store',
    });
    expect(text).toMatch(/^\uFEFFOrder,Your id,Status,Placed,/);
  });

  it('has all orders of the list, the newest first and each once', async () => {
    await manyOrders(test.pool, store, 3_000);
    await manyOrders(test.pool, await test.fixtures.store(), 10);
    const every = await read();
    const numbers = every.map(({ Order }) => Order!);
    expect(new Set(numbers).size).toBe(3_000);
    const times = every.map(({ Placed }) => Placed!);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await read('?group=shipped')).toHaveLength(150);
    expect((await read('?search=zacharias&group=delivered')).map(({ Customer }) => Customer)).toHaveLength(0);
    expect(await read('?search=zacharias')).toHaveLength(3);
    expect(await read(`?search=${numbers[7]}`)).toEqual([every[7]]);
  });

  afterAll(endEverything);
});

/** A step of what PostgreSQL does for a statement, and those below it. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Step[];
}

const DAY = 86_400_000;

describe('Of 100,000 orders of a client', () => {
  const test = setUpTestApp({ expiryIntervalSeconds: 3_600 });
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await manyOrders(test.pool, store, 100_000);
    const other = await test.fixtures.store();
    await manyOrders(test.pool, other, 30_000);
    const { sku } = await test.fixtures.product();
    for (const store_order_id of ['WEB-77', '7'])
      await test
        .post(other, '/api/orders', orderBody([{ sku, quantity: 1 }], { store_order_id }))
        .expect(201);
    await test.pool.query(
      `UPDATE orders SET tracking_number = 'AWB 12345', tracking_numbers = 'AWB 12345'
        WHERE order_number = (SELECT order_number FROM orders WHERE status = 'shipped' LIMIT 1)`,
    );
    // What autovacuum does within the first minute.
    await test.pool.query('VACUUM ANALYZE');
  });

  const service = <Service>(type: new (...args: never[]) => Service) => test.app.get(type);
  const browse = (filter: OrderFilter, sort: OrderSort) =>
    service(ClientOrdersService).page(store.clientId, filter, { sort, limit: 50 });

  /** What the database did for some work of ours. */
  async function stepsOf(work: () => Promise<unknown>): Promise<Step[]> {
    const database = service(Database);
    const { query, stream } = database;
    const statements: { text: string; values: unknown[] }[] = [];
    database.query = <Row extends QueryResultRow>(statement: SqlStatement, values: unknown[]) => {
      statements.push({ text: statement.text, values });
      return query.call(database, statement, values) as Promise<Row[]>;
    };
    database.stream = <Row extends QueryResultRow>(text: string, values: unknown[] = [], limit?: number) => {
      statements.push({ text, values });
      return stream.call(database, text, values, limit) as AsyncGenerator<Row, number>;
    };
    await work();
    Object.assign(database, { query, stream });
    const plans = statements.map(async ({ text, values }) => {
      const { rows } = await test.pool.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      return withThoseBelow(rows[0]!['QUERY PLAN'][0].Plan);
    });
    return (await Promise.all(plans)).flat();
  }

  const withThoseBelow = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(withThoseBelow)];

  /** As many rows as the step looked at. */
  const lookedAt = (step: Step) =>
    step['Actual Rows'] +
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0);

  const LISTS: [string, OrderFilter, found: number, lookedAt: number, sort?: OrderSort][] = [
    ['the newest', {}, 50, 51],
    ['those to be paid', { group: 'to_pay' }, 50, 51],
    ['those being processed', { group: 'processing' }, 0, 0],
    ['those shipped', { group: 'shipped' }, 50, 51],
    ['those delivered', { group: 'delivered' }, 50, 100],
    [
      'those of some days',
      { from: new Date(Date.now() - 9 * DAY), to: new Date(Date.now() - 8 * DAY) },
      50,
      51,
    ],
    ['one by its number', { search: 'wo-2O26 0101 00001 00001' }, 0, 1],
    ['those of a common name', { search: 'kumar' }, 50, 1_000],
    ['those of a rare name', { search: 'Zacharias' }, 50, 1_000],
    ['those of a rare name in full', { search: 'zacharias ravi' }, 9, 1_000],
    // The planner may also ask the index of those cancelled, and leave the rows of others unread.
    ['those cancelled of a rare name', { search: 'zacharias', group: 'cancelled' }, 0, 6_500],
    ['those of a phone number', { search: '098001 07919' }, 1, 1_000],
    ['those of a piece of an address of mail', { search: 'r77777@' }, 1, 1_000],
    ['those of an unknown name', { search: 'nobody at all' }, 0, 1_000],
    ['the oldest', {}, 50, 51, 'oldest'],
    ['the oldest of those shipped', { group: 'shipped' }, 50, 51, 'oldest'],
    ['the oldest of a common name', { search: 'kumar' }, 50, 1_000, 'oldest'],
    ['the highest totals', {}, 50, 5_000, 'highest'],
    ['the lowest totals of those delivered', { group: 'delivered' }, 50, 6_500, 'lowest'],
  ];

  it.each(LISTS)(
    'finds %s without looking at all of them',
    async (_, filter, found, maximum, sort = 'newest') => {
      expect(await browse(filter, sort)).toHaveLength(found);
      const steps = await stepsOf(() => browse(filter, sort));
      expect(steps).not.toEqual([]);
      expect(steps.filter((step) => lookedAt(step) > maximum)).toEqual([]);
    },
  );

  it('tells how the client stands from what is kept, and counts no further than to a thousand', async () => {
    const steps = await stepsOf(async () =>
      expect(await service(ClientOrdersService).overview(store.clientId)).toMatchObject({
        toPay: { orders: 5_000, total: 50_000_000 },
        processing: { orders: 0 },
        onTheWay: { count: 1_000, orMore: true },
      }),
    );
    const reads = steps.filter((step) => step['Relation Name'] === 'orders');
    expect(Math.max(...reads.map(lookedAt))).toBeLessThanOrEqual(1_001);
  });

  const SEARCHES: [string, string, found: number, lookedAt: number][] = [
    ['one by its number', 'wo-2O26 0101 00001 00001', 0, 1],
    ['those of a rare name', 'Zacharias', 130, 1_000],
    ['those of a rare name in a city', 'zacharias bengaluru', 130, 1_000],
    ['one by the number of its parcel', 'awb 12345', 1, 1_000],
    ['one by a store’s id', 'WEB-77', 1, 1_000],
    ['one by a short store’s id', '7', 1, 10],
    ['none', 'nobody at all', 0, 1_000],
  ];

  it.each(SEARCHES)(
    'the wholesaler finds %s among all clients without looking at all',
    async (_, search, count, maximum) => {
      const list = async () => all(await service(OrderDeskService).list({ search }));
      expect(await list()).toHaveLength(count);
      const steps = await stepsOf(list);
      const reads = steps.filter((step) => step['Relation Name'] === 'orders');
      expect(reads).not.toEqual([]);
      expect(reads.filter((step) => lookedAt(step) > maximum)).toEqual([]);
    },
  );

  it.each<[string, DeskFilter]>([
    ['the newest', {}],
    ['the newest of a status', { status: 'delivered' }],
    ['the newest with a text that most have', { search: 'WO-20' }],
  ])('the wholesaler lists %s of all clients, and counts 1,001 more at most', async (_, filter) => {
    const list = async () => {
      const rows = await service(OrderDeskService).list(filter, 50);
      for (let listed = 0; ; listed++) {
        const { done, value } = await rows.next();
        if (done) return { listed, leftOut: value };
      }
    };
    expect(await list()).toEqual({ listed: 50, leftOut: 1_001 });
    const reads = (await stepsOf(list)).filter((step) => step['Relation Name'] === 'orders');
    expect(Math.max(...reads.map(lookedAt))).toBeLessThanOrEqual(1_051);
  });

  it('counts for the metrics no further than to 100,000', async () => {
    const counts = await service(OrderDeskRepository).countByStatus();
    expect(counts).toMatchObject({ delivered: 100_000, cancelled: 6_500 });
  });

  it('tells how many are in each group, and counts no further than to a thousand', async () => {
    const maximum = { count: 1_000, orMore: true };
    const steps = await stepsOf(async () =>
      expect(await service(ClientOrdersService).tally(store.clientId)).toMatchObject({
        groups: {
          to_pay: { count: 5_000, orMore: false },
          processing: { count: 0, orMore: false },
          paid: maximum,
          shipped: maximum,
          delivered: maximum,
          cancelled: maximum,
        },
      }),
    );
    const reads = steps.filter((step) => step['Relation Name'] === 'orders');
    // Four of five are delivered, so PostgreSQL may read them from the list of all.
    expect(Math.max(...reads.map(lookedAt))).toBeLessThanOrEqual(1_300);
  });
});
