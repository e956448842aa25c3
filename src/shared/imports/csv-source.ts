import { TextDecoder } from 'node:util';
import { DomainError } from '../../platform/errors/domain-error.js';
import { detectFormat } from './csv-format.js';
import { CsvParser } from './csv-parser.js';
import type { FileRecord, RecordSource } from './record-source.js';

/** Bytes that contain any heading. */
const START_LENGTH = 32_768;
const INVALID_TEXT = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const BATCH_ROWS = 5_000;
/** Characters of a batch: long rows must fit into memory too. */
const BATCH_LENGTH = 8_000_000;

/**
 * Reads CSV as a stream. Rows are numbered as in a spreadsheet: empty lines count, line breaks within quotes
 * do not.
 */
export function csvSource(bytes: AsyncIterable<Buffer>, size: number): RecordSource {
  return { batches: () => batchesOf(bytes, size) };
}

async function* batchesOf(bytes: AsyncIterable<Buffer>, size: number) {
  let read = 0;
  let reader: { decoder: TextDecoder; parser: CsvParser; delimiter: string } | undefined;
  let records: FileRecord[] = [];
  let length = 0;
  for await (const chunk of collectStart(bytes)) {
    const decoder: TextDecoder = reader?.decoder ?? decoderOf(chunk);
    const text = decode(() => decoder.decode(chunk, { stream: true }));
    if (reader === undefined) {
      const format = detectFormat(text);
      reader = { decoder, parser: new CsvParser(format), delimiter: format.delimiter };
    }
    for (const record of reader.parser.push(text)) records.push(record);
    read += chunk.length;
    length += text.length;
    if (records.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
    yield { records, delimiter: reader.delimiter, progress: read / size };
    records = [];
    length = 0;
  }
  decode(() => reader?.decoder.decode() ?? '');
  yield { records: [...records, ...(reader?.parser.end() ?? [])], delimiter: reader?.delimiter, progress: 1 };
}

/** Collects the start of the file, from which the encoding and the format are detected. */
async function* collectStart(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start !== undefined) start = Buffer.concat([start, chunk]);
    if (start !== undefined && start.length < START_LENGTH) continue;
    yield start ?? chunk;
    start = undefined;
  }
  if (start !== undefined) yield start;
}

/** The first two bytes of UTF-16, which is Excel's "Unicode text". */
const UTF_16 = { '\xFF\xFE': 'utf-16le', '\xFE\xFF': 'utf-16be' } as Record<string, string>;

/** Leaves the byte order mark out. */
function decoderOf(start: Buffer): TextDecoder {
  return new TextDecoder(UTF_16[start.toString('latin1', 0, 2)] ?? 'utf-8', { fatal: true });
}

function decode(work: () => string): string {
  try {
    return work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== INVALID_TEXT) throw cause;
    const message =
      'The file is not in UTF-8, but probably in Windows-1252, as Excel writes "CSV (Comma delimited)". ' +
      'Save it with File > Save As > "CSV UTF-8 (Comma delimited)". Nothing was imported.';
    throw new DomainError('unreadable_file', message, { cause });
  }
}
