import type { QueryResultRow } from 'pg';
import type { OrderFilter } from '../../src/orders/view/order-filter.js';
import { ClientOrdersService } from '../../src/orders/view/client-orders.service.js';
import { Database, type Statement } from '../../src/platform/database/database.js';
import type { Store } from '../support/fixtures.js';
import { manyOrders } from '../support/many-orders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

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
  let test: TestApp;
  let store: Store;

  beforeAll(async () => {
    test = await startTestApp();
    store = await test.fixtures.store();
    await manyOrders(test.pool, store, 100_000);
    await manyOrders(test.pool, await test.fixtures.store(), 20_000);
  }, 120_000);
  afterAll(() => test.close());

  const service = <Service>(type: new (...args: never[]) => Service) => test.app.get(type, { strict: false });
  const browse = (filter: OrderFilter) => service(ClientOrdersService).page(store.clientId, filter);

  /** What the database did for some work of ours. */
  async function stepsOf(work: () => Promise<unknown>): Promise<Step[]> {
    const database = service(Database);
    const { query } = database;
    const statements: { text: string; values: unknown[] }[] = [];
    database.query = <Row extends QueryResultRow>(statement: Statement, values: unknown[]) => {
      statements.push({ text: statement.text, values });
      return query.call(database, statement, values) as Promise<Row[]>;
    };
    await work();
    database.query = query;
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

  const LISTS: [string, OrderFilter, found: number, lookedAt: number][] = [
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
    ['those cancelled of a rare name', { search: 'zacharias', group: 'cancelled' }, 0, 1_000],
    ['those of a phone number', { search: '098001 07919' }, 1, 1_000],
    ['those of a piece of an address of mail', { search: 'r77777@' }, 1, 1_000],
    ['those of nobody', { search: 'nobody at all' }, 0, 1_000],
  ];

  it.each(LISTS)('finds %s without looking at all of them', async (_, filter, found, most) => {
    expect((await browse(filter)).orders).toHaveLength(found);
    const steps = await stepsOf(() => browse(filter));
    expect(steps).not.toEqual([]);
    expect(Math.max(...steps.map(lookedAt))).toBeLessThanOrEqual(most);
  });

  it('tells how the client stands from what is kept, and counts no further than to a thousand', async () => {
    const steps = await stepsOf(async () =>
      expect(await service(ClientOrdersService).overview(store.clientId)).toMatchObject({
        toPay: { orders: 5_000, total: 50_000_000 },
        processing: { orders: 0, total: 0 },
        onTheWay: { count: 1_000, orMore: true },
      }),
    );
    const reads = steps.filter((step) => step['Relation Name'] === 'orders');
    expect(Math.max(...reads.map(lookedAt))).toBeLessThanOrEqual(1_001);
  });
});
