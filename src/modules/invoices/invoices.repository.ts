import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOneOptions, In } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import { CompanyProfile } from '../company/company-profile.entity.js';
import { columnOf } from '../../platform/database/columns-of.js';
import { readDatabaseClock } from '../../platform/database/database-clock.js';
import type { Queries, Transaction } from '../../platform/database/database.js';
import { rowBoundOf, tooManyRows } from '../../platform/database/row-bound.js';
import type { Day } from '../../platform/time/time.js';
import { DatabaseGeneration } from '../../read-model/generation/database-generation.entity.js';
import { Seller, TaxDocument, TaxDocumentItem, DocumentSeries } from './entities/tax-document.entity.js';
import type { InvoiceItem } from './rules/billing.js';
import { BILLED_SIGN } from './rules/document-number.js';
import type { InvoicedItem } from './rules/refund-notes.js';
import type { OpenReceipt } from './rules/refund-voucher.js';
import type { BilledClient } from './rules/supply.js';

/** The key of an order. The orders module is above this one, so its type cannot be imported. */
export interface OrderReference {
  clientId: number;
  orderNumber: string;
}

export type EarlierInvoice = OrderReference &
  Pick<
    TaxDocument,
    'number' | 'seller' | 'issuedOn' | 'parcel' | 'edition' | 'part' | 'placeOfSupply' | 'facts'
  > & {
    /** The goods left, or were invoiced first. */
    suppliedOn: Day;
    /** A credit note takes it back as a whole. */
    isVoid: boolean;
    isIrnCancelled: boolean;
    items: (InvoiceItem & InvoicedItem & { position: number })[];
  };

/** SQL: the signed amount of a document in the billed total. `alias` is the alias of `tax_documents`. */
export const billedAmount = (alias: string, amount = `${alias}.gross`): string => {
  const signs = Object.entries(BILLED_SIGN).map(([kind, sign]) => `WHEN '${kind}' THEN ${sign}`);
  return `(${amount} * CASE ${alias}.kind ${signs.join(' ')} END)`;
};

/** SQL: a debit note `n` of the rest of the delivery. Other debit notes take a refund back. */
const IS_OF_DELIVERY = "(n.kind = 'debit_note' AND n.refund IS NULL)";

/** SQL: a note that changes no tax. The return has only its number. */
export const isWithoutTax = (alias: string) =>
  `(${alias}.credit_ended_on IS NOT NULL OR ${alias}.is_commercial)`;
/** SQL: the invoice, or that of the note, is neither taken back nor reissued. A note has no parcel. */
export const IS_IN_FORCE = `
  NOT EXISTS (SELECT FROM tax_documents n WHERE n.against = coalesce(d.against, d.number) AND n.voids)
  AND NOT EXISTS (SELECT FROM tax_documents own
                    JOIN tax_documents n ON (n.order_number, n.client_id, n.parcel)
                                            = (own.order_number, own.client_id, own.parcel)
                                        AND n.edition > own.edition
                   WHERE own.number = coalesce(d.against, d.number))`;
/** SQL: `FROM` the invoices of a parcel without a valid IRN. `parcel` is an alias with its key. */
export const invoicesWithoutIrn = (parcel: string): string => `
  FROM tax_documents d JOIN e_invoices e USING (number)
 WHERE (d.order_number, d.client_id, d.parcel)
       = (${parcel}.order_number, ${parcel}.client_id, ${parcel}.parcel)
   AND (e.irn IS NULL OR e.cancelled_at IS NOT NULL)
   AND ${IS_IN_FORCE}`;

const WITHOUT_IRN = {
  text: `
    SELECT late.*
      FROM unnest($1::int[], $2::text[], $3::int[]) AS wanted (client_id, order_number, parcel),
           LATERAL (SELECT d.number, e.irn IS NOT NULL AS "isCancelled"
                           ${invoicesWithoutIrn('wanted')} AND d.issued_on >= $4) AS late
     LIMIT 1`,
};

export interface NumberingState {
  now: Date;
  sellers: Seller[];
  series: DocumentSeries[];
  /** Numbers wait since a backup was restored. */
  isHeld: boolean;
  /** The hash of the picture for new documents. */
  logo: string | null;
}

/**
 * The invoices of orders, with what was credited of each item. The amounts of an item include later debits of
 * the delivery. SQL, because one statement reads them all. An invoice that is issued again, in the moment
 * that takes the old one back, keeps the day of its supply.
 */
