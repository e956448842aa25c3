import { Injectable } from '@nestjs/common';
import { columnsOf, fieldsOf, jsonOf, selectOf } from '../../platform/database/columns-of.js';
import { Database } from '../../platform/database/database.js';
import type { Day, Month } from '../../platform/time/time.js';
import { EInvoice, type Seller, TaxDocument, TaxDocumentItem } from './entities/tax-document.entity.js';
import { EWayBill } from './entities/e-way-bill.entity.js';
import type { DocumentPosition } from './document.queries.js';
import { IS_IN_FORCE, isWithoutTax } from './invoices.repository.js';
import type { IssuedDocument } from './document-pdf.js';
import { type DocumentKind, MAX_SEARCHED_DOCUMENTS } from './rules/document-number.js';
import type { DocumentPart } from './rules/gstr1.js';

/** Without a client: the documents of all clients. */
export interface DocumentFilter {
  clientId?: number;
  number?: string;
  kind?: DocumentKind;
  /** The month of the issue, in Indian time. */
  month?: Month;
  /** A part of a number, an order's number, the store's id, a name or a GSTIN. */
  search?: string;
  /** Only documents that follow this one in a list, which has the newest first. */
  before?: string;
}

export interface TaxDocumentRow {
  number: string;
  kind: DocumentKind;
  issued_on: Day;
  client_id: number;
  client: string;
  order_number: string | null;
  /** The invoice that a note changes. */
  against: string | null;
  /** The refund that a note follows. */
  refund: number | null;
  /** For a note that changes no tax: the day on which the time for a credit of tax ended. */
  credit_ended_on: Day | null;
  /** A note that changes no tax, because a person chose it. */
  is_commercial: boolean;
  taxable: number;
  tax: number;
  amount: number;
}

/** A document with a cancelled IRN, or a note against it whose own IRN is in force. */
export type CancelledRow = TaxDocumentRow & { order_number: string; has_irn: boolean };

/** What a store needs to book a document. */
export interface BookedDocument extends Pick<
  TaxDocumentRow,
  'number' | 'kind' | 'issued_on' | 'order_number' | 'against' | 'refund' | 'amount'
> {
  store_order_id: string | null;
  /** The parcel that an invoice bills. */
  parcel: number | null;
  e_way_bill?: { number: string; valid_until: string | null } | null;
  lines: { line: number; quantity: number; amount: number }[];
}

/** The first and the last one. */
export type DayRange = readonly [Day, Day];

/** The sort key. A note may have the same time as its invoice, and comes after it. */
const sortKey = (alias: string) =>
  `${alias}.issued_on, ${alias}.issued_at, ${alias}.against IS NOT NULL, ${alias}.number`;

const SEARCH_CONDITION = `
  ($5::text IS NULL OR strpos(
     lower(concat_ws(' ', d.number, d.order_number, d.facts->>'store_order_id',
                     d.facts->'client'->>'name', d.facts->'client'->>'gstin')),
     lower($5)) > 0)`;

/** SQL, because a cursor reads the documents row by row. PostgreSQL plans it for the given values. */
const FILTER = `
  ($1::int IS NULL OR d.client_id = $1) AND ($2::text IS NULL OR d.number = $2)
  AND ($3::text IS NULL OR d.kind = $3)
  AND ($4::date IS NULL OR d.issued_on >= $4 AND d.issued_on < ($4::date + interval '1 month')::date)
  AND ($6::text IS NULL OR (${sortKey('d')}) < (
         SELECT ${sortKey('b')} FROM tax_documents b WHERE b.number = $6))`;

const MATCHING = `${FILTER} AND ${SEARCH_CONDITION}`;

const selectDocuments = (documents = 'tax_documents', moreColumns = '') => `
  SELECT ${moreColumns}d.number, d.kind, d.issued_on::text AS issued_on, d.client_id,
         d.facts->'client'->>'name' AS client, d.order_number, d.against, d.refund,
         d.credit_ended_on::text AS credit_ended_on, d.is_commercial,
         d.taxable::float8 AS taxable, (d.gross - d.taxable)::float8 AS tax, d.gross::float8 AS amount
    FROM ${documents} d`;

