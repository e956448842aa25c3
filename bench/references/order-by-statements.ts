// Writes the rows of an order with plain pg: eight statements in one transaction.
import pg from 'pg';
import { ORDER_ROW, type OrderToWrite } from './order-to-write.js';
import { serveOrders } from './serve-orders.js';

const CLAIM = 'INSERT INTO store_order_ids (client_id, store_order_id, order_number) VALUES ($1, $2, $3)';
const HOLD = `
  UPDATE stock_items s SET held = s.held + 1
    FROM (SELECT id FROM stock_items WHERE id = ANY ($1::int[]) ORDER BY id FOR UPDATE) locked
   WHERE s.id = locked.id`;
const LINE = `
  INSERT INTO order_items
    (client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9::numeric * $8::int)`;
const TIMELINE = `
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  VALUES ($1, $2, 1, 'awaiting_payment', statement_timestamp(), 'store')`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await serveOrders(pool, write);

async function write(order: OrderToWrite): Promise<void> {
  const { clientId, orderNumber, storeOrderId, lines, row } = order;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({ name: 'claim', text: CLAIM, values: [clientId, storeOrderId, orderNumber] });
    await client.query({ name: 'hold', text: HOLD, values: [lines.map(({ stock_item_id: id }) => id)] });
    await client.query({ name: 'order', text: ORDER_ROW, values: row });
    for (const { line, product_id: id, sku, name, variation_key: key, quantity, price } of lines) {
      const values = [clientId, orderNumber, line, id, sku, name, key, quantity, price];
      await client.query({ name: 'line', text: LINE, values });
    }
    await client.query({ name: 'timeline', text: TIMELINE, values: [clientId, orderNumber] });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
