// Reads the status of an order with plain pg: one prepared SELECT of the same columns, without a mapper.
import pg from 'pg';
import { STORE_ORDER } from '../../src/orders/records/order-view.js';
import { reply, serve } from './serve.js';

const FIND = {
  name: 'status',
  text: `SELECT ${STORE_ORDER.columns} FROM orders o WHERE o.client_id = $1 AND o.order_number = $2`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

serve((request, response) => {
  const orderNumber = request.url!.split('/')[3];
  pool.query<object>({ ...FIND, values: [1, orderNumber] }).then(
    ({ rows: [order] }) => reply(response, order ? 200 : 404, { success: true, ...order }),
    (error: unknown) => reply(response, 500, { message: String(error) }),
  );
});
