import { setTimeout as delay } from 'node:timers/promises';
import { perSecond } from '../figures.js';
import { measure } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

/** Allows for writes of last-used times and a refresh at the edges of the window. */
const TOLERANCE = 1.1;

export const databaseLoad: Row = {
  id: 'database-load',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const seconds = bench.options.quick ? 5 : 15;
    // Reads have no explicit transactions, so every statement is a transaction.
    const transactions = async (): Promise<number> => {
      const [row] = await bench.postgres.query<{ count: string }>(
        'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1',
        [`bench_${database.products}`],
      );
      return Number(row!.count);
    };
    const before = await transactions();
    await delay(seconds * 1_000);
    const between = await transactions();
    const { rate } = await measure(bench, { server, load: stockChecks(database) }, seconds);
    const busy = ((await transactions()) - between) / seconds;
    const idle = (between - before) / seconds;
    return [
      {
        work: `database statements while ${perSecond(rate, 'reads')} are served`,
        measured: `${busy.toFixed(1)} /s`,
        against: `idle: ${idle.toFixed(1)} /s`,
        ratio: busy / idle,
        aim: 'the same',
        reached: busy <= idle * TOLERANCE,
      },
    ];
  },
};
