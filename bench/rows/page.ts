import type { BenchDatabase } from '../database/bench-database.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const PAGE = '/api/products?limit=100';

/** A page of a hundred products: the first one over and over, the first of a category, and one after the other to the end. */
export const page: Row = {
  id: 'page',
  async measure(bench) {
    const database = await bench.database(10_000);
    const service = await bench.service(database);
    const { data, walk } = await readPages(service, database);
    const works = {
      'page of 100 products': [PAGE],
      'page of 100 products of a category': [`${PAGE}&category=${encodeURIComponent(data[0]!.category)}`],
      'page of 100 products, each of a walk through 10,000': walk,
    };
    const findings = [];
    for (const [work, paths] of Object.entries(works)) {
      const load = loadOf(database, paths);
      const bare = await bench.replay('bare-http', service, load.requests[0]!);
      const { rate, others } = await compare(bench.pace, { server: service, load }, { server: bare, load });
      findings.push({
        work,
        measured: perSecond(rate),
        against: `bare node:http, same bytes: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.5),
      });
    }
    return findings;
  },
};

function loadOf(database: BenchDatabase, paths: string[]): Load {
  const { headers } = database.store;
  return { ...stockChecks(database), requests: paths.map((path) => ({ path, headers })) };
}

async function readPages({ url }: ServerProcess, { store }: BenchDatabase) {
  const read = async (path: string) =>
    (await (await fetch(url + path, { headers: store.headers })).json()) as {
      data: { category: string }[];
      next_cursor?: string;
    };
  const walk = [PAGE];
  const { data, next_cursor: second } = await read(PAGE);
  for (let cursor = second; cursor !== undefined;) {
    walk.push(`${PAGE}&cursor=${cursor}`);
    cursor = (await read(walk.at(-1)!)).next_cursor;
  }
  return { data, walk };
}
