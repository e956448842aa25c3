import { RefusedOrders } from '../../../src/orders/refusals/refused-orders.js';
import { REFUSAL_LIMITS } from '../../../src/orders/refusals/refusal-limits.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const SENT = 150;

/** Each wrong in every line, under an id of its own. */
const nonsense = (n: number, lines: number) =>
  orderBody(
    Array.from({ length: lines }, (_, line) => ({ sku: `NONE-${line}`, quantity: 1 })),
    { store_order_id: `NONSENSE-${n}` },
  );

describe('Orders that are refused without end', () => {
  let test: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
    other = await startTestApp({}, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  /** Through two nodes at once. */
  async function flood(store: Store, lines: number): Promise<void> {
    await other.fixtures.seen();
    const sent = Array.from({ length: SENT }, (_, n) =>
      (n % 2 ? test : other).post(store, '/api/orders', nonsense(n, lines)).expect(422),
    );
    await Promise.all(sent);
    await settled();
  }

  async function settled(): Promise<void> {
    for (const { app } of [test, other]) {
      await app.get(RefusedOrders).settled();
      await app.get(RefusedOrders).keepUp(1_000);
    }
  }

  async function keptOf({ clientId }: Store) {
    const { rows } = await test.pool.query<{
      kept: number;
      bytes: number;
      largest: number;
      left_out: number;
    }>(
      `SELECT (SELECT count(*)::int FROM refused_orders WHERE client_id = $1) AS kept,
              (SELECT coalesce(sum(pg_column_size(r)), 0)::int FROM refused_orders r WHERE client_id = $1) AS bytes,
              (SELECT coalesce(max(octet_length(reasons::text)), 0)::int FROM refused_orders WHERE client_id = $1) AS largest,
              (SELECT coalesce(sum(left_out), 0)::int FROM refusal_hours WHERE client_id = $1) AS left_out`,
      [clientId],
    );
    return rows[0]!;
  }

  it('fill no more than an hour has room for, through however many nodes; the rest is counted', async () => {
    const store = await test.fixtures.store();
    await flood(store, 1);
    await flood(store, 1);
    const { kept, left_out } = await keptOf(store);
    printFigures('short refusals in an hour', { sent: 2 * SENT, kept, left_out });
    expect([kept, left_out]).toEqual([REFUSAL_LIMITS.kept, 2 * SENT - REFUSAL_LIMITS.kept]);
  });

  it('fill no more bytes either, and each of them no more than its share', async () => {
    const store = await test.fixtures.store();
    await flood(store, 100);
    const { kept, left_out, bytes, largest } = await keptOf(store);
    printFigures('long refusals in an hour', { sent: SENT, kept, left_out, bytes, largest });
    expect(kept).toBeGreaterThan(5);
    expect(kept + left_out).toBe(SENT);
    expect(bytes).toBeLessThanOrEqual(REFUSAL_LIMITS.keptBytes);
    expect(largest).toBeLessThanOrEqual(REFUSAL_LIMITS.reasonsBytes * 1.1);
  });

  it('hide nothing of the next hour, and of no other client', async () => {
    const [hostile, honest] = [await test.fixtures.store(), await test.fixtures.store()];
    await flood(hostile, 1);
    await test.post(honest, '/api/orders', nonsense(1, 1)).expect(422);
    await settled();
    expect(await keptOf(honest)).toMatchObject({ kept: 1, left_out: 0 });

    await test.fixtures.ageRefusals(1 / 24);
    await test.timePasses(3_600);
    await test.post(hostile, '/api/orders', nonsense(1, 1)).expect(422);
    await settled();
    expect(await keptOf(hostile)).toMatchObject({ kept: REFUSAL_LIMITS.kept + 1 });
  });

  it('are counted by a node that ends as well', async () => {
    const store = await test.fixtures.store();
    const ending = await startTestApp({}, test.database);
    for (let n = 0; n <= REFUSAL_LIMITS.kept; n++)
      await ending.post(store, '/api/orders', nonsense(n, 1)).expect(422);
    await ending.close();
    expect(await keptOf(store)).toMatchObject({ kept: REFUSAL_LIMITS.kept, left_out: 1 });
  });

  it('are told to the wholesaler as what they are, beside those that were kept', async () => {
    const store = await test.fixtures.store();
    await flood(store, 1);
    const { serviceUrl } = test.database;
    const listed = await answerOf<{ code: string; reasons: { message: string }[] }[]>(
      serviceUrl,
      'order',
      'refused',
      '--client',
      String(store.clientId),
    );
    expect(listed).toHaveLength(REFUSAL_LIMITS.kept + 1);
    const notKept = listed.filter(({ code }) => code === 'not_kept');
    const message = `${SENT - REFUSAL_LIMITS.kept} more were refused in this hour`;
    expect(notKept).toMatchObject([{ store_order_id: null, reasons: [{ message }] }]);
    expect((await runCommand(serviceUrl, 'order', 'refused')).stdout).toContain(message);
  });

  it('are forgotten with their counts after 30 days', async () => {
    const store = await test.fixtures.store();
    await flood(store, 1);
    await test.fixtures.ageRefusals(31);
    await settled();
    expect(await keptOf(store)).toEqual({ kept: 0, bytes: 0, largest: 0, left_out: 0 });
  });
});
