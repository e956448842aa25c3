import { newOrderNumber } from '../../src/orders/rules/order-number.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const GUESSES = 10_000;
const AT_ONCE = 8;

describe("Another client's orders", () => {
  let test: TestApp;
  let owner: Store;
  let stranger: Store;
  let number: string;

  beforeAll(async () => {
    test = await startTestApp({ rateLimitPerMinute: 0 });
    owner = await test.fixtures.store();
    stranger = await test.fixtures.store();
    const { sku } = await test.fixtures.product();
    const order = orderBody([{ sku, quantity: 1 }], { store_order_id: 'SECRET-1' });
    ({ order_number: number } = (await test.post(owner, '/api/orders', order).expect(201)).body as {
      order_number: string;
    });
  });
  afterAll(() => test.close());

  /** Returns the whole answer without the parts that differ in every request. */
  async function ask(path: string): Promise<string> {
    const response = await fetch(`${test.url}${path}`, {
      headers: { ...stranger.headers, 'X-Request-Id': 'always-the-same' },
    });
    const headers = [...response.headers].filter(
      ([name]) => name !== 'date' && !name.startsWith('ratelimit'),
    );
    return JSON.stringify([response.status, headers, await response.text()]);
  }

  it(`stay hidden from ${GUESSES} guesses, which all get the same bytes as an unknown order`, async () => {
    const never = await ask('/api/orders/WO-20200101-00000-00000/status');
    expect(never).toMatch(/^\[404,/);
    // Real numbers of the other client get the same answer.
    const known = [number, number.toLowerCase(), 'SECRET-1', encodeURIComponent(` ${number}`)];
    for (const name of known) expect(await ask(`/api/orders/${name}/status`)).toBe(never);

    const answers = new Set<string>();
    let guessed = 0;
    const guess = async () => {
      while (guessed++ < GUESSES)
        answers.add(await ask(`/api/orders/${newOrderNumber('2026-11-20')}/status`));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, guess));
    expect([...answers]).toEqual([never]);
    printFigures('guesses', { guesses: GUESSES, 'different answers': answers.size });
  });
});
