// Writes the rows of an order with plain pg: eight statements in one transaction. It knows ids and prices in
// advance, which the service must look up, and checks nothing.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { CreateOrderRequest } from '../../src/modules/orders/placing/create-order.request.js';
import { newOrderNumber } from '../../src/modules/orders/rules/order-number.js';
import { serveJson } from './serve.js';

interface Goods {
  key: string;
  stockItem: number;
  price: number;
  /** Product, SKU, name and variation of a line. */
  line: unknown[];
}

const GOODS = `
  SELECT p.sku || ' ' || s.variation_key AS key, s.id AS "stockItem", p.base_price::float AS price,
         json_build_array(p.id, p.sku, p.name, s.variation_key) AS line
    FROM products p JOIN stock_items s ON s.product_id = p.id`;
const CLAIM = 'INSERT INTO store_order_ids (client_id, store_order_id, order_number) VALUES ($1, $2, $3)';
const HOLD = `
  UPDATE stock_items s SET held = s.held + 1
    FROM (SELECT id FROM stock_items WHERE id = ANY ($1::int[]) ORDER BY id FOR UPDATE) locked
   WHERE s.id = locked.id`;
const ORDER = `
  INSERT INTO orders (
    client_id, order_number, store_order_id, status, payment_status, plan_code, currency, subtotal,
    delivery, total, items_count, content_hash, customer_name, customer_phone, customer_email,
    shipping_address, shipping_city, shipping_state, shipping_pincode, shipping_country, placed_at,
    payment_due_at
  ) VALUES (
    $1, $2, $3, 'awaiting_payment', 'unpaid', 'bench', 'INR', $4, 0, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    $13, 'India', statement_timestamp(), statement_timestamp() + interval '72 hours')`;
const LINE = `
  INSERT INTO order_items
    (client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9::numeric * $8::int)`;
const TIMELINE = `
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  VALUES ($1, $2, 1, 'awaiting_payment', statement_timestamp(), 'store')`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const { rows } = await pool.query<Goods>(GOODS);
const goods = new Map(rows.map((row) => [row.key, row]));

serveJson(201, async (_, body) => {
  const { store_order_id: id, items, customer, shipping } = JSON.parse(body) as CreateOrderRequest;
  const lines = items.map(({ sku, variation, quantity }) => ({
    ...goods.get(`${sku} ${variation}`)!,
    quantity,
  }));
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0).toFixed(2);
  const order = [1, newOrderNumber('2026-11-20')];
  const { name, phone, email } = customer;
  const { address, city, state, pincode } = shipping;
  const who = [name, phone, email, address, city, state, pincode];
  const client = await pool.connect();
  const run = (statement: string, text: string, values: unknown[]) =>
    client.query({ name: statement, text, values });
  await client.query('BEGIN');
  await run('claim', CLAIM, [1, id, order[1]]);
  await run('hold', HOLD, [lines.map(({ stockItem }) => stockItem)]);
  await run('order', ORDER, [...order, id, subtotal, lines.length, randomBytes(32), ...who]);
  for (const [index, { line, quantity, price }] of lines.entries())
    await run('line', LINE, [...order, index + 1, ...line, quantity, price]);
  await run('timeline', TIMELINE, order);
  await client.query('COMMIT');
  client.release();
  return { order_number: order[1] };
});
