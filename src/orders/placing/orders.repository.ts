import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { numericFromMinor } from '../../platform/money/money.js';
import type { ExistingOrder } from '../order-errors.js';
import type { CreateOrderRequest } from './create-order.request.js';
import type { OrderLine } from '../rules/order-lines.js';
import type { OrderTotals } from '../rules/order-totals.js';

export interface NewOrder {
  orderNumber: string;
  planCode: string;
  currency: string;
  request: CreateOrderRequest;
  contentHash: Buffer;
  lines: OrderLine[];
  totals: OrderTotals;
  paymentWindowHours: number;
}

/** SQL, because it waits for whoever claims the same id at this moment, and then sees the outcome. */
const CLAIM = {
  name: 'order-claim',
  text: `
    INSERT INTO store_order_ids (client_id, store_order_id, order_number) VALUES ($1, $2, $3)
    ON CONFLICT (client_id, store_order_id) DO NOTHING
    RETURNING true`,
};

/** SQL, because claim and order are read together, as one of the handful of statements of every quote. */
const FIND_BY_STORE_ORDER_ID = {
  name: 'order-find-by-store-order-id',
  text: `
    SELECT o.order_number AS "orderNumber", o.status, o.total, o.content_hash AS "contentHash"
      FROM store_order_ids claim
      JOIN orders o USING (client_id, order_number)
     WHERE claim.client_id = $1 AND claim.store_order_id = $2`,
};

/** SQL, because order, lines and the first timeline entry are written in one statement, whatever the number of lines. */
const INSERT = {
  name: 'order-insert',
  text: `
    WITH placed AS (
      INSERT INTO orders (
        client_id, order_number, store_order_id, status, payment_status, plan_code, currency, subtotal, delivery, total, items_count,
        customer_name, customer_phone, customer_email,
        shipping_address, shipping_city, shipping_state, shipping_pincode, shipping_country,
        notes, content_hash, placed_at, payment_due_at
      ) VALUES (
        $1, $2, $3, 'awaiting_payment', 'unpaid', $4, $5, $6, $7, $8, $9,
        $10, $11, $12, $13, $14, $15, $16, $17,
        $18, $19, statement_timestamp(), statement_timestamp() + make_interval(hours => $20)
      ) RETURNING payment_due_at
    ), lines AS (
      INSERT INTO order_items (
        client_id, order_number, line, product_id, sku, name, variation_key, remark, quantity, unit_price, line_total
      )
      SELECT $1, $2, line.*
        FROM unnest($21::int[], $22::int[], $23::text[], $24::text[], $25::text[], $26::text[], $27::int[], $28::numeric[], $29::numeric[])
          AS line
    ), timeline AS (
      INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
      VALUES ($1, $2, 1, 'awaiting_payment', statement_timestamp(), $30)
    )
    SELECT payment_due_at AS "paymentDueAt" FROM placed`,
};

/** A caller's orders. Every method takes the client first, so that none can forget whose orders it is about. */
@Injectable()
export class OrdersRepository {
  /** Says whether the id was still free. It is given up again if the transaction fails. */
  async claim(
    clientId: number,
    transaction: Transaction,
    storeOrderId: string,
    orderNumber: string,
  ): Promise<boolean> {
    const rows = await transaction.query(CLAIM, [clientId, storeOrderId, orderNumber]);
    return rows.length > 0;
  }

  async findByStoreOrderId(
    clientId: number,
    transaction: Transaction,
    storeOrderId: string,
  ): Promise<ExistingOrder | undefined> {
    const [order] = await transaction.query<ExistingOrder>(FIND_BY_STORE_ORDER_ID, [clientId, storeOrderId]);
    return order;
  }

  async insert(
    clientId: number,
    transaction: Transaction,
    order: NewOrder,
    actor: string,
  ): Promise<{ paymentDueAt: Date }> {
    const rows = await transaction.query<{ paymentDueAt: Date }>(INSERT, [
      clientId,
      order.orderNumber,
      ...orderValues(order),
      ...lineValues(order.lines),
      actor,
    ]);
    return rows[0]!;
  }
}

function orderValues({ request, totals, ...order }: NewOrder): unknown[] {
  const { customer, shipping } = request;
  return [
    request.store_order_id ?? null,
    order.planCode,
    order.currency,
    numericFromMinor(totals.subtotal),
    numericFromMinor(totals.delivery),
    numericFromMinor(totals.total),
    order.lines.length,
    customer.name,
    customer.phone,
    customer.email ?? null,
    shipping.address,
    shipping.city,
    shipping.state,
    shipping.pincode,
    shipping.country ?? 'India',
    request.notes ?? null,
    order.contentHash,
    order.paymentWindowHours,
  ];
}

function lineValues(lines: OrderLine[]): unknown[] {
  return [
    lines.map((line) => line.index + 1),
    lines.map((line) => line.offer.productId),
    lines.map((line) => line.offer.sku),
    lines.map((line) => line.offer.name),
    lines.map((line) => line.variationKey),
    lines.map((line) => line.remark),
    lines.map((line) => line.quantity),
    lines.map((line) => numericFromMinor(line.offer.price)),
    lines.map((line) => numericFromMinor(line.lineTotal)),
  ];
}
