import { TextDecoder } from 'node:util';
import { DomainError } from '../platform/errors/domain-error.js';
import { formatOf } from './csv-format.js';
import { CsvParser } from './csv-parser.js';
import type { FileRecord, RecordSource } from './record-source.js';

const START_LENGTH = 16_384;
const INVALID_TEXT = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const BATCH = 5_000;
/** A batch of long rows must fit into memory too. */
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
  const counted = async function* () {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  };
  let parser: CsvParser | undefined;
  let delimiter: string | undefined;
  let records: FileRecord[] = [];
  let length = 0;
  for await (const text of withWholeStart(decoded(counted()))) {
    if (parser === undefined) {
      const format = formatOf(text);
      delimiter = format.delimiter;
      parser = new CsvParser(format);
    }
    for (const record of parser.push(text)) records.push(record);
    length += text.length;
    if (records.length < BATCH && length < BATCH_LENGTH) continue;
    yield { records, delimiter, progress: read / size };
    records = [];
    length = 0;
  }
  yield { records: [...records, ...(parser?.end() ?? [])], delimiter, progress: 1 };
}

/** Excel's "Unicode text" is UTF-16. The first two bytes tell. */
const UTF_16 = { '\xFF\xFE': 'utf-16le', '\xFE\xFF': 'utf-16be' } as Record<string, string>;

/** Without the byte order mark. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let start = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (decoder === undefined) start = Buffer.concat([start, chunk]);
    if (decoder === undefined && start.length < 2) continue;
    const bytes = decoder === undefined ? start : chunk;
    const reader = (decoder ??= decoderOf(start));
    yield decode(() => reader.decode(bytes, { stream: true }));
  }
  const reader = decoder ?? decoderOf(start);
  yield decode(() => (decoder === undefined ? reader.decode(start) : reader.decode()));
}

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

/** Collects the start of the file: the format is guessed from the whole heading. */
async function* withWholeStart(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let start: string | undefined = '';
  for await (const text of texts) {
    if (start !== undefined) start += text;
    if (start !== undefined && start.length < START_LENGTH) continue;
    yield start ?? text;
    start = undefined;
  }
  if (start !== undefined) yield start;
}
