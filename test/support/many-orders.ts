import type { Pool } from 'pg';
import type { Store } from './fixtures.js';

const FIRST = 'Ravi Meera Farhan Lakshmi Arjun Anaya Priya Rahul Sunil Deepa Kiran'.split(' ');
const LAST = 'Kumar Nair Ali Iyer Singh Sharma Gupta Menon Rao Das'.split(' ');

/** The statuses of twenty orders in turn. */
const STATUSES = ['awaiting_payment', 'pending', 'shipped', 'cancelled', ...Array(16).fill('delivered')];

const INDEXES_LATER = `
  UPDATE pg_index SET indisready = false, indisvalid = false
   WHERE indrelid = 'orders'::regclass AND NOT indisunique`;

/**
 * Creates years of orders: one order every ten minutes with various customers. Every thousandth customer is a
 * Zacharias.
 */
export async function manyOrders(pool: Pool, { clientId }: Store, count: number): Promise<void> {
  const client = await pool.connect();
  // Filled row by row, the index of searches takes most of the time.
  await client.query(INDEXES_LATER);
  await client.query(
    `INSERT INTO orders (client_id, order_number, status, payment_status, plan_code, currency, subtotal,
       delivery, total, items_count, customer_name, customer_phone, customer_email, shipping_address,
       shipping_city, shipping_state, shipping_pincode, shipping_country, content_hash, placed_at,
       payment_due_at, courier, shipped_at, delivered_at, cancelled_at, cancel_reason)
     SELECT $1, 'WO-' || to_char(placed_at, 'YYYYMMDD') || '-' || lpad(($1 % 100000)::text, 5, '0') || '-'
              || lpad((n % 100000)::text, 5, '0'),
            status, CASE WHEN status IN ('awaiting_payment', 'cancelled') THEN 'unpaid' ELSE 'paid' END,
            'p', 'INR', 100, 0, 100, 1,
            ($3::text[])[1 + n % 11] || ' ' || ($4::text[])[1 + n % 10]
              || CASE WHEN n % 1000 = 0 THEN ' Zacharias' ELSE '' END,
            '+91 98' || lpad((n % 1000)::text, 3, '0') || ' '
              || lpad((n::bigint * 7919 % 100000)::text, 5, '0'),
            'customer' || n || '@example.com',
            'a', 'Bengaluru', 'a', '560038', 'India', ''::bytea, placed_at, placed_at + interval '3 days',
            CASE WHEN status IN ('shipped', 'delivered') THEN 'BlueDart' END,
            CASE WHEN status IN ('shipped', 'delivered') THEN placed_at + interval '1 day' END,
            CASE WHEN status = 'delivered' THEN placed_at + interval '3 days' END,
            CASE WHEN status = 'cancelled' THEN placed_at + interval '3 days' END,
            CASE WHEN status = 'cancelled' THEN 'expired' END
       FROM generate_series(1, $2::int) AS n,
            LATERAL (SELECT now() - n * interval '10 minutes' AS placed_at,
                            ($5::text[])[1 + n % 20] AS status) AS each`,
    [clientId, count, FIRST, LAST, STATUSES],
  );
  await client.query(`SET maintenance_work_mem = '512MB'; REINDEX TABLE orders; RESET ALL`);
  client.release();
  await pool.query(
    `INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
     SELECT client_id, order_number, 1, 'awaiting_payment', placed_at, 'store'
       FROM orders WHERE client_id = $1
     ON CONFLICT DO NOTHING`,
    [clientId],
  );
  await pool.query('ANALYZE orders, order_timeline');
}
