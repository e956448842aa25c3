import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

export const observability: Row = {
  id: 'observability',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = stockChecks(database);
    const { rate, others } = await compare(
      bench.pace,
      { server: await bench.service(database, { METRICS_PORT: '0', ACCESS_LOG: 'default' }), load },
      { server: await bench.service(database), load },
    );
    return [
      {
        work: 'stock check with metrics and access log',
        measured: perSecond(rate),
        against: `without metrics: ${perSecond(others[0]!.rate)}`,
        ratio: others[0]!.ratio,
        aim: 'reported',
      },
    ];
  },
};
