import { orderBody } from '../../test/support/order-body.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import { orders } from './order-placed.js';

/** Two hundredths are less than what two turns of the same server differ by: only many of them tell. */
const TIMES_MORE_ROUNDS = 5;

/** What an honest request costs in this build and in another one (`--against`), such as the one before a guard was built in. */
export const otherBuild: Row = {
  id: 'other-build',
  async measure(bench) {
    const { against } = bench.options;
    if (against === undefined) return [];
    const database = await bench.database(10_000);
    const service = await bench.service(database);
    const other = await bench.service(database, {}, against);
    const pace = { ...bench.pace, rounds: bench.pace.rounds * TIMES_MORE_ROUNDS };
    const loads = {
      'stock check': stockChecks(database),
      'quote of two lines': quotes(database),
      'order of two lines, 8 clients': orders(database, 8),
      'order of two lines, 1 client': orders(database, 1),
    };
    const findings = [];
    for (const [work, load] of Object.entries(loads)) {
      const { rate, others } = await compare(pace, { server: service, load }, { server: other, load });
      findings.push({
        work,
        measured: perSecond(rate),
        against: `another build: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.98),
      });
    }
    return findings;
  },
};

function quotes({ products, store }: BenchDatabase): Load {
  const skus = spreadSkus(products, 100);
  const headers = { ...store.headers, 'Content-Type': 'application/json' };
  const requests = skus.map((sku, index) => {
    const items = [sku, skus[(index + 1) % skus.length]!].map((each) => ({
      sku: each,
      quantity: 1,
      variation: 'Size:S',
    }));
    return {
      method: 'POST' as const,
      path: '/api/orders/quote',
      headers,
      body: JSON.stringify(orderBody(items)),
    };
  });
  return { requests, connections: 8, status: 200 };
}
