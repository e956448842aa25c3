import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { addDays, dayAt } from '../../platform/time/time.js';
import type { IssuedDocument } from './document-pdf.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { SELECT_FULL, SELLER_GSTIN } from './tax-documents.repository.js';

/** The newest e-way bill of an invoice in force, as its order shows it. */
export interface EWayBillState {
  /** The number of the invoice. */
  number: string;
  parcel: number;
  /** Null: none was needed or recorded. */
  edition: number | null;
  /** A person recorded how the goods move. */
  hasTransport: boolean;
  billNumber: string | null;
  validUntil: Date | null;
  endedAt: Date | null;
  reason: string | null;
}

/** The portal refuses older documents (since January 2025). */
const MAX_AGE_DAYS = 180;

/** An invoice that was taken back moves no goods. SQL, because a cursor reads the documents row by row. */
const WAITS = `
  w.bill_number IS NULL AND w.ended_at IS NULL AND w.issued_on >= $1
  AND NOT EXISTS (SELECT FROM tax_documents n WHERE n.against = w.number AND n.voids)`;

const WAITING = `
  ${SELECT_FULL} JOIN e_way_bills w USING (number)
   WHERE ${WAITS} AND ($2::text IS NULL OR ${SELLER_GSTIN} = $2)
   ORDER BY w.issued_on, number`;

const WAITING_GSTINS = {
  text: `
    SELECT DISTINCT ${SELLER_GSTIN} AS gstin
      FROM e_way_bills w JOIN tax_documents d USING (number) WHERE ${WAITS}`,
};

const COUNT_WAITING = { text: `SELECT count(*)::int AS count FROM e_way_bills w WHERE ${WAITS}` };

/** Without a name, because only pages of orders need it. */
const OF_ORDER = {
  text: `
    SELECT d.number, d.parcel, b.edition, b.bill_number AS "billNumber", b.valid_until AS "validUntil",
           b.ended_at AS "endedAt", b.reason, b.transport <> '{}' AS "hasTransport"
      FROM tax_documents d
      LEFT JOIN LATERAL (SELECT * FROM e_way_bills b WHERE b.number = d.number
                          ORDER BY edition DESC LIMIT 1) b ON true
     WHERE d.order_number = $2 AND d.client_id + 0 = $1 AND d.kind = 'invoice'
       AND NOT EXISTS (SELECT FROM tax_documents n WHERE n.against = d.number AND n.voids)
     ORDER BY d.parcel, d.number`,
};

@Injectable()
export class EWayBillsRepository {
  constructor(private readonly database: Database) {}

  /** Invoices that wait for their e-way bill, of all GSTINs or one, oldest first. */
  waiting(gstin?: string, limit?: number): AsyncGenerator<IssuedDocument, number> {
    return this.database.stream<IssuedDocument>(WAITING, [firstDay(), gstin ?? null], limit);
  }

  async waitingGstins(): Promise<string[]> {
    const found = await this.database.query<{ gstin: string }>(WAITING_GSTINS, [firstDay()]);
    return found.map(({ gstin }) => gstin).sort();
  }

  async countWaiting(): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT_WAITING, [firstDay()]))[0]!.count;
  }

  /** Those of the invoices in force, by parcel. */
  ofOrder(clientId: number, orderNumber: string): Promise<EWayBillState[]> {
    return this.database.query<EWayBillState>(OF_ORDER, [clientId, orderNumber]);
  }
}

const firstDay = () => addDays(dayAt(Date.now(), LAW_TIME_ZONE), -MAX_AGE_DAYS);
