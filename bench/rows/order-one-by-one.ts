import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import { hotOrders, orders } from '../load/polls.js';
import type { Row } from '../row.js';

/** The gain of batches: the same service with a transaction per order. */
export const orderOneByOne: Row = {
  id: 'order-one-by-one',
  async measure(bench) {
    const database = await bench.database(10_000);
    const loads = {
      'order of two lines placed in batches, 1 client': orders(database, 1),
      'order of two lines placed in batches, 32 clients': orders(database, 32),
      'order of one SKU placed in batches, 128 clients': hotOrders(database, 128),
    };
    const findings: Finding[] = [];
    for (const [work, each] of Object.entries(loads)) {
      const load = { ...each, mayRefuse: true };
      const comparison = await compare(
        bench,
        { server: await bench.service(database), load },
        { server: await bench.service(database, {}, 'references/order-one-by-one.js'), load },
      );
      await bench.stopServers();
      findings.push(
        ...against(work, comparison, [{ name: 'one transaction per order, same rules' }], 'rate'),
      );
    }
    return findings;
  },
};
