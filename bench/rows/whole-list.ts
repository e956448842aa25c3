import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { compressedLists } from '../load/polls.js';
import type { Row } from '../row.js';

export const wholeLists: Row[] = [1_000, 10_000].map((products) => ({
  id: `list-${products}`,
  async measure(bench) {
    const database = await bench.database(products);
    const load = compressedLists(database);
    const service = await bench.service(database);
    const bare = await bench.replay('bare-http', service, load.requests[0]!);
    const { rate, others } = await compare(bench.pace, { server: service, load }, { server: bare, load });
    return [
      {
        work: `whole list of ${products.toLocaleString('en')} products, gzip`,
        measured: perSecond(rate),
        against: `bare node:http, same bytes: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.7),
      },
    ];
  },
}));
