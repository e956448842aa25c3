import { type ImportReport, refusedRowsFile } from './import-report.js';
import { jsonArray, jsonString } from './json-text.js';

/** The report as one JSON object in chunks. `failed_file` has the refused rows; it needs `keepRows`. */
export async function* reportAsJson(report: ImportReport, withFailedFile = false): AsyncGenerator<string> {
  const { created, updated, unchanged, more } = report;
  yield `${JSON.stringify({ created, updated, unchanged, ...more?.json }).slice(0, -1)},"failed":`;
  yield* jsonArray(report.failed());
  yield ',"warnings":';
  yield* jsonArray(report.warnings());
  if (report.dryRun) {
    yield ',"price_changes":';
    yield* jsonArray(report.priceChanges());
  }
  if (withFailedFile) {
    yield ',"failed_file":';
    yield* jsonString(refusedRowsFile(report));
  }
  yield '}';
}
