import type { ImportSession } from './import-session.js';

export type StagedValue = string | number | boolean | readonly string[] | null;

/** Takes note of why a row is bad. Faults finish the sentence "the price …" or stand alone. */
export type NoteFault = (column: string, message: string) => void;

/** What a batch did. A row that could not be written for what others did meanwhile is named, the others are. */
export interface Written {
  created: number;
  updated: number;
  faults: RowFault[];
}

export interface RowFault {
  line: number;
  column: string;
  message: string;
}

export interface Batch {
  session: ImportSession;
  /** The lines of table `work` that this batch is about: after the first, up to the second. */
  lines: [after: number, upTo: number];
  actor: string;
}

/**
 * How one kind of file is read and merged. Its rows are staged as they are read; set-based statements then compare them with what
 * is stored, and fill `work` with those that make a difference; these are written in batches.
 */
export interface ImportKind<Column extends string = string, Staged extends string = Column> {
  name: string;
  columns: readonly Column[];
  optional?: readonly Column[];
  /** Those that hold amounts of money, which may be written with a decimal comma. */
  amounts?: readonly Column[];
  /** Those that hold times, in which a spreadsheet's date is what was meant. */
  times?: readonly Column[];
  /** The columns of the table `staged`, each with its type. */
  staged: Readonly<Record<Staged, string>>;
  /** The staged columns that together must be different in every row, and the column at which a repetition is reported. */
  key: readonly Staged[];
  keyColumn: Column;
  /**
   * The values to stage, by name like the cells; those of columns that are not given are empty. A row with faults is staged too, for the sake
   * of its key.
   */
  read(
    cells: Readonly<Record<Column, string>>,
    note: NoteFault,
    given: ReadonlySet<string>,
  ): Record<Staged, StagedValue>;
  /** Steps that add to `faults` and create `work (line, is_new, …)`: SQL as far as it goes. They see only rows that are good so far in `good`. */
  compare: readonly (string | ((session: ImportSession) => Promise<void>))[];
  /** Adds to `faults` what is remarkable about rows that were, or would be, applied. */
  warn?: string;
  batchSize: number;
  write(batch: Batch): Promise<Written>;
}
