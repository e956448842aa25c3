import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { perSecond } from '../figures.js';
import { runLoad } from '../load/run-load.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

const READS_PER_SECOND = 10_000;

/** The flush of last-used times, and a refresh more or less at the edges of the window. */
const TOLERANCE = 1.1;

/** Outside of explicit transactions, of which reads have none, every statement is a transaction. */
async function transactions(bench: Bench, database: string): Promise<number> {
  const [row] = await bench.postgres.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1',
    [database],
  );
  return Number(row!.count);
}

export const databaseLoad: Row = {
  id: 'database-load',
  async measure(bench) {
    const database = await bench.database(10_000);
    const { url } = await bench.service(database);
    const seconds = bench.options.quick ? 5 : 15;
    const statementsDuring = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await transactions(bench, `bench_${database.products}`);
      await work();
      return ((await transactions(bench, `bench_${database.products}`)) - before) / seconds;
    };
    const load = { ...stockChecks(database), rate: READS_PER_SECOND };
    let reads = 0;
    const idle = await statementsDuring(() => delay(seconds * 1_000));
    const busy = await statementsDuring(
      async () => ({ rate: reads } = await runLoad({ url, seconds, load })),
    );
    return [
      {
        work: `database statements while ${perSecond(reads, 'reads')} are served`,
        measured: `${busy.toFixed(1)} /s`,
        against: `idle: ${idle.toFixed(1)} /s`,
        ratio: busy / idle,
        aim: 'the same',
        reached: busy <= idle * TOLERANCE,
      },
    ];
  },
};
