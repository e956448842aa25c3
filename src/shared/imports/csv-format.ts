import { setImmediate as othersTurn } from 'node:timers/promises';
import { guardFormula } from './cells.js';

export interface CsvFormat {
  delimiter: string;
  lineBreak: '\n' | '\r';
}

const DELIMITERS = [',', ';', '\t'];
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Guesses from the heading. The text must contain all of it. */
export function formatOf(start: string): CsvFormat {
  const [heading = ''] = start.split(/[\r\n]/, 1);
  const count = (delimiter: string) => heading.split(delimiter).length;
  return {
    delimiter: DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best)),
    lineBreak: start[heading.length] === '\r' && start[heading.length + 1] !== '\n' ? '\r' : '\n',
  };
}

/** No time: its text would be that of the machine's zone and language. */
type Cell = string | number | boolean;

export type CsvRows<Column extends string> = AsyncIterable<Record<NoInfer<Column>, Cell>>;

/** One row of CSV (RFC 4180). Cells that contain any usual separator are quoted. */
export function csvRow(cells: readonly Cell[], delimiter = ','): string {
  return `${cells.map(csvCell).join(delimiter)}\r\n`;
}

/** Tells Excel that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Many rows leave together: a write for each would cost more than the row. They are made in one turn. */
const PIECE_CHARACTERS = 8 * 1024;

/** A file in pieces: the heading, then a row for each object. Formulas are made harmless. */
export async function* csvText<Column extends string>(
  columns: readonly Column[],
  rows: CsvRows<Column> | Iterable<Record<NoInfer<Column>, Cell>>,
): AsyncGenerator<string> {
  let piece = csvRow(columns);
  for await (const row of rows) {
    piece += csvRow(columns.map((column) => guarded(row[column])));
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
    // Rows that are ready at once must not hold up requests.
    await othersTurn();
  }
  yield piece;
}

function guarded(cell: Cell): Cell {
  return typeof cell === 'string' ? guardFormula(cell) : cell;
}

function csvCell(cell: Cell): string {
  const text = String(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
