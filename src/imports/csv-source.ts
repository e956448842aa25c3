import { DomainError } from '../platform/errors/domain-error.js';
import { formatOf } from './csv-format.js';
import { CsvParser } from './csv-parser.js';
import type { FileRecord, RecordSource } from './record-source.js';

const START_LENGTH = 16_384;
const INVALID_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const BATCH = 5_000;
/** So that a batch of long rows fits into memory as well. */
const BATCH_LENGTH = 8_000_000;

/**
 * A table of a spreadsheet as CSV, read as it streams in. Its rows count as a spreadsheet shows them: a line break within quotes does
 * not begin another one, an empty line does.
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
  let records: FileRecord[] = [];
  let length = 0;
  for await (const text of withWholeStart(decoded(counted()))) {
    parser ??= new CsvParser(formatOf(text));
    for (const record of parser.push(text)) records.push(record);
    length += text.length;
    if (records.length < BATCH && length < BATCH_LENGTH) continue;
    yield { records, progress: read / size };
    records = [];
    length = 0;
  }
  yield { records: [...records, ...(parser?.end() ?? [])], progress: 1 };
}

/** Without a byte order mark. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield decode(() => decoder.decode(chunk, { stream: true }));
  yield decode(() => decoder.decode());
}

function decode(work: () => string): string {
  try {
    return work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== INVALID_UTF8) throw cause;
    const message =
      'The file is not in UTF-8. Save it from the spreadsheet as "CSV UTF-8". Nothing was imported.';
    throw new DomainError('unreadable_file', message, { cause });
  }
}

/** The heading tells what separates cells and rows: the first piece holds all of it, however small the pieces come. */
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
