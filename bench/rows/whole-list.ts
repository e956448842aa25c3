import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { compressedLists } from '../load/polls.js';
import type { Row } from '../row.js';

/** How many are on their way at a time: a few, and as many as a core can be kept busy with. */
const SIZES = [
  { id: 'list-1000', products: 1_000, connections: 8 },
  { id: 'list-10000', products: 10_000, connections: 8 },
  { id: 'list-10000-at-32', products: 10_000, connections: 32 },
];

export const wholeLists: Row[] = SIZES.map(({ id, products, connections }) => ({
  id,
  async measure(bench) {
    const database = await bench.database(products);
    const load = { ...compressedLists(database), connections };
    const service = await bench.service(database);
    const bare = await bench.replay('bare-http', service, load.requests[0]!);
    const { rate, others } = await compare(bench.pace, { server: service, load }, { server: bare, load });
    return [
      {
        work: `whole list of ${products.toLocaleString('en')} products, gzip, ${connections} at a time`,
        measured: perSecond(rate),
        against: `bare node:http, same bytes: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.7),
      },
    ];
  },
}));
