import request from 'supertest';
import { eventually } from '../../support/eventually.js';
import { orderBody } from '../../support/order-body.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('During the restore of a database', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product());
  });

  const place = () => test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }]));
  const isReady = async () => (await request(test.url).get('/health/ready')).status;
  const becomes = (status: number) => eventually(async () => (await isReady()) === status);
  const expectAway = async () => {
    for (const answer of [
      await place(),
      await test.get(store, '/api/orders'),
      await test.get(store, '/api/orders/X/status'),
    ]) {
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([503, 'unavailable']);
      expect(answer.headers['retry-after']).toBe('2');
    }
    await test.get(store, `/api/products/${sku}`).expect(200);
  };

  it('order routes and readiness answer 503 while tables are missing, but catalog reads work', async () => {
    await test.pool.query('ALTER SCHEMA public RENAME TO saved; CREATE SCHEMA public');
    await expectAway();
    await becomes(503);
    await test.pool.query('DROP SCHEMA public; ALTER SCHEMA saved RENAME TO public');
    await becomes(200);
    await place().expect(201);
  });

  it.each(['orders', 'order_items', 'products'])(
    'placing an order answers 503 while %s is missing',
    async (table) => {
      await test.pool.query(`CREATE SCHEMA saved; ALTER TABLE ${table} SET SCHEMA saved`);
      expect((await place()).status).toBe(503);
      await test.pool.query(`ALTER TABLE saved.${table} SET SCHEMA public; DROP SCHEMA saved`);
      await place().expect(201);
    },
  );

  it('the node is not ready while one migration is missing', async () => {
    await test.pool.query(
      `ALTER TABLE migrations RENAME TO saved;
       CREATE TABLE migrations AS SELECT * FROM saved ORDER BY id DESC OFFSET 1;
       GRANT SELECT ON migrations TO PUBLIC`,
    );
    await becomes(503);
    await test.pool.query('DROP TABLE migrations; ALTER TABLE saved RENAME TO migrations');
    await becomes(200);
  });
});
