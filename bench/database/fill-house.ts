import { createApp } from '../../src/host/create-app.js';
import { SoldRepository } from '../../src/sales/sold.repository.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { Fixtures } from '../../test/support/fixtures.js';
import { manyOrders } from '../../test/support/many-orders.js';
import type { BenchDatabase } from './bench-database.js';

/** Orders come with the store's id, a payment and a state: an UPDATE of a million rows takes minutes. */
const COMPLETE_NEW = `
  CREATE FUNCTION complete_new() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.shipping_state := 'State ' || hashtext(NEW.order_number) % 30;
    NEW.paid_at := CASE WHEN NEW.payment_status = 'paid' THEN NEW.placed_at END;
    NEW.store_order_id := 'WEB-' || NEW.order_number;
    INSERT INTO store_order_ids VALUES (NEW.client_id, NEW.store_order_id, NEW.order_number);
    RETURN NEW;
  END $$;
  CREATE TRIGGER complete_new BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION complete_new()`;

/** Two lines for each order, and four entries in its timeline. Checks of foreign keys would take minutes. */
const ADD_LINES = (products: number) => `
  SET session_replication_role = replica;
  INSERT INTO order_items (
    client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total
  )
  SELECT client_id, order_number, line, p.id, p.sku, p.name, 'Size:M', 1, 50, 50
    FROM orders CROSS JOIN generate_series(1, 2) AS line
    JOIN products p ON p.id = 1 + abs(hashtext(order_number) + line) % ${products};
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  SELECT client_id, order_number, entry, status, placed_at, 'wholesaler'
    FROM orders CROSS JOIN generate_series(2, 4) AS entry;
  RESET session_replication_role;
  DROP TRIGGER complete_new ON orders`;

/** Years of orders of several clients, the first of them the store, with the sums of their sales. */
export async function fillHouse(
  { pool, store, products, url }: BenchDatabase,
  ordersOfEach: number[],
): Promise<void> {
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  await pool.query(COMPLETE_NEW);
  for (const [n, count] of ordersOfEach.entries()) {
    const domain = `store-${n}.example.com`;
    const client = n === 0 ? store : await fixtures.store({ planId: store.planId, domain });
    await manyOrders(pool, client, count);
  }
  await pool.query(ADD_LINES(products));
  await pool.query('VACUUM ANALYZE');
  const app = await createApp(readSettings({ DATABASE_URL: url }), url, { logger: false });
  while (await app.get(SoldRepository, { strict: false }).keepNextDay());
  await app.close();
  await pool.query('CHECKPOINT');
}
