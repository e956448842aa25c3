import type { Bench } from '../bench.js';
import { type BenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { busyOf, paceOf } from '../figures.js';
import { judge } from '../finding.js';
import { measure, type Speed } from '../load/compare.js';
import type { LoadRequest } from '../load/load.js';
import { orders } from '../load/polls.js';
import type { Row } from '../row.js';

const FIRST_SECONDS = 15;

/**
 * A new database has no statistics, on which PostgreSQL bases its plans. At 220 orders the key of orders is a
 * level higher than other indexes.
 */
const COLD = [
  { clients: 8, before: 0 },
  { clients: 32, before: 0 },
  { clients: 128, before: 220 },
];

export const coldOrders = COLD.map(({ clients, before }): Row => ({
  id: `cold-orders-${clients}`,
  async measure(bench) {
    await setAutovacuum(bench, 'off');
    try {
      const database = await createNewDatabase(bench.postgres, `cold_${clients}`, 2_000);
      await place(bench, database, before);
      const cold = await firstSeconds(bench, database, clients);
      await database.pool.query('ANALYZE');
      const analysed = await firstSeconds(bench, database, clients);
      await database.pool.end();
      const { reached, ...verdict } = judge(cold.rate / analysed.rate, '≥', 0.9);
      return [
        {
          work: `orders in the first ${FIRST_SECONDS} s of connections at ${before} orders, ${clients} clients`,
          measured: `${paceOf(cold)}; ${cold.refused} refused`,
          against: `after ANALYZE: ${paceOf(analysed)}; ${analysed.refused} refused`,
          busy: busyOf(cold, analysed),
          ...verdict,
          reached: reached! && cold.refused === 0,
        },
      ];
    } finally {
      await setAutovacuum(bench, 'on');
    }
  },
}));

async function place(bench: Bench, database: BenchDatabase, count: number): Promise<void> {
  const { url } = await bench.service(database);
  const [{ path, method, headers, body }] = orders(database, 1).requests as [LoadRequest];
  for (let made = 0; made < count; made++)
    await fetch(url + path, { method, headers, body: body!.replace('[<id>]', `before-${made}`) });
  await bench.stopServers();
}

/** Measures a service that has just started, so all its connections are new. */
async function firstSeconds(bench: Bench, database: BenchDatabase, clients: number): Promise<Speed> {
  const server = await bench.service(database);
  const load = { ...orders(database, clients), mayRefuse: true };
  const speed = await measure(bench, { server, load }, FIRST_SECONDS);
  await bench.stopServers();
  return speed;
}

async function setAutovacuum({ postgres }: Bench, value: string): Promise<void> {
  await postgres.query(`ALTER SYSTEM SET autovacuum = ${value}`);
  await postgres.query('SELECT pg_reload_conf()');
}
