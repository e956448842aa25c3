import { createApp } from '../../src/host/create-app.js';
import { SALES_GROUPS } from '../../src/orders/desk/sales-groups.js';
import { SoldRepository } from '../../src/orders/desk/sold.repository.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { Fixtures } from '../../test/support/fixtures.js';
import { manyOrders } from '../../test/support/many-orders.js';
import { signInAtDesk } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { type BenchDatabase, createBenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { milliseconds } from '../figures.js';
import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import { orders, reads } from '../load/polls.js';
import type { Row } from '../row.js';

const PRODUCTS = 2_000;

/** The longest time that a person should wait for a page. */
const MOST_MS = 1_000;

/** Two years of ten stores, beside twenty weeks of one. */
const LARGE = { stores: 10, ordersOfEach: 100_000 };
const SMALL = { stores: 1, ordersOfEach: 20_000 };

/** Orders are paid as they come: an UPDATE of a million rows takes minutes. */
const PAY_NEW = `
  CREATE FUNCTION pay_new() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.paid_at := NEW.placed_at;
    NEW.shipping_state := 'State ' || hashtext(NEW.order_number) % 30;
    RETURN NEW;
  END $$;
  CREATE TRIGGER pay_new BEFORE INSERT ON orders FOR EACH ROW
    WHEN (NEW.payment_status = 'paid') EXECUTE FUNCTION pay_new()`;

/** Two lines for each order. */
const ADD_LINES = `
  INSERT INTO order_items (
    client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total
  )
  SELECT client_id, order_number, line, p.id, p.sku, p.name, 'Size:M', 1, 50, 50
    FROM orders CROSS JOIN generate_series(1, 2) AS line
    JOIN products p ON p.id = 1 + abs(hashtext(order_number) + line) % ${PRODUCTS}`;

/** Sales of all days, in a house with many orders. */
export const reports: Row = {
  id: 'reports',
  async measure(bench) {
    const house = bench.options.quick ? SMALL : LARGE;
    const count = (house.stores * house.ordersOfEach).toLocaleString('en');
    const large = await houseWith(bench, 'reports_of_many', house);
    const small = await houseWith(bench, 'reports_of_few', SMALL);
    const [server, other] = [await bench.service(large), await bench.service(small)];
    const findings: Finding[] = [];
    for (const by of SALES_GROUPS) {
      const { speed, others } = await compare(
        bench,
        { server, load: await pageBy(by, large) },
        { server: other, load: await pageBy(by, small) },
      );
      const [ms, otherMs] = [1_000 / speed.rate, 1_000 / others[0]!.speed.rate];
      findings.push({
        work: `report of all sales by ${by}, ${count} orders`,
        measured: milliseconds(ms),
        against: `20,000 orders: ${milliseconds(otherMs)}`,
        ratio: 1 / others[0]!.rate,
        aim: `≤ ${milliseconds(MOST_MS)}`,
        reached: ms <= MOST_MS,
      });
    }
    await Promise.all([large.pool.end(), small.pool.end()]);
    return findings;
  },
};

async function houseWith({ postgres }: Bench, name: string, house: typeof LARGE): Promise<BenchDatabase> {
  const database = await createNewDatabase(postgres, name, PRODUCTS);
  const { pool, store, url } = database;
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  await pool.query(PAY_NEW);
  for (let n = 0; n < house.stores; n++) {
    const other = await fixtures.store({ planId: store.planId, domain: `store-${n}.example.com` });
    await manyOrders(pool, other, house.ordersOfEach);
  }
  await pool.query(ADD_LINES);
  await pool.query('VACUUM ANALYZE');
  const app = await createApp(readSettings({ DATABASE_URL: url }), url, { logger: false });
  while (await app.get(SoldRepository, { strict: false }).keepNextDay());
  await app.close();
  return database;
}

async function pageBy(by: string, { pool }: BenchDatabase) {
  const { cookie } = await signInAtDesk({ pool, url: '' }, 'staff');
  return reads({ Cookie: cookie }, [`/desk/reports?by=${by}&to=${new Date().toISOString().slice(0, 10)}`], 1);
}

/** What orders have only for the desk. */
const WITHOUT_DESK = `
  DROP INDEX orders_paid, orders_newest_of_status;
  DROP TRIGGER sales_moved ON orders`;

export const deskCost: Row = {
  id: 'desk-cost',
  async measure(bench) {
    const database = await bench.database(PRODUCTS);
    const bare = await createBenchDatabase(bench.postgres, PRODUCTS + 1);
    await bare.pool.query(WITHOUT_DESK);
    const [server, other] = [await bench.service(database), await bench.service(bare)];
    const comparison = await compare(
      bench.often(2),
      { server, load: orders(database, 8) },
      { server: other, load: orders(bare, 8) },
    );
    await bare.pool.end();
    const work = 'order of two lines placed, 8 clients, with the indexes and the trigger of the desk';
    return against(work, comparison, [{ name: 'without them', aim: 0.95 }], 'rate');
  },
};
