import type { Pool } from 'pg';
import { BOOK_CHECKS } from '../../src/modules/payments/wallet-books.repository.js';

/** Each query finds rows that contradict each other. None may ever find any. */
const CONTRADICTIONS: Record<string, string> = {
  'stock whose holds are not those of live orders': `
    SELECT s.id, s.held, coalesce(sum(i.quantity - i.shipped - i.cancelled), 0) AS should_be
      FROM stock_items s
      LEFT JOIN (order_items i JOIN orders o ON (o.client_id, o.order_number) = (i.client_id, i.order_number)
                                            AND o.status IN ('awaiting_payment', 'pending'))
        ON (i.product_id, i.variation_key) = (s.product_id, s.variation_key)
     GROUP BY s.id HAVING s.held <> coalesce(sum(i.quantity - i.shipped - i.cancelled), 0)`,
  'orders whose lines are not those that were counted': `
    SELECT o.order_number FROM orders o LEFT JOIN order_items i USING (client_id, order_number)
     GROUP BY o.client_id, o.order_number
    HAVING count(i.line) <> o.items_count OR coalesce(sum(i.line_total), 0) <> o.subtotal
        OR o.subtotal + o.delivery <> o.total`,
  'orders whose timeline does not lead to their status': `
    SELECT o.order_number
      FROM orders o
      LEFT JOIN (SELECT *, lag(status) OVER (PARTITION BY client_id, order_number ORDER BY entry) AS before
                   FROM order_timeline) AS t USING (client_id, order_number)
     GROUP BY o.client_id, o.order_number
    HAVING (array_agg(t.status ORDER BY t.entry))[1] IS DISTINCT FROM 'awaiting_payment'
        OR (array_agg(t.status ORDER BY t.entry DESC))[1] IS DISTINCT FROM o.status
        OR max(t.entry) <> count(*) OR bool_or(t.status = t.before)
        OR array_agg(t.changed_at ORDER BY t.entry) <>
             array_agg(t.changed_at ORDER BY t.changed_at, t.entry)`,
  // A second calculation, by the decimals of PostgreSQL. All credits of a line have the tax of their sum. A
  // debit note without a refund bills the rest of the delivery.
  'invoices, or credits of a line less its debits, whose tax is not that of their amount and place': `
    SELECT number, position
      FROM (SELECT coalesce(d.against, d.number) AS number, coalesce(i.of_position, i.position) AS position,
                   d.against IS NULL OR sign > 0 AND d.kind = 'debit_note', i.gst_rate AS rate,
                   min(d.place_of_supply) AS place, min(d.facts->'seller'->>'state') AS seller,
                   min(d.facts->'client'->>'gstin') AS gstin,
                   min(coalesce(d.facts->'client'->>'gst_category', '')) AS category,
                   min(d.facts->'deliver_to'->>'state_code') AS delivery,
                   sum(sign * i.gross) AS gross, sum(sign * i.cgst) AS cgst, sum(sign * i.sgst) AS sgst,
                   sum(sign * i.igst) AS igst
              FROM tax_documents d JOIN tax_document_items i USING (number),
                   LATERAL (SELECT CASE WHEN d.kind = 'debit_note' AND d.refund IS NOT NULL THEN -1
                                        ELSE 1 END AS sign) AS signed
             WHERE d.kind NOT IN ('receipt_voucher', 'refund_voucher')
             GROUP BY 1, 2, 3, 4) AS billed,
           LATERAL (SELECT round(gross * rate / (100 + rate), 2) AS whole,
                           round(gross * rate / (200 + 2 * rate), 2) AS half) AS tax
     WHERE place IS DISTINCT FROM coalesce(left(CASE WHEN category <> 'uin' THEN gstin END, 2), delivery)
        OR (cgst, sgst, igst) IS DISTINCT FROM CASE WHEN place = seller AND category <> 'sez' THEN (half, half, 0.00)
                                                    ELSE (0.00, 0.00, whole) END`,
  'claims of an id that lead to no order, or orders without their claim': `
    SELECT order_number
      FROM (SELECT client_id, store_order_id, NULL AS domain, order_number FROM store_order_ids
            UNION ALL SELECT client_id, store_order_id, domain, order_number FROM domain_order_ids) AS claims
      FULL JOIN orders USING (client_id, store_order_id, order_number)
     WHERE store_order_id NOT LIKE 'Idempotency-Key%' AND (orders.placed_at IS NULL OR claims.client_id IS NULL)
        OR claims.domain <> orders.domain
        OR (store_order_id IS NOT NULL AND order_number IS NULL)`,
};

/** Returns all contradictions in the database as text, or an empty list. */
export async function contradictions(pool: Pool): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries({ ...CONTRADICTIONS, ...BOOK_CHECKS })) {
    const { rows } = await pool.query(text);
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  return found;
}

/** Returns the confirmed orders that do not exist exactly once with the confirmed number. */
export async function lostOrders(
  pool: Pool,
  clientId: number,
  acknowledged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; number: string }>(
    `SELECT store_order_id AS id, order_number AS number FROM orders
     WHERE client_id = $1 AND store_order_id = ANY ($2)`,
    [clientId, [...acknowledged.keys()]],
  );
  const stored = new Map<string, string[]>();
  for (const { id, number } of rows) stored.set(id, [...(stored.get(id) ?? []), number]);
  return [...acknowledged.keys()].filter((id) => stored.get(id)?.join() !== acknowledged.get(id));
}
