import type { RowFault } from './import-kind.js';

/** `done` says whether the good rows were applied, or would be. */
export interface ImportOutcome {
  done: boolean;
  created: number;
  updated: number;
  unchanged: number;
}

export interface PriceChange {
  line: number;
  sku: string;
  /** Of a price that a plan fixes. */
  plan?: string;
  from: number;
  to: number;
}

export interface RefusedRow {
  cells: string[];
  /** How the row stands in the file, if it could not be taken apart. */
  unread: string | null;
  reason: string;
}

/** What an import did, or would do. The lists are read from the database as they are written out, and may be long. */
export interface ImportReport {
  dryRun: boolean;
  /** Whether rows were bad and so nothing was written, as had been asked for. */
  nothingWritten: boolean;
  created: number;
  updated: number;
  unchanged: number;
  /** Rows, each of which may have several faults. */
  failedCount: number;
  warningCount: number;
  heading: string[];
  /** What separates the cells of the file, if something does. */
  delimiter?: string;
  failed(): AsyncIterable<RowFault>;
  warnings(): AsyncIterable<RowFault>;
  /** The prices that were, or would be, changed. */
  priceChanges(): AsyncIterable<PriceChange>;
  /** The refused rows as they stood in the file, with the reasons; only if they were asked for. */
  refusedRows(): AsyncIterable<RefusedRow>;
  close(): Promise<void>;
}

export interface ImportOptions {
  dryRun?: boolean;
  allOrNothing?: boolean;
  /** Keeps the rows as they stand in the file, so that the refused ones can be written to another. */
  keepRows?: boolean;
  /** Writes rows all the same whose counterparts have changed since they were exported. */
  overwrite?: boolean;
  /** Creates nothing. */
  updateOnly?: boolean;
  /** Keys of new records that are meant as they are, however odd they look. */
  acceptNew?: string[];
  /** By how many percent a price may change, up or down; 50 unless told. */
  maxChange?: number;
  /** Lets through whatever looks odd. */
  force?: boolean;
  /** When what the file says was so, if not at the moment. */
  countedAt?: Date;
  actor: string;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  phase: 'reading' | 'writing';
  /** From 0 to 1. */
  done: number;
}
