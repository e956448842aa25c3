import fc from 'fast-check';
import request from 'supertest';
import { ERROR_CODES, type StoreErrorCode } from '../../../src/platform/errors/error-codes.js';
import { contradictions } from '../../support/books.js';
import { type RawAnswer, type RawRequest, sendRaw } from '../../support/fuzz/raw-request.js';
import { anyRequest, type OpenApi } from '../../support/fuzz/requests.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_500);

const COLOURS = { name: 'Color', values: ['Red', 'Blue'] };

/** A hash of the data that no request of a store may change. */
const UNTOUCHABLE = `
  SELECT md5(string_agg(md5, '' ORDER BY md5)) AS md5 FROM (
    SELECT md5(p::text) FROM products p UNION ALL SELECT md5(p::text) FROM plans p
    UNION ALL SELECT md5(c::text) FROM clients c UNION ALL SELECT md5(t::text) FROM tokens t
    UNION ALL SELECT md5(s::text) FROM subscriptions s
    UNION ALL SELECT md5((product_id, variation_key, on_hand)::text) FROM stock_items) AS rows`;

describe('Random requests', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let document: OpenApi;
  let known: Record<string, string[]>;

  beforeAll(async () => {
    const plain = await test.fixtures.product({ stock: 100_000 });
    const coloured = await test.fixtures.product({ stock: 100_000, variations: [COLOURS] });
    document = (await request(test.url).get('/docs/openapi.json')).body as OpenApi;
    known = {
      sku: [plain.sku, coloured.sku, 'NO-SUCH-SKU'],
      variation: ['Red', 'Color:Blue', 'green'],
      pincode: ['560038', '560001', '110001', '56003'],
      email: ['ravi@example.com', 'a@b.in', 'ravi'],
      order_number: ['FUZZ-1', 'FUZZ-2', 'WO-20260131-7K3QZ-9M2XA'],
      store_order_id: Array.from({ length: 500 }, (_, n) => `FUZZ-${n}`),
    };
  });

  /** Some orders are valid, so that a later request has something to damage. */
  const requests = () =>
    fc.oneof(
      { weight: 30, arbitrary: anyRequest(document, store, known) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map(faultlessOrder) },
    );

  const faultlessOrder = (quantity: number): RawRequest => ({
    method: 'POST',
    path: '/api/orders',
    headers: { ...store.headers, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(orderBody([{ sku: known.sku![0]!, quantity }]))),
  });

  const untouchable = async () => (await test.pool.query<{ md5: string }>(UNTOUCHABLE)).rows[0]!.md5;

  /** Expects a success, or the one error body with a code that belongs to the status. */
  function expectProperAnswer({ status, headers, text }: RawAnswer, { method }: RawRequest): void {
    expect(status).toBeLessThan(500);
    expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
    if (status < 400 || method === 'HEAD') return;
    const body = JSON.parse(text) as {
      success: boolean;
      code: StoreErrorCode;
      message: string;
      request_id: string;
    };
    expect(body).toMatchObject({
      success: false,
      message: expect.any(String),
      request_id: headers['x-request-id'],
    });
    expect(ERROR_CODES[body.code]?.[0]).toBe(status);
  }

  it('get no 5xx and the one error form, and change nothing when they are refused', async () => {
    const before = await untouchable();
    const statuses = new Map<number, number>();
    let created = 0;
    await fc.assert(
      fc.asyncProperty(requests(), async (fuzzed) => {
        const answer = await sendRaw(test.url, fuzzed);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 201) created++;
        expectProperAnswer(answer, fuzzed);
      }),
      { numRuns: RUNS },
    );
    const { rows } = await test.pool.query<{ orders: number }>('SELECT count(*)::int AS orders FROM orders');
    expect(rows[0]!.orders).toBe(created);
    expect(created).toBeGreaterThan(0);
    expect(await contradictions(test.pool)).toEqual([]);
    expect(await untouchable()).toBe(before);
    const byStatus = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, times]) => `${status}×${times}`);
    printFigures('fuzz', { requests: RUNS, answers: byStatus.join(' ') });
  });
});
