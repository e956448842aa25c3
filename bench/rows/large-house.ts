import { signIn, signInAtDesk } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { type BenchDatabase, createNewDatabase } from '../database/bench-database.js';
import { fillHouse } from '../database/fill-house.js';
import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { orders, reads } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const LARGE = {
  name: 'large',
  products: 100_000,
  ordersOfEach: [300_000, ...Array<number>(7).fill(100_000)],
};
const SMALL = { name: 'small', products: 1_000, ordersOfEach: [20_000] };

interface House {
  database: BenchDatabase;
  server: ServerProcess;
  /** Headers of the store, of a person of its client, and of one at the desk. */
  as: Record<'store' | 'client' | 'desk', Record<string, string>>;
}

/** Answers that should take the same time in both houses. */
export const largeHouse: Row = {
  id: 'large-house',
  async measure(bench) {
    const [large, small] = [await openHouse(bench, LARGE), await openHouse(bench, SMALL)];
    const findings: Finding[] = [];
    for (const [work, loadOf] of WORKS) {
      const [of, other] = [large, small].map((house) => ({ server: house.server, load: loadOf(house) }));
      const comparison = await compare(bench, of!, other!);
      const references = [{ name: '20,000 orders', aim: 0.8 }];
      findings.push(...against(`1,000,000 orders: ${work}`, comparison, references, 'rate'));
    }
    await Promise.all([large, small].map(({ database }) => database.pool.end()));
    return findings;
  },
};

async function openHouse(bench: Bench, { name, products, ordersOfEach }: typeof LARGE): Promise<House> {
  const database = await createNewDatabase(bench.postgres, name, products);
  await fillHouse(database, ordersOfEach);
  const people = { pool: database.pool, url: '' };
  const client = { Cookie: (await signIn(people, database.store.clientId)).cookie };
  const desk = { Cookie: (await signInAtDesk(people, 'staff')).cookie };
  return {
    database,
    server: await bench.service(database),
    as: { store: database.store.headers, client, desk },
  };
}

const page =
  (who: keyof House['as'], path: string) =>
  ({ as }: House): Load =>
    reads(as[who], [path], 1);

const WORKS: [work: string, loadOf: (house: House) => Load][] = [
  ['order of two lines, 8 clients', ({ database }) => orders(database, 8)],
  ['GET /api/orders?limit=100', page('store', '/api/orders?limit=100')],
  ['dashboard: orders', page('client', '/dashboard/orders')],
  ['dashboard: search for a frequent name', page('client', '/dashboard/orders?search=kumar')],
  ['desk: orders to ship', page('desk', '/desk/orders')],
  ['desk: search for a frequent name', page('desk', '/desk/orders?status=all&search=kumar')],
];
