import { Inject, Injectable } from '@nestjs/common';
import { conditionsOf } from '../orders/records/order-filter.js';
import { item, order, ORDERS_LINES, orEmpty, paymentKey, VARIATION } from '../orders/records/line-columns.js';
import type { DeskFilter } from '../orders/records/order-desk.repository.js';
import { selectOf } from '../../platform/database/columns-of.js';
import { Database } from '../../platform/database/database.js';
import { type SpreadsheetExport, readExport } from '../../platform/database/spreadsheet-export.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';

/** Names of columns with their expressions over `orders o`, `order_items i` and `clients c`. */
type Columns = Record<string, string>;

/**
 * Delivery is charged per order; each line bears its share by value. The shares are differences of a rounded
 * running sum, so they add up to the delivery exactly.
 */
const DELIVERY_SHARE = `
  CASE WHEN o.subtotal = 0 THEN CASE WHEN i.line = min(i.line) OVER lines THEN o.delivery ELSE 0 END
       ELSE round(o.delivery * sum(i.line_total) OVER up_to / o.subtotal, 2)
          - round(o.delivery * (sum(i.line_total) OVER up_to - i.line_total) / o.subtotal, 2) END`;

const SALES = {
  client_id: order('clientId'),
  client: 'c.name',
  order_number: order('orderNumber'),
  store_order_id: orEmpty(order('storeOrderId')),
  status: order('status'),
  payment_status: order('paymentStatus'),
  placed_at: order('placedAt'),
  paid_at: order('paidAt'),
  shipped_at: order('shippedAt'),
  delivered_at: order('deliveredAt'),
  cancelled_at: order('cancelledAt'),
  refunded_at: 'NULL::timestamptz',
  state: order('shippingState'),
  sku: item('sku'),
  name: item('name'),
  variation: VARIATION,
  quantity: item('quantity'),
  unit_price: item('unitPrice'),
  line_total: item('lineTotal'),
  delivery_share: DELIVERY_SHARE,
  paid: `CASE WHEN o.paid_at IS NULL THEN 0 ELSE i.line_total + ${DELIVERY_SHARE} END`,
  refunded_quantity: '0',
  refunded: '0',
  refund_reason: `''`,
  currency: order('currency'),
  payment_method: orEmpty(order('paymentMethod')),
  payment_reference: orEmpty(order('paymentReference')),
};

/** Refunds at their time. An amount without a line, such as the delivery, has a row of its own. */
const REFUNDS: Columns = {
  ...SALES,
  refunded_at: 'r.refunded_at',
  sku: orEmpty(item('sku')),
  name: orEmpty(item('name')),
  quantity: '0',
  unit_price: '0',
  line_total: '0',
  delivery_share: '0',
  paid: '0',
  refunded_quantity: 'r.units',
  refunded: 'r.amount',
  refund_reason: 'r.reason',
};

const REFUND_PARTS = `
  SELECT r.client_id, r.order_number, r.refund, r.refunded_at, r.reason, part.line, part.units, part.amount
    FROM order_refunds r,
         LATERAL (
           SELECT line, refunded AS units, amount FROM order_refund_items u
            WHERE (u.client_id, u.order_number, u.refund) = (r.client_id, r.order_number, r.refund)
           UNION ALL
           SELECT NULL, 0, r.amount - coalesce(sum(amount), 0) FROM order_refund_items u
            WHERE (u.client_id, u.order_number, u.refund) = (r.client_id, r.order_number, r.refund)) AS part
   WHERE part.amount <> 0`;

/**
 * The order of each refund, by its whole key. PostgreSQL would look it up by the client alone and read all
 * orders of a large client for each of its refunds.
 */
const ORDER_OF_REFUND = `
  JOIN LATERAL (
         SELECT * FROM orders WHERE (client_id, order_number) = (r.client_id, r.order_number) OFFSET 0) AS o
       ON o.client_id = r.client_id`;

