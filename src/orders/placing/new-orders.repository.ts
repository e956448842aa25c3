import { Inject, Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import { numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { OrderLine } from '../rules/order-lines.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { CreateOrderRequest } from './create-order.request.js';

export interface NewOrder {
  clientId: number;
  orderNumber: string;
  planCode: string;
  request: CreateOrderRequest;
  contentHash: Buffer;
  lines: readonly OrderLine[];
  totals: OrderTotals;
}

interface Placing {
  placedAt: string;
  actor: string;
}

const ORDER_COLUMNS = `
  client_id int, order_number text, store_order_id text, plan_code text, subtotal numeric, delivery numeric,
  total numeric, items_count int, customer_name text, customer_phone text, customer_email text,
  shipping_address text, shipping_city text, shipping_state text, shipping_pincode text,
  shipping_country text, notes text, content_hash text`;

const LINE_COLUMNS = `
  client_id int, order_number text, line int, product_id int, sku text, name text, variation_key text, remark text,
  quantity int, unit_price numeric, line_total numeric`;

/**
 * SQL, because one statement writes any number of orders with their claims, lines and first timeline entries.
 * JSON costs less than an array for each column.
 */
const INSERT = {
  name: 'order-insert',
  text: `
    WITH given AS (
      SELECT * FROM json_to_recordset($1) AS given (${ORDER_COLUMNS})
    ), claims AS (
      INSERT INTO store_order_ids (client_id, store_order_id, order_number)
      SELECT client_id, store_order_id, order_number FROM given WHERE store_order_id IS NOT NULL
    ), placed AS (
      INSERT INTO orders (
        client_id, order_number, store_order_id, status, payment_status, plan_code, currency,
        subtotal, delivery, total, items_count, customer_name, customer_phone, customer_email,
        shipping_address, shipping_city, shipping_state, shipping_pincode, shipping_country,
        notes, content_hash, placed_at, payment_due_at
      )
      SELECT client_id, order_number, store_order_id, 'awaiting_payment', 'unpaid', plan_code, $4,
             subtotal, delivery, total, items_count, customer_name, customer_phone, customer_email,
             shipping_address, shipping_city, shipping_state, shipping_pincode, shipping_country,
             notes, decode(content_hash, 'hex'), $3::timestamptz, $3::timestamptz + make_interval(hours => $5)
        FROM given
    ), lines AS (
      INSERT INTO order_items (
        client_id, order_number, line, product_id, sku, name, variation_key, remark, quantity,
        unit_price, line_total
      )
      SELECT * FROM json_to_recordset($2) AS line (${LINE_COLUMNS})
    ), timeline AS (
      INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
      SELECT client_id, order_number, 1, 'awaiting_payment', $3::timestamptz, $6 FROM given
    )
    SELECT $3::timestamptz + make_interval(hours => $5) AS "paymentDueAt"`,
};

/** Writes new orders. */
@Injectable()
export class NewOrdersRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Writes all orders in one statement. They are due at the same time. */
  async insert(
    transaction: Queries,
    orders: readonly NewOrder[],
    { placedAt, actor }: Placing,
  ): Promise<{ paymentDueAt: Date }> {
    const { currency, paymentWindowHours } = this.settings;
    const rows = await transaction.query<{ paymentDueAt: Date }>(INSERT, [
      JSON.stringify(orders.map(orderRow)),
      JSON.stringify(orders.flatMap(lineRows)),
      placedAt,
      currency,
      paymentWindowHours,
      actor,
    ]);
    return rows[0]!;
  }
}

function orderRow({ clientId, orderNumber, planCode, request, contentHash, lines, totals }: NewOrder) {
  const { customer, shipping } = request;
  return {
    client_id: clientId,
    order_number: orderNumber,
    store_order_id: request.store_order_id,
    plan_code: planCode,
    subtotal: numericFromMinor(totals.subtotal),
    delivery: numericFromMinor(totals.delivery),
    total: numericFromMinor(totals.total),
    items_count: lines.length,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_email: customer.email,
    shipping_address: shipping.address,
    shipping_city: shipping.city,
    shipping_state: shipping.state,
    shipping_pincode: shipping.pincode,
    shipping_country: shipping.country ?? 'India',
    notes: request.notes,
    content_hash: contentHash.toString('hex'),
  };
}

function lineRows({ clientId, orderNumber, lines }: NewOrder) {
  return lines.map((line) => ({
    client_id: clientId,
    order_number: orderNumber,
    line: line.index + 1,
    product_id: line.offer.productId,
    sku: line.offer.sku,
    name: line.offer.name,
    variation_key: line.variationKey,
    remark: line.remark,
    quantity: line.quantity,
    unit_price: numericFromMinor(line.offer.price),
    line_total: numericFromMinor(line.lineTotal),
  }));
}
