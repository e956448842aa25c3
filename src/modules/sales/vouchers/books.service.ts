import { Inject, Injectable } from '@nestjs/common';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { BILLED_SIGN } from '../../invoices/rules/document-number.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { stateName } from '../../tax/gstin.js';
import type { SpreadsheetExport } from '../../../platform/database/spreadsheet-export.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { type Day, dayAt, startOfDay } from '../../../platform/time/time.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { WorkerThreads } from '../../../platform/worker-threads/worker-threads.js';
import { streamPdf } from '../../../shared/pdf/pdf-job.js';
import { formatDay } from '../../../platform/formats.js';
import type { BookHeader, BookRow, PrintedColumn } from './books-pdf.js';
import { type DocumentRow, type Voucher, voucherOfDocument, voucherOfMoney } from './voucher.js';
import { type BookPeriod, VouchersRepository } from './vouchers.repository.js';

const LEDGER_COLUMNS = ['date', 'type', 'number', 'details', 'debit', 'credit', 'balance'] as const;

const PRINTED_LEDGER: PrintedColumn[] = [
  { heading: 'Date', points: 52, texts: ['date'] },
  { heading: 'Voucher', points: 92, texts: ['number', 'type'] },
  { heading: 'Details', texts: ['details'] },
  { heading: 'Debit', points: 72, amount: 'debit' },
  { heading: 'Credit', points: 72, amount: 'credit' },
  { heading: 'Balance', points: 78, amount: 'balance' },
];

const REGISTER_COLUMNS = [
  'date',
  'number',
  'kind',
  'party',
  'gstin',
  'place_of_supply',
  'taxable',
  'cgst',
  'sgst',
  'igst',
  'total',
  'order_number',
  'against',
  'supplied_on',
] as const;

const AMOUNTS = ['taxable', 'cgst', 'sgst', 'igst', 'total'] as const;

const PRINTED_REGISTER: PrintedColumn[] = [
  { heading: 'Date', points: 46, texts: ['date'] },
  { heading: 'Document', points: 84, texts: ['number', 'against'] },
  { heading: 'Party', texts: ['party', 'gstin'] },
  { heading: 'Place of supply', points: 72, texts: ['place_of_supply'] },
  { heading: 'Order, supplied on', points: 84, texts: ['order_number', 'supplied_on'] },
  { heading: 'Taxable', points: 60, amount: 'taxable' },
  { heading: 'CGST', points: 54, amount: 'cgst' },
  { heading: 'SGST', points: 54, amount: 'sgst' },
  { heading: 'IGST', points: 54, amount: 'igst' },
  { heading: 'Total', points: 62, amount: 'total' },
];

/** A book as a file. Its rows can be read once. */
export interface Book extends SpreadsheetExport<BookRow> {
  rows: AsyncGenerator<BookRow>;
  /** The name of the file, without its ending. */
  name: string;
  header: BookHeader;
  period: BookPeriod;
  /** What only the paper shows below the rows. */
  totals?: () => BookRow;
}

/** The columns of both books that have amounts. */
export const BOOK_AMOUNTS = ['debit', 'credit', 'balance', ...AMOUNTS];

const ROWS_PER_PART = 400;

