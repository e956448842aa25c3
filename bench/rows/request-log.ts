import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

/** A hundredth is less than what two turns of the same server differ by: only many of them tell. */
const TIMES_MORE_ROUNDS = 5;

/** What it costs a read to be counted. */
export const requestLog: Row = {
  id: 'request-log',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = stockChecks(database);
    const { rate, others } = await compare(
      { ...bench.pace, rounds: bench.pace.rounds * TIMES_MORE_ROUNDS },
      { server: await bench.service(database), load },
      { server: await bench.service(database, { REQUEST_LOG_DAYS: '0' }), load },
    );
    return [
      {
        work: 'stock check, counted for its client',
        measured: perSecond(rate),
        against: `not counted: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.98),
      },
    ];
  },
};
