import type { PrintedDocumentsOf } from '../../../shared/pdf/draw.js';
import type { PdfColumn } from '../../../shared/pdf/pdf-writer.js';
import { formatMoney } from '../../../platform/formats.js';
import { minorFromNumeric } from '../../../platform/money/money.js';

/** A column of the paper: an amount, or the texts of these fields below each other. */
export interface PrintedColumn {
  heading: string;
  points?: number;
  texts?: readonly string[];
  amount?: string;
}

export interface BookHeader {
  title: string;
  /** Names and values above the table. */
  facts: readonly (readonly [string, string])[];
  printed: readonly PrintedColumn[];
  currency: string;
}

export type BookRow = Record<string, string>;

/** Yields one part of the PDF for each batch of rows, so memory holds one batch. */
export const printedDocumentsOf: PrintedDocumentsOf<BookHeader, BookRow[]> = async function* (book, batches) {
  const columns = book.printed.map((column) => toPdfColumn(column, book.currency));
  let part = 0;
  for await (const rows of batches) {
    const isFirst = ++part === 1;
    yield {
      name: isFirst ? book.title : `${book.title}, part ${part}`,
      draw: (pdf) => {
        if (isFirst) {
          pdf.text(book.title, { size: 16, bold: true });
          pdf.rule();
          for (const [name, value] of book.facts) pdf.fact(name, value);
          pdf.space(6);
        }
        pdf.table(columns, rows, { size: 7.5, gap: 7 });
      },
    };
  }
};

function toPdfColumn({ texts, amount, ...column }: PrintedColumn, currency: string): PdfColumn<BookRow> {
  if (amount === undefined)
    return {
      ...column,
      cell: (row) =>
        texts!
          .map((name) => row[name])
          .filter(Boolean)
          .join('\n'),
    };
  const money = (numeric = '') => (numeric === '' ? '' : formatMoney(minorFromNumeric(numeric), currency));
  return { ...column, align: 'right', cell: (row) => money(row[amount]) };
}