const INVOICES_OF_ORDERS = {
  name: 'documents-invoiced',
  text: `
    SELECT d.client_id AS "clientId", d.order_number AS "orderNumber", d.number, d.seller,
           d.issued_on::text AS "issuedOn", d.parcel, d.edition, d.part, d.place_of_supply AS "placeOfSupply",
           d.facts,
           (SELECT coalesce(f.supplied_on, f.issued_on)::text FROM tax_documents f
             WHERE (f.order_number, f.client_id, f.parcel) = (d.order_number, d.client_id, d.parcel)
               AND f.edition <= d.edition
               AND NOT EXISTS (SELECT FROM tax_documents n
                                WHERE n.against = f.facts->'replaces'->>'number' AND n.voids
                                  AND n.issued_at = f.issued_at)
             ORDER BY f.edition DESC LIMIT 1) AS "suppliedOn",
           EXISTS (SELECT FROM tax_documents n WHERE n.against = d.number AND n.voids) AS "isVoid",
           EXISTS (SELECT FROM e_invoices e
                    WHERE e.number = d.number AND e.cancelled_at IS NOT NULL) AS "isIrnCancelled",
           -- Bounded by the lines of an order, and by its documents.
           (SELECT json_agg(json_build_object(
                     'position', i.position, 'line', i.line, 'description', i.description, 'sku', i.sku,
                     'hsn', i.hsn, 'unit', i.unit, 'quantity', i.quantity,
                     'unitPrice', (CASE i.line WHEN 0 THEN billed.gross ELSE i.unit_price END * 100)::bigint,
                     'rate', (i.gst_rate * 100)::int, 'treatment', i.gst_treatment,
                     'gross', (billed.gross * 100)::bigint,
                     'credits', coalesce(change.credits, '[]'))
                   ORDER BY i.position)
              FROM tax_document_items i
              LEFT JOIN (
                     SELECT c.of_position, sum(c.gross) FILTER (WHERE ${IS_OF_DELIVERY}) AS debited,
                            json_agg(json_build_object(
                              'refund', n.refund, 'isUntaxed', ${isWithoutTax('n')},
                              'isCommercial', n.is_commercial,
                              'quantity', - ${billedAmount('n', 'c.quantity')},
                              'amount', (- ${billedAmount('n', 'c.gross')} * 100)::bigint))
                              FILTER (WHERE NOT ${IS_OF_DELIVERY}) AS credits
                       FROM tax_documents n JOIN tax_document_items c USING (number)
                      WHERE (n.order_number, n.against) = (d.order_number, d.number)
                      GROUP BY c.of_position) AS change ON change.of_position = i.position,
                   LATERAL (SELECT i.gross + coalesce(change.debited, 0) AS gross) AS billed
             WHERE i.number = d.number) AS items
      FROM unnest($1::text[]) AS wanted (order_number)
      JOIN tax_documents d USING (order_number)
     WHERE d.kind = 'invoice'
     ORDER BY d.issued_at, d.number`,
};

/** Has no name, because only a reissued invoice needs it. An index has the cancelled e-invoices. */
const CANCELLED = {
  text: `
    SELECT FROM e_invoices e JOIN tax_documents d USING (number)
     WHERE e.cancelled_at IS NOT NULL AND coalesce(d.against, d.number) = ANY ($1) LIMIT 1`,
};

/** The receipts of a client with money to return: those of a top-up first, then the newest. */
const OPEN_RECEIPTS = {
  text: `
    WITH returned AS (
      SELECT r->>'number' AS number, sum((r->>'amount')::numeric) AS amount
        FROM tax_documents d, jsonb_array_elements(d.facts->'returns') AS r
       WHERE d.client_id = $1 AND d.kind = 'refund_voucher' AND d.payment_key IS NOT NULL GROUP BY 1)
    SELECT d.number, d.issued_on::text AS issued_on,
           ((d.gross - coalesce(r.amount, 0)) * 100)::float8 AS unreturned
      FROM tax_documents d LEFT JOIN returned r USING (number)
     WHERE d.client_id = $1 AND d.kind = 'receipt_voucher' AND d.payment_key IS NOT NULL
       AND d.gross > coalesce(r.amount, 0)
     ORDER BY d.payment_key = $2 DESC, d.issued_at DESC, d.number DESC`,
};

/** SQL, because TypeORM does not know that an import is a transaction. */
const LOCK_SELLERS = { name: 'sellers-lock', text: 'SELECT FROM sellers ORDER BY id FOR UPDATE' };

/**
 * SQL, because one statement writes the documents of a whole file of a courier. A trigger counts them.
 * Documents that need an IRN wait for it, even if e-invoices are turned on only later.
 */
const ADD = {
  name: 'documents-add',
  text: `
    WITH added AS (
           INSERT INTO tax_documents SELECT * FROM json_populate_recordset(NULL::tax_documents, $1)
           RETURNING number, issued_on),
         waiting AS (
           INSERT INTO e_invoices (number, issued_on)
           SELECT number, issued_on FROM added WHERE number = ANY ($3))
    INSERT INTO tax_document_items SELECT * FROM json_populate_recordset(NULL::tax_document_items, $2)`,
};

