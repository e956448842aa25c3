import { Injectable } from '@nestjs/common';
import { billedAmount } from '../invoices/invoices.repository.js';
import { LAW_TIME_ZONE } from '../invoices/rules/law-time-zone.js';
import { selectOf } from '../../platform/database/columns-of.js';
import { Database } from '../../platform/database/database.js';
import type { BalanceColumn } from './rules/balance-columns.js';

/** The invoices in force: no credit note takes them back as a whole, and no later edition replaces them. */
const IN_FORCE = `(
  SELECT d.* FROM tax_documents d
   WHERE d.kind = 'invoice'
     AND NOT EXISTS (SELECT FROM tax_documents n WHERE n.against = d.number AND n.voids)
     AND NOT EXISTS (
           SELECT FROM tax_documents later
            WHERE (later.order_number, later.client_id) = (d.order_number, d.client_id)
              AND later.parcel = d.parcel AND later.edition > d.edition)
     -- What was credited in full before its parcel was withdrawn needs no other note. A later parcel, sent
     -- without an invoice, has its number.
     AND (d.gross > (SELECT coalesce(- sum(${billedAmount('n')}), 0)
                       FROM tax_documents n WHERE n.against = d.number)
          OR EXISTS (SELECT FROM parcels p
                      WHERE (p.client_id, p.order_number, p.parcel)
                            = (d.client_id, d.order_number, d.parcel) AND p.no_invoice IS NULL)))`;

/** The parts of an order's number in a text without spaces and hyphens. */
const ORDER_NUMBER = '(WO)([0-9]{8})([0-9A-Z]{5})([0-9A-Z]{5})';

/**
 * Contradictions between the books of wallets, orders, payments, refunds, transfers and tax documents. The
 * database refuses most of them on write; a restored backup or SQL by hand may bypass it. SQL, because whole
 * tables are compared. The queries are here, because payments are the highest of these modules.
 */
