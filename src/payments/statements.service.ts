import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { ClientFinder } from '../auth/clients/client-finder.js';
import { type Paper, pdfOf } from '../documents/pdf.js';
import type { Column, Pen } from '../documents/pen.js';
import type { DocumentNamed } from '../invoices/tax-documents.repository.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { OrderRefund } from '../orders/entities/order-refund.entity.js';
import type { Sheet } from '../platform/database/sheet.js';
import { ClientOrdersService } from '../orders/records/client-orders.service.js';
import { dayOf, formatMoney, nameOfMonth } from '../pages/formats.js';
import { amountFromMinor, type Minor, numericFromMinor } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { type Month, periodOf, plainTime, type TimeZone } from '../platform/time/time.js';
import { type PassbookLine, PassbookRepository, type Statement } from '../wallet/passbook.repository.js';
import type { PostingKind } from '../wallet/rules/posting.js';

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

export type StatementRow = Record<(typeof STATEMENT_COLUMNS)[number], string>;

interface StatementLine extends PassbookLine {
  storeOrderId: string | undefined;
  /** Numbers of the invoices, credit notes and receipts that belong to it. */
  documents: string[];
}

/** A month of a wallet. Its lines come in pieces, the oldest first, and can be read once. */
export interface MonthStatement extends Statement {
  clientId: number;
  client: string;
  month: Month;
  /** When the month ends. */
  end: Date;
  timeZone: TimeZone;
  currency: string;
  /** False for a client without tax documents: then nothing mentions any. */
  hasDocuments: boolean;
  pieces: AsyncIterable<StatementLine[]>;
}