/** The same conditions for refunds: the time of the refund replaces the time of the order. */
const ofRefunds = (where: string) => where.replaceAll('o.placed_at', 'r.refunded_at');

/** A row for each line of an order and each part of a refund, with the key of its entry in the wallet. */
export const salesRows = (where: string, refunds: string) => `
  SELECT ${selectOf(SALES)}, o.placed_at AS since, i.line, 0 AS refund,
         ${paymentKey('order')} AS entry_key
    FROM ${ORDERS_LINES}
   WHERE ${where}
  WINDOW lines AS (PARTITION BY o.placed_at, o.order_number, o.client_id),
         up_to AS (lines ORDER BY i.line)
  UNION ALL
  SELECT ${selectOf(REFUNDS)}, r.refunded_at, i.line, r.refund,
         format('refund:%s:%s', r.order_number, r.refund)
    FROM (${REFUND_PARTS}) AS r
    ${ORDER_OF_REFUND}
    JOIN clients c ON c.id = o.client_id
    LEFT JOIN order_items i ON (i.client_id, i.order_number, i.line)
                               = (r.client_id, r.order_number, r.line)
   WHERE ${refunds}`;

const TOTALS = (where: string, zone: string, format: string) => `
  SELECT to_char(t.at AT TIME ZONE ${zone}, ${format}) AS period, t.client_id, c.name AS client, t.currency,
         sum(t.orders)::int AS orders, sum(t.cancelled)::int AS cancelled, sum(t.goods)::float8 AS goods,
         sum(t.delivery)::float8 AS delivery, sum(t.total)::float8 AS total, sum(t.paid)::float8 AS paid,
         sum(t.refunded)::float8 AS refunded
    FROM (SELECT o.placed_at AS at, o.client_id, o.currency, 1 AS orders,
                 (o.status = 'cancelled')::int AS cancelled,
                 o.subtotal AS goods, o.delivery, o.total,
                 CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.total END AS paid, 0 AS refunded
            FROM orders o WHERE ${where}
          UNION ALL
          SELECT r.refunded_at, o.client_id, o.currency, 0, 0, 0, 0, 0, 0, r.amount
            FROM order_refunds r ${ORDER_OF_REFUND}
           WHERE ${ofRefunds(where)}) AS t
    JOIN clients c ON c.id = t.client_id
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 2, 4`;

const PERIODS = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' };

export type TotalsPeriod = keyof typeof PERIODS;

export const TOTALS_PERIODS = Object.keys(PERIODS) as TotalsPeriod[];

const TOTALS_SUMS = ['orders', 'cancelled', 'goods', 'delivery', 'total', 'paid', 'refunded'] as const;

export const TOTALS_COLUMNS = ['period', 'client_id', 'client', 'currency', ...TOTALS_SUMS] as const;

export type SalesTotal = Record<'period' | 'client' | 'currency', string> &
  Record<(typeof TOTALS_SUMS)[number] | 'client_id', number>;

/** Sales by line, and their totals. SQL, because a cursor streams it. */
@Injectable()
export class SalesRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  lines({ clientId, ...filter }: DeskFilter): SpreadsheetExport {
    const { where, values } = conditionsOf(clientId, filter);
    const select = () => `
      SELECT ${Object.keys(SALES).join(', ')} FROM (${salesRows(where, ofRefunds(where))}) AS row
       ORDER BY since, order_number, client_id, refund, line`;
    return readExport(this.database, this.settings.timeZone, SALES, select, values);
  }

  totals({ clientId, ...filter }: DeskFilter, period: TotalsPeriod): AsyncGenerator<SalesTotal, number> {
    const { where, values } = conditionsOf(clientId, filter);
    const next = values.length + 1;
    const text = TOTALS(where, `$${next}`, `$${next + 1}`);
    return this.database.stream<SalesTotal>(text, [...values, this.settings.timeZone, PERIODS[period]]);
  }
}
