import { Refusal } from '../errors/refusal.js';
import type { FileRecord } from './file-record.js';

const MAX_RECORD_LENGTH = 1_000_000;

export interface CsvFormat {
  delimiter: string;
  lineBreak: '\n' | '\r';
}

type QuotedRow = { cells: string[]; broken: boolean; next: number } | 'unfinished';

/**
 * Takes CSV apart piece by piece, and says of every row which one it is. It does with stray quotes what spreadsheets do, so that
 * the rows after them are read right; but the row itself is broken, for nobody knows what was meant. (csv-parse, the obvious
 * choice, swallows all up to the next quote, and took three times as long to tell where a row stands.)
 */
export class CsvParser {
  private rest = '';
  private line = 0;

  constructor(private readonly format: CsvFormat) {}

  /** The rows that are complete with this piece. */
  push(text: string): FileRecord[] {
    return this.parse(this.rest + text, false);
  }

  /** The last row, if no line break ended it. */
  end(): FileRecord[] {
    return this.parse(this.rest, true);
  }

  private parse(text: string, isLast: boolean): FileRecord[] {
    const records: FileRecord[] = [];
    let start = 0;
    let quote = text.indexOf('"');
    while (start < text.length) {
      if (quote !== -1 && quote < start) quote = text.indexOf('"', start);
      const lineBreak = text.indexOf(this.format.lineBreak, start);
      const end = lineBreak === -1 ? text.length : lineBreak;
      if (quote === -1 || quote > end) {
        if (lineBreak === -1 && !isLast) break;
        records.push({
          line: ++this.line,
          cells: withoutReturn(text.slice(start, end)).split(this.format.delimiter),
        });
        start = end + 1;
        continue;
      }
      const row = readQuotedRow(text, start, this.format, isLast);
      if (row === 'unfinished' && !isLast) break;
      records.push(recordOf(++this.line, row));
      start = row === 'unfinished' ? text.length : row.next;
    }
    this.rest = text.slice(start);
    if (this.rest.length > MAX_RECORD_LENGTH) throw tooLong(this.line + 1);
    return records;
  }
}

function recordOf(line: number, row: QuotedRow): FileRecord {
  if (row === 'unfinished') {
    return {
      line,
      cells: [],
      fault: 'a quote is opened here and never closed: nothing from here on was read',
    };
  }
  if (!row.broken) return { line, cells: row.cells };
  const fault = 'a quote stands within a cell: the whole cell must be quoted, and each quote in it doubled';
  return { line, cells: row.cells, fault };
}

/** A row that holds quotes, and perhaps line breaks within them. Without its end it is unfinished, for the next piece may bring it. */
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

/** What stands between a quote and the one that closes it; a doubled one is one of the content. */
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

/** What is left of CRLF. */
function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function tooLong(line: number): Refusal {
  const message = `Row ${line} is longer than ${MAX_RECORD_LENGTH} characters; perhaps a quote is not closed. Nothing was imported.`;
  return new Refusal('unreadable_file', message);
}
