import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { addDays, type Day, dayAt } from '../../platform/time/time.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { IssuedDocument } from './document-pdf.js';
import { LIMIT_BETWEEN_STATES } from './rules/e-way-bill.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { SELECT_FULL, SELLER_GSTIN } from './tax-documents.repository.js';

/** The newest e-way bill of an invoice in force, as its order shows it. */
export interface EWayBillState {
  /** The number of the invoice. */
  number: string;
  parcel: number;
  /** The goods must not move without one. */
  isMissing: boolean;
  /** A person recorded how the goods move. */
  hasTransport: boolean;
  billNumber: string | null;
  validUntil: Date | null;
  endedAt: Date | null;
  reason: string | null;
}

/** The portal refuses older documents (since January 2025). */
const MAX_AGE_DAYS = 180;

/** An invoice that was taken back moves no goods. */
const IS_TAKEN_BACK = 'EXISTS (SELECT FROM tax_documents n WHERE n.against = d.number AND n.voids)';

/** The newest e-way bill of an invoice. */
const NEWEST_BILL = `
  LATERAL (SELECT * FROM e_way_bills b WHERE b.number = d.number ORDER BY edition DESC LIMIT 1)`;

/**
 * `eWayBillLimit` in SQL: the value of the taxed goods with their tax, without exempt goods and services. It
 * is judged when it is asked, because the limit of the state may change. `limit` is that one, in rupees.
 */
const isAboveLimit = (limit: string) => `
  (SELECT sum(i.gross) FROM tax_document_items i
    WHERE i.number = d.number AND i.gst_rate > 0 AND i.hsn NOT LIKE '99%')
  > CASE WHEN d.facts->'deliver_to'->>'state_code' = d.facts->'seller'->>'state' THEN ${limit}::numeric
         ELSE least(${limit}, ${LIMIT_BETWEEN_STATES}) END`;

/** An open one waits if a person began it, or if it follows a cancelled one. */
const isMissing = (limit: string) => `
  (b.bill_number IS NULL AND b.ended_at IS NULL
   AND (b.edition > 1 OR b.transport <> '{}' OR coalesce(${isAboveLimit(limit)}, false)))`;

/** One index has the invoices that may be above the limit, another one the open e-way bills. */
const FROM_WAITING = `
  FROM (SELECT number FROM tax_documents
         WHERE kind = 'invoice' AND issued_on >= $1 AND gross > least($2::numeric, ${LIMIT_BETWEEN_STATES})
        UNION
        SELECT number FROM e_way_bills
         WHERE bill_number IS NULL AND ended_at IS NULL AND issued_on >= $1) AS candidate
  JOIN tax_documents d USING (number) LEFT JOIN ${NEWEST_BILL} b ON true
 WHERE ${isMissing('$2')} AND NOT ${IS_TAKEN_BACK}`;

/** SQL, because a cursor reads the documents row by row. */
const WAITING = `
  ${SELECT_FULL}
   WHERE d.number IN (SELECT d.number ${FROM_WAITING})
     AND ($3::text IS NULL OR ${SELLER_GSTIN} = $3)
   ORDER BY d.issued_on, d.number`;

const WAITING_GSTINS = { text: `SELECT DISTINCT ${SELLER_GSTIN} AS gstin ${FROM_WAITING}` };

const COUNT_WAITING = { text: `SELECT count(*)::int AS count ${FROM_WAITING}` };

/** Without a name, because only pages of orders need it. */
const OF_ORDER = {
  text: `
    SELECT d.number, d.parcel, ${isMissing('$3')} AS "isMissing", b.bill_number AS "billNumber",
           b.valid_until AS "validUntil", b.ended_at AS "endedAt", b.reason,
           coalesce(b.transport <> '{}', false) AS "hasTransport"
      FROM tax_documents d LEFT JOIN ${NEWEST_BILL} b ON true
     WHERE d.order_number = $2 AND d.client_id + 0 = $1 AND d.kind = 'invoice' AND NOT ${IS_TAKEN_BACK}
     ORDER BY d.parcel, d.number`,
};

@Injectable()
export class EWayBillsRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Invoices that wait for their e-way bill, of all GSTINs or one, oldest first. */
  waiting(gstin?: string, limit?: number): AsyncGenerator<IssuedDocument, number> {
    return this.database.stream<IssuedDocument>(WAITING, [...this.range(), gstin ?? null], limit);
  }

  async waitingGstins(): Promise<string[]> {
    const found = await this.database.query<{ gstin: string }>(WAITING_GSTINS, this.range());
    return found.map(({ gstin }) => gstin).sort();
  }

  async countWaiting(): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT_WAITING, this.range()))[0]!.count;
  }

  /** Those of the invoices in force, by parcel. */
  ofOrder(clientId: number, orderNumber: string): Promise<EWayBillState[]> {
    return this.database.query<EWayBillState>(OF_ORDER, [clientId, orderNumber, this.settings.eWayBillFrom]);
  }

  /** The first day, and the limit of the state. */
  private range(): [Day, number] {
    return [addDays(dayAt(Date.now(), LAW_TIME_ZONE), -MAX_AGE_DAYS), this.settings.eWayBillFrom];
  }
}
