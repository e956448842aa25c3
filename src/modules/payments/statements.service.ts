import { Inject, Injectable } from '@nestjs/common';
import { ClientFinderService } from '../clients/client-finder.service.js';
import { streamPdf } from '../../shared/pdf/pdf-job.js';
import { describeDocument } from '../invoices/document-words.js';
import { SellersService } from '../invoices/sellers.service.js';
import type { TaxDocumentRow } from '../invoices/tax-documents.repository.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { ClientOrdersService } from '../orders/records/client-orders.service.js';
import { formatMonth } from '../../platform/formats.js';
import type { SpreadsheetExport } from '../../platform/database/spreadsheet-export.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { amountFromMinor, numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { addDays, addMonths, type Month, periodOf, plainTime } from '../../platform/time/time.js';
import { type PassbookLine, Passbook, type StatementTotals } from '../wallet/passbook.repository.js';
import {
  describeEntry,
  formatParties,
  referenceOf,
  type StatementHeader,
  type StatementLine,
  type StatementParties,
  type StatementPart,
} from './statement-pdf.js';

/** The columns of the file: seller and client, the entries between the balances, and the documents. */
const STATEMENT_COLUMNS = [
  'time',
  'entry',
  'what',
  'order_number',
  'store_order_id',
  'document',
  'reference',
  'money_in',
  'money_out',
  'balance',
  'document_amount',
] as const;

type StatementRow = Record<(typeof STATEMENT_COLUMNS)[number], string>;

/** A month of a wallet. Its lines come in batches, the oldest first, and can be read once. */
export interface MonthStatement extends StatementHeader {
  /** When the month ends. */
  end: Date;
  lineBatches: AsyncIterable<StatementLine[]>;
  /** The documents with a day of the month, oldest first: each stands in one statement. */
  documents: TaxDocumentRow[];
}

export interface StatementView {
  client_id: number;
  client: string;
  client_gstin: string | null;
  seller: string | null;
  seller_gstin: string | null;
  month: Month;
  currency: string;
  opening_balance: number;
  money_in: number;
  money_out: number;
  closing_balance: number;
  entries: {
    entry: number;
    at: Date;
    what: string;
    order_number: string | null;
    store_order_id: string | null;
    reference: string;
    amount: number;
    balance_after: number;
  }[];
  documents: TaxDocumentRow[];
}

