// Reads the status of an order with plain pg: one prepared SELECT of the same columns, without a mapper.
import pg from 'pg';
import { STORE_ORDER } from '../../src/modules/orders/records/order-view.js';
import { serveJson } from './serve.js';

const text = `SELECT ${STORE_ORDER.columns} FROM orders o WHERE o.client_id = $1 AND o.order_number = $2`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

serveJson(200, async (url) => {
  const { rows } = await pool.query<object>({ name: 'status', text, values: [1, url.split('/')[3]] });
  return rows[0]!;
});
