import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { Refusal } from '../errors/refusal.js';
import type { FileRecord } from './file-record.js';

const MAX_RECORD_BYTES = 1_000_000;
const DELIMITERS = [',', ';', '\t'];
const BATCH = 5_000;

/** A table of a spreadsheet, read as a stream. */
export class CsvFile {
  private constructor(
    readonly path: string,
    private readonly size: number,
    readonly delimiter: string,
  ) {}

  static async open(path: string): Promise<CsvFile> {
    try {
      return new CsvFile(path, (await stat(path)).size, mostFrequent(await readStart(path)));
    } catch (cause) {
      throw new Refusal('unreadable_file', `The file ${path} cannot be read: ${(cause as Error).message}`, {
        cause,
      });
    }
  }

  /**
   * The records in batches, the heading first, with how much of the file has been read. Rows count as a spreadsheet shows them:
   * a line break within quotes does not begin another one, an empty line does.
   */
  async *batches(): AsyncGenerator<{ records: FileRecord[]; progress: number }> {
    const input = createReadStream(this.path);
    let line = 0;
    let batch: FileRecord[] = [];
    const parser = parse({
      bom: true,
      delimiter: this.delimiter,
      relax_column_count: true,
      skip_records_with_error: true,
      max_record_size: MAX_RECORD_BYTES,
      // Only here are records and what was skipped seen in their order, so the number travels as one more cell.
      on_record: (cells) => [...cells, String(++line)],
      on_skip: (error) => {
        if (error?.code === 'CSV_MAX_RECORD_SIZE') parser.destroy(tooLong());
        batch.push({ line: ++line, cells: [], fault: quoteFault(error?.code) });
        return undefined;
      },
    });
    pipeline(input, checkUtf8, parser, ignoreResult);
    try {
      for await (const cells of parser as AsyncIterable<string[]>) {
        batch.push({ line: Number(cells.pop()), cells });
        if (batch.length < BATCH) continue;
        const records = batch;
        batch = [];
        yield { records, progress: this.size === 0 ? 1 : input.bytesRead / this.size };
      }
      if (batch.length > 0) yield { records: batch, progress: 1 };
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      throw new Refusal(
        'unreadable_file',
        `The file ${this.path} cannot be read: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
}

/** Errors come out of the parser, which is being read. */
function ignoreResult(): void {}

async function* checkUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      const message =
        'The file is not in UTF-8. Save it from the spreadsheet as "CSV UTF-8". Nothing was imported.';
      throw new Refusal('unreadable_file', message, { cause });
    }
  };
  for await (const chunk of chunks) {
    check(chunk);
    yield chunk;
  }
  check();
}

function quoteFault(code: string | undefined): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'a quote is opened here and never closed: nothing from here on was read';
  return 'a quote stands within a cell; a cell that holds quotes must be quoted, and each quote in it doubled';
}

function tooLong(): Refusal {
  const message = `A row is longer than ${MAX_RECORD_BYTES} bytes; perhaps a quote is not closed. Nothing was imported.`;
  return new Refusal('unreadable_file', message);
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16_384), 0, 16_384, 0);
    return buffer.toString('utf8', 0, bytesRead).split(/[\r\n]/, 1)[0] ?? '';
  } finally {
    await file.close();
  }
}

function mostFrequent(heading: string): string {
  const count = (delimiter: string) => heading.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