/** The month of a wallet for accountants. Days are in the wholesaler's time zone, as on invoices. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly clients: ClientFinderService,
    private readonly passbook: Passbook,
    private readonly orders: ClientOrdersService,
    private readonly documents: TaxDocumentsService,
    private readonly sellers: SellersService,
    private readonly workers: WorkerThreads,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async ofMonth(clientId: number, month: Month): Promise<MonthStatement> {
    const { timeZone, currency } = this.settings;
    const documents = (await this.documents.newest({ clientId, month })).reverse();
    const { from, to } = periodOf(month, timeZone);
    const { lines, ...totals } = await this.passbook.statementWithLines(clientId, { from, to });
    return {
      ...totals,
      ...(await this.partiesOf(clientId, month)),
      clientId,
      month,
      end: to,
      timeZone,
      currency,
      lineBatches: this.withStoreIds(clientId, lines),
      documents,
    };
  }

  /** As the newest invoice of the month names them. */
  async partiesOf(clientId: number, month: Month): Promise<StatementParties> {
    const facts = await this.documents.partiesOf(clientId, month);
    const now = await this.clients.byId(clientId);
    const seller = facts?.seller ?? (await this.sellers.on(addDays(`${addMonths(month, 1)}-01`, -1)));
    return {
      client: facts?.client.name ?? now.name,
      clientGstin: facts ? facts.client.gstin : now.gstin,
      seller: seller?.name ?? null,
      sellerGstin: seller?.gstin ?? null,
    };
  }

  /** The sums of a month for these clients. Each client is a query of its own. */
  async sumsOf<Client extends { clientId: number }>(clients: readonly Client[], month: Month) {
    const period = periodOf(month, this.settings.timeZone);
    const sums: (Client & StatementTotals)[] = [];
    for (const client of clients)
      sums.push({ ...client, ...(await this.passbook.statement(client.clientId, period)) });
    return sums;
  }

  /** The whole statement in memory, for a person at a terminal. */
  async show(clientId: number, month: Month): Promise<StatementView> {
    const statement = await this.ofMonth(clientId, month);
    const entries: StatementView['entries'] = [];
    for await (const entry of this.entriesOf(statement)) entries.push(entry);
    return { ...this.headOf(statement), entries, documents: statement.documents };
  }

  headOf(statement: MonthStatement): Omit<StatementView, 'entries' | 'documents'> {
    return {
      client_id: statement.clientId,
      client: statement.client,
      client_gstin: statement.clientGstin,
      seller: statement.seller,
      seller_gstin: statement.sellerGstin,
      month: statement.month,
      currency: statement.currency,
      opening_balance: amountFromMinor(statement.opening),
      money_in: amountFromMinor(statement.moneyIn),
      money_out: amountFromMinor(statement.moneyOut),
      closing_balance: amountFromMinor(statement.closing),
    };
  }

  async *entriesOf({ lineBatches }: MonthStatement): AsyncGenerator<StatementView['entries'][number]> {
    for await (const lines of lineBatches) yield* lines.map(toEntryView);
  }

  spreadsheetOf(statement: MonthStatement): SpreadsheetExport<StatementRow> {
    const hasDocuments = statement.documents.length > 0;
    const columns = STATEMENT_COLUMNS.filter((column) => hasDocuments || !column.startsWith('document'));
    return { columns, rows: rowsOf(statement) };
  }

  pdfOf(
    { lineBatches, documents, end: madeAt, ...facts }: MonthStatement,
    owner: ThreadOwner,
  ): AsyncGenerator<Uint8Array> {
    const title = `${facts.client}: ${formatMonth(facts.month)}`;
    const parts = partsOf(lineBatches, documents);
    const papers = import.meta.resolve('./statement-pdf.js');
    return streamPdf(this.workers, owner, { title, madeAt, documentsModule: papers, facts, parts });
  }

  private async *withStoreIds(clientId: number, batches: AsyncIterable<PassbookLine[]>) {
    for await (const lines of batches) {
      const numbers = lines.flatMap(({ orderNumber }) => orderNumber ?? []);
      const storeIds = await this.orders.storeOrderIds(clientId, numbers);
      yield lines.map((line) => ({ ...line, storeOrderId: storeIds.get(line.orderNumber ?? '') }));
    }
  }
}

function toEntryView(line: StatementLine): StatementView['entries'][number] {
  return {
    entry: line.entry,
    at: line.at,
    what: describeEntry(line),
    order_number: line.orderNumber,
    store_order_id: line.storeOrderId ?? null,
    reference: referenceOf(line),
    amount: amountFromMinor(line.amount),
    balance_after: amountFromMinor(line.balanceAfter),
  };
}

const EMPTY = Object.fromEntries(STATEMENT_COLUMNS.map((column) => [column, ''])) as StatementRow;

async function* rowsOf(statement: MonthStatement): AsyncGenerator<StatementRow> {
  const { opening, closing, timeZone, lineBatches, documents } = statement;
  for (const [what, reference] of formatParties(statement)) yield { ...EMPTY, what, reference };
  yield { ...EMPTY, what: 'Opening balance', balance: numericFromMinor(opening) };
  for await (const lines of lineBatches)
    for (const line of lines)
      yield {
        time: plainTime(line.at, timeZone),
        entry: String(line.entry),
        what: describeEntry(line),
        order_number: line.orderNumber ?? '',
        store_order_id: line.storeOrderId ?? '',
        document: '',
        reference: referenceOf(line),
        money_in: line.amount > 0 ? numericFromMinor(line.amount) : '',
        money_out: line.amount < 0 ? numericFromMinor(-line.amount) : '',
        balance: numericFromMinor(line.balanceAfter),
        document_amount: '',
      };
  yield { ...EMPTY, what: 'Closing balance', balance: numericFromMinor(closing) };
  for (const document of documents)
    yield {
      ...EMPTY,
      time: document.issued_on,
      what: describeDocument(document),
      order_number: document.order_number ?? '',
      document: document.number,
      reference: document.against ?? '',
      document_amount: document.amount.toFixed(2),
    };
}

async function* partsOf(
  lineBatches: AsyncIterable<StatementLine[]>,
  documents: TaxDocumentRow[],
): AsyncGenerator<StatementPart> {
  for await (const lines of lineBatches) yield { lines };
  if (documents.length > 0) yield { documents };
}
