import { Injectable } from '@nestjs/common';
import { isWithoutTax } from '../../invoices/invoices.repository.js';
import { BILLED_SIGN, DOCUMENT_KINDS } from '../../invoices/rules/document-number.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { Database } from '../../../platform/database/database.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import { addDays, type Day, startOfDay } from '../../../platform/time/time.js';
import type { DocumentRow, MoneyRow } from './voucher.js';

/** The ledger of a client has its first name for ever, so a new name does not split it. */
const CLIENT = `c.id AS "clientId", coalesce(c.ledger_name, c.name) AS client, c.gstin, c.state,
  c.gst_category AS category`;

/** A receipt voucher confirms money that has a voucher of its own. */
const HAS_VOUCHER = "d.kind IN ('invoice', 'credit_note', 'debit_note')";

/** Money from outside. The kinds match the index wallet_entries_rare. */
const IS_OUTSIDE = "e.kind <> 'order_payment' AND e.against <> 'sales'";

/** SQL, because a cursor streams it: the documents of days, each with its sums by rate and HSN code. */
const DOCUMENTS = `
  SELECT d.kind, d.number, d.issued_on::text AS day, ${CLIENT}, d.order_number AS "orderNumber", d.against,
         d.facts->'against'->>'issued_on' AS "againstDay",
         ${isWithoutTax('d')} AS "isWithoutTax", d.place_of_supply AS "placeOfSupply", d.cgst,
         d.sgst, d.igst, d.supplied_on::text AS "suppliedOn", d.facts->'client' AS party,
         d.facts->'seller' AS seller,
         -- Bounded by the lines of a document.
         (SELECT json_agg(json_build_object('rate', rate::float8, 'treatment', treatment, 'hsn', hsn,
                                           'taxable', taxable::text)
                         ORDER BY rate, hsn, treatment)
            FROM (SELECT i.gst_rate AS rate, i.hsn, i.gst_treatment AS treatment, sum(i.taxable) AS taxable
                    FROM tax_document_items i WHERE i.number = d.number GROUP BY 1, 2, 3) AS part) AS rates
    FROM tax_documents d JOIN clients c ON c.id = d.client_id
   WHERE ${HAS_VOUCHER} AND d.issued_on BETWEEN $1::date AND $2::date
     AND ($3::int IS NULL OR d.client_id = $3)
   ORDER BY d.issued_on, d.number`;

/** The note of a payout has its day: that of its entry, or an earlier one. Other zones are a day ahead. */
const DAY = `
  coalesce(CASE WHEN e.kind = 'payout' AND e.against = 'bank'
                THEN substring(e.note FROM '^[A-Z0-9]+ of ([0-9]{4}-[0-9]{2}-[0-9]{2})')::date END,
           (e.created_at AT TIME ZONE '${LAW_TIME_ZONE}')::date)`;

/** SQL, because a cursor streams it too. */
const MONEY = `
  SELECT e.entry, ${DAY}::text AS day, ${CLIENT},
         CASE WHEN e.against = 'bank'
               AND (e.key LIKE 'bank:CASH %' OR lower(o.payment_method) = 'cash' AND o.payments_undone = 0
                    -- The order does not keep the method of an undone payment. The note begins with it.
                    OR o.payments_undone > 0 AND e.note ~* '^cash( |$)')
              THEN 'cash' ELSE e.against END AS against,
         e.amount, e.note
    FROM wallet_entries e JOIN clients c ON c.id = e.client_id
    LEFT JOIN orders o ON (o.client_id, o.order_number) = (e.client_id, e.order_number)
   WHERE ${IS_OUTSIDE} AND e.created_at >= $1::timestamptz - interval '1 day'
     AND (e.created_at < $2 OR e.kind = 'payout')
     AND ${DAY} BETWEEN $4::date AND $5::date AND ($3::int IS NULL OR e.client_id = $3)
   ORDER BY ${DAY}, e.created_at, e.client_id, e.entry`;

const BILLED = DOCUMENT_KINDS.map((kind) => `WHEN '${kind}' THEN ${BILLED_SIGN[kind]}`).join(' ');

/** SQL, because a sum of years must not read its rows one by one: what a client owed before a day. */
const OPENING = {
  text: `
    SELECT coalesce((SELECT sum(CASE d.kind ${BILLED} END * d.gross) FROM tax_documents d
                      WHERE d.client_id = $1 AND ${HAS_VOUCHER} AND d.issued_on < $2::date), 0)
           - coalesce((SELECT sum(e.amount) FROM wallet_entries e
                        WHERE e.client_id = $1 AND ${IS_OUTSIDE} AND (e.created_at < $3 OR e.kind = 'payout')
                          AND ${DAY} < $2::date), 0) AS balance`,
};

/** Days in India; the last one is included. Without a client: of all clients. */
export interface BookPeriod {
  from: Day;
  to: Day;
  clientId?: number;
}

/** The sources of vouchers, with Indian days, as on documents. */
@Injectable()
export class VouchersRepository {
  constructor(private readonly database: Database) {}

  documents({ from, to, clientId }: BookPeriod): AsyncGenerator<DocumentRow> {
    return this.database.stream<DocumentRow>(DOCUMENTS, [from, to, clientId ?? null]);
  }

  money({ from, to, clientId }: BookPeriod): AsyncGenerator<MoneyRow> {
    const times = [startOfDay(from, LAW_TIME_ZONE), startOfDay(addDays(to, 1), LAW_TIME_ZONE)];
    return this.database.stream<MoneyRow>(MONEY, [...times, clientId ?? null, from, to]);
  }

  async openingBalance({ clientId, from }: BookPeriod): Promise<Minor> {
    const values = [clientId, from, startOfDay(from, LAW_TIME_ZONE)];
    const [found] = await this.database.query<{ balance: string }>(OPENING, values);
    return minorFromNumeric(found!.balance);
  }
}
