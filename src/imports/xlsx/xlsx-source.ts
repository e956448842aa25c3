import { DomainError } from '../../platform/errors/domain-error.js';
import type { FileRecord, RecordBatch, RecordSource } from '../record-source.js';
import { readCellFormats } from './cell-formats.js';
import { readWorkbook } from './read-workbook.js';
import { readSharedStrings } from './shared-strings.js';
import { SheetReader } from './sheet-reader.js';
import { unreadableWorkbook } from './unreadable-workbook.js';
import { walkXml } from './walk-xml.js';
import { WorkbookArchive } from './workbook-archive.js';

/** About three times what Excel's last row needs for ten columns. */
const LIMIT = 1_000_000_000;
const BATCH = 5_000;

/**
 * The first sheet of a workbook that is not hidden, read as it streams in. A cell is the text that a person sees, or is named if nobody can
 * say what was meant.
 */
export function xlsxSource(path: string): RecordSource {
  return { batches: () => telling(batchesOf(path)) };
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

/** What the archive or its XML is at fault for, in words of the domain. */
async function* telling(batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  try {
    yield* batches;
  } catch (error) {
    throw error instanceof DomainError ? error : unreadableWorkbook((error as Error).message, error);
  }
}
