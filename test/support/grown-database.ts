import type { Pool } from 'pg';

/** Tables that stay smaller than the others. */
const MAX_PRODUCTS = 10_000;
const MAX_PEOPLE = 1_000;

/** Former subscriptions of each client: more pages than any request may read. */
const RENEWALS = 60;

/** Like real numbers, they come in no order: their index fills its pages half. */
const NUMBER = `'WO-20260101-00000-' || lpad((n * 7919 % 100000)::text, 5, '0')`;
const RETURN_NUMBER = `'RT-' || ${NUMBER}`;
const PAYMENT = `md5('payment ' || n)::uuid`;
const PLACED_AT = `now() - n * interval '1 minute'`;

/** Rows of every table that a foreign key refers to, and of others that grow with orders. */
function rowsOf(clientId: number, from: number, to: number): string[] {
  const each = `generate_series(${from}, ${to}) AS n`;
  const few = (limit: number) => `generate_series(${from}, ${Math.min(to, limit)}) AS n`;
  const count = to - from + 1;
  return [
    `INSERT INTO clients (name, email) SELECT 'Grown', 'grown@example.com' FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO plans (code, name, discount) SELECT 'grown-' || n, 'Grown', 0 FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO tokens (client_id, hash, prefix, domain)
   SELECT -n, sha256(n::text::bytea), 'grown', 'example.com' FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
   SELECT client.id, (SELECT min(id) FROM plans), now() - year * interval '1 year', now() - (year - 1) * interval '1 year'
     FROM (SELECT id FROM clients WHERE name = 'Grown' AND NOT EXISTS (
             SELECT FROM subscriptions s WHERE s.client_id = clients.id)) AS client,
          generate_series(2, ${to > 3_000 ? RENEWALS : 2}) AS year`,
    `INSERT INTO people (email, name, role) SELECT 'grown-' || n, 'Grown', 'staff' FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO wallets (client_id) SELECT -n FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO price_schedules (from_at, actor, closed_at) SELECT now(), 'test', now() FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO packing_lists (actor, orders) SELECT 'test', 1 FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO import_runs (actor, kind, file_name, state)
   SELECT 'test', 'stock', 'grown', 'applied' FROM ${few(MAX_PEOPLE)}`,
    `INSERT INTO products
     (sku, name, description, category, images, base_price, delivery_charge, active, variations)
   SELECT 'GROWN-' || n, 'Product', '', 'c', '{}', 10, 0, true, '[]' FROM ${few(MAX_PRODUCTS)}`,
    `INSERT INTO stock_items (product_id, variation_key, on_hand)
   SELECT id, '', 1000 FROM ${few(MAX_PRODUCTS)} JOIN products ON sku = 'GROWN-' || n`,
    `INSERT INTO plan_prices (plan_id, product_id, price)
     SELECT (SELECT min(id) FROM plans), id, 1 FROM ${few(MAX_PRODUCTS)} JOIN products ON sku = 'GROWN-' || n`,
    `INSERT INTO store_order_ids (client_id, store_order_id, order_number)
   SELECT ${clientId}, 'grown-' || n, ${NUMBER} FROM ${each}`,
    `INSERT INTO orders (client_id, order_number, store_order_id, status, payment_status, plan_code, currency,
     subtotal, delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city,
     shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at)
   SELECT ${clientId}, ${NUMBER}, 'grown-' || n, 'pending', 'paid', 'p', 'INR', 1, 0, 1, 1, 'a', '1', 'a', 'a', 'a',
          '560038', 'India', '', ${PLACED_AT}, now() + interval '3 days' FROM ${each}`,
    `INSERT INTO order_items
     (client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total)
   SELECT ${clientId}, ${NUMBER}, 1, (SELECT max(id) FROM products), 'GROWN-1', 'Product', '', 1, 1, 1 FROM ${each}`,
    `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
     created_at, paid_at)
   SELECT ${clientId}, ${PAYMENT}, 'grown', ${NUMBER}, 1, 'INR', 'paid', 'test', ${PLACED_AT}, ${PLACED_AT}
     FROM ${each}`,
    `INSERT INTO gateway_refunds (client_id, refund_id, payment_id, gateway_payment_id, amount, actor)
     SELECT ${clientId}, ${PAYMENT}, ${PAYMENT}, 'pay', 1, 'test' FROM ${each}`,
    `INSERT INTO payment_orders (client_id, payment_id, order_number, amount)
   SELECT ${clientId}, ${PAYMENT}, ${NUMBER}, 1 FROM ${each}`,
    `INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, actor, created_at)
   SELECT ${clientId}, entries + n - ${from} + 1, 'top_up', 'gateway', 1, balance + n - ${from} + 1, 'grown-' || n, 'test',
          now() - interval '1 year' + n * interval '1 minute'
     FROM wallets, ${each} WHERE client_id = ${clientId}`,
    `UPDATE wallets SET balance = balance + ${count}, entries = entries + ${count} WHERE client_id = ${clientId}`,
    `INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
   SELECT ${clientId}, ${NUMBER}, 1, 'pending', ${PLACED_AT}, 'test' FROM ${each}`,
    `INSERT INTO parcels (client_id, order_number, parcel, courier, shipped_at, recorded_at, actor)
   SELECT ${clientId}, ${NUMBER}, 1, 'c', ${PLACED_AT}, ${PLACED_AT}, 'test' FROM ${each}`,
    `INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
   SELECT ${clientId}, ${NUMBER}, 1, 1, 1 FROM ${each}`,
    `INSERT INTO order_returns (client_id, return_number, order_number, reason, key, actor)
   SELECT ${clientId}, ${RETURN_NUMBER}, ${NUMBER}, 'r', 'k', 'test' FROM ${each}`,
    `INSERT INTO order_return_items (client_id, return_number, order_number, line, quantity)
   SELECT ${clientId}, ${RETURN_NUMBER}, ${NUMBER}, 1, 1 FROM ${each}`,
    `INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key, return_number, actor,
     refunded_at)
   SELECT ${clientId}, ${NUMBER}, 1, 'returned', 1, 'r', 'k', ${RETURN_NUMBER}, 'test', now() FROM ${each}`,
    `INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, amount)
   SELECT ${clientId}, ${NUMBER}, 1, 1, 1, 1 FROM ${each}`,
    `INSERT INTO tax_documents (number, kind, issued_at, issued_on, client_id, order_number, parcel,
     place_of_supply, gross, taxable, cgst, sgst, igst, facts)
   SELECT 'INV-2526-' || lpad(n::text, 7, '0'), 'invoice', ${PLACED_AT}, ${PLACED_AT}, ${clientId}, ${NUMBER}, 1, '29',
          1, 1, 0, 0, 0, '{}'
     FROM ${each}`,
    `INSERT INTO tax_document_items (number, position, line, description, sku, hsn, unit, quantity, unit_price,
     gst_rate, gross, taxable, cgst, sgst, igst)
   SELECT 'INV-2526-' || lpad(n::text, 7, '0'), 1, 1, 'Product', 'GROWN-1', '1', 'NOS', 1, 1, 0, 1, 1, 0, 0, 0
     FROM ${each}`,
  ];
}

/** Adds the orders from one number to another with all that belongs to them, and products and people. */
export async function growDatabase(pool: Pool, clientId: number, from: number, to: number): Promise<void> {
  // Foreign keys and counts are not checked for each row, which would take too long.
  const statements = [
    'SET LOCAL session_replication_role = replica',
    ...rowsOf(clientId, from, to),
    'SELECT pg_stat_force_next_flush()',
  ];
  await pool.query(statements.join(';'));
}
