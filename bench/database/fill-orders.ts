import type { Pool } from 'pg';

const ORDERS = 20_000;

/**
 * Orders of two lines, one percent unpaid. They hold no stock, because only the size of the tables matters.
 */
const FILL = `
  WITH wanted AS (
    SELECT number, 'BENCH-' || lpad(number::text, 7, '0') AS order_number, 'WEB-' || number AS store_order_id
      FROM generate_series(1, $2::int) AS number
  ), claimed AS (
    INSERT INTO store_order_ids (client_id, store_order_id, order_number)
    SELECT $1, store_order_id, order_number FROM wanted
  ), placed AS (
    INSERT INTO orders (
      client_id, order_number, store_order_id, status, payment_status, plan_code, currency, subtotal,
      delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city,
      shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at
    )
    SELECT $1, order_number, store_order_id,
           CASE WHEN number % 100 = 0 THEN 'awaiting_payment' ELSE 'pending' END,
           CASE WHEN number % 100 = 0 THEN 'unpaid' ELSE 'paid' END, 'bench', 'INR', 200, 40, 240,
           2, 'Ravi Kumar', '+91 98765 43210', '12, MG Road', 'Bengaluru', 'Karnataka', '560038',
           'India', sha256(order_number::bytea), now(), now() + interval '72 hours'
      FROM wanted
  ), lines AS (
    INSERT INTO order_items (
      client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total
    )
    SELECT $1, order_number, line, p.id, p.sku, p.name, 'Size:M', 1, 100, 100
      FROM wanted CROSS JOIN generate_series(1, 2) AS line
      JOIN products p ON p.id = 1 + (number * 2 + line) % $3::int
  )
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  SELECT $1, order_number, 1, 'awaiting_payment', now(), 'store' FROM wanted`;

export async function fillOrders(pool: Pool, clientId: number, products: number): Promise<void> {
  await pool.query(FILL, [clientId, ORDERS, products]);
}

/** Returns order numbers spread over the table. */
export function filledOrderNumbers(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `BENCH-${String(1 + Math.floor((index * ORDERS) / count)).padStart(7, '0')}`,
  );
}
