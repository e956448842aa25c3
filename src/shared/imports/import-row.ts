import { Readable } from 'node:stream';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ImportOptions, RowFault } from './import-kind.js';
import type { RowChange } from './import-report.js';
import { type RecordImport, rowsSource } from './record-source.js';

interface RowImportResult {
  warnings: RowFault[];
  /** The change of a dry run. Undefined if the row changes nothing. */
  change: RowChange | undefined;
}

/**
 * Imports one row for a change of one record, with the same checks. A refusal has the faults by column. A
 * fault of the whole row has no column.
 */
export async function importRow(
  files: RecordImport,
  cells: Readonly<Record<string, string>>,
  options: ImportOptions,
  rowLabel: string,
): Promise<RowImportResult> {
  const source = rowsSource(Object.keys(cells), Object.values(cells));
  const report = await files.import(source, { ...options, allOrNothing: true, isSingle: true });
  try {
    const faults = await toArray(report.failed());
    if (faults.length === 0) {
      const [change] = options.dryRun ? await toArray(report.changes()) : [];
      return { warnings: await toArray(report.warnings()), change };
    }
    const errors = faults.map(({ column, message }) => ({ field: column, code: 'invalid_value', message }));
    const sentences = faults.map(({ column, message }) => `${column === '' ? rowLabel : column} ${message}.`);
    throw new DomainError('invalid_value', sentences.join(' '), { errors });
  } finally {
    await report.close();
  }
}

function toArray<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  return Readable.from(rows).toArray() as Promise<Row[]>;
}