/** The ledger of a client and the register of sales, from the rows of the vouchers for Tally. */
@Injectable()
export class BooksService {
  constructor(
    private readonly repository: VouchersRepository,
    private readonly clients: ClientFinderService,
    private readonly sellers: SellersService,
    private readonly workers: WorkerThreads,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The vouchers of a client with the balance after each. A balance below 0 is money paid in advance. */
  async ledger(clientId: number, from?: Day, to?: Day): Promise<Book> {
    const { name: client } = await this.clients.byId(clientId);
    const period = { ...periodOf(from, to), clientId };
    const facts = [['Client', `${client} (${clientId})`]] as const;
    return {
      ...(await this.bookOf(`Ledger of ${client}`, `ledger-${clientId}`, period, PRINTED_LEDGER, facts)),
      columns: LEDGER_COLUMNS,
      rows: ledgerRows(period, await this.repository.openingBalance(period), this.vouchersOf(period)),
    };
  }

  /** Invoices and notes with their sums. Those of credit notes are negative, so columns can be added up. */
  async register(from?: Day, to?: Day): Promise<Book> {
    const period = periodOf(from, to);
    const sums = { taxable: 0, cgst: 0, sgst: 0, igst: 0, total: 0 };
    return {
      ...(await this.bookOf('Sales register', 'sales-register', period, PRINTED_REGISTER)),
      columns: REGISTER_COLUMNS,
      rows: registerRows(this.repository.documents(period), sums),
      totals: () => ({ date: 'Total', ...numericOf(sums) }),
    };
  }

  pdfOf({ header, period, rows, totals }: Book, owner: ThreadOwner): AsyncGenerator<Uint8Array> {
    return streamPdf(this.workers, owner, {
      title: header.title,
      // So that a finished period has the same bytes each time.
      madeAt: startOfDay(period.to, LAW_TIME_ZONE),
      layout: header.printed === PRINTED_REGISTER ? 'wide' : 'page',
      documentsModule: import.meta.resolve('./books-pdf.js'),
      facts: header,
      parts: partsOf(rows, totals),
    });
  }

  private async bookOf(
    title: string,
    file: string,
    period: BookPeriod,
    printed: PrintedColumn[],
    facts: BookHeader['facts'] = [],
  ) {
    const { name: seller, gstin } = await this.sellers.asText();
    const days = [period.from, period.to].map((day) => formatDay(day)).join(' to ');
    const books = seller === '' ? [] : [['In the books of', `${seller}, GSTIN ${gstin}`] as const];
    return {
      name: `${file}-${period.from}-to-${period.to}`,
      period,
      header: {
        title,
        facts: [...books, ...facts, ['Days', days] as const],
        printed,
        currency: this.settings.currency,
      },
    };
  }

  /** By day, documents first. The few entries of money are in memory, so one cursor is open. */
  private async *vouchersOf(period: BookPeriod): AsyncGenerator<Voucher> {
    const money: Voucher[] = [];
    for await (const row of this.repository.money(period)) money.push(voucherOfMoney(row));
    for await (const row of this.repository.documents(period)) {
      while (money.length > 0 && money[0]!.day < row.day) yield money.shift()!;
      yield voucherOfDocument(row);
    }
    yield* money;
  }
}

/** The default is the financial year until today, in India. */
function periodOf(from?: Day, to: Day = dayAt(Date.now(), LAW_TIME_ZONE)): BookPeriod {
  const [year, month] = to.split('-').map(Number) as [number, number];
  const first = from ?? `${month < 4 ? year - 1 : year}-04-01`;
  if (first <= to) return { from: first, to };
  throw new DomainError('invalid_value', 'The first day is later than the last one.');
}

const NO_VOUCHER = { type: '', number: '', debit: '', credit: '' };

async function* ledgerRows(
  { from, to }: BookPeriod,
  opening: Minor,
  vouchers: AsyncIterable<Voucher>,
): AsyncGenerator<BookRow> {
  let balance = opening;
  yield { ...NO_VOUCHER, date: from, details: 'Opening balance', balance: numericFromMinor(balance) };
  for await (const { day, type, number, narration, entries } of vouchers) {
    const { amount } = entries[0]!;
    balance += amount;
    yield {
      date: day,
      type,
      number,
      details: narration,
      debit: amount > 0 ? numericFromMinor(amount) : '',
      credit: amount < 0 ? numericFromMinor(-amount) : '',
      balance: numericFromMinor(balance),
    };
  }
  yield { ...NO_VOUCHER, date: to, details: 'Closing balance', balance: numericFromMinor(balance) };
}

type Sums = Record<(typeof AMOUNTS)[number], Minor>;

const numericOf = (sums: Sums): BookRow =>
  Object.fromEntries(AMOUNTS.map((name) => [name, numericFromMinor(sums[name])]));

/** Adds the amounts to the sums. */
async function* registerRows(documents: AsyncIterable<DocumentRow>, sums: Sums): AsyncGenerator<BookRow> {
  for await (const row of documents) {
    const sign = BILLED_SIGN[row.kind];
    const billed = (numeric: string) => sign * minorFromNumeric(numeric);
    const taxable = row.rates.reduce((sum, rate) => sum + billed(rate.taxable), 0);
    const [cgst, sgst, igst] = [billed(row.cgst), billed(row.sgst), billed(row.igst)];
    const amounts = { taxable, cgst, sgst, igst, total: taxable + cgst + sgst + igst };
    for (const name of AMOUNTS) sums[name] += amounts[name];
    yield {
      date: row.day,
      number: row.number,
      kind: row.kind,
      party: row.party.name,
      gstin: row.party.gstin ?? '',
      place_of_supply: stateName(row.placeOfSupply),
      ...numericOf(amounts),
      order_number: row.orderNumber,
      against: row.against ?? '',
      supplied_on: row.suppliedOn ?? row.day,
    };
  }
}

async function* partsOf(rows: AsyncIterable<BookRow>, totals?: () => BookRow): AsyncGenerator<BookRow[]> {
  let part: BookRow[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length < ROWS_PER_PART) continue;
    yield part;
    part = [];
  }
  if (totals) part.push(totals());
  if (part.length > 0) yield part;
}
