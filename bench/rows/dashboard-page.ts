import { signIn } from '../../test/support/sign-in.js';
import { judge } from '../finding.js';
import { milliseconds } from '../figures.js';
import type { Load } from '../load/load.js';
import { stockChecks } from '../load/polls.js';
import { runLoad } from '../load/run-load.js';
import { median } from '../median.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

/** A few people at a time. */
const CONNECTIONS = 8;

/** What an answer takes of the server's processor, in milliseconds: pages wait for the database, and that is not what is compared. */
async function costOf(service: ServerProcess, load: Load, seconds: number): Promise<number> {
  const before = service.processorMs();
  const { rate } = await runLoad({ url: service.url, seconds, load });
  return (service.processorMs() - before) / (rate * seconds);
}

export const dashboardPage: Row = {
  id: 'dashboard-page',
  async measure(bench) {
    const database = await bench.database(10_000);
    const { cookie } = await signIn({ pool: database.pool, url: '' }, database.store.clientId);
    const checks = stockChecks(database);
    const page = {
      requests: [{ path: '/dashboard/orders', headers: { Cookie: cookie } }],
      connections: CONNECTIONS,
      status: 200,
    };
    const service = await bench.service(database);
    const { rounds, seconds, warmUpSeconds } = bench.pace;
    for (const load of [page, checks]) await runLoad({ url: service.url, seconds: warmUpSeconds, load });
    const costs: { page: number; check: number }[] = [];
    for (let round = 0; round < rounds; round++)
      costs.push({
        page: await costOf(service, page, seconds),
        check: await costOf(service, checks, seconds),
      });
    return [
      {
        work: 'page with 50 of 20,000 orders, in processor time of the server',
        measured: milliseconds(median(costs.map((cost) => cost.page))),
        against: `stock check: ${milliseconds(median(costs.map((cost) => cost.check)))}`,
        ...judge(median(costs.map((cost) => cost.page / cost.check)), '≤', 10),
      },
    ];
  },
};
