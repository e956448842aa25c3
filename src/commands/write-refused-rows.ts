import { csvRow } from '../imports/csv-text.js';
import { REASON_COLUMN } from '../imports/heading.js';
import type { ImportReport } from '../imports/import-report.js';
import { writeFile } from './write-file.js';

/** The rows as they stood in the file, with a last column that says why they were refused; an older such column goes. */
export async function writeRefusedRows(path: string, report: ImportReport): Promise<void> {
  await writeFile(path, refusedRows(report));
}

async function* refusedRows(report: ImportReport): AsyncGenerator<string> {
  const kept = report.heading.flatMap((name, index) =>
    name.trim().toLowerCase() === REASON_COLUMN ? [] : [index],
  );
  yield csvRow([...kept.map((index) => report.heading[index] ?? ''), REASON_COLUMN]);
  for await (const { cells, reason } of report.refusedRows()) {
    yield csvRow([...kept.map((index) => cells[index] ?? ''), reason]);
  }
}
