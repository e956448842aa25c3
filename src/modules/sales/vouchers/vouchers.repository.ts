import { Injectable } from '@nestjs/common';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { Database } from '../../../platform/database/database.js';
import { type Month, periodOf } from '../../../platform/time/time.js';
import type { DocumentRow, MoneyRow } from './voucher.js';

/** The ledger of a client has its first name for ever, so a new name does not split it. */
const CLIENT = `c.id AS "clientId", coalesce(c.ledger_name, c.name) AS client, c.gstin, c.state`;

/** SQL, because a cursor streams it: a month of documents, each with its sums by rate and HSN code. */
const DOCUMENTS = `
  SELECT d.kind, d.number, d.issued_on::text AS day, ${CLIENT}, d.order_number AS "orderNumber", d.against,
         d.facts->'against'->>'issued_on' AS "againstDay",
         d.credit_ended_on IS NOT NULL AS "isWithoutTax", d.place_of_supply AS "placeOfSupply", d.cgst,
         d.sgst, d.igst, d.supplied_on::text AS "suppliedOn", d.facts->'client' AS party,
         d.facts->'seller' AS seller,
         (SELECT json_agg(json_build_object('rate', rate::float8, 'hsn', hsn, 'taxable', taxable::text)
                         ORDER BY rate, hsn)
            FROM (SELECT i.gst_rate AS rate, i.hsn, sum(i.taxable) AS taxable
                    FROM tax_document_items i WHERE i.number = d.number GROUP BY 1, 2) AS part) AS rates
    FROM tax_documents d JOIN clients c ON c.id = d.client_id
   WHERE d.kind <> 'receipt_voucher' AND d.issued_on >= $1::date
     AND d.issued_on < ($1::date + interval '1 month')::date
   ORDER BY d.issued_on, d.number`;

/** SQL, because a cursor streams it too. The kinds match the index wallet_entries_rare. */
const MONEY = `
  SELECT e.entry, (e.created_at AT TIME ZONE '${LAW_TIME_ZONE}')::date::text AS day, ${CLIENT}, e.against,
         e.amount, e.note
    FROM wallet_entries e JOIN clients c ON c.id = e.client_id
   WHERE e.kind <> 'order_payment' AND e.against <> 'sales' AND e.created_at >= $1 AND e.created_at < $2
   ORDER BY e.created_at, e.client_id, e.entry`;

/** The sources of vouchers, with Indian days, as on documents. */
@Injectable()
export class VouchersRepository {
  constructor(private readonly database: Database) {}

  documents(month: Month): AsyncGenerator<DocumentRow> {
    return this.database.stream<DocumentRow>(DOCUMENTS, [`${month}-01`]);
  }

  money(month: Month): AsyncGenerator<MoneyRow> {
    const { from, to } = periodOf(month, LAW_TIME_ZONE);
    return this.database.stream<MoneyRow>(MONEY, [from, to]);
  }
}
