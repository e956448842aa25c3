// Writes the rows of an order with plain pg in a single statement, which is its own transaction.
import pg from 'pg';
import { ORDER_ROW, type OrderToWrite } from './order-to-write.js';
import { serveOrders } from './serve-orders.js';

const WRITE = `
  WITH claimed AS (
    INSERT INTO store_order_ids (client_id, store_order_id, order_number) VALUES ($1, $3, $2)
  ), held AS (
    UPDATE stock_items s SET held = s.held + 1
      FROM (SELECT id FROM stock_items WHERE id = ANY ($14::int[]) ORDER BY id FOR UPDATE) locked
     WHERE s.id = locked.id
  ), placed AS (${ORDER_ROW}
  ), lines AS (
    INSERT INTO order_items
      (client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total)
    SELECT $1, $2, line, product_id, sku, name, variation_key, quantity, price, price * quantity
      FROM unnest($15::int[], $16::int[], $17::text[], $18::text[], $19::text[], $20::int[], $21::numeric[])
        AS wanted (line, product_id, sku, name, variation_key, quantity, price)
  )
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  VALUES ($1, $2, 1, 'awaiting_payment', statement_timestamp(), 'store')`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await serveOrders(pool, write);

async function write(order: OrderToWrite): Promise<void> {
  const { lines, row } = order;
  const columns = [
    lines.map(({ stock_item_id: id }) => id),
    lines.map(({ line }) => line),
    lines.map(({ product_id: id }) => id),
    lines.map(({ sku }) => sku),
    lines.map(({ name }) => name),
    lines.map(({ variation_key: key }) => key),
    lines.map(({ quantity }) => quantity),
    lines.map(({ price }) => price),
  ];
  await pool.query({ name: 'order', text: WRITE, values: [...row, ...columns] });
}
