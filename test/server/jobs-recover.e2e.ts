import { Background } from '../../src/server/background.js';
import { setUpTestApp } from '../support/test-app.js';

/** Jobs keep state between runs: what is to be written, whose turn it is, what was reported. */
describe('A job that failed', () => {
  const test = setUpTestApp();

  /** Every statement of the service fails in this time: PostgreSQL does not find its tables. */
  async function withoutTables(work: () => Promise<void>): Promise<void> {
    await test.pool.query('ALTER SCHEMA public RENAME TO elsewhere');
    try {
      await work();
    } finally {
      await test.pool.query('ALTER SCHEMA elsewhere RENAME TO public');
    }
  }

  it('works at its next run: each job of the service', async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product({ stock: 5 });
    const number = await test.place(store, [{ sku, quantity: 2 }]);
    await test.get(store, '/api/products/NONE').expect(404);
    await test.fixtures.age(73, number);

    const jobs = test.app.get(Background, { strict: false }).jobs();
    const countRuns = (outcome: 'failed' | 'succeeded') => jobs.map(({ runs }) => runs[outcome]);
    const runAll = async () => {
      for (const job of jobs) await job.runSoon();
    };
    await withoutTables(runAll);
    // Without mail there are no notices to write.
    const failed = jobs.filter(({ runs }) => runs.failed > 0).map(({ name }) => name);
    expect(jobs.map(({ name }) => name).filter((name) => !failed.includes(name))).toEqual(['notices']);

    const before = countRuns('succeeded');
    await runAll();
    expect(jobs.filter(({ runs }, n) => runs.succeeded <= before[n]!).map(({ name }) => name)).toEqual([]);
    await test.fixtures.observed();
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', cancel_reason: 'expired' });
    // Its units are for sale again, and the log goes on.
    await test.place(store, [{ sku, quantity: 5 }]);
    await test.get(store, '/api/products/NONE').expect(404);
    await runAll();
    const { rows } = await test.pool.query(`SELECT status FROM store_requests WHERE client_id = $1`, [
      store.clientId,
    ]);
    expect(rows).toContainEqual({ status: 404 });
  });
});
