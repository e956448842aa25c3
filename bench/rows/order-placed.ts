import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import { hotOrders, orders } from '../load/polls.js';
import type { Row } from '../row.js';

/** The share of the rate of eight statements that each should reach. */
const MEASURED = [
  { work: 'order of two lines placed, 1 client', connections: 1, aim: 0.75, loadOf: orders },
  { work: 'order of two lines placed, 8 clients', connections: 8, aim: 1, loadOf: orders },
  { work: 'order of two lines placed, 32 clients', connections: 32, aim: 1.5, loadOf: orders },
  { work: 'order of one SKU that all want, 128 clients', connections: 128, aim: 3, loadOf: hotOrders },
];

export const orderPlaced: Row = {
  id: 'order',
  async measure(bench) {
    const database = await bench.database(10_000);
    const environment = { DATABASE_URL: database.url };
    const findings: Finding[] = [];
    for (const { work, connections, aim, loadOf } of MEASURED) {
      const load = loadOf(database, connections);
      const comparison = await compare(
        bench,
        { server: await bench.service(database), load },
        { server: await bench.reference('order-by-statements', environment), load },
        { server: await bench.reference('order-by-cte', environment), load },
      );
      await bench.stopServers();
      const references = [
        { name: 'plain pg behind node:http, eight statements', aim },
        { name: 'plain pg behind node:http, one CTE' },
      ];
      findings.push(...against(work, comparison, references, 'rate'));
    }
    return findings;
  },
};
