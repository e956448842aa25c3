import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { ClientFinderService } from '../clients/client-finder.service.js';
import { streamPdf } from '../../shared/pdf/pdf-job.js';
import type { DocumentReference } from '../invoices/tax-documents.repository.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { OrderRefund } from '../orders/entities/after-sale.entity.js';
import { ClientOrdersService } from '../orders/records/client-orders.service.js';
import { formatMonth } from '../../shared/ui/formats.js';
import type { SpreadsheetExport } from '../../platform/database/spreadsheet-export.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { amountFromMinor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Month, periodOf, plainTime } from '../../platform/time/time.js';
import { type PassbookLine, Passbook, type StatementTotals } from '../wallet/passbook.repository.js';
import { referenceOf, type StatementHeader, type StatementLine, describeEntry } from './statement-pdf.js';

/** The columns of the file. The first row is the opening balance, the last one the closing balance. */
const STATEMENT_COLUMNS = [
  'time',
  'entry',
  'what',
  'order_number',
  'store_order_id',
  'documents',
  'reference',
  'money_in',
  'money_out',
  'balance',
] as const;

type StatementRow = Record<(typeof STATEMENT_COLUMNS)[number], string>;

/** A month of a wallet. Its lines come in batches, the oldest first, and can be read once. */
interface MonthStatement extends StatementHeader {
  /** When the month ends. */
  end: Date;
  /** False for a client without tax documents. Then the statement has no column for them. */
  hasDocuments: boolean;
  lineBatches: AsyncIterable<StatementLine[]>;
}

export interface StatementView {
  client_id: number;
  client: string;
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
    documents?: string[];
    reference: string;
    amount: number;
    balance_after: number;
  }[];
}

/** The month of a wallet for accountants. Days are in the wholesaler's time zone, as on invoices. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly clients: ClientFinderService,
    private readonly passbook: Passbook,
    private readonly orders: ClientOrdersService,
    private readonly documents: TaxDocumentsService,
    @InjectRepository(OrderRefund) private readonly refunds: Repository<OrderRefund>,
    private readonly workers: WorkerThreads,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async ofMonth(clientId: number, month: Month): Promise<MonthStatement> {
    const { timeZone, currency } = this.settings;
    const { name: client } = await this.clients.byId(clientId);
    const { from, to } = periodOf(month, timeZone);
    const { lines, ...totals } = await this.passbook.statementWithLines(clientId, { from, to });
    return {
      ...totals,
      clientId,
      client,
      month,
      end: to,
      timeZone,
      currency,
      hasDocuments: (await this.documents.firstDay(clientId)) !== null,
      lineBatches: this.withReferences(clientId, lines),
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
    const { lineBatches, hasDocuments, ...statement } = await this.ofMonth(clientId, month);
    const entries: StatementView['entries'] = [];
    for await (const lines of lineBatches)
      entries.push(...lines.map((line) => toEntryView(line, hasDocuments)));
    return {
      client_id: clientId,
      client: statement.client,
      month,
      currency: statement.currency,
      opening_balance: amountFromMinor(statement.opening),
      money_in: amountFromMinor(statement.moneyIn),
      money_out: amountFromMinor(statement.moneyOut),
      closing_balance: amountFromMinor(statement.closing),
      entries,
    };
  }

  spreadsheetOf(statement: MonthStatement): SpreadsheetExport<StatementRow> {
    const columns = STATEMENT_COLUMNS.filter((column) => column !== 'documents' || statement.hasDocuments);
    return { columns, rows: rowsOf(statement) };
  }

  pdfOf(
    { lineBatches: parts, end: madeAt, ...facts }: MonthStatement,
    owner: ThreadOwner,
  ): AsyncGenerator<Uint8Array> {
    const title = `${facts.client}: ${formatMonth(facts.month)}`;
    const papers = import.meta.resolve('./statement-pdf.js');
    return streamPdf(this.workers, owner, { title, madeAt, documentsModule: papers, facts, parts });
  }

  private async *withReferences(clientId: number, batches: AsyncIterable<PassbookLine[]>) {
    for await (const lines of batches) {
      const numbers = lines.flatMap(({ orderNumber }) => orderNumber ?? []);
      const storeIds = await this.orders.storeOrderIds(clientId, numbers);
      const keys = lines.map(({ key }) => key);
      const documents = await this.documents.ofOrdersAndTopUps(clientId, numbers, keys);
      const refunds = await this.refunds.findBy({ clientId, orderNumber: In(numbers) });
      const creditedAt = creditedAtOf(refunds);
      yield lines.map((line) => ({
        ...line,
        storeOrderId: storeIds.get(line.orderNumber ?? ''),
        documents: documentsOf(line, documents, creditedAt).map(({ number }) => number),
      }));
    }
  }
}

/**
 * The times from which refunds need no credit note: for cancelled goods, which were never invoiced, the time
 * of the refund; for others the time when the whole refund was taken back.
 */
