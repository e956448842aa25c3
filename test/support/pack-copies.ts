import type { Pool } from 'pg';

/** Puts an order and copies of it on a packing list. Returns the number of the list. */
export async function packCopies(pool: Pool, orderNumber: string, count: number): Promise<number> {
  for (const table of ['orders', 'order_items'])
    await pool.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(one, jsonb_build_object(
                'order_number', left($1, -5) || lpad(n::text, 5, '0'), 'store_order_id', NULL))).*
         FROM ${table} AS one, generate_series(2, $2::int) AS n WHERE one.order_number = $1::text`,
      [orderNumber, count],
    );
  const { rows } = await pool.query<{ list: number }>(
    `WITH list AS (INSERT INTO packing_lists (actor, orders) VALUES ('test', $2) RETURNING id)
     UPDATE orders SET status = 'pending', payment_status = 'paid', paid_at = now(), packing_list = list.id
       FROM list WHERE order_number LIKE left($1, -5) || '%' RETURNING list.id AS list`,
    [orderNumber, count],
  );
  return rows[0]!.list;
}
