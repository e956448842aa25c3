import { DomainError } from '../../platform/errors/domain-error.js';
import type { FileRecord, RecordBatch, RecordSource } from '../record-source.js';
import { readCellFormats, readWorkbook, readSharedStrings } from './workbook-parts.js';
import { SheetReader } from './sheet-reader.js';
import { unreadableWorkbook, walkXml, WorkbookArchive } from './workbook-archive.js';
/** About three times the size of a full sheet of Excel with ten columns. */
const LIMIT = 1_000_000_000;
const BATCH = 5_000;

/**
 * Reads the first visible sheet as a stream. A cell is the text that a person sees; if that is unknown, it is
 * a fault.
 */
export function xlsxSource(path: string): RecordSource {
  return { batches: () => explaining(batchesOf(path)) };
}

async function* batchesOf(path: string): AsyncGenerator<RecordBatch> {
  const archive = await WorkbookArchive.open(path);
  try {
    const workbook = await readWorkbook(archive);
    const strings = await readSharedStrings(archive, workbook.sharedStrings);
    const formats = await readCellFormats(archive, workbook.styles);
    const reader = new SheetReader(strings, formats, workbook.from1904);
    const size = archive.sizeOf(workbook.sheet);
    let read = 0;
    let records: FileRecord[] = [];
    for await (const length of walkXml(archive.read(workbook.sheet, LIMIT), reader)) {
      read += length;
      for (const record of reader.take()) records.push(record);
      if (records.length < BATCH) continue;
      yield { records, progress: read / size };
      records = [];
    }
    yield { records, progress: 1 };
  } finally {
    archive.close();
  }
}

/** Turns errors of the archive and its XML into a `DomainError`. */
async function* explaining(batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  try {
    yield* batches;
  } catch (error) {
    throw error instanceof DomainError ? error : unreadableWorkbook((error as Error).message, error);
  }
}
