import { against } from '../finding.js';
import { compare } from '../load/compare.js';
import { compressedLists, reads, stockChecks } from '../load/polls.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import type { Load } from '../load/load.js';
import type { Row } from '../row.js';

function againstBare(id: string, work: string, aim: number, loadOf: (database: BenchDatabase) => Load): Row {
  return {
    id,
    async measure(bench) {
      const database = await bench.database(10_000);
      const load = loadOf(database);
      const server = await bench.service(database);
      const bare = await bench.replay('bare-http', server, load.requests[0]!);
      return against(work, await compare(bench, { server, load }, { server: bare, load }), [
        { name: 'bare node:http, same bytes', aim },
      ]);
    },
  };
}

const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const paths = filledOrderNumbers(1_000).map((number) => `/api/orders/${number}/status`);
    const load = reads(database.store.headers, paths);
    const comparison = await compare(bench, { server, load }, { server: plain, load });
    const references = [{ name: 'one prepared SELECT by plain pg behind node:http', aim: 0.7 }];
    return against('order status poll', comparison, references, 'rate');
  },
};

/** Answered from memory, or almost. */
export const READS: Row[] = [
  againstBare('stock-check', 'stock check, one product of 10,000', 0.5, (database) => stockChecks(database)),
  againstBare('list-10000', 'whole list of 10,000 products, gzip, 8 at a time', 0.7, compressedLists),
  statusPoll,
];
