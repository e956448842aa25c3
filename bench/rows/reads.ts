import type { BenchDatabase } from '../database/bench-database.js';
import { finding, type Row } from '../finding.js';
import { compare } from '../load/compare.js';
import { changePolls, type Load, statusPolls, stockChecks, wholeLists } from '../load/loads.js';
import type { ServerProcess } from '../processes.js';

type LoadOf = (database: BenchDatabase, server: ServerProcess) => Load | Promise<Load>;

function againstBare(id: string, work: string, aim: number | undefined, loadOf: LoadOf): Row {
  return {
    id,
    async measure(bench) {
      const database = await bench.database(10_000);
      const server = await bench.service(database);
      const load = await loadOf(database, server);
      const { path, headers } = load.requests[0]!;
      const request = { URL: server.url + path, HEADERS: JSON.stringify(headers) };
      const bare = await bench.reference('bare-http', request);
      const comparison = await compare(bench, { server, load }, { server: bare, load });
      return [finding(work, comparison, 'bare node:http, same bytes', 'cost', aim)];
    },
  };
}

const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = await statusPolls(database);
    const server = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const comparison = await compare(bench, { server, load }, { server: plain, load });
    const reference = 'one prepared SELECT by plain pg behind node:http';
    return [finding('order status poll', comparison, reference, 'rate', 0.7)];
  },
};

/** Answered from memory, or almost. */
export const READS: Row[] = [
  againstBare('stock-check', 'stock check, one product of 10,000', 0.5, (database) => stockChecks(database)),
  againstBare('list-10000', 'whole list of 10,000 products, gzip, 8 at a time', 0.7, (database) =>
    wholeLists(database),
  ),
  againstBare('change-poll', '100 changed products by sync token, gzip', undefined, changePolls),
  statusPoll,
];
