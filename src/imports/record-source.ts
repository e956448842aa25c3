/** What an import reads: a file, an upload, or records that are made up as they are needed. */
export interface RecordSource {
  batches(): AsyncIterable<RecordBatch>;
}

export interface RecordBatch {
  /** Of the first batch, the first is the heading. */
  records: FileRecord[];
  /** From 0 to 1. */
  progress: number;
  /** What separated the cells, if something did. */
  delimiter?: string;
}

export interface FileRecord {
  /** The number of the row as a spreadsheet shows it, the heading being 1. */
  line: number;
  /** Of a row with a fault, what they most likely are. */
  cells: string[];
  fault?: RecordFault;
  cellFaults?: CellFault[];
}

/** Why nobody can say what is meant by a cell. A date is meant where a time is asked for. */
export interface CellFault {
  position: number;
  message: string;
  isDate?: boolean;
}

/** Why a row could not be taken apart, and what stands in the file; only how it begins if it is too long. */
export interface RecordFault {
  message: string;
  text: string;
}

/** Spreadsheets leave rows of nothing but separators behind. */
export function isEmptyRecord({ cells }: FileRecord): boolean {
  return cells.every((cell) => cell.trim() === '');
}