function creditedAtOf(refunds: readonly OrderRefund[]): Map<string, Date> {
  return new Map(
    refunds.flatMap((one): [string, Date][] => {
      if (one.kind === 'cancelled') return [[keyOf(one), one.refundedAt]];
      const back = refunds.filter(
        ({ orderNumber, takesBack }) => orderNumber === one.orderNumber && takesBack === one.refund,
      );
      const left = [one, ...back].reduce((sum, { amount }) => sum + minorFromNumeric(amount), 0);
      const last = Math.max(...back.map(({ refundedAt }) => refundedAt.getTime()));
      return back.length > 0 && left === 0 ? [[keyOf(one), new Date(last)]] : [];
    }),
  );
}

/** The key of the wallet's entry. */
function keyOf({ orderNumber, refund }: Pick<DocumentReference, 'orderNumber' | 'refund'>): string {
  return `refund:${orderNumber}:${refund}`;
}

/**
 * The documents of a line. A payment has the invoices of its order, the notes that take them back as a whole,
 * and those of the rest of its delivery. A refund has its credit notes, a refund that is taken back its debit
 * notes, a top-up its receipt.
 */
function documentsOf(
  { kind, key, orderNumber, at, amount }: PassbookLine,
  all: DocumentReference[],
  creditedAt: ReadonlyMap<string, Date>,
): DocumentReference[] {
  if (kind === 'top_up') return all.filter(({ paymentKey }) => paymentKey === key);
  const ofOrder = all.filter((document) => document.orderNumber === orderNumber && orderNumber !== null);
  if (kind === 'order_payment')
    return ofOrder.filter(
      ({ kind: what, voids, refund }) =>
        what === 'invoice' || voids || (what === 'debit_note' && refund === null),
    );
  if (kind !== 'order_refund') return [];
  if (amount < 0) return ofOrder.filter((document) => key === keyOf(document));
  const notes = ofOrder.filter((document) => document.kind === 'credit_note' && !document.voids);
  // Refunds before a dispatch are credited at it, all together.
  const until = creditedAt.get(key);
  const isOfDispatch = ({ refund, issuedAt }: DocumentReference) =>
    refund === null && issuedAt > at && (until === undefined || issuedAt <= until);
  return notes.filter((note) => key === keyOf(note) || isOfDispatch(note));
}

function toEntryView(line: StatementLine, hasDocuments: boolean): StatementView['entries'][number] {
  return {
    entry: line.entry,
    at: line.at,
    what: describeEntry(line),
    order_number: line.orderNumber,
    store_order_id: line.storeOrderId ?? null,
    ...(hasDocuments && { documents: line.documents }),
    reference: referenceOf(line),
    amount: amountFromMinor(line.amount),
    balance_after: amountFromMinor(line.balanceAfter),
  };
}

const EMPTY = Object.fromEntries(STATEMENT_COLUMNS.map((column) => [column, ''])) as StatementRow;

async function* rowsOf({
  opening,
  closing,
  timeZone,
  lineBatches,
}: MonthStatement): AsyncGenerator<StatementRow> {
  yield { ...EMPTY, what: 'Opening balance', balance: numericFromMinor(opening) };
  for await (const lines of lineBatches)
    for (const line of lines)
      yield {
        time: plainTime(line.at, timeZone),
        entry: String(line.entry),
        what: describeEntry(line),
        order_number: line.orderNumber ?? '',
        store_order_id: line.storeOrderId ?? '',
        documents: line.documents.join(' '),
        reference: referenceOf(line),
        money_in: line.amount > 0 ? numericFromMinor(line.amount) : '',
        money_out: line.amount < 0 ? numericFromMinor(-line.amount) : '',
        balance: numericFromMinor(line.balanceAfter),
      };
  yield { ...EMPTY, what: 'Closing balance', balance: numericFromMinor(closing) };
}
