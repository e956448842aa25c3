import { Fixtures, type Store } from '../../test/support/fixtures.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import type { Row } from '../row.js';

/** Polls of one moment share a statement, of whichever token they are: one alone is to have no less of it than several. */
const TOKENS = 8;

export const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const tokens = await moreTokens(database);
    const service = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const works = {
      'order status poll, one token': loadOf([database.store.headers]),
      [`order status poll, ${TOKENS} tokens`]: loadOf(tokens),
    };
    const findings = [];
    for (const [work, load] of Object.entries(works)) {
      const { rate, others } = await compare(bench.pace, { server: service, load }, { server: plain, load });
      findings.push({
        work,
        measured: perSecond(rate),
        against: `one prepared SELECT by plain pg behind node:http: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.7),
      });
    }
    return findings;
  },
};

function loadOf(headers: Store['headers'][]): Load {
  const requests = filledOrderNumbers(1_000).map((number, index) => ({
    path: `/api/orders/${number}/status`,
    headers: headers[index % headers.length]!,
  }));
  return { requests, connections: 32, status: 200 };
}

async function moreTokens({ pool, store }: BenchDatabase): Promise<Store['headers'][]> {
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  const all = [];
  for (let count = 0; count < TOKENS; count++) {
    const { token } = await fixtures.token(store.clientId, store.domain);
    all.push({ ...store.headers, Authorization: `Bearer ${token}` });
  }
  return all;
}
