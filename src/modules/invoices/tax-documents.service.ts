import { Inject, Injectable } from '@nestjs/common';
import { streamPdf } from '../../shared/pdf/pdf-job.js';
import { type ZipEntry, zipOf } from '../../shared/pdf/zip.js';
import { PicturesService } from '../pictures/pictures.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { onePage } from '../../platform/lists/bounded-lists.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { amountFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, type Month, periodOf } from '../../platform/time/time.js';
import { isStorableText } from '../../platform/validation/texts.js';
import {
  type DocumentListQuery,
  type DocumentPosition,
  FIRST_DAY,
  LAST_DAY,
  readDocumentCursor,
  writeDocumentCursor,
} from './document.queries.js';
import { withLogo } from './issuing/rows.js';
import type { DocumentListResponse, DocumentResponse } from './document.responses.js';
import type { TaxDocument } from './entities/tax-document.entity.js';
import { type Copies, type IssuedDocument, titleOf } from './document-pdf.js';
import {
  DOCUMENT_LINE_COLUMNS,
  type DocumentFilter,
  type DocumentLine,
  type BookedDocument,
  type TaxDocumentRow,
  TaxDocumentsRepository,
} from './tax-documents.repository.js';

const PAGE_SIZE = 50;

/** Issued documents, to list and to print. They are never changed. */
@Injectable()
export class TaxDocumentsService {
  constructor(
    private readonly documents: TaxDocumentsRepository,
    private readonly workers: WorkerThreads,
    private readonly pictures: PicturesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The same as an array, for pages. */
  newest(filter: DocumentFilter, limit: number | null = null): Promise<TaxDocumentRow[]> {
    return this.documents.newest(filter, limit);
  }

  /** Seller and client as the newest invoice of the month names them. */
  partiesOf(clientId: number, month: Month): Promise<TaxDocument['facts'] | undefined> {
    return this.documents.partiesOf(clientId, month);
  }

  /** The day of the first document, of a client or of all. */
  firstDay(clientId?: number): Promise<Day | null> {
    return this.documents.firstDay(clientId);
  }

  /**
   * The ZIP file of a month. Each document is a query and a PDF job of its own, so a slow reader holds no
   * connection and no thread.
   */
  zipOf(month: Month, owner: ThreadOwner, clientId?: number): AsyncIterable<Uint8Array> {
    return zipOf(this.filesOf(month, owner, clientId), periodOf(month, 'UTC').to);
  }

  private async *filesOf(month: Month, owner: ThreadOwner, clientId?: number): AsyncGenerator<ZipEntry> {
    const documents = await this.newest({ clientId, month });
    for (const { number } of documents.reverse()) {
      const document = await this.find(number, clientId);
      yield { name: `${number}.pdf`, content: this.pdfOf(document, owner) };
    }
  }

  /** Oldest first. */
  ofOrder(clientId: number, orderNumber: string): Promise<TaxDocumentRow[]> {
    return this.documents.ofOrder(clientId, orderNumber);
  }

  /** The documents of an order as its store sees them, oldest first. */
  async forStore(clientId: number, orderNumber: string): Promise<DocumentResponse[]> {
    return (await this.documents.ofOrderForStore(clientId, orderNumber)).map(toDocumentResponse);
  }

  /** A page of the documents of a client, by day. */
  pageForStore(clientId: number, query: DocumentListQuery): Promise<DocumentListResponse> {
    return pageOfDocuments(query, async (after, last, limit) =>
      (await this.documents.pageForStore(clientId, after, last, limit)).map(toDocumentResponse),
    );
  }

  /** With a client: only a document of this client. */
  async find(number: string, clientId?: number): Promise<IssuedDocument> {
    const found = isStorableText(number)
      ? await this.documents.find(number.trim().toUpperCase(), clientId)
      : undefined;
    if (found) return { ...found, awaitsIrn: found.awaitsIrn && this.needsIrn(found) };
    if (clientId !== undefined) {
      const hint = 'This is a sample of a test order: use a test token.';
      throw documentNotFound(isSampleNumber(number) ? hint : undefined);
    }
    throw new DomainError('document_not_found', `There is no document ${number}.`);
  }

  /** Documents wait for an IRN even if e-invoices are turned on only later, or never. */
  private needsIrn({ issuedOn }: IssuedDocument): boolean {
    const { tax, eInvoicesFrom } = this.settings;
    return tax === 'gst' && eInvoicesFrom !== undefined && issuedOn >= eInvoicesFrom;
  }

  async show(number: string): Promise<ReturnType<typeof toDocumentView>> {
    return toDocumentView(await this.find(number));
  }

  /** The same document has the same bytes each time. */
  pdfOf(
    document: IssuedDocument,
    owner: ThreadOwner,
    copies: Copies = 'original',
  ): AsyncIterable<Uint8Array> {
    return streamPdf(this.workers, owner, {
      title: document.number,
      madeAt: document.issuedAt,
      documentsModule: import.meta.resolve('./document-pdf.js'),
      facts: copies,
      parts: this.toPrint(document),
    });
  }

  private async *toPrint(document: IssuedDocument): AsyncGenerator<IssuedDocument> {
    const { logo } = document.facts.seller;
    yield logo === undefined ? document : { ...document, logo: await this.pictures.readLogo(logo) };
  }

  async bytesOf(document: IssuedDocument, owner: ThreadOwner): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.pdfOf(document, owner)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** A row for each line of each document. */
  lines(filter: DocumentFilter): {
    columns: readonly (keyof DocumentLine)[];
    rows: AsyncIterable<DocumentLine>;
  } {
    return { columns: DOCUMENT_LINE_COLUMNS, rows: this.documents.lines(filter) };
  }
}

/** The documents of test orders have the numbers of their orders. */
export const isSampleNumber = (number: string) => /^\s*TEST-/i.test(number);

/** For a store. The hint is a further sentence. */
export function documentNotFound(hint?: string): DomainError {
  const message = 'You have no invoice, note or receipt with this number.';
  return new DomainError('document_not_found', hint === undefined ? message : `${message} ${hint}`);
}

/** The page of a list that is read in the order of days and numbers, after a position. */
export async function pageOfDocuments(
  {
    issued_from: first = FIRST_DAY,
    issued_to: last = LAST_DAY,
    limit = PAGE_SIZE,
    cursor,
  }: DocumentListQuery,
  read: (after: DocumentPosition, last: Day, limit: number) => Promise<DocumentResponse[]>,
): Promise<DocumentListResponse> {
  const after = readDocumentCursor(cursor ?? '') ?? { day: first, number: '' };
  const { rows: data, last: end } = onePage(await read(after, last, limit + 1), limit);
  return {
    success: true,
    data,
    has_more: end !== undefined,
    ...(end && { next_cursor: writeDocumentCursor({ day: end.date as Day, number: end.number }) }),
  };
}

/** A document as its store sees it. */
export function toDocumentResponse(row: BookedDocument): DocumentResponse {
  const { number, kind, order_number, store_order_id, parcel, against, refund, lines, amount } = row;
  const bill = row.e_way_bill;
  return {
    number,
    kind,
    date: row.issued_on,
    amount,
    // First of the fields with lists: a store may cut it out by a pattern.
    url: `/api/documents/${number}`,
    order_number,
    store_order_id,
    parcel,
    against,
    refund,
    lines,
    ...(bill && {
      e_way_bill: {
        number: bill.number,
        valid_until: bill.valid_until === null ? null : new Date(bill.valid_until).toISOString(),
      },
    }),
  };
}

/** A sample as its store sees it in a list. */
export function toSampleResponse({ facts, items, ...document }: IssuedDocument): DocumentResponse {
  return toDocumentResponse({
    ...document,
    issued_on: document.issuedOn,
    order_number: document.orderNumber,
    store_order_id: facts.store_order_id,
    amount: amountFromNumeric(document.gross),
    lines: items.map(({ line, quantity, gross }) => ({
      line: line!,
      quantity,
      amount: amountFromNumeric(gross),
    })),
  });
}

function toDocumentView(document: IssuedDocument) {
  const { facts, items, eInvoice, eWayBill } = document;
  return {
    number: document.number,
    kind: document.kind,
    title: titleOf(document),
    issued_at: document.issuedAt,
    issued_on: document.issuedOn,
    supplied_on: document.suppliedOn,
    client_id: document.clientId,
    order_number: document.orderNumber,
    parcel: document.parcel,
    refund: document.refund,
    credit_ended_on: document.creditEndedOn,
    is_commercial: document.isCommercial,
    reason_code: document.reasonCode,
    reason: document.reason,
    place_of_supply: document.placeOfSupply,
    ...amountsOf(document),
    ...facts,
    seller: withLogo(facts.seller, null),
    ...(facts.returns && {
      returns: facts.returns.map((one) => ({ ...one, amount: amountFromNumeric(one.amount) })),
    }),
    ...(document.awaitsIrn && { awaits_irn: true }),
    ...(eInvoice && {
      irn: eInvoice.irn,
      ack_number: eInvoice.ackNumber,
      acked_at: new Date(eInvoice.ackedAt),
      ...(eInvoice.cancelledAt !== null && { irn_cancelled_at: new Date(eInvoice.cancelledAt) }),
    }),
    ...(eWayBill && {
      e_way_bill: eWayBill.billNumber,
      transport: eWayBill.transport,
      ...(eWayBill.generatedAt !== null && { e_way_bill_generated_at: new Date(eWayBill.generatedAt) }),
      ...(eWayBill.validUntil !== null && { e_way_bill_valid_until: new Date(eWayBill.validUntil) }),
    }),
    items: items.map((item) => ({
      line: item.line,
      description: item.description,
      sku: item.sku,
      hsn: item.hsn,
      quantity: item.quantity,
      unit: item.unit,
      unit_price: amountFromNumeric(item.unitPrice),
      gst_rate: Number(item.gstRate),
      gst_treatment: item.gstTreatment,
      ...amountsOf(item),
    })),
  };
}

function amountsOf(parts: Record<'taxable' | 'cgst' | 'sgst' | 'igst' | 'gross', string>) {
  return {
    taxable: amountFromNumeric(parts.taxable),
    cgst: amountFromNumeric(parts.cgst),
    sgst: amountFromNumeric(parts.sgst),
    igst: amountFromNumeric(parts.igst),
    total: amountFromNumeric(parts.gross),
  };
}
