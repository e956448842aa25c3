import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Refusal } from '../errors/refusal.js';
import type { CsvFormat } from './csv-format.js';
import { CsvParser } from './csv-parser.js';
import type { FileRecord } from './file-record.js';

const DELIMITERS = [',', ';', '\t'];
const START_BYTES = 16_384;
const INVALID_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const BATCH = 5_000;
/** So that a batch of long rows fits into memory as well. */
const BATCH_LENGTH = 8_000_000;

/** A table of a spreadsheet, read as a stream. */
export class CsvFile {
  private constructor(
    readonly path: string,
    private readonly size: number,
    private readonly format: CsvFormat,
  ) {}

  static async open(path: string): Promise<CsvFile> {
    try {
      return new CsvFile(path, (await stat(path)).size, formatOf(await readStart(path)));
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }

  /**
   * The rows in batches, the heading first, with how much of the file has been read. They count as a spreadsheet shows them: a line
   * break within quotes does not begin another one, an empty line does.
   */
  async *batches(): AsyncGenerator<{ records: FileRecord[]; progress: number }> {
    const input = createReadStream(this.path);
    const parser = new CsvParser(this.format);
    let records: FileRecord[] = [];
    let length = 0;
    for await (const text of decoded(this.path, input)) {
      for (const record of parser.push(text)) records.push(record);
      length += text.length;
      if (records.length < BATCH && length < BATCH_LENGTH) continue;
      yield { records, progress: input.bytesRead / this.size };
      records = [];
      length = 0;
    }
    yield { records: [...records, ...parser.end()], progress: 1 };
  }
}

/** Without a byte order mark. */
async function* decoded(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== INVALID_UTF8) throw unreadable(path, cause);
    const message =
      'The file is not in UTF-8. Save it from the spreadsheet as "CSV UTF-8". Nothing was imported.';
    throw new Refusal('unreadable_file', message, { cause });
  }
}

function unreadable(path: string, cause: unknown): Refusal {
  return new Refusal('unreadable_file', `The file ${path} cannot be read: ${(cause as Error).message}`, {
    cause,
  });
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What separates cells and rows, as the heading shows. */
function formatOf(start: string): CsvFormat {
  const [heading = ''] = start.split(/[\r\n]/, 1);
  const count = (delimiter: string) => heading.split(delimiter).length;
  return {
    delimiter: DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best)),
    lineBreak: start[heading.length] === '\r' && start[heading.length + 1] !== '\n' ? '\r' : '\n',
  };
}
