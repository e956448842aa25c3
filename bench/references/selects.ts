import pg from 'pg';
import { STORE_ORDER } from '../../src/modules/orders/records/order-record.js';

/** What a poll of PostgreSQL reads, in one prepared SELECT and without a mapper. */
const SELECTS: Record<string, string> = {
  status: `SELECT ${STORE_ORDER} FROM orders o WHERE o.client_id = $1 AND o.order_number = $2`,
  account: `
    SELECT c.name, w.balance, w.reserved, u.unpaid_orders, u.unpaid_value, a.enabled_at, a.order_cap, a.day_cap,
           c.unpaid_orders_limit, c.unpaid_value_limit
      FROM clients c JOIN wallets w ON w.client_id = c.id JOIN unpaid_totals u ON u.client_id = c.id
      LEFT JOIN auto_pay a ON a.client_id = c.id
     WHERE c.id = $1`,
};

/** Reads the row of the poll at this address. */
export function rowReader(poll: string): (url: string) => Promise<object> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const query = { name: poll, text: SELECTS[poll]! };
  return async (url) => {
    const values = poll === 'status' ? [1, url.split('/')[3]] : [1];
    return (await pool.query<object>({ ...query, values })).rows[0]!;
  };
}
