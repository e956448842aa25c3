import type { CsvFormat } from './csv-format.js';
import type { FileRecord } from './record-source.js';

/** More than the largest product takes, and little enough to hold thousands of rows in memory. */
export const MAX_ROW_LENGTH = 200_000;

export const NEVER_CLOSED = 'a quote is opened here and never closed: nothing from here on was read';

const KEPT = 1_000;

/** A row that is too long to be kept: passed over piece by piece, until it ends as any other would. */
export class LongRow {
  private beginning = '';
  private state: 'before cell' | 'in cell' | 'in quotes' | 'after quote' = 'before cell';

  constructor(private readonly format: CsvFormat) {}

  /** Where in the text the next row begins, if this one ends in it. */
  skip(text: string): number | undefined {
    if (this.beginning.length < KEPT) this.beginning += text.slice(0, KEPT - this.beginning.length);
    for (let position = 0; position < text.length; position++) {
      if (this.state === 'in quotes') {
        const quote = text.indexOf('"', position);
        if (quote === -1) return undefined;
        this.state = 'after quote';
        position = quote;
      } else if (text[position] === this.format.lineBreak) return position + 1;
      else this.state = this.after(text[position]!);
    }
    return undefined;
  }

  record(line: number): FileRecord {
    const tooLong = `is longer than ${MAX_ROW_LENGTH} characters and was not read; perhaps a quote is not closed`;
    const message = this.state === 'in quotes' ? NEVER_CLOSED : tooLong;
    return { line, cells: [], fault: { message, text: `${this.beginning.toWellFormed()} …` } };
  }

  /** Only a quote that begins a cell, or doubles one, opens quotes. */
  private after(character: string): LongRow['state'] {
    if (character === '"' && (this.state === 'before cell' || this.state === 'after quote'))
      return 'in quotes';
    return character === this.format.delimiter ? 'before cell' : 'in cell';
  }
}