const SELECT_FOR_STORE = selectDocuments(
  'tax_documents',
  `d.facts->>'store_order_id' AS store_order_id, d.parcel,
         (SELECT json_build_object('number', b.bill_number, 'valid_until', b.valid_until)
            FROM e_way_bills b
           WHERE b.number = d.number AND b.ended_at IS NULL AND b.bill_number IS NOT NULL) AS e_way_bill,
         -- Bounded by the lines of an order.
         (SELECT coalesce(json_agg(json_build_object(
                   'line', i.line, 'quantity', i.quantity, 'amount', i.gross::float8)
                 ORDER BY i.position), '[]')
            FROM tax_document_items i WHERE i.number = d.number AND i.line IS NOT NULL) AS lines,
         `,
);

const NEWEST_FIRST = `ORDER BY ${sortKey('d').replaceAll(/,|$/g, ' DESC$&')}`;

const LIST = `${selectDocuments()} WHERE ${MATCHING} ${NEWEST_FIRST}`;

/** A whole number, or the end of an order's, is found by its index, however old it is. */
const SEARCH = `
  WITH found AS (
    SELECT * FROM (SELECT * FROM tax_documents d WHERE ${FILTER} ${NEWEST_FIRST}
                    LIMIT ${MAX_SEARCHED_DOCUMENTS}) AS d
     WHERE ${SEARCH_CONDITION}
    UNION
    SELECT * FROM tax_documents d
     WHERE (upper($5) IN (d.number, d.order_number) OR right(d.order_number, 11) = upper($5)) AND ${FILTER})
  ${selectDocuments('found')} ${NEWEST_FIRST} LIMIT $7`;

/** Filters by order number: an index that begins with the client may read all of its documents. */
const IS_OF_ORDER = `WHERE d.order_number = $2 AND d.client_id + 0 = $1 ORDER BY ${sortKey('d')}`;

const OF_ORDER = { name: 'documents-of-order', text: `${selectDocuments()} ${IS_OF_ORDER}` };

const OF_ORDER_FOR_STORE = {
  name: 'documents-of-order-for-store',
  text: `${SELECT_FOR_STORE} ${IS_OF_ORDER}`,
};

/** By day and number, in the order of an index. */
const PAGE_FOR_STORE = {
  name: 'documents-page-for-store',
  text: `
    ${SELECT_FOR_STORE}
     WHERE d.client_id = $1 AND (d.issued_on, d.number) > ($2::date, $3) AND d.issued_on <= $4::date
     ORDER BY d.issued_on, d.number LIMIT $5`,
};

/** SQL, because one index gives the newest invoice of the month. */
const PARTIES_OF_MONTH = {
  text: `
    SELECT facts FROM tax_documents
     WHERE client_id = $1 AND kind = 'invoice'
       AND issued_on >= $2::date AND issued_on < ($2::date + interval '1 month')::date
     ORDER BY issued_on DESC, number DESC LIMIT 1`,
};

const AS_STORED = fieldsOf(TaxDocument, { without: ['issuedOn', 'suppliedOn', 'creditEndedOn'] });

/** A document with its lines, its registration and its e-way bill. */
export const SELECT_FULL = `
  SELECT ${columnsOf(TaxDocument, 'd', AS_STORED)},
         d.issued_on::text AS "issuedOn", d.supplied_on::text AS "suppliedOn",
         d.credit_ended_on::text AS "creditEndedOn",
         -- Bounded by the lines of an order.
         (SELECT json_agg(${jsonOf(TaxDocumentItem, 'i', fieldsOf(TaxDocumentItem, { without: [] }))}
                          ORDER BY i.position)
            FROM tax_document_items i WHERE i.number = d.number) AS items,
         (SELECT ${jsonOf(EInvoice, 'e', ['irn', 'ackNumber', 'ackedAt', 'signedQr', 'cancelledAt'])}
            FROM e_invoices e WHERE e.number = d.number AND e.irn IS NOT NULL) AS "eInvoice",
         EXISTS (SELECT FROM e_invoices e WHERE e.number = d.number AND e.irn IS NULL) AS "awaitsIrn",
         (SELECT ${jsonOf(EWayBill, 'b', ['billNumber', 'generatedAt', 'validUntil', 'transport'])}
            FROM e_way_bills b WHERE b.number = d.number AND b.ended_at IS NULL) AS "eWayBill"
    FROM tax_documents d`;

