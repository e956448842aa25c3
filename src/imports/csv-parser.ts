import type { CsvFormat } from './csv-format.js';
import type { FileRecord } from './record-source.js';
import { LongRow, MAX_ROW_LENGTH, NEVER_CLOSED } from './long-row.js';

const STRAY_QUOTE =
  'a quote stands within a cell: the whole cell must be quoted, and each quote in it doubled';

type QuotedRow = { cells: string[]; broken: boolean; next: number } | 'unfinished';

/**
 * Takes CSV apart piece by piece, and says of every row which one it is. It does with stray quotes what spreadsheets do, so that
 * the rows after them are read right; but the row itself is broken, for nobody knows what was meant. (csv-parse, the obvious
 * choice, swallows all up to the next quote, and took three times as long to tell where a row stands.)
 */
export class CsvParser {
  private rest = '';
  private line = 0;
  private longRow: LongRow | undefined;

  constructor(private readonly format: CsvFormat) {}

  /** The rows that are complete with this piece. */
  push(text: string): FileRecord[] {
    const records: FileRecord[] = [];
    this.parse(this.passOver(this.rest + text, records), false, records);
    if (this.rest.length > MAX_ROW_LENGTH) {
      this.longRow = new LongRow(this.format);
      this.rest = this.passOver(this.rest, records);
    }
    return records;
  }

  /** The last row, if no line break ended it. */
  end(): FileRecord[] {
    const records: FileRecord[] = [];
    if (this.longRow) records.push(this.longRow.record(++this.line));
    else this.parse(this.rest, true, records);
    return records;
  }

  /** What follows the row that is too long, if one is being passed over. */
  private passOver(text: string, records: FileRecord[]): string {
    if (!this.longRow) return text;
    const next = this.longRow.skip(text);
    if (next === undefined) return '';
    records.push(this.longRow.record(++this.line));
    this.longRow = undefined;
    return text.slice(next);
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

  /** What was read of a row, if it holds quotes. */
  private record(text: string, row?: QuotedRow): FileRecord {
    const line = ++this.line;
    if (text.length > MAX_ROW_LENGTH) return this.longRecord(text, line);
    if (row === undefined) return { line, cells: withoutReturn(text).split(this.format.delimiter) };
    if (row === 'unfinished') return { line, cells: [], fault: { message: NEVER_CLOSED, text } };
    if (!row.broken) return { line, cells: row.cells };
    return { line, cells: row.cells, fault: { message: STRAY_QUOTE, text: withoutReturn(text) } };
  }

  private longRecord(text: string, line: number): FileRecord {
    const row = new LongRow(this.format);
    row.skip(text);
    return row.record(line);
  }
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
