import pg from 'pg';
import { newToken } from '../auth/tokens/token-secret.js';
import { demoCatalog } from './demo-catalog.js';

export interface DemoCredentials {
  token: string;
  domain: string;
}

const DOMAIN = 'demo-store.example.com';

const GROWTH_PRICES = { 'TSHIRT-CLASSIC': '159.00', 'TSHIRT-POLO': '245.00', 'KURTA-MENS': '349.00' };

/**
 * Fills an empty database with a small catalog, two plans and a client, all in one transaction. The credentials are handed to
 * `keep` before the commit, because nobody could read them from the database afterwards: whatever happens in between, there is
 * never a demo whose token is lost. Nothing happens, and nothing is returned, if there is a client, a plan or a product already.
 */
export async function loadDemo(
  url: string,
  keep: (credentials: DemoCredentials) => Promise<void>,
): Promise<DemoCredentials | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    // Two nodes that start at once must not both find the database empty.
    await client.query('LOCK TABLE clients IN SHARE ROW EXCLUSIVE MODE');
    const { rowCount } = await client.query(
      'SELECT FROM clients UNION ALL SELECT FROM plans UNION ALL SELECT FROM products LIMIT 1',
    );
    if (rowCount !== 0) return undefined;
    const credentials = await fill(client);
    await keep(credentials);
    await client.query('COMMIT');
    return credentials;
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client): Promise<DemoCredentials> {
  const { token, prefix, hash } = newToken();
  await client.query(INSERT_CATALOG, [JSON.stringify(demoCatalog)]);
  await client.query(INSERT_PLANS, [JSON.stringify(GROWTH_PRICES)]);
  await client.query(INSERT_CLIENT, [hash, prefix, DOMAIN]);
  return { token, domain: DOMAIN };
}

const INSERT_CATALOG = `
  WITH given AS (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS product (
           sku text, name text, description text, category text, images jsonb, "basePrice" numeric, "deliveryCharge" numeric,
           active boolean, variations jsonb, stock jsonb)),
       created AS (
         INSERT INTO products (sku, name, description, category, images, base_price, delivery_charge, active, variations)
         SELECT sku, name, description, category, ARRAY(SELECT jsonb_array_elements_text(images)), "basePrice", "deliveryCharge",
                active, variations
           FROM given
         RETURNING id, sku)
  INSERT INTO stock_items (product_id, variation_key, on_hand)
  SELECT created.id, key, quantity::int
    FROM created JOIN given USING (sku), jsonb_each_text(given.stock) AS stock (key, quantity)
   ORDER BY created.id`;

const INSERT_PLANS = `
  WITH plan AS (
         INSERT INTO plans (code, name, discount) VALUES ('starter', 'Starter', 0), ('growth', 'Growth', 12.5)
         RETURNING id, code)
  INSERT INTO plan_prices (plan_id, product_id, price)
  SELECT plan.id, products.id, price::numeric
    FROM plan, jsonb_each_text($1::jsonb) AS fixed (sku, price) JOIN products USING (sku)
   WHERE plan.code = 'growth'`;

const INSERT_CLIENT = `
  WITH client AS (INSERT INTO clients (name, email) VALUES ('Demo Store', 'owner@demo-store.example.com') RETURNING id),
       subscription AS (
         INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
         SELECT client.id, plans.id, now(), now() + interval '10 years' FROM client, plans WHERE plans.code = 'growth')
  INSERT INTO tokens (client_id, hash, prefix, domain) SELECT id, $1, $2, $3 FROM client`;