/** The orders' numbers are unique among all clients. */
const OVERFULL = {
  text: `
    SELECT order_number AS "orderNumber" FROM tax_documents
     WHERE order_number = ANY ($1) GROUP BY order_number HAVING count(*) > $2 LIMIT 1`,
};

@Injectable()
export class InvoicesRepository {
  sellers({ manager }: Transaction): Promise<Seller[]> {
    return allSellers(manager);
  }

  /** Until this transaction ends, no other transaction issues documents or changes the seller. */
  async lockSellers(transaction: Transaction): Promise<void> {
    await transaction.query(LOCK_SELLERS, []);
  }

  async clients({ manager }: Transaction, ids: number[]): Promise<Map<number, BilledClient>> {
    const rows = await manager.find(Client, {
      select: { id: true, name: true, gstin: true, gstCategory: true, state: true, billingAddress: true },
      where: { id: In(ids) },
    });
    return new Map(rows.map((client) => [client.id, client]));
  }

  /** Filters by order number: an index that begins with the client would read all of its documents. */
  listInvoices(queries: Queries, orders: readonly OrderReference[]): Promise<EarlierInvoice[]> {
    return queries.query<EarlierInvoice>(INVOICES_OF_ORDERS, [orders.map(({ orderNumber }) => orderNumber)]);
  }

  /** Refuses the documents that were just added, if an order has too many. */
  async requireRoom(queries: Queries, orders: readonly OrderReference[]): Promise<void> {
    const { max, rows } = rowBoundOf(TaxDocument);
    const numbers = orders.map(({ orderNumber }) => orderNumber);
    const [full] = await queries.query<{ orderNumber: string }>(OVERFULL, [numbers, max]);
    if (full) throw tooManyRows(full.orderNumber, max, rows);
  }

  /** One invoice of these parcels without a valid IRN. */
  listWithoutIrn(
    queries: Queries,
    parcels: readonly (OrderReference & { parcel: number })[],
    issuedFrom: Day,
  ): Promise<{ number: string; isCancelled: boolean }[]> {
    return queries.query(WITHOUT_IRN, [
      parcels.map(({ clientId }) => clientId),
      parcels.map(({ orderNumber }) => orderNumber),
      parcels.map(({ parcel }) => parcel),
      issuedFrom,
    ]);
  }

  /** `topUpKey` is the key of the top-up that is paid back, if there is one. */
  openReceipts(transaction: Transaction, clientId: number, topUpKey = ''): Promise<OpenReceipt[]> {
    return transaction.query<OpenReceipt>(OPEN_RECEIPTS, [clientId, topUpKey]);
  }

  hasReceipt({ manager }: Transaction, clientId: number, paymentKey: string): Promise<boolean> {
    return manager.existsBy(TaxDocument, { clientId, kind: 'receipt_voucher', paymentKey });
  }

  /** Whether the IRN of one of these invoices, or of a note of one, was cancelled. */
  async hasCancelledIrn(queries: Queries, numbers: readonly string[]): Promise<boolean> {
    return (await queries.query(CANCELLED, [numbers])).length > 0;
  }

  /**
   * The time, the seller and the series so far. All are read after the lock. So later numbers never have an
   * earlier time.
   */
  async readNumberingState(transaction: Transaction): Promise<NumberingState> {
    const now = await readDatabaseClock(transaction);
    const sellers = await this.sellers(transaction);
    const { restoredAt } = await transaction.manager.findOneByOrFail(DatabaseGeneration, {});
    const series = await transaction.manager.find(DocumentSeries);
    const { logo } = await transaction.manager.findOneByOrFail(CompanyProfile, { id: 1 });
    return { now, sellers, series, isHeld: restoredAt !== null, logo };
  }

  /** `registrable`: the numbers of the documents that need an IRN. */
  async add(
    transaction: Transaction,
    documents: TaxDocument[],
    items: TaxDocumentItem[],
    registrable: readonly string[],
  ): Promise<void> {
    await transaction.query(ADD, [
      rowsOf(TaxDocument, documents),
      rowsOf(TaxDocumentItem, items),
      registrable,
    ]);
  }
}

/** In the order of their days. */
export function allSellers(manager: EntityManager, lock?: FindOneOptions<Seller>['lock']): Promise<Seller[]> {
  return manager.find(Seller, { order: { since: 'ASC' }, ...(lock && { lock }) });
}

/** The rows as JSON, by the names of the columns. */
function rowsOf<Entity extends object>(entity: abstract new () => Entity, rows: readonly Entity[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([field, value]) => [
          columnOf(entity, field as keyof Entity & string),
          value as unknown,
        ]),
      ),
    ),
  );
}
