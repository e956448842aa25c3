import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

export const stockCheck: Row = {
  id: 'stock-check',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = stockChecks(database);
    const service = await bench.service(database);
    const bare = await bench.replay('bare-http', service, load.requests[0]!);
    const nest = await bench.replay('plain-nest', service, load.requests[0]!);
    const { rate, others } = await compare(
      bench.pace,
      { server: service, load },
      { server: bare, load },
      { server: nest, load },
    );
    const row = { work: 'stock check, one product of 10,000', measured: perSecond(rate) };
    return [
      {
        ...row,
        against: `bare node:http: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.45),
      },
      {
        ...row,
        against: `plain Nest on Express with one guard: ${perSecond(others[1]!.rate)}`,
        ...judge(others[1]!.ratio, '≥', 4),
      },
    ];
  },
};