export const BOOK_CHECKS: Record<string, string> = {
  'the balance differs from the sum of its entries': `
    SELECT w.client_id, w.balance, coalesce(sum(e.amount), 0) AS entries
      FROM wallets w LEFT JOIN wallet_entries e USING (client_id)
     GROUP BY w.client_id HAVING w.balance <> coalesce(sum(e.amount), 0)`,
  'the reserved amount differs from the open payments': `
    SELECT w.client_id, w.reserved, coalesce(sum(p.from_wallet), 0) AS payments
      FROM wallets w
      LEFT JOIN payments p ON p.client_id = w.client_id AND p.status IN ('opening', 'open')
     GROUP BY w.client_id HAVING w.reserved <> coalesce(sum(p.from_wallet), 0)`,
  'entries are missing or too many': `
    SELECT w.client_id, w.entries AS counted, count(e.entry) AS found, max(e.entry) AS last
      FROM wallets w LEFT JOIN wallet_entries e USING (client_id)
     GROUP BY w.client_id HAVING w.entries <> count(e.entry) OR w.entries <> coalesce(max(e.entry), 0)`,
  'the balance after an entry is wrong': `
    SELECT client_id, entry, balance_after, running
      FROM (SELECT *, sum(amount) OVER (PARTITION BY client_id ORDER BY entry) AS running
              FROM wallet_entries) AS e
     WHERE balance_after <> running`,
  'the payment of an order differs from its total': `
    SELECT client_id, order_number, paid.amount, o.total, o.payment_status
      FROM (SELECT client_id, order_number, sum(amount) AS amount FROM wallet_entries
             WHERE kind = 'order_payment' GROUP BY client_id, order_number) AS paid
      JOIN orders o USING (client_id, order_number)
     WHERE paid.amount <> CASE o.payment_status WHEN 'unpaid' THEN 0 ELSE -o.total END`,
  'an undone payment is not in the wallet with the payment that it undoes': `
    SELECT o.client_id, o.order_number, o.payments_undone, count(p.entry) AS found
      FROM orders o
      LEFT JOIN wallet_entries e
             ON (e.client_id, e.order_number) = (o.client_id, o.order_number) AND e.key LIKE 'undone:%'
      LEFT JOIN wallet_entries p
             ON (p.client_id, p.key, p.amount) = (e.client_id, substr(e.key, 8), -e.amount)
     WHERE o.payments_undone > 0
     GROUP BY o.client_id, o.order_number HAVING count(p.entry) <> 2 * o.payments_undone`,
  'an order is paid, but its payment is not in the wallet': `
    SELECT o.client_id, o.order_number, o.total
      FROM orders o
     WHERE o.payment_status = 'paid' AND o.total > 0
       AND o.paid_at >= (SELECT min(created_at) FROM wallet_entries)
       AND NOT EXISTS (
             SELECT FROM wallet_entries e
              WHERE (e.client_id, e.order_number, e.kind) = (o.client_id, o.order_number, 'order_payment'))`,
  'a refund of an order is not in the wallet, or in the wallet but not with its order': `
    SELECT coalesce(r.client_id, e.client_id) AS client_id,
           coalesce(r.order_number, e.order_number) AS order_number, r.refund, r.amount, e.entry,
           e.amount AS posted
      FROM (SELECT * FROM order_refunds WHERE amount <> 0) AS r
      FULL JOIN (SELECT * FROM wallet_entries WHERE kind = 'order_refund') AS e
           ON e.client_id = r.client_id AND e.key = format('refund:%s:%s', r.order_number, r.refund)
     WHERE e.entry IS NULL OR r.refund IS NULL OR e.amount <> r.amount`,
  'the refunded amount of an order differs from its refunds': `
    SELECT o.client_id, o.order_number, o.refunded_amount, o.payment_status, o.total,
           coalesce(r.amount, 0) AS refunds
      FROM orders o
      LEFT JOIN (SELECT client_id, order_number, sum(amount) AS amount FROM order_refunds
                  GROUP BY client_id, order_number) AS r USING (client_id, order_number)
     WHERE o.refunded_amount <> coalesce(r.amount, 0)
        OR (o.total > 0 AND (o.payment_status = 'refunded') <> (o.refunded_amount = o.total))`,
  'the units of a line differ from its parcels, refunds and returns': `
    SELECT i.client_id, i.order_number, i.line, i.shipped, i.cancelled, i.refunded, i.returned
      FROM order_items i
      LEFT JOIN (SELECT client_id, order_number, line, sum(quantity) AS shipped FROM parcel_items
                  GROUP BY client_id, order_number, line) AS p USING (client_id, order_number, line)
      LEFT JOIN (SELECT client_id, order_number, line, sum(refunded) AS refunded, sum(cancelled) AS cancelled
                   FROM order_refund_items
                  GROUP BY client_id, order_number, line) AS r USING (client_id, order_number, line)
      LEFT JOIN (SELECT client_id, order_number, line, sum(coalesce(received, quantity)) AS returned
                   FROM order_return_items
                  GROUP BY client_id, order_number, line) AS b USING (client_id, order_number, line)
     WHERE (i.shipped, i.cancelled, i.refunded, i.returned)
           <> (coalesce(p.shipped, 0), coalesce(r.cancelled, 0), coalesce(r.refunded, 0),
               coalesce(b.returned, 0))`,
  'more of a refund is taken back than it paid': `
    SELECT r.client_id, r.order_number, r.refund, r.amount, - sum(b.amount) AS taken_back
      FROM order_refunds r
      JOIN order_refunds b ON (b.client_id, b.order_number, b.takes_back)
                              = (r.client_id, r.order_number, r.refund)
     GROUP BY r.client_id, r.order_number, r.refund HAVING r.amount + sum(b.amount) < 0`,
  // Only corrections that add up to 0 tell that it is mended.
  'corrections of the wallet name an order and take money, so a refund may lack its debit note': `
    SELECT o.client_id, o.order_number, sum(e.amount) AS corrected
      FROM wallet_entries e
     CROSS JOIN LATERAL (
           SELECT DISTINCT array_to_string(parts, '-') AS number
             FROM regexp_matches(translate(upper(e.note), ' -', ''), '${ORDER_NUMBER}', 'g') AS parts
           ) AS named
      JOIN orders o ON (o.client_id, o.order_number) = (e.client_id, named.number)
     WHERE e.kind = 'adjustment' AND o.status <> 'cancelled'
       AND EXISTS (SELECT FROM order_refunds r
                    WHERE (r.client_id, r.order_number) = (o.client_id, o.order_number)
                      AND r.kind NOT IN ('cancelled', 'taken_back') AND r.amount > 0)
     GROUP BY o.client_id, o.order_number HAVING sum(e.amount) < 0`,
  'a gateway payment is paid but not in the wallet, or in the wallet but not paid': `
    SELECT p.client_id, p.payment_id, p.status, e.entry
      FROM payments p
      LEFT JOIN wallet_entries e
             ON (e.client_id, e.payment_id, e.kind) = (p.client_id, p.payment_id, 'top_up')
     WHERE (p.status = 'paid') <> (e.entry IS NOT NULL)`,
  'a top-up differs from its gateway payment': `
    SELECT e.client_id, e.entry, e.amount, p.amount AS asked
      FROM wallet_entries e JOIN payments p USING (client_id, payment_id)
     WHERE e.kind = 'top_up' AND e.amount <> p.amount`,
  'the amount in transit differs from the refunds at the gateway': `
    SELECT client_id, transit.amount, refunds.amount AS refunded
      FROM (SELECT client_id, -sum(amount) AS amount FROM wallet_entries
             WHERE against = 'in_transit' GROUP BY client_id) AS transit
      FULL JOIN (SELECT client_id, sum(amount) AS amount FROM gateway_refunds
                  WHERE status <> 'failed' GROUP BY client_id) AS refunds
           USING (client_id)
     WHERE coalesce(transit.amount, 0) <> coalesce(refunds.amount, 0)`,
  'refunds exceed their gateway payment': `
    SELECT p.client_id, p.payment_id, sum(g.amount) AS refunded,
           (SELECT sum(e.amount) FROM wallet_entries e
             WHERE (e.client_id, e.payment_id, e.kind) = (p.client_id, p.payment_id, 'top_up')) AS paid
      FROM payments p JOIN gateway_refunds g USING (client_id, payment_id)
     WHERE g.status <> 'failed'
     GROUP BY p.client_id, p.payment_id
    HAVING sum(g.amount) > coalesce((SELECT sum(e.amount) FROM wallet_entries e
             WHERE (e.client_id, e.payment_id, e.kind) = (p.client_id, p.payment_id, 'top_up')), 0)`,
  'a transfer is confirmed but not in the wallet, or in the wallet but not confirmed': `
    SELECT coalesce(t.client_id, e.client_id) AS client_id, t.transfer_id, t.amount, e.entry,
           e.amount AS posted
      FROM (SELECT client_id, transfer_id, utr, coalesce(received, amount) AS amount
              FROM bank_transfers WHERE status = 'confirmed') AS t
      FULL JOIN (SELECT * FROM wallet_entries WHERE key LIKE 'bank:%') AS e
           ON e.client_id = t.client_id AND e.key = 'bank:' || t.utr
     WHERE e.entry IS NULL OR t.transfer_id IS NULL OR e.amount <> t.amount`,
  'the tax that a client deducted from a transfer differs from its entry in the wallet': `
    SELECT coalesce(t.client_id, e.client_id) AS client_id, t.transfer_id, t.tds, e.entry, e.amount AS posted
      FROM (SELECT * FROM bank_transfers WHERE status = 'confirmed' AND tds > 0) AS t
      FULL JOIN (SELECT * FROM wallet_entries WHERE against = 'tds') AS e
           ON e.client_id = t.client_id AND e.key = 'tds:' || t.utr
     WHERE e.entry IS NULL OR t.transfer_id IS NULL OR e.amount <> t.tds`,
  "a client's unpaid total differs from its unpaid orders": `
    SELECT c.id AS client_id, s.unpaid_orders, s.unpaid_value, count(o.total) AS found,
           coalesce(sum(o.total), 0) AS worth
      FROM clients c
      LEFT JOIN unpaid_totals s ON s.client_id = c.id
      LEFT JOIN orders o ON o.client_id = c.id AND o.status = 'awaiting_payment'
     GROUP BY c.id, s.client_id
    HAVING (s.unpaid_orders, s.unpaid_value) IS DISTINCT FROM (count(o.total), coalesce(sum(o.total), 0))`,
  'the numbers of a series of documents have a gap': `
    SELECT kind, year, seller, s.last AS counted, s.skipped, d.last, d.found
      FROM document_series s
      FULL JOIN (SELECT kind, split_part(number, '-', 2) AS year, seller, count(*) AS found,
                        max(split_part(number, '-', 3)::int) AS last
                   FROM tax_documents GROUP BY 1, 2, 3) AS d USING (kind, year, seller)
     WHERE s.last - s.skipped IS DISTINCT FROM coalesce(d.found, 0) OR d.last > s.last`,
  'a later number has an earlier time, or another financial year': `
    SELECT number, issued_at, before
      FROM (SELECT *, lag(issued_at) OVER (PARTITION BY kind, seller
                                           ORDER BY split_part(number, '-', 2), number)
                      AS before FROM tax_documents) AS d
     WHERE before > issued_at OR issued_on <> (issued_at AT TIME ZONE '${LAW_TIME_ZONE}')::date
        OR split_part(number, '-', 2) <> to_char(issued_on - interval '3 months', 'YY')
                                         || to_char(issued_on + interval '9 months', 'YY')`,
  'the items of a document do not add up to it': `
    SELECT d.number, d.gross, sum(i.gross) AS items
      FROM tax_documents d LEFT JOIN tax_document_items i USING (number)
     GROUP BY d.number
    HAVING (d.gross, d.taxable, d.cgst, d.sgst, d.igst)
           IS DISTINCT FROM (sum(i.gross), sum(i.taxable), sum(i.cgst), sum(i.sgst), sum(i.igst))`,
  'an invoice differs from its parcel': `
    SELECT order_number, parcel, line, billed.quantity AS billed, sent.quantity AS sent
      FROM (SELECT d.client_id, d.order_number, d.parcel, i.line, i.quantity, i.unit_price, i.gross
              FROM ${IN_FORCE} d JOIN tax_document_items i USING (number)
             WHERE i.line > 0) AS billed
      FULL JOIN (SELECT DISTINCT d.client_id, d.order_number, d.parcel, p.line, p.quantity, o.unit_price
                   FROM ${IN_FORCE} d
                   JOIN (SELECT client_id, order_number, parcel, line, quantity FROM parcel_items
                         UNION ALL
                         SELECT client_id, order_number, parcel, split_part(units, '=', 1)::int,
                                split_part(units, '=', 2)::int
                           FROM prepared_parcels, regexp_split_to_table(lines, ' ') AS units) AS p
                        USING (client_id, order_number, parcel)
                   JOIN order_items o USING (client_id, order_number, line)) AS sent
           USING (client_id, order_number, parcel, line)
     WHERE (billed.quantity, billed.unit_price, billed.gross)
           IS DISTINCT FROM (sent.quantity, sent.unit_price, sent.quantity * sent.unit_price)`,
  'more of an invoice is credited than it bills, or more is debited than was credited': `
    SELECT c.against, c.of_position, c.amount, c.delivery, i.gross
      FROM (SELECT d.against, i.of_position,
                   - coalesce(sum(${billedAmount('d', 'i.gross')}) FILTER (WHERE NOT is_delivery), 0)
                     AS amount,
                   coalesce(sum(i.gross) FILTER (WHERE is_delivery), 0) AS delivery
              FROM tax_documents d JOIN tax_document_items i USING (number),
                   LATERAL (SELECT d.kind = 'debit_note' AND d.refund IS NULL AS is_delivery) AS note
             WHERE d.against IS NOT NULL GROUP BY d.against, i.of_position) AS c
      LEFT JOIN tax_document_items i ON (i.number, i.position) = (c.against, c.of_position)
     WHERE i.gross IS NULL OR c.amount NOT BETWEEN 0 AND i.gross + c.delivery`,
  // While units of an order wait, or were sent without an invoice, its documents are not complete.
  'the invoices and notes of an order differ from what it cost in the end': `
    SELECT o.client_id, o.order_number, o.total, o.refunded_amount, d.billed
      FROM orders o
      JOIN (SELECT client_id, order_number, count(DISTINCT parcel) AS invoices,
                   sum(${billedAmount('b')}) AS billed
              FROM tax_documents b GROUP BY client_id, order_number) AS d USING (client_id, order_number)
     WHERE o.total - o.refunded_amount <> d.billed AND o.status IN ('shipped', 'delivered')
       AND d.invoices = (SELECT count(DISTINCT p.parcel) FROM parcel_items p
                          WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number))
       AND NOT EXISTS (SELECT FROM parcels p
                        WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
                          AND p.no_invoice IS NOT NULL)`,
  'a receipt voucher differs from its top-up': `
    SELECT d.number, d.payment_key, d.gross, sum(e.amount) AS amount
      FROM tax_documents d
      LEFT JOIN wallet_entries e
             ON e.client_id = d.client_id AND e.kind = 'top_up'
            AND e.key IN (d.payment_key, regexp_replace(d.payment_key, '^bank:', 'tds:'))
     WHERE d.kind = 'receipt_voucher'
     GROUP BY d.number HAVING d.gross IS DISTINCT FROM sum(e.amount)`,
  'a refund voucher exceeds its payout, or differs from the receipts that it returns': `
    SELECT d.number, d.payment_key, d.gross, e.amount
      FROM tax_documents d
      LEFT JOIN wallet_entries e ON (e.key, e.client_id) = (d.payment_key, d.client_id) AND e.amount < 0
     WHERE d.kind = 'refund_voucher'
       AND (d.gross > coalesce(-e.amount, 0)
            OR d.gross <> (SELECT sum((r->>'amount')::numeric)
                             FROM jsonb_array_elements(d.facts->'returns') AS r))`,
  'more of a receipt voucher is paid back than it confirms': `
    SELECT r->>'number' AS number, sum((r->>'amount')::numeric) AS returned, receipt.gross
      FROM tax_documents d
     CROSS JOIN jsonb_array_elements(d.facts->'returns') AS r
      LEFT JOIN tax_documents receipt ON receipt.number = r->>'number'
     WHERE d.kind = 'refund_voucher'
     GROUP BY 1, receipt.gross HAVING sum((r->>'amount')::numeric) > coalesce(receipt.gross, 0)`,
};