const FIND = `${SELECT_FULL} WHERE ${MATCHING}`;

/** From the first day to the last one. A note waits no longer when the IRN of its invoice is cancelled. */
const WAITS = `
  w.issued_on BETWEEN $1 AND $2 AND w.irn IS NULL
  AND NOT EXISTS (SELECT FROM tax_documents n JOIN e_invoices c ON c.number = n.against
                   WHERE n.number = w.number AND c.cancelled_at IS NOT NULL)`;

export const SELLER_GSTIN = `d.facts->'seller'->>'gstin'`;

/** Oldest first, notes after their invoices. SQL, because a cursor reads the documents row by row. */
const WAITING = `
  ${SELECT_FULL} JOIN e_invoices w USING (number)
   WHERE ${WAITS} AND ($3::text IS NULL OR ${SELLER_GSTIN} = $3)
   ORDER BY w.issued_on, d.against IS NOT NULL, number`;

const WAITING_GSTINS = {
  text: `
    SELECT DISTINCT ${SELLER_GSTIN} AS gstin
      FROM e_invoices w JOIN tax_documents d USING (number) WHERE ${WAITS}`,
};

/** Without a name, so PostgreSQL plans it for the given days. */
const COUNT_WAITING = { text: `SELECT count(*)::int AS count FROM e_invoices w WHERE ${WAITS}` };

const CANCELLED_AND_NOTES = 'e_invoices c JOIN tax_documents i USING (number) JOIN tax_documents';

/** Documents with a cancelled IRN, and notes against them with an IRN in force. Oldest first. */
const CANCELLED = {
  text: `
    ${selectDocuments(CANCELLED_AND_NOTES, 'd.number <> c.number AS has_irn, ')}
      ON d.order_number = i.order_number AND c.number IN (d.number, d.against)
      JOIN e_invoices e ON e.number = d.number AND e.irn IS NOT NULL
     WHERE c.cancelled_at IS NOT NULL AND (e.cancelled_at IS NULL OR d.number = c.number)
       AND ${IS_IN_FORCE}
     ORDER BY d.issued_on, d.number LIMIT $1`,
};

/** Columns of the export with their expressions. Credit notes have positive amounts. */
const LINE_COLUMNS = {
  number: 'd.number',
  kind: 'd.kind',
  issued_on: 'd.issued_on::text',
  client_id: 'd.client_id',
  seller_gstin: "d.facts->'seller'->>'gstin'",
  client: "d.facts->'client'->>'name'",
  gstin: "coalesce(d.facts->'client'->>'gstin', '')",
  place_of_supply: 'd.place_of_supply',
  order_number: "coalesce(d.order_number, '')",
  against: "coalesce(d.against, '')",
  reason: "coalesce(d.reason, '')",
  description: 'i.description',
  sku: 'i.sku',
  hsn: 'i.hsn',
  quantity: 'i.quantity',
  unit: 'i.unit',
  unit_price: 'i.unit_price::text',
  gst_rate: 'i.gst_rate::text',
  taxable: 'i.taxable::text',
  cgst: 'i.cgst::text',
  sgst: 'i.sgst::text',
  igst: 'i.igst::text',
  total: 'i.gross::text',
  credit_ended_on: "coalesce(d.credit_ended_on::text, '')",
  supplied_on: 'coalesce(d.supplied_on, d.issued_on)::text',
  reason_code: "coalesce(d.reason_code, '')",
  commercial: "CASE WHEN d.is_commercial THEN 'yes' ELSE '' END",
  gst_treatment: 'i.gst_treatment',
};

export type DocumentLine = Record<keyof typeof LINE_COLUMNS, string | number>;

export const DOCUMENT_LINE_COLUMNS = Object.keys(LINE_COLUMNS) as (keyof DocumentLine)[];

