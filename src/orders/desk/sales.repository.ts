import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { filterValues, MATCHES, type OrderFilter } from './order-filter.js';
import type { Period, SalesLine } from './sales-columns.js';

export interface SalesTotal {
  period: string;
  client_id: number;
  client: string;
  currency: string;
  orders: number;
  cancelled: number;
  goods: number;
  delivery: number;
  total: number;
  paid: number;
  refunded: number;
}

const time = (column: string) =>
  `coalesce(to_char(o.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '') AS ${column}`;

// SQL, because there may be millions of lines: they are streamed, and the database adds up.

/**
 * Delivery is an order's, not a line's: each line bears what its goods are of all of them. The shares are differences of a rounded
 * running sum, so that they add up to the order's delivery to the last hundredth.
 */
const LINES = `
  SELECT sold.*, CASE WHEN paid_at = '' THEN 0 ELSE line_total + delivery_share END AS paid,
         CASE WHEN payment_status = 'refunded' THEN line_total + delivery_share ELSE 0 END AS refunded
    FROM (SELECT o.client_id, c.name AS client, o.order_number, coalesce(o.store_order_id, '') AS store_order_id, o.status,
                 o.payment_status, ${['placed_at', 'paid_at', 'shipped_at', 'delivered_at', 'cancelled_at'].map(time).join(', ')},
                 i.sku, i.name, coalesce(nullif(i.variation_key, ''), i.remark, '') AS variation, i.quantity, i.unit_price, i.line_total,
                 CASE WHEN o.subtotal = 0 THEN CASE WHEN i.line = min(i.line) OVER lines THEN o.delivery ELSE 0 END
                      ELSE round(o.delivery * sum(i.line_total) OVER up_to / o.subtotal, 2)
                         - round(o.delivery * (sum(i.line_total) OVER up_to - i.line_total) / o.subtotal, 2) END AS delivery_share,
                 o.currency, coalesce(o.payment_method, '') AS payment_method, coalesce(o.payment_reference, '') AS payment_reference,
                 o.placed_at AS placed, i.line
            FROM orders o
            JOIN clients c ON c.id = o.client_id
            JOIN order_items i ON i.client_id = o.client_id AND i.order_number = o.order_number
           WHERE ${MATCHES}
          WINDOW lines AS (PARTITION BY o.client_id, o.order_number), up_to AS (lines ORDER BY i.line)) AS sold
   ORDER BY placed, order_number, line`;

const TOTALS = `
  SELECT to_char(date_trunc($6, o.placed_at, 'UTC') AT TIME ZONE 'UTC', $7) AS period, o.client_id, c.name AS client, o.currency,
         count(*)::int AS orders, (count(*) FILTER (WHERE o.status = 'cancelled'))::int AS cancelled,
         sum(o.subtotal)::float8 AS goods, sum(o.delivery)::float8 AS delivery, sum(o.total)::float8 AS total,
         coalesce(sum(o.total) FILTER (WHERE o.paid_at IS NOT NULL), 0)::float8 AS paid,
         coalesce(sum(o.total) FILTER (WHERE o.payment_status = 'refunded'), 0)::float8 AS refunded
    FROM orders o JOIN clients c ON c.id = o.client_id
   WHERE ${MATCHES}
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 2, 4`;

const SHOWN: Record<Period, string> = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' };

/** What was sold, for those who keep the accounts. */
@Injectable()
export class SalesRepository {
  constructor(private readonly database: Database) {}

  lines(filter: OrderFilter): AsyncGenerator<SalesLine> {
    return this.database.stream<SalesLine>(LINES, filterValues(filter));
  }

  totals(filter: OrderFilter, period: Period): AsyncGenerator<SalesTotal> {
    return this.database.stream<SalesTotal>(TOTALS, [...filterValues(filter), period, SHOWN[period]]);
  }
}
