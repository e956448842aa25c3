import pg from 'pg';
import { Fixtures, type Store } from '../../test/support/fixtures.js';
import type { BenchPostgres } from '../bench-postgres.js';
import { CATALOG, type DatabaseSize, fillDatabase, keepSums } from '../../test/support/filled-database.js';

/** A database with a catalog and one store with access. */
export interface BenchDatabase {
  url: string;
  products: number;
  store: Store;
  pool: pg.Pool;
}

type Databases = Pick<BenchPostgres, 'createDatabase'>;

export const WEEKS = { ordersOfEach: [20_000], smallClients: 0, time: '1 month' };

/** Creates a database as after some weeks of business. */
export async function createBenchDatabase(
  postgres: Databases,
  products: number,
  size: DatabaseSize = WEEKS,
  name = `bench_${products}`,
): Promise<BenchDatabase> {
  const database = await createNewDatabase(postgres, name, products);
  await fillDatabase(database, size);
  await keepSums(database);
  return database;
}

/** Creates a database as on the first day: without orders and statistics. */
export async function createNewDatabase(
  postgres: Databases,
  name: string,
  products: number,
): Promise<BenchDatabase> {
  const url = await postgres.createDatabase(name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  const { id: planId } = await fixtures.plan({ code: 'bench', discount: '12.5' });
  const store = await fixtures.store({ planId });
  await pool.query(CATALOG(products));
  return { url, products, store, pool };
}
