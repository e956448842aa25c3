import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { newOrderNumber } from '../../src/orders/rules/order-number.js';
import type { CreateOrderRequest } from '../../src/orders/placing/create-order.request.js';

interface Goods {
  product_id: number;
  stock_item_id: number;
  sku: string;
  name: string;
  variation_key: string;
  price: string;
}

export interface LineToWrite extends Goods {
  line: number;
  quantity: number;
}

export interface OrderToWrite {
  clientId: number;
  orderNumber: string;
  storeOrderId: string;
  lines: LineToWrite[];
  /** The values of the row in `orders`, for both references. */
  row: unknown[];
}

const FIND_GOODS = `
  SELECT p.id AS product_id, s.id AS stock_item_id, p.sku, p.name, s.variation_key, p.base_price AS price
    FROM products p JOIN stock_items s ON s.product_id = p.id`;

export const ORDER_ROW = `
  INSERT INTO orders (
    client_id, order_number, store_order_id, status, payment_status, plan_code, currency, subtotal,
    delivery, total, items_count, customer_name, customer_phone, customer_email, shipping_address,
    shipping_city, shipping_state, shipping_pincode, shipping_country, content_hash, placed_at,
    payment_due_at
  ) VALUES (
    $1, $2, $3, 'awaiting_payment', 'unpaid', 'bench', 'INR', $4, 0,
    $4, $5, $6, $7, $8, $9, $10, $11, $12, 'India', $13,
    statement_timestamp(), statement_timestamp() + interval '72 hours')`;

/** Knows ids and prices in advance, which the service must look up. It checks nothing. */
export async function orderReader(pool: Pool): Promise<(request: IncomingMessage) => Promise<OrderToWrite>> {
  const { rows } = await pool.query<Goods>(FIND_GOODS);
  const goods = new Map(rows.map((row) => [`${row.sku} ${row.variation_key}`, row]));
  return async (request) => {
    const body = JSON.parse(await text(request)) as CreateOrderRequest;
    const lines = body.items.map(({ sku, quantity, variation }, index) => ({
      ...goods.get(`${sku} ${variation ?? ''}`)!,
      line: index + 1,
      quantity,
    }));
    return toOrder(body, lines);
  };
}

function toOrder(body: CreateOrderRequest, lines: LineToWrite[]): OrderToWrite {
  const { customer, shipping } = body;
  const clientId = 1;
  const orderNumber = newOrderNumber('2026-11-20');
  const storeOrderId = body.store_order_id!;
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + Number(price) * quantity, 0).toFixed(2);
  const hash = randomBytes(32);
  const { name, phone, email } = customer;
  const { address, city, state, pincode } = shipping;
  const who = [name, phone, email, address, city, state, pincode];
  const row = [clientId, orderNumber, storeOrderId, subtotal, lines.length, ...who, hash];
  return { clientId, orderNumber, storeOrderId, lines, row };
}
