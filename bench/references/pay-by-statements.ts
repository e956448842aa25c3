// Writes the rows of a wallet payment with plain pg, statement by statement in one transaction, without
// checks.
import type { Pool } from 'pg';
import type { OrderKey } from '../../src/orders/entities/order.entity.js';

const LOCK = 'SELECT total FROM orders WHERE client_id = $1 AND order_number = $2 FOR UPDATE';
// One statement, because the database refuses a balance without its entry.
const POST = `
  WITH wallet AS (
    UPDATE wallets SET balance = balance - $3, entries = entries + 1 WHERE client_id = $1 AND balance >= $3
    RETURNING balance, entries)
  INSERT INTO wallet_entries
    (client_id, entry, kind, against, amount, balance_after, key, order_number, actor)
  SELECT $1, entries, 'order_payment', 'sales', -$3::numeric, balance, 'order:' || $2, $2, 'bench'
    FROM wallet`;
const TIMELINE = `
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  VALUES ($1, $2, 2, 'pending', statement_timestamp(), 'bench')`;
const ORDER = `
  UPDATE orders SET status = 'pending', payment_status = 'paid', paid_at = statement_timestamp(),
                    payment_method = 'wallet'
   WHERE client_id = $1 AND order_number = $2`;

export async function payByStatements(pool: Pool, { clientId, orderNumber }: OrderKey): Promise<void> {
  const client = await pool.connect();
  const key = [clientId, orderNumber];
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ total: string }>({ name: 'lock', text: LOCK, values: key });
    await client.query({ name: 'post', text: POST, values: [...key, rows[0]!.total] });
    await client.query({ name: 'timeline', text: TIMELINE, values: key });
    await client.query({ name: 'order', text: ORDER, values: key });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
