import pg from 'pg';
import { Fixtures, type Store } from '../../test/support/fixtures.js';
import type { BenchPostgres } from './bench-postgres.js';
import { copyCatalog } from './copy-catalog.js';
import { fillOrders } from './fill-orders.js';

/** More stock than any bench sells. */
const AMPLE = 1_000_000;

/** A database with a catalog and one store with access. */
export interface BenchDatabase {
  url: string;
  products: number;
  store: Store;
  pool: pg.Pool;
}

type Databases = Pick<BenchPostgres, 'createDatabase'>;

/** Creates a database as after some weeks of business. */
export async function createBenchDatabase(postgres: Databases, products: number): Promise<BenchDatabase> {
  const database = await createNewDatabase(postgres, `bench_${products}`, products);
  const { pool, store } = database;
  await fillOrders(pool, store.clientId, products);
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
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
  const client = await pool.connect();
  try {
    await copyCatalog(client, products, AMPLE);
  } finally {
    client.release();
  }
  return { url, products, store, pool };
}
