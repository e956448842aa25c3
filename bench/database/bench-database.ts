import pg from 'pg';
import { Fixtures, type Store } from '../../test/support/fixtures.js';
import type { BenchPostgres } from '../bench-postgres.js';
import { fillDatabase, type DatabaseSize, keepSums } from './fill-database.js';

/** A database with a catalog and one store with access. */
export interface BenchDatabase {
  url: string;
  products: number;
  store: Store;
  pool: pg.Pool;
}

type Databases = Pick<BenchPostgres, 'createDatabase'>;

export const WEEKS = { ordersOfEach: [20_000], smallClients: 0, time: '1 month' };

/** Products like those of `demo load`, with more stock than any bench sells. */
const CATALOG = (count: number) => `
  INSERT INTO products
    (sku, name, description, category, images, base_price, delivery_charge, active, variations)
  SELECT 'SYN-' || number, 'Sample product ' || n, 'Sample product ' || n || ', packed singly in a carton of '
           || 'twelve and sent within two days of Category ' || n % 40, 'Category ' || n % 40,
         ARRAY['https://images.example.com/products/syn-' || number || '-1.jpg'], 50 + n::bigint * 7919 % 4500,
         30 + n % 90, true, '[{"name": "Size", "values": ["S", "M", "L"]}]'
    FROM generate_series(1, ${count}) AS n, lpad(n::text, 7, '0') AS number;
  INSERT INTO stock_items (product_id, variation_key, on_hand)
  SELECT id, 'Size:' || size, 1000000 FROM products, unnest('{S,M,L}'::text[]) AS size ORDER BY id`;

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