const LINES = `
  SELECT ${selectOf(LINE_COLUMNS)}
    FROM tax_documents d JOIN tax_document_items i USING (number)
   WHERE ${MATCHING}
   ORDER BY d.issued_on, d.number, i.position`;

export const PART_AMOUNTS = ['value', 'invoiceValue', 'gross', 'taxable', 'cgst', 'sgst', 'igst'] as const;
type Amount = (typeof PART_AMOUNTS)[number];

/** As in the database: amounts are numeric text. */
export type PartRow = Omit<DocumentPart, Amount | 'rate'> & Record<Amount | 'rate', string>;

/** From the first month of a return to its last one. */
const WITHIN = `issued_on >= $1::date AND issued_on < $2::date + interval '1 month'`;

/**
 * SQL, because a cursor streams it: the items of each document, added up. OFFSET 0 makes PostgreSQL filter
 * the months first; otherwise it would read all documents in the order of their numbers.
 */
const PARTS = `
  SELECT d.kind, d.number, d.issued_on::text AS "issuedOn", d.supplied_on::text AS "suppliedOn",
         ${isWithoutTax('d')} AS "isWithoutTax",
         EXISTS (SELECT FROM e_invoices e
                  WHERE e.number IN (d.number, d.against) AND e.cancelled_at IS NOT NULL) AS "isCancelled",
         coalesce((SELECT max(b.number) FROM tax_documents b WHERE b.number < d.number),
                  '') AS "numberBefore",
         d.gross AS value,
         coalesce(invoice.gross, d.gross) AS "invoiceValue", d.facts->'client'->>'gstin' AS gstin,
         d.facts->'client'->>'gst_category' AS "gstCategory",
         d.facts->'client'->>'name' AS client, d.facts->'seller'->>'state' AS "sellerState",
         d.place_of_supply AS "placeOfSupply", part.*
    FROM (SELECT * FROM tax_documents
           WHERE ${WITHIN} AND seller = ANY ($3) AND ($4::text IS NULL OR facts->'seller'->>'state' = $4)
          OFFSET 0) d
    LEFT JOIN tax_documents invoice ON invoice.number = d.against
   CROSS JOIN LATERAL (
         SELECT i.hsn, i.gst_rate AS rate, i.gst_treatment AS treatment,
                CASE WHEN i.line = 0 THEN NULL ELSE i.unit END AS unit,
                sum(i.quantity)::int AS quantity, sum(i.gross) AS gross, sum(i.taxable) AS taxable,
                sum(i.cgst) AS cgst, sum(i.sgst) AS sgst, sum(i.igst) AS igst
           FROM tax_document_items i WHERE i.number = d.number GROUP BY 1, 2, 3, 4) AS part
   ORDER BY d.number, rate, hsn, unit, treatment`;

/** The registrations that have documents in these months. */
const SELLERS = `
  SELECT id FROM unnest($3::int[]) AS id
   WHERE EXISTS (SELECT FROM tax_documents WHERE ${WITHIN} AND seller = id)`;

/**
 * GSTINs of another state that were mistyped: the first document of a registration in these months has the
 * oldest one.
 */
const MISTYPED = `
  SELECT first.named->>'gstin' AS gstin
    FROM unnest($3::int[], $4::text[]) AS own (id, state),
         LATERAL (SELECT facts->'seller' AS named FROM tax_documents
                   WHERE ${WITHIN} AND seller = own.id ORDER BY issued_on, number LIMIT 1) AS first
   WHERE first.named->>'state' <> own.state`;

@Injectable()
export class TaxDocumentsRepository {
  constructor(private readonly database: Database) {}

  /** The billed amounts of a state's registrations in these months, by document, rate and HSN code. */
  parts(
    [first, last]: [Month, Month],
    sellers: readonly number[],
    state: string | null,
  ): AsyncGenerator<PartRow> {
    return this.database.stream<PartRow>(PARTS, [`${first}-01`, `${last}-01`, sellers, state]);
  }

