import { csvRow } from '../../imports/csv-format.js';
import { guardGivenCell } from '../../imports/formula-cell.js';
import { REASON_COLUMN } from '../../imports/heading.js';
import type { ImportReport } from '../../imports/import-report.js';
import type { OutputFile } from './output-file.js';

/**
 * The rows as they stood in the file, separated as they were there, with a last column that says why they were refused; an older such column goes. Cells beyond the
 * heading, and the text of a row that could not be taken apart, stand after it: until someone has mended the row and removed them,
 * it is refused again, and nothing is lost.
 */
export async function writeRefusedRows(file: OutputFile, report: ImportReport): Promise<void> {
  await file.write(refusedRows(report));
}

async function* refusedRows(report: ImportReport): AsyncGenerator<string> {
  const { heading, delimiter } = report;
  const row = (cells: string[]) => csvRow(cells.map(guardGivenCell), delimiter);
  const kept = heading.flatMap((name, index) => (name.trim().toLowerCase() === REASON_COLUMN ? [] : [index]));
  yield row([...kept.map((index) => heading[index] ?? ''), REASON_COLUMN]);
  for await (const { cells, unread, reason } of report.refusedRows()) {
    const surplus = [...cells.slice(heading.length), ...(unread === null ? [] : [unread])];
    yield row([...kept.map((index) => cells[index] ?? ''), reason, ...surplus]);
  }
}
