import pg from 'pg';
import { Fixtures, type Store } from '../../test/support/fixtures.js';
import type { BenchPostgres } from './bench-postgres.js';
import { copyCatalog } from './copy-catalog.js';
import { fillOrders } from './fill-orders.js';

/** More than any bench sells. */
const AMPLE = 1_000_000;

/** A filled database, as after some weeks of business, with one store that may read and order. */
export interface BenchDatabase {
  url: string;
  products: number;
  store: Store;
  pool: pg.Pool;
}

export async function createBenchDatabase(postgres: BenchPostgres, products: number): Promise<BenchDatabase> {
  const url = await postgres.createDatabase(`bench_${products}`);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  const store = await fixtures.store({
    planId: (await fixtures.plan({ code: 'bench', discount: '12.5' })).id,
  });
  const client = await pool.connect();
  try {
    await copyCatalog(client, products, AMPLE);
    await fillOrders(client, store.clientId, products);
    // An empty table's statistics would give plans that stay slow for as long as a connection lives.
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    client.release();
  }
  return { url, products, store, pool };
}
