import { Inject, Injectable } from '@nestjs/common';
import { columnOf } from '../../platform/database/columns-of.js';
import type { Queries } from '../../platform/database/database.js';
import { numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { Order } from '../entities/order.entity.js';
import type { OrderLine } from '../rules/order-lines.js';
import type { OrderTotals } from '../rules/order-totals.js';
import { SENT_NAMES, sentValues } from '../rules/sent-fields.js';
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

/** The time of the database's clock, and the actor. */
interface Placing {
  placedAt: string;
  actor: string;
}

type Row<Columns extends readonly string[]> = Record<Columns[number], unknown>;

/** Given for each order. The rest of its row is the same for all orders of a batch, or empty. */
const ORDER_COLUMNS: readonly string[] = [
  'client_id',
  'order_number',
  'store_order_id',
  'plan_code',
  'subtotal',
  'delivery',
  'total',
  'items_count',
  ...SENT_NAMES.map((name) => columnOf(Order, name)),
  'content_hash',
];

const LINE_COLUMNS = [
  'client_id',
  'order_number',
  'line',
  'product_id',
  'sku',
  'name',
  'variation_key',
  'remark',
  'quantity',
  'unit_price',
  'line_total',
] as const;

/**
 * SQL, because one statement writes any number of orders with claims, lines and timeline. JSON costs less
 * than an array for each column.
 */
const INSERT = {
  name: 'order-insert',
  text: `
    WITH given AS (
      SELECT ${ORDER_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::orders, $1)
    ), claims AS (
      INSERT INTO store_order_ids (client_id, store_order_id, order_number)
      SELECT client_id, store_order_id, order_number FROM given WHERE store_order_id IS NOT NULL
    ), placed AS (
      INSERT INTO orders (
        ${ORDER_COLUMNS.join(', ')}, status, payment_status, currency, placed_at, payment_due_at)
      SELECT given.*, 'awaiting_payment', 'unpaid', $4,
             $3::timestamptz, $3::timestamptz + make_interval(hours => $5)
        FROM given
    ), lines AS (
      INSERT INTO order_items (${LINE_COLUMNS.join(', ')})
      SELECT ${LINE_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::order_items, $2)
    ), timeline AS (
      INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
      SELECT client_id, order_number, 1, 'awaiting_payment', $3::timestamptz, $6 FROM given
    )
    SELECT $3::timestamptz + make_interval(hours => $5) AS "paymentDueAt"`,
};

@Injectable()
export class NewOrdersRepository {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** All in one statement, with one due date. */
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

function orderRow({
  clientId,
  orderNumber,
  planCode,
  request,
  contentHash,
  lines,
  totals,
}: NewOrder): Record<string, unknown> {
  const sent = sentValues(request);
  return {
    client_id: clientId,
    order_number: orderNumber,
    store_order_id: request.store_order_id,
    plan_code: planCode,
    subtotal: numericFromMinor(totals.subtotal),
    delivery: numericFromMinor(totals.delivery),
    total: numericFromMinor(totals.total),
    items_count: lines.length,
    ...Object.fromEntries(SENT_NAMES.map((name) => [columnOf(Order, name), sent[name]])),
    content_hash: `\\x${contentHash.toString('hex')}`,
  };
}

function lineRows({ clientId, orderNumber, lines }: NewOrder): Row<typeof LINE_COLUMNS>[] {
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
