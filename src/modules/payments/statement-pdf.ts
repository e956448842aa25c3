import type { PapersOf } from '../../shared/pdf/draw.js';
import type { Column, Pen } from '../../shared/pdf/pdf-writer.js';
import { dayOf, formatMoney, nameOfMonth } from '../../shared/ui/formats.js';
import type { Minor } from '../../platform/money/money.js';
import type { Month, TimeZone } from '../../platform/time/time.js';
import type { PassbookLine, Statement } from '../wallet/passbook.repository.js';
import type { PostingKind } from '../wallet/rules/posting.js';

export interface StatementFacts extends Statement {
  clientId: number;
  client: string;
  month: Month;
  timeZone: TimeZone;
  currency: string;
}

export interface StatementLine extends PassbookLine {
  storeOrderId: string | undefined;
  /** Numbers of the invoices, notes and receipts that belong to it. */
  documents: string[];
}

const WORDS: Record<Exclude<PostingKind, 'top_up'>, string> = {
  order_payment: 'Order paid',
  order_refund: 'Order refunded',
  payout: 'Refunded to the source',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrected by the wholesaler',
};

export function wordsFor({
  kind,
  against,
  orderNumber,
  amount,
}: Pick<PassbookLine, 'kind' | 'against' | 'orderNumber' | 'amount'>): string {
  if (kind === 'order_refund' && amount < 0) return 'Refund taken back';
  if (kind !== 'top_up') return WORDS[kind];
  if (against === 'gateway') return 'Paid in through the gateway';
  return orderNumber === null ? 'Bank transfer' : 'Paid in for an order';
}

/** Yields one part of the PDF for each batch of lines, so memory holds one batch. */
export const papersOf: PapersOf<StatementFacts, StatementLine[]> = async function* (statement, pieces) {
  const columns = columnsOf(statement);
  const name = `Statement of ${nameOfMonth(statement.month)}`;
  let part = 0;
  for await (const lines of pieces) {
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
};

function drawTotals(pen: Pen, statement: StatementFacts): void {
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

function columnsOf({ timeZone, currency }: StatementFacts): Column<StatementLine>[] {
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

/** The entry and its order; below them the store's order id, the documents and the reference. */
function inLines(line: StatementLine): string {
  const names = [line.storeOrderId, ...line.documents, referenceOf(line)];
  return [[wordsFor(line), line.orderNumber], names]
    .map((parts) => parts.filter(Boolean).join(' · '))
    .filter((text) => text !== '')
    .join('\n');
}

export function referenceOf({ paymentId, note }: PassbookLine): string {
  return [paymentId, note].filter((part) => part !== null).join(' · ');
}
