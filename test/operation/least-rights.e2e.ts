import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client, Pool } from 'pg';
import { TokenUses } from '../../src/auth/tokens/token-uses.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { OrderExpiry } from '../../src/orders/lifecycle/order-expiry.js';
import { OrderLifecycle } from '../../src/orders/lifecycle/order-lifecycle.js';
import { RefusedOrders } from '../../src/orders/refusals/refused-orders.js';
import { CatalogFiles } from '../../src/catalog/files/catalog-files.js';
import { OperatorServices } from '../support/operator-services.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { changeOf } from '../support/order-steps.js';
import { SnapshotConnection } from '../../src/read-model/snapshot/snapshot-connection.js';

const SQL = new URL('../../docs/service-role.sql', import.meta.url);

describe('The service under a role with the least rights', () => {
  const role = `service_${randomUUID().replaceAll('-', '')}`;
  let database: TestDatabase;
  let asRole: string;
  let test: TestApp;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    asRole = Object.assign(new URL(database.url), { username: role, password: role }).href;
    const grants = (await readFile(SQL, 'utf8')).replaceAll('wholesale_service', role);
    const owner = new Client(database.url);
    await owner.connect();
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    await owner.query(grants);
    // As after every migration.
    await owner.query(grants);
    await owner.end();
    test = await startTestApp({ paymentWindowHours: 1 }, { ...database, url: asRole });
    store = await test.fixtures.store();
    ({ sku } = await test.fixtures.product({ stock: 100 }));
  });

  afterAll(async () => {
    await test.close();
    const owner = new Client(database.url);
    await owner.connect();
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
    await owner.end();
    await database.drop();
  });

  async function place(): Promise<{ clientId: number; orderNumber: string }> {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    return { clientId: store.clientId, orderNumber: (body as { order_number: string }).order_number };
  }

  it('starts, for it can see that there is nothing to migrate', async () => {
    expect(await migrate(asRole)).toEqual([]);
  });

  it('does everything that it is there for', async () => {
    const lifecycle = test.app.get(OrderLifecycle);
    const delivered = await place();
    for (const action of ['pay', 'ship', 'deliver'] as const) {
      await lifecycle.act(delivered, changeOf(action), 'test');
    }
    await lifecycle.act(await place(), changeOf('cancel'), 'test');
    const expired = await place();
    await test.fixtures.sql(`UPDATE orders SET payment_due_at = now() WHERE order_number = $1`, [
      expired.orderNumber,
    ]);
    expect(await test.app.get(OrderExpiry).run()).toBe(1);
    await test.post(store, '/api/orders', orderBody([{ sku: 'NONE', quantity: 1 }])).expect(422);
    await test.app.get(RefusedOrders).settled();
    await test.app.get(RefusedOrders).purge(10);
    await test.app.get(TokenUses).flush();

    const { body } = await test.get(store, `/api/orders/${delivered.orderNumber}/status`).expect(200);
    expect(body).toMatchObject({ status: 'delivered', payment_status: 'paid' });
    const { rows } = await test.pool.query(
      'SELECT (SELECT count(*)::int FROM token_uses) AS uses, (SELECT count(*)::int FROM refused_orders) AS refusals',
    );
    expect(rows).toEqual([{ uses: 1, refusals: 1 }]);
  });

  it('imports a catalog', async () => {
    const operator = await OperatorServices.open(asRole);
    const file =
      'sku,name,description,category,images,base_price,delivery_charge,active,variations\nNEW,New,,,,1,0,true,Size=S|M\n';
    const catalog = operator.app.get(CatalogFiles, { strict: false });
    expect(await operator.import(catalog, file)).toMatchObject({ created: 1, failed: [] });
    await operator.close();
  });

  it('sees deleted rows too, and can begin a new history after a restore', async () => {
    const gone = await test.fixtures.product();
    await test.get(store, `/api/products/${gone.sku}`).expect(200);
    await test.fixtures.removeProducts(gone.sku);
    await test.get(store, `/api/products/${gone.sku}`).expect(404);
    const connection = new SnapshotConnection(asRole);
    await connection.beginHistory();
    connection.close();
    await test.fixtures.seen();
    await test.get(store, `/api/products/${sku}`).expect(200);
  });

  it.each([
    ['change the schema', 'CREATE TABLE mine (id int)'],
    ['change a table', 'ALTER TABLE orders ADD COLUMN mine int'],
    ['drop a table', 'DROP TABLE refused_orders'],
    ['switch a trigger off', 'ALTER TABLE products DISABLE TRIGGER stamp'],
    [
      'replace what a trigger does',
      'CREATE OR REPLACE FUNCTION begin_history() RETURNS void LANGUAGE sql AS $$ $$',
    ],
    ['get past the triggers', 'SET session_replication_role = replica'],
    ['rewrite the timeline', `UPDATE order_timeline SET status = 'delivered'`],
    ['forget the timeline', 'DELETE FROM order_timeline'],
    ['forget who changed a price', 'DELETE FROM changes'],
    ['forget a correction', 'DELETE FROM order_changes'],
    ['rewrite what was ordered', 'UPDATE order_items SET quantity = 1'],
    ['forget an order', 'DELETE FROM orders'],
    ['free an id for a second order', 'DELETE FROM store_order_ids'],
    ['rewrite the movements of stock', 'UPDATE stock_movements SET delta = 0'],
    ['empty a table', 'TRUNCATE refused_orders'],
    ['pretend that something was migrated', `INSERT INTO migrations (timestamp, name) VALUES (1, 'mine')`],
  ])('may not %s', async (_, statement) => {
    const pool = new Pool({ connectionString: asRole, max: 1 });
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    await pool.end();
  });
});
