import { type ImportReport, refusedRowsFile } from './import-report.js';
import { jsonArray, jsonString } from './json-text.js';

interface JsonForPrograms {
  /** The report has the first reasons, and counts the refused rows. */
  maxReasons: number;
  /** `failed_file` has the refused rows; it needs `keepRows`. */
  withFailedFile: boolean;
}

/** The report as one JSON object in chunks. */
export async function* reportAsJson(
  report: ImportReport,
  forPrograms?: JsonForPrograms,
): AsyncGenerator<string> {
  const { created, updated, unchanged, failedCount, more } = report;
  const counts = { created, updated, unchanged, ...(forPrograms && { refused: failedCount }) };
  yield `${JSON.stringify({ ...counts, ...more?.json }).slice(0, -1)},"failed":`;
  yield* jsonArray(firstOf(report.failed(), forPrograms?.maxReasons));
  yield ',"warnings":';
  yield* jsonArray(report.warnings());
  if (report.dryRun) {
    yield ',"price_changes":';
    yield* jsonArray(report.priceChanges());
  }
  if (forPrograms?.withFailedFile) {
    yield ',"failed_file":';
    yield* jsonString(refusedRowsFile(report));
  }
  yield '}';
}

export async function* firstOf<Row>(rows: AsyncIterable<Row>, max = Infinity): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    if (++count >= max) return;
  }
}
