import { guardFormula } from './cells.js';
import type { ImportOptions } from './import-kind.js';
import type { ImportReport } from './import-report.js';

/** Characters of a row: more than the largest product needs. Thousands of such rows fit into memory. */
export const MAX_ROW_LENGTH = 200_000;

/** A file, an upload, or generated records. */
export interface RecordSource {
  /** The signal ends the reading. */
  batches(signal?: AbortSignal): AsyncIterable<RecordBatch>;
}

/** The import of one kind of file. */
export interface RecordImport {
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport>;
}

export interface RecordBatch {
  /** The first record of the first batch is the heading. */
  records: FileRecord[];
  /** From 0 to 1. */
  progress: number;
  /** The separator of the cells; undefined for a workbook. */
  delimiter?: string;
}

export interface FileRecord {
  /** The row number of a spreadsheet; the heading is 1. */
  line: number;
  /** The cells, or the probable cells of a row with a fault. */
  cells: string[];
  fault?: RecordFault;
  cellFaults?: CellFault[];
}

/** The reason why the text of a cell is unknown. A date is fine in a column of times. */
export interface CellFault {
  position: number;
  message: string;
  isDate?: boolean;
}

/** The reason why a row could not be parsed, and its text or the start of it. */
export interface RecordFault {
  message: string;
  text: string;
}

/** A heading and a few rows, made in code. */
export function rowsSource(...rows: string[][]): RecordSource {
  const records = rows.map((cells, index) => ({ line: index + 1, cells: cells.map(guardFormula) }));
  return {
    async *batches() {
      yield { records, progress: 1 };
    },
  };
}
