import { manyOrders } from '../../test/support/many-orders.js';
import { Fixtures } from '../../test/support/fixtures.js';
import { signIn } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { type BenchDatabase, createBenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { BenchPostgres } from '../database/bench-postgres.js';
import { busyOf, paceOf } from '../figures.js';
import { against, type Finding, judge } from '../finding.js';
import { compare, measure, type Speed } from '../load/compare.js';
import { orders, reads } from '../load/polls.js';
import type { Row } from '../row.js';

const FIRST_SECONDS = 15;

/** A new database has no statistics, on which PostgreSQL bases its plans. */
export const coldOrders = [8, 32].map((clients): Row => ({
  id: `cold-orders-${clients}`,
  async measure(bench) {
    await setAutovacuum(bench, 'off');
    try {
      const database = await createNewDatabase(bench.postgres, `cold_${clients}`, 2_000);
      const cold = await firstSeconds(bench, database, clients);
      await database.pool.query('ANALYZE');
      const analysed = await firstSeconds(bench, database, clients);
      await database.pool.end();
      const { reached, ...verdict } = judge(cold.rate / analysed.rate, '≥', 0.9);
      return [
        {
          work: `orders in the first ${FIRST_SECONDS} s of a new database, ${clients} clients`,
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

/** Measures a service that has just started. */
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

const ORDERS_OF_ONE = 300_000;
const OTHERS = 7;
const ORDERS_OF_OTHER = 100_000;

/** PostgreSQL with JIT compiles queries that it considers expensive, which can cost more than it saves. */
export const largeHouse: Row = {
  id: 'large-house',
  async measure(bench) {
    const works = { 'GET /api/orders?limit=100': orderList, "dashboard's list of orders": ordersPage };
    const title = (work: string) => `${work}, 300,000 of 1,000,000 orders, PostgreSQL with JIT`;
    const postgres = await BenchPostgres.startDebian();
    if (!postgres) {
      const left = { measured: 'left out: no such PostgreSQL', against: '–', aim: '≥ 0.8' };
      return Object.keys(works).map((work) => ({ work: title(work), ...left }));
    }
    const large = await createBenchDatabase(postgres, 100);
    const small = await createBenchDatabase(postgres, 1_000);
    try {
      await fillHouse(large);
      const [server, other] = [await bench.service(large), await bench.service(small)];
      const findings: Finding[] = [];
      for (const [work, loadOf] of Object.entries(works)) {
        const comparison = await compare(
          { ...bench.often(1), postgres },
          { server, load: await loadOf(large) },
          { server: other, load: await loadOf(small) },
        );
        findings.push(...against(title(work), comparison, [{ name: 'of 20,000', aim: 0.8 }], 'rate'));
      }
      return findings;
    } finally {
      await bench.stopServers();
      await Promise.all([large.pool.end(), small.pool.end()]);
      await postgres.stop();
    }
  },
};

async function fillHouse({ pool, store }: BenchDatabase): Promise<void> {
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  await manyOrders(pool, store, ORDERS_OF_ONE);
  for (let n = 0; n < OTHERS; n++) {
    const other = await fixtures.store({ planId: store.planId, domain: `other-${n}.example.com` });
    await manyOrders(pool, other, ORDERS_OF_OTHER);
  }
}

async function orderList({ store }: BenchDatabase) {
  return reads(store.headers, ['/api/orders?limit=100'], 1);
}

async function ordersPage({ pool, store }: BenchDatabase) {
  const { cookie } = await signIn({ pool, url: '' }, store.clientId);
  return reads({ Cookie: cookie }, ['/dashboard/orders'], 1);
}
