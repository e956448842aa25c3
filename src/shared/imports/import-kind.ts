import type { ImportSession } from './import-session.js';

export type StagedValue = string | number | boolean | readonly string[] | null;

/** Records why a row is refused. A message is a sentence, or continues the column's name. */
export type NoteFault = (column: string, message: string) => void;

/** `faults`: rows that changed between comparison and lock. All other rows were written. */
export interface WriteResult {
  created: number;
  updated: number;
  faults: RowFault[];
}

export interface RowFault {
  line: number;
  column: string;
  message: string;
}

export interface ImportBatch {
  session: ImportSession;
  /** The lines of table `work` in this batch: after the first number, up to the second. */
  lines: [after: number, upTo: number];
  actor: string;
}

/**
 * One kind of file. Its rows are staged; SQL compares them with stored rows and fills `work` with changes;
 * batches of `work` are written.
 */
export interface ImportKind<Column extends string = string, Staged extends string = Column> {
  name: string;
  columns: readonly Column[];
  optional?: readonly Column[];
  /** Optional columns of which a file needs at least one. */
  oneOf?: readonly Column[];
  /** Optional columns: a heading with such a word or synonym must be mapped, not ignored. */
  mustRead?: readonly Column[];
  /** Headings that are refused beside one of these columns, until a person leaves them out. */
  misleading?: MisleadingHeadings<Column>;
  /** Names that other programs give the columns. */
  aliases?: Readonly<Partial<Record<Column, readonly string[]>>>;
  /** Headings for which the desk suggests the column. They are not read before a person confirms it. */
  synonyms?: Readonly<Record<string, readonly string[]>>;
  /** SQL that counts which of the values `$1` are keys, so that the desk can suggest these columns. */
  known?: Readonly<Record<string, string>>;
  /** Columns of amounts, which may have a decimal comma. */
  amounts?: readonly Column[];
  /** Columns of times, where a spreadsheet's date is correct. */
  times?: readonly Column[];
  /** The columns of the table `staged` with their types. */
  staged: Readonly<Record<Staged, string>>;
  /** The staged columns of the key, which must be unique. Repetitions are reported at `keyColumn`. */
  key: readonly Staged[];
  keyColumn: Column;
  /**
   * The values to stage. A missing column gives empty cells. Rows with faults are staged too, because their
   * keys count as used.
   */
  read(
    cells: Readonly<Record<Column, string>>,
    note: NoteFault,
    presentColumns: ReadonlySet<string>,
  ): Record<Staged, StagedValue>;
  /**
   * Steps that add to `faults` and create `work (line, is_new, …)`. They read the rows without faults from
   * `good`.
   */
  compare: readonly (string | ((session: ImportSession) => Promise<void>))[];
  /**
   * A query of the rows of `work` for a preview: `line, is_new, name, fields`, where `fields` is a JSON list
   * of [column, old text, new text]. Without it, the preview lists the cells of the row as new values.
   */
  changes?: string;
  /** Refuses a cell of a column that is not read, if this file should have it read. */
  faultOfUnread?(cell: string, presentColumns: ReadonlySet<string>): string | undefined;
  /** Adds warnings about rows that are, or would be, written. */
  warn?: string;
  /** Adds to the report, as text and as JSON. It runs after the rows are, or would be, written. */
  more?(session: ImportSession): Promise<{ json: object; text: string } | undefined>;
  batchSize: number;
  write(batch: ImportBatch): Promise<WriteResult>;
}

/** Headings that promise what the import does not do with these columns. */
export interface MisleadingHeadings<Column extends string = string> {
  headings: readonly string[];
  beside: readonly Column[];
  advice: string;
}

/** A heading with another name than its column, and that column. Empty: no column. */
export type MappedHeading = [heading: string, column: string];

/** The mapping of a file's headings, and the columns that they can be mapped to. */
export interface HeadingMapping {
  headings: MappedHeading[];
  columns: string[];
  /** A person has to choose the columns first. */
  isOpen?: boolean;
}

export interface ImportOptions {
  dryRun?: boolean;
  allOrNothing?: boolean;
  /** One record of a form or a command, not a file. */
  isSingle?: boolean;
  /** The column of each heading that has a name of its own: `{ AWB: 'tracking_number' }`. */
  renamed?: Readonly<Record<string, string>>;
  /** Known mappings. The first one with this file's headings applies, else the aliases. */
  readings?: readonly (readonly MappedHeading[])[];
  /** Receives the mapping of the heading, before its faults are reported. */
  onRead?: (reading: HeadingMapping) => void;
  /** The value of each column that the file lacks: `{ courier: 'BlueDart' }`. */
  constants?: Readonly<Record<string, string>>;
  /** Rewords reasons and warnings for pages. By default they name the flags of commands. */
  formatMessage?: (message: string) => string;
  /** Keeps the original rows, for the file of refused rows. */
  keepRows?: boolean;
  /** Writes rows even if the stored values changed since the export. */
  overwrite?: boolean;
  /** Creates no records. */
  updateOnly?: boolean;
  /** New keys that are correct although they look unusual. */
  acceptNew?: string[];
  /** The largest price change in percent, up or down; 50 by default. */
  maxChange?: number;
  /** The delivery charge of new products without their own, as numeric text. */
  newDeliveryCharge?: string;
  /** Accepts all unusual values. */
  force?: boolean;
  /** Ships orders that were changed after their slips were printed. */
  oldSlips?: boolean;
  /** The time of a count; now by default. */
  countedAt?: Date;
  /** The start of new prices, now by default, and their end. */
  from?: Date;
  to?: Date;
  actor: string;
  /** The name of an uploaded file. */
  fileName?: string;
  /** Stops the import. Written batches stay. */
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Runs when `work` is complete. It may add faults. */
  onCompared?: (session: ImportSession, kind: ImportKind) => Promise<void>;
}

export interface ImportProgress {
  phase: 'sending' | 'reading' | 'writing';
  /** From 0 to 1. */
  done: number;
}
