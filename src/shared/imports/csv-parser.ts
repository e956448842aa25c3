import type { CsvFormat } from './csv-format.js';
import { type FileRecord, MAX_ROW_LENGTH } from './record-source.js';

const STRAY_QUOTE = 'a quote is inside a cell: quote the whole cell, and double each quote in it';
const NEVER_CLOSED = 'a quote opens here and never closes: nothing after it was read';
const TOO_LONG = `is longer than ${MAX_ROW_LENGTH} characters and was not read; perhaps a quote never closes`;

/** The part of a long row that is kept, in characters. */
const MAX_KEPT_LENGTH = 1_000;

type QuotedRow = { cells: string[]; broken: boolean; next: number } | 'unfinished';

/**
 * Parses CSV in chunks, and numbers the rows. A row with a stray quote is a fault, but the next rows are read
 * correctly, as in spreadsheets. (csv-parse loses all rows up to the next quote. With row numbers it took
 * three times as long.)
 */
export class CsvParser {
  private rest = '';
  private line = 0;
  /** The long row that is being skipped. */
  private longRow: { start: string; isInQuotes: boolean; previous?: string } | undefined;

  constructor(private readonly format: CsvFormat) {}

  /** The rows that end in this chunk. */
  push(text: string): FileRecord[] {
    const records: FileRecord[] = [];
    this.parse(this.skipLongRow(this.rest + text, records), false, records);
    if (this.rest.length > MAX_ROW_LENGTH) {
      this.longRow = { start: this.rest.slice(0, MAX_KEPT_LENGTH), isInQuotes: false };
      this.rest = this.skipLongRow(this.rest, records);
    }
    return records;
  }

  /** The last row, if it has no line break. */
  end(): FileRecord[] {
    if (this.longRow) return [longRecord(++this.line, this.longRow.start, this.longRow.isInQuotes)];
    const records: FileRecord[] = [];
    this.parse(this.rest, true, records);
    return records;
  }

  /** Returns the text after the long row, which ends at a line break after an even number of quotes. */
  private skipLongRow(text: string, records: FileRecord[]): string {
    const row = this.longRow;
    if (!row) return text;
    for (let position = 0; position < text.length; position++) {
      const char = text[position]!;
      const isQuote = char === '"' && (row.isInQuotes || this.mayOpen(row.previous));
      if (isQuote) row.isInQuotes = !row.isInQuotes;
      row.previous = char === '"' && !isQuote ? 'a quote within a cell' : char;
      if (row.isInQuotes || char !== this.format.lineBreak) continue;
      this.longRow = undefined;
      records.push(longRecord(++this.line, row.start, false));
      return text.slice(position + 1);
    }
    return '';
  }

  /** A quote opens only at the start of a cell, or right behind the quote that closed it. */
  private mayOpen(previous: string | undefined): boolean {
    return previous === undefined || previous === '"' || previous === this.format.delimiter;
  }

  private parse(text: string, isLast: boolean, records: FileRecord[]): void {
    let start = 0;
    let quote = text.indexOf('"');
    while (start < text.length) {
      if (quote !== -1 && quote < start) quote = text.indexOf('"', start);
      const lineBreak = text.indexOf(this.format.lineBreak, start);
      const end = lineBreak === -1 ? text.length : lineBreak;
      if (quote === -1 || quote > end) {
        if (lineBreak === -1 && !isLast) break;
        records.push(this.record(text.slice(start, end)));
        start = end + 1;
        continue;
      }
      const row = readQuotedRow(text, start, this.format, isLast);
      if (row === 'unfinished' && !isLast) break;
      const next = row === 'unfinished' ? text.length + 1 : row.next;
      records.push(this.record(text.slice(start, next - 1), row));
      start = next;
    }
    this.rest = text.slice(start);
  }

  /** `row` is given if the text contains quotes. */
  private record(text: string, row?: QuotedRow): FileRecord {
    const line = ++this.line;
    if (text.length > MAX_ROW_LENGTH)
      return longRecord(line, text.slice(0, MAX_KEPT_LENGTH), row === 'unfinished');
    if (row === undefined) return { line, cells: withoutReturn(text).split(this.format.delimiter) };
    if (row === 'unfinished') return { line, cells: [], fault: { message: NEVER_CLOSED, text } };
    if (!row.broken) return { line, cells: row.cells };
    return { line, cells: row.cells, fault: { message: STRAY_QUOTE, text: withoutReturn(text) } };
  }
}

/** Reads a row that contains quotes. Returns 'unfinished' if its end may be in the next chunk. */
function readQuotedRow(
  text: string,
  start: number,
  { delimiter, lineBreak }: CsvFormat,
  isLast: boolean,
): QuotedRow {
  const cells: string[] = [];
  let broken = false;
  for (let position = start; ; position++) {
    let cell = '';
    if (text[position] === '"') {
      const quoted = readQuotes(text, position);
      if (quoted === undefined) return 'unfinished';
      cell = quoted.content;
      position = quoted.next;
    }
    const end = endOfCell(text, position, delimiter, lineBreak);
    if (end === text.length && !isLast) return 'unfinished';
    const isLastCell = text[end] !== delimiter;
    const remainder = isLastCell ? withoutReturn(text.slice(position, end)) : text.slice(position, end);
    broken ||= remainder.includes('"') || (remainder !== '' && text[position - 1] === '"');
    cells.push(cell + remainder);
    position = end;
    if (isLastCell) return { cells, broken, next: end + 1 };
  }
}

/** The text between two quotes. A doubled quote is one quote. */
function readQuotes(text: string, start: number): { content: string; next: number } | undefined {
  let content = '';
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    content += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { content, next: quote + 1 };
    content += '"';
    from = quote + 2;
  }
}

function endOfCell(text: string, start: number, delimiter: string, lineBreak: string): number {
  for (let position = start; position < text.length; position++) {
    if (text[position] === delimiter || text[position] === lineBreak) return position;
  }
  return text.length;
}

/** Removes the CR of a CRLF. */
function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function longRecord(line: number, start: string, isInQuotes: boolean): FileRecord {
  const message = isInQuotes ? NEVER_CLOSED : TOO_LONG;
  return { line, cells: [], fault: { message, text: `${start.toWellFormed()} …` } };
}
