import type { PrintedDocumentsOf } from '../../shared/pdf/draw.js';
import type { PdfColumn, PdfWriter } from '../../shared/pdf/pdf-writer.js';
import { dayOf, formatDay, formatMoney, formatMonth } from '../../platform/formats.js';
import { describeDocument } from '../invoices/document-words.js';
import type { TaxDocumentRow } from '../invoices/tax-documents.repository.js';
import { type Minor, minorFromAmount } from '../../platform/money/money.js';
import type { Month, TimeZone } from '../../platform/time/time.js';
import type { PassbookLine, StatementTotals } from '../wallet/passbook.repository.js';
import { isUndoing } from '../wallet/rules/payment-reference.js';
import type { PostingKind } from '../wallet/rules/posting.js';
import { describeMeans, withoutMeans } from './rules/read-inputs.js';

export interface StatementParties {
  client: string;
  clientGstin: string | null;
  /** Null without tax. */
  seller: string | null;
  sellerGstin: string | null;
}

export interface StatementHeader extends StatementTotals, StatementParties {
  clientId: number;
  month: Month;
  timeZone: TimeZone;
  currency: string;
}

export interface StatementLine extends PassbookLine {
  storeOrderId: string | undefined;
}

export type StatementPart = { lines: StatementLine[] } | { documents: TaxDocumentRow[] };

/** Seller and client with their GSTINs. */
export function formatParties({
  seller,
  sellerGstin,
  client,
  clientGstin,
}: StatementParties): [string, string][] {
  const format = (name: string, gstin: string | null) => (gstin ? `${name}, GSTIN ${gstin}` : name);
  return seller === null
    ? []
    : [
        ['Seller', format(seller, sellerGstin)],
        ['Client', format(client, clientGstin)],
      ];
}

const ENTRY_LABELS: Record<Exclude<PostingKind, 'top_up'>, string> = {
  order_payment: 'Order paid',
  order_refund: 'Order refunded',
  payout: 'Refunded to the source',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrected by the wholesaler',
};

export function describeEntry({
  kind,
  against,
  orderNumber,
  amount,
  key,
}: Pick<PassbookLine, 'kind' | 'against' | 'orderNumber' | 'amount' | 'key'>): string {
  if (isUndoing({ key })) return kind === 'top_up' ? 'Recorded by mistake' : 'Order not paid';
  if (kind === 'order_refund' && amount < 0) return 'Refund taken back';
  if (kind === 'payout' && against === 'bank') return 'Paid out to the bank';
  if (kind !== 'top_up') return ENTRY_LABELS[kind];
  if (against === 'tds') return 'Tax deducted (TDS)';
  if (against === 'gateway') return 'Paid in through the gateway';
  return orderNumber === null ? describeMeans(key.replace(/^bank:/, '')) : 'Paid in for an order';
}

/** Yields one part of the PDF for each batch of lines, so memory holds one batch. */
export const printedDocumentsOf: PrintedDocumentsOf<StatementHeader, StatementPart> = async function* (
  statement,
  parts,
) {
  const columns = columnsOf(statement);
  const name = `Statement of ${formatMonth(statement.month)}`;
  let part = 0;
  for await (const content of parts) {
    const isFirst = ++part === 1;
    yield {
      name: `${statement.client}: ${name}${isFirst ? '' : `, part ${part}`}`,
      draw: (pdf) => {
        if (isFirst) drawTotals(pdf, statement);
        if ('lines' in content) return pdf.table(columns, content.lines, { size: 8.5, gap: 8 });
        pdf.text('Documents of the month', { size: 11, bold: true });
        pdf.table(documentColumns(statement), content.documents, { size: 8.5, gap: 8 });
      },
    };
  }
  if (part === 0) yield { name: `${statement.client}: ${name}`, draw: (pdf) => drawTotals(pdf, statement) };
};

function drawTotals(pdf: PdfWriter, statement: StatementHeader): void {
  const { clientId, month, timeZone, currency, opening, moneyIn, moneyOut, closing } = statement;
  const money = (minor: Minor) => formatMoney(minor, currency);
  pdf.text(`Statement of ${formatMonth(month)}`, { size: 16, bold: true });
  pdf.rule();
  pdf.space(6);
  pdf.beside(
    () => {
      for (const [role, party] of formatParties(statement)) pdf.fact(role, party, { bold: true });
      if (statement.seller === null) pdf.fact('Client', statement.client, { bold: true });
      pdf.fact('Client number', String(clientId));
      pdf.fact('Days and times', timeZone);
      pdf.fact('Entries', String(statement.entries));
    },
    () => {
      pdf.fact('Opening balance', money(opening), { align: 'right', bold: true });
      pdf.fact('Money in', money(moneyIn), { align: 'right' });
      pdf.fact('Money out', money(moneyOut), { align: 'right' });
      pdf.fact('Closing balance', money(closing), { align: 'right', bold: true });
    },
  );
  pdf.space(10);
}

function columnsOf({ timeZone, currency }: StatementHeader): PdfColumn<StatementLine>[] {
  const money = (heading: string, of: (line: StatementLine) => Minor): PdfColumn<StatementLine> => ({
    heading,
    points: 66,
    align: 'right',
    cell: (line) => (of(line) > 0 ? formatMoney(of(line), currency) : ''),
  });
  return [
    { heading: 'Day', points: 54, cell: ({ at }) => dayOf(at, timeZone) },
    { heading: 'Entry', cell: formatEntry },
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

const documentColumns = ({ currency }: StatementHeader): PdfColumn<TaxDocumentRow>[] => [
  { heading: 'Day', points: 54, cell: ({ issued_on: day }) => formatDay(day) },
  { heading: 'Document', points: 110, cell: ({ number }) => number },
  {
    heading: 'What',
    cell: (row) => [describeDocument(row), row.against, row.order_number].filter(Boolean).join(' · '),
  },
  {
    heading: 'Amount',
    points: 80,
    align: 'right',
    cell: (row) => formatMoney(minorFromAmount(row.amount), currency),
  },
];

/** The entry and its order; below them the store's order id and the reference. */
function formatEntry(line: StatementLine): string {
  const names = [line.storeOrderId, referenceOf(line)];
  return [[describeEntry(line), line.orderNumber], names]
    .map((parts) => parts.filter(Boolean).join(' · '))
    .filter((text) => text !== '')
    .join('\n');
}

export function referenceOf(line: PassbookLine): string {
  return [line.paymentId, noteOf(line)].filter((part) => part !== null).join(' · ');
}

/** The words of the entry say how money came from the bank. */
export function noteOf({ key, note }: Pick<PassbookLine, 'key' | 'note'>): string | null {
  return key.startsWith('bank:') && note !== null ? withoutMeans(note) : note;
}