/** A statement as the command line shows it. */
export interface StatementShown {
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

const WORDS: Record<Exclude<PostingKind, 'top_up'>, string> = {
  order_payment: 'Order paid',
  order_refund: 'Order refunded',
  payout: 'Sent back to where it came from',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrected by the wholesaler',
};

export function wordsFor({
  kind,
  against,
  orderNumber,
}: Pick<PassbookLine, 'kind' | 'against' | 'orderNumber'>): string {
  if (kind !== 'top_up') return WORDS[kind];
  if (against === 'gateway') return 'Paid in through the gateway';
  return orderNumber === null ? 'Bank transfer' : 'Paid in for an order';
}

/** The month of a wallet for accountants. Its days are those of the wholesaler's zone, as on invoices. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly clients: ClientFinder,
    private readonly passbook: PassbookRepository,
    private readonly orders: ClientOrdersService,
    private readonly documents: TaxDocumentsService,
    @InjectRepository(OrderRefund) private readonly refunds: Repository<OrderRefund>,
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
      pieces: this.explained(clientId, lines),
    };
  }

  /** All of it in memory, for a person at a terminal. */
  async show(clientId: number, month: Month): Promise<StatementShown> {
    const { pieces, hasDocuments, ...statement } = await this.ofMonth(clientId, month);
    const entries: StatementShown['entries'] = [];
    for await (const lines of pieces) entries.push(...lines.map((line) => toShown(line, hasDocuments)));
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

  sheetOf(statement: MonthStatement): Sheet<StatementRow> {
    const columns = STATEMENT_COLUMNS.filter((column) => column !== 'documents' || statement.hasDocuments);
    return { columns, rows: rowsOf(statement) };
  }

  pdfOf(statement: MonthStatement): AsyncGenerator<Uint8Array> {
    const { client, month, end } = statement;
    return pdfOf({ title: `${client}: ${nameOfMonth(month)}`, madeAt: end }, papersOf(statement));
  }

  private async *explained(clientId: number, pieces: AsyncIterable<PassbookLine[]>) {
    for await (const lines of pieces) {
      const numbers = lines.flatMap(({ orderNumber }) => orderNumber ?? []);
      const storeIds = await this.orders.storeOrderIds(clientId, numbers);
      const keys = lines.map(({ key }) => key);
      const documents = await this.documents.ofOrdersAndTopUps(clientId, numbers, keys);
      const cancelled = await this.refunds.findBy({ clientId, orderNumber: In(numbers), kind: 'cancelled' });
      const uninvoiced = new Set(cancelled.map(keyOf));
      yield lines.map((line) => ({
        ...line,
        storeOrderId: storeIds.get(line.orderNumber ?? ''),
        documents: documentsOf(line, documents, uninvoiced).map(({ number }) => number),
      }));
    }
  }
}

/** The key of the wallet's entry. */
function keyOf({ orderNumber, refund }: Pick<DocumentNamed, 'orderNumber' | 'refund'>): string {
  return `refund:${orderNumber}:${refund}`;
}

/** A payment has the invoices of its order, a refund its credit notes, a top-up its receipt. */
function documentsOf(
  { kind, key, orderNumber }: PassbookLine,
  all: DocumentNamed[],
  uninvoiced: ReadonlySet<string>,
): DocumentNamed[] {
  if (kind === 'top_up') return all.filter(({ paymentKey }) => paymentKey === key);
  const ofOrder = all.filter((document) => document.orderNumber === orderNumber && orderNumber !== null);
  if (kind === 'order_payment') return ofOrder.filter((document) => document.kind === 'invoice');
  if (kind !== 'order_refund') return [];
  const notes = ofOrder.filter((document) => document.kind === 'credit_note');
  const own = notes.filter((note) => key === keyOf(note));
  // Cancelled goods were never invoiced. Refunds before the dispatch are credited at it, all together.
  return own.length > 0 || uninvoiced.has(key) ? own : notes.filter(({ refund }) => refund === null);
}

function toShown(line: StatementLine, hasDocuments: boolean): StatementShown['entries'][number] {
  return {
    entry: line.entry,
    at: line.at,
    what: wordsFor(line),
    order_number: line.orderNumber,
    store_order_id: line.storeOrderId ?? null,
    ...(hasDocuments && { documents: line.documents }),
    reference: referenceOf(line),
    amount: amountFromMinor(line.amount),
    balance_after: amountFromMinor(line.balanceAfter),
  };
}

const EMPTY = Object.fromEntries(STATEMENT_COLUMNS.map((column) => [column, ''])) as StatementRow;

async function* rowsOf({ opening, closing, timeZone, pieces }: MonthStatement): AsyncGenerator<StatementRow> {
  yield { ...EMPTY, what: 'Opening balance', balance: numericFromMinor(opening) };
  for await (const lines of pieces)
    for (const line of lines)
      yield {
        time: plainTime(line.at, timeZone),
        entry: String(line.entry),
        what: wordsFor(line),
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

function referenceOf({ paymentId, note }: PassbookLine): string {
  return [paymentId, note].filter((part) => part !== null).join(' · ');
}

/** A paper for each piece of lines, so that a long month does not stop the service while it is drawn. */
async function* papersOf(statement: MonthStatement): AsyncGenerator<Paper> {
  const columns = columnsOf(statement);
  const name = `Statement of ${nameOfMonth(statement.month)}`;
  let part = 0;
  for await (const lines of statement.pieces) {
    const isFirst = ++part === 1;
    yield {
      name: `${statement.client}: ${name}${isFirst ? '' : `, part ${part}`}`,
      draw: (pen) => {
        if (isFirst) drawTotals(pen, statement);
        pen.table(columns, lines, { size: 8.5, gap: 8 });
      },
    };
  }
  if (part === 0) yield { name: `${statement.client}: ${name}`, draw: (pen) => drawTotals(pen, statement) };
}

function drawTotals(pen: Pen, statement: MonthStatement): void {
  const { client, clientId, month, timeZone, currency, opening, moneyIn, moneyOut, closing } = statement;
  const money = (minor: Minor) => formatMoney(minor, currency);
  pen.text(`Statement of ${nameOfMonth(month)}`, { size: 16, bold: true });
  pen.rule();
  pen.space(6);
  pen.beside(
    () => {
      pen.fact('Client', client, { bold: true });
      pen.fact('Client number', String(clientId));
      pen.fact('Days and times', timeZone);
      pen.fact('Entries', String(statement.entries));
    },
    () => {
      pen.fact('Opening balance', money(opening), { align: 'right', bold: true });
      pen.fact('Money in', money(moneyIn), { align: 'right' });
      pen.fact('Money out', money(moneyOut), { align: 'right' });
      pen.fact('Closing balance', money(closing), { align: 'right', bold: true });
    },
  );
  pen.space(10);
}

function columnsOf({ timeZone, currency }: MonthStatement): Column<StatementLine>[] {
  const money = (heading: string, of: (line: StatementLine) => Minor): Column<StatementLine> => ({
    heading,
    points: 66,
    align: 'right',
    cell: (line) => (of(line) > 0 ? formatMoney(of(line), currency) : ''),
  });
  return [
    { heading: 'Day', points: 54, cell: ({ at }) => dayOf(at, timeZone) },
    { heading: 'Entry', cell: inLines },
    money('Money in', ({ amount }) => amount),
    money('Money out', ({ amount }) => -amount),
    {
      heading: 'Balance',
      points: 66,
      align: 'right',
      cell: ({ balanceAfter }) => formatMoney(balanceAfter, currency),
    },
  ];
}

/** What happened and for which order, and below it the names by which others know it. */
function inLines(line: StatementLine): string {
  const names = [line.storeOrderId, ...line.documents, referenceOf(line)];
  return [[wordsFor(line), line.orderNumber], names]
    .map((parts) => parts.filter(Boolean).join(' · '))
    .filter((text) => text !== '')
    .join('\n');
}