  /** The GSTINs that documents of these months name, but in another state than their registrations. */
  async findMistyped([first, last]: [Month, Month], sellers: readonly Seller[]): Promise<string[]> {
    const own = [sellers.map(({ id }) => id), sellers.map(({ state }) => state)];
    const values = [`${first}-01`, `${last}-01`, ...own];
    return (await this.database.query<{ gstin: string }>({ text: MISTYPED }, values)).map(
      ({ gstin }) => gstin,
    );
  }

  /** Filters the registrations: only those with documents in these months. */
  async findUsedSellers([first, last]: [Month, Month], sellers: readonly number[]): Promise<number[]> {
    const values = [`${first}-01`, `${last}-01`, sellers];
    return (await this.database.query<{ id: number }>({ text: SELLERS }, values)).map(({ id }) => id);
  }

  newest(filter: DocumentFilter, limit: number | null): Promise<TaxDocumentRow[]> {
    const text = filter.search === undefined ? `${LIST} LIMIT $7` : SEARCH;
    return this.database.query<TaxDocumentRow>({ text }, [...valuesOf(filter), limit]);
  }

  /** Seller and client as the newest invoice of the month names them. */
  async partiesOf(clientId: number, month: Month): Promise<TaxDocument['facts'] | undefined> {
    const values = [clientId, `${month}-01`];
    return (await this.database.query<Pick<TaxDocument, 'facts'>>(PARTIES_OF_MONTH, values))[0]?.facts;
  }

  /** Oldest first. */
  ofOrder(clientId: number, orderNumber: string): Promise<TaxDocumentRow[]> {
    return this.database.query<TaxDocumentRow>(OF_ORDER, [clientId, orderNumber]);
  }

  /** Oldest first. */
  ofOrderForStore(clientId: number, orderNumber: string): Promise<BookedDocument[]> {
    return this.database.query<BookedDocument>(OF_ORDER_FOR_STORE, [clientId, orderNumber]);
  }

  /** After a position, until the last day, oldest first. */
  pageForStore(
    clientId: number,
    { day, number }: DocumentPosition,
    lastDay: Day,
    limit: number,
  ): Promise<BookedDocument[]> {
    return this.database.query<BookedDocument>(PAGE_FOR_STORE, [clientId, day, number, lastDay, limit]);
  }

  async find(number: string, clientId?: number): Promise<IssuedDocument | undefined> {
    const [found] = await this.database.query<IssuedDocument>({ text: FIND }, valuesOf({ number, clientId }));
    return found;
  }

  /** The documents of these days that wait for their IRN, of all GSTINs or one, oldest first. */
  waiting(
    [first, last]: DayRange,
    { gstin, limit }: { gstin?: string | undefined; limit?: number } = {},
  ): AsyncGenerator<IssuedDocument, number> {
    return this.database.stream<IssuedDocument>(WAITING, [first, last, gstin ?? null], limit);
  }

  async waitingGstins([first, last]: DayRange): Promise<string[]> {
    const found = await this.database.query<{ gstin: string }>(WAITING_GSTINS, [first, last]);
    return found.map(({ gstin }) => gstin).sort();
  }

  async countWaiting([first, last]: DayRange): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT_WAITING, [first, last]))[0]!.count;
  }

  cancelled(limit: number): Promise<CancelledRow[]> {
    return this.database.query<CancelledRow>(CANCELLED, [limit]);
  }

  async firstDay(clientId?: number): Promise<Day | null> {
    const whose = clientId === undefined ? '$1::int IS NULL' : 'client_id = $1';
    const text = `SELECT min(issued_on)::text AS day FROM tax_documents WHERE ${whose}`;
    const [found] = await this.database.query<{ day: Day | null }>({ text }, [clientId ?? null]);
    return found!.day;
  }

  lines(filter: DocumentFilter): AsyncIterable<DocumentLine> {
    return this.database.stream<DocumentLine>(LINES, valuesOf(filter));
  }
}

function valuesOf({ clientId, number, kind, month, search, before }: DocumentFilter): unknown[] {
  const first = month && `${month}-01`;
  return [clientId, number, kind, first, search, before].map((value) => value ?? null);
}
