import { setImmediate as othersTurn } from 'node:timers/promises';
import { guardFormula } from './cells.js';

export interface CsvFormat {
  delimiter: string;
  lineBreak: '\n' | '\r';
}

const DELIMITERS = [',', ';', '\t'];
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** The heading may follow lines without a separator. */
const MAX_LINES = 20;

/** Detects the format from the heading. The text must contain the whole heading. */
export function detectFormat(start: string): CsvFormat {
  const lines = start.split(/[\r\n]/, MAX_LINES);
  const first = lines[0] ?? '';
  const heading = lines.find((line) => DELIMITERS.some((delimiter) => line.includes(delimiter))) ?? first;
  const count = (delimiter: string) => heading.split(delimiter).length;
  return {
    delimiter: DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best)),
    lineBreak: start[first.length] === '\r' && start[first.length + 1] !== '\n' ? '\r' : '\n',
  };
}

/** Without times: their text would depend on the machine's zone and language. */
export type Cell = string | number | boolean;

export type CsvRows<Column extends string> = AsyncIterable<Record<NoInfer<Column>, Cell>>;

/** One row of CSV (RFC 4180). Cells that contain any usual separator are quoted. */
export function csvRow(cells: readonly Cell[], delimiter = ','): string {
  return `${cells.map(csvCell).join(delimiter)}\r\n`;
}

/** Tells Excel that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Sends many rows together: a write for each row would cost more than the row. */
const CHUNK_CHARACTERS = 8 * 1024;

/** A file in chunks: the heading, then a row for each object. Formulas become text. */
export async function* csvText<Column extends string>(
  columns: readonly Column[],
  rows: CsvRows<Column> | Iterable<Record<NoInfer<Column>, Cell>>,
): AsyncGenerator<string> {
  let chunk = csvRow(columns);
  for await (const row of rows) {
    chunk += csvRow(columns.map((column) => guardCell(row[column])));
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    // A source whose rows are ready at once must not delay requests.
    await othersTurn();
  }
  yield chunk;
}

/** The text of a file, for Excel or another program. */
export async function* fileText<Column extends string>(
  columns: readonly Column[],
  rows: CsvRows<Column>,
  excel: boolean,
): AsyncGenerator<string> {
  if (excel) yield BYTE_ORDER_MARK;
  yield* csvText(columns, rows);
}

function guardCell(cell: Cell): Cell {
  return typeof cell === 'string' ? guardFormula(cell) : cell;
}

function csvCell(cell: Cell): string {
  const text = String(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
