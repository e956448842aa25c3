import { createBenchDatabase } from '../database/bench-database.js';
import { against } from '../finding.js';
import { compare } from '../load/compare.js';
import { orders } from '../load/polls.js';
import type { Row } from '../row.js';

const PRODUCTS = 2_000;

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
