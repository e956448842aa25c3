import type { Bench } from '../bench.js';
import { type BenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { compareToAim, paceOf, type Row } from '../finding.js';
import { measure, type Speed } from '../load/compare.js';
import { orders } from '../load/loads.js';

const FIRST_SECONDS = 15;

/** A new database has no statistics, on which PostgreSQL bases its plans. */
export const firstMinute = [8, 32].map((clients): Row => ({
  id: `cold-orders-${clients}`,
  async measure(bench) {
    await setAutovacuum(bench, 'off');
    try {
      const database = await createNewDatabase(bench.postgres, `cold_${clients}`, 2_000);
      const cold = await firstSeconds(bench, database, clients);
      await database.pool.query('ANALYZE');
      const analysed = await firstSeconds(bench, database, clients);
      await database.pool.end();
      const { reached, ...figures } = compareToAim(cold.rate / analysed.rate, 0.9);
      return [
        {
          work: `orders in the first ${FIRST_SECONDS} s of a new database, ${clients} clients`,
          measured: paceOf(cold),
          against: `after ANALYZE: ${paceOf(analysed)}`,
          ...figures,
          reached: reached! && cold.refused === 0,
        },
      ];
    } finally {
      await setAutovacuum(bench, 'on');
    }
  },
}));

/** Measures a service that has just started, so all its connections are new. */
async function firstSeconds(bench: Bench, database: BenchDatabase, clients: number): Promise<Speed> {
  const server = await bench.service(database);
  const speed = await measure(bench, { server, load: orders(database, clients) }, FIRST_SECONDS);
  await bench.stopServers();
  return speed;
}

async function setAutovacuum({ postgres }: Bench, value: string): Promise<void> {
  await postgres.query(`ALTER SYSTEM SET autovacuum = ${value}`);
  await postgres.query('SELECT pg_reload_conf()');
}