const BALANCE: Record<BalanceColumn, string> = {
  client_id: 'c.id',
  client: 'c.name',
  /** At the end of the day. */
  wallet: 'wallet.balance::text',
  /** That much of it came more than 365 days before: money is spent in the order in which it came. */
  wallet_over_365_days: 'least(greatest(wallet.balance - wallet.received, 0), wallet.balance)::text',
  paid_for_orders: 'wallet.paid::text',
  invoiced: 'coalesce(billed.gross, 0)::text',
  paid_not_invoiced: '(wallet.paid - coalesce(billed.gross, 0))::text',
  /** That much of it has no invoice in the end: parcels of complete orders left without one. */
  left_without_invoice: 'coalesce(waived.amount, 0)::text',
};

/**
 * Payments for orders less their refunds, and invoices with their notes, until a moment. SQL, because it is
 * streamed, and whole tables are added up.
 */
const BALANCES = `
  SELECT ${selectOf(BALANCE)}
    FROM clients c
   CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount), 0) AS balance,
                coalesce(sum(amount) FILTER (
                  -- An undone payment brought nothing.
                  WHERE (amount > 0 AND kind <> 'order_payment' OR kind = 'top_up')
                    AND created_at >= $1::timestamptz - interval '365 days'), 0) AS received,
                coalesce(-sum(amount) FILTER (
                  WHERE kind IN ('order_payment', 'order_refund')), 0) AS paid
           FROM wallet_entries WHERE client_id = c.id AND created_at < $1) AS wallet
    LEFT JOIN (SELECT client_id,
                      sum(${billedAmount('b')}) AS gross
                 FROM tax_documents b WHERE issued_at < $1 GROUP BY client_id) AS billed
           ON billed.client_id = c.id
    LEFT JOIN (SELECT o.client_id, sum(w.paid - d.gross) AS amount
                 FROM (SELECT DISTINCT client_id, order_number FROM parcels
                        WHERE no_invoice IS NOT NULL AND recorded_at < $1) AS p
                 JOIN orders o USING (client_id, order_number),
                      LATERAL (SELECT coalesce(-sum(amount), 0) AS paid FROM wallet_entries w
                                WHERE (w.client_id, w.order_number) = (o.client_id, o.order_number)
                                  AND kind IN ('order_payment', 'order_refund') AND created_at < $1) AS w,
                      LATERAL (SELECT coalesce(sum(${billedAmount('b')}), 0) AS gross FROM tax_documents b
                                WHERE (b.client_id, b.order_number) = (o.client_id, o.order_number)
                                  AND issued_at < $1) AS d
                WHERE o.status IN ('shipped', 'delivered') GROUP BY o.client_id) AS waived
           ON waived.client_id = c.id
   ORDER BY c.id`;

interface BookContradiction {
  what: string;
  rows: Record<string, unknown>[];
}

/** Lists where the books do not add up: the first few of each kind. */
@Injectable()
export class WalletBooks {
  constructor(private readonly database: Database) {}

  /** What each client had at a moment: in its wallet, and paid for goods without an invoice. */
  balances(until: Date): AsyncGenerator<Record<BalanceColumn, string | number>, number> {
    return this.database.stream(BALANCES, [until]);
  }

  async check(): Promise<BookContradiction[]> {
    const contradictions: BookContradiction[] = [];
    for (const [what, text] of Object.entries(BOOK_CHECKS)) {
      const rows = await this.database.query(
        { name: `books: ${what}`.slice(0, 63), text: `${text} LIMIT 20` },
        [],
      );
      if (rows.length > 0) contradictions.push({ what, rows });
    }
    return contradictions;
  }
}
