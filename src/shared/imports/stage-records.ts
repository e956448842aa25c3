import { DomainError } from '../../platform/errors/domain-error.js';
import { plainNumber } from '../../platform/money/money.js';
import { countSlices } from '../../platform/time-slicing/run-in-slices.js';
import { isBlank, MAX_COLUMNS, unguardFormula, withDecimalPoint, withoutNul } from './cells.js';
import { type ColumnRules, type Heading, isTitle, readHeading, wrongColumns } from './heading.js';
import { SAMPLE_ROWS, suggestColumns } from './heading-suggestions.js';
import type { HeadingMapping, ImportKind, StagedValue, ImportOptions } from './import-kind.js';
import { MAX_QUOTE_LENGTH } from './import-report.js';
import type { ImportSession } from './import-session.js';
import { FAULTS, RAW, STAGED } from './import-tables.js';
import type { FileRecord, RecordFault, RecordSource } from './record-source.js';

export const UNKNOWN_COLUMN = 'is not a column of this import and was ignored';

/** Characters of one COPY. */
const COPY_LENGTH = 1_000_000;

/** Limits for a file of 100 MB. Empty rows at the end of a sheet are common. */
const MAX_FILE_ROWS = 10_000_000;
const MAX_EMPTY_ROWS = 1_048_576;

/** Copies the records into the staging tables. While PostgreSQL takes one batch, the next is read. */
export async function stageRecords(
  session: ImportSession,
  kind: ImportKind,
  source: RecordSource,
  { keepRows = false, isSingle, renamed, readings, onRead, constants, onProgress, signal }: ImportOptions,
): Promise<Heading> {
  const { columns: required, optional, oneOf, mustRead, misleading, aliases, synonyms } = kind;
  const columns = {
    required,
    optional,
    oneOf,
    mustRead,
    misleading,
    aliases,
    synonyms,
    renamed,
    readings,
    onRead,
    constants,
  };
  let heading: Heading | undefined;
  let copied: Promise<void> = Promise.resolve();
  let empty = 0;
  const pauseAfterSlice = countSlices();
  let staging: StagingBatch | undefined;
  const send = async (): Promise<void> => {
    await copied;
    copied = staging?.copy(session) ?? copied;
    staging = undefined;
    // The next `await` gets the error. This catch only prevents an "unhandled rejection".
    copied.catch(() => undefined);
  };
  for await (const { records, progress, delimiter } of source.batches(signal)) {
    for (const [at, record] of records.entries()) {
      const pause = pauseAfterSlice();
      if (pause) {
        await pause;
        signal?.throwIfAborted();
      }
      checkCount(record.line, MAX_FILE_ROWS, 'rows');
      // Amounts of forms and commands have decimal points, as in a file with commas between its cells.
      staging ??= new StagingBatch(kind, keepRows, isSingle ? ',' : delimiter);
      if (record.fault !== undefined) staging.addBroken(record, record.fault);
      else if (record.cells.every(isBlank)) checkCount(++empty, MAX_EMPTY_ROWS, 'empty rows');
      else if (heading) staging.add(record, heading);
      else if (isTitle(record.cells, nextFilled(records, at), columns)) continue;
      else {
        heading = { ...(await readOrSuggest(session, kind, records.slice(at), columns)), delimiter };
        staging.warnOfUnknown(heading, record.line);
      }
      if (staging.length >= COPY_LENGTH) await send();
    }
    onProgress?.({ phase: 'reading', done: progress });
  }
  await send();
  await copied;
  return heading ?? readHeading([], columns);
}

const nextFilled = (records: readonly FileRecord[], at: number) =>
  records.slice(at + 1, at + 1 + SAMPLE_ROWS).find(({ cells }) => !cells.every(isBlank))?.cells;

const UNCONFIRMED =
  'The columns of this file are only suggested. Confirm or change them, then check the file again.';

/**
 * A refused heading gets suggestions, unless a person has chosen its columns. It is refused for what they
 * leave open.
 */
async function readOrSuggest(
  session: ImportSession,
  kind: ImportKind,
  records: readonly FileRecord[],
  columns: ColumnRules,
): Promise<Heading> {
  let undecided: HeadingMapping | undefined;
  const onRead = (reading: HeadingMapping, isChosen: boolean) => {
    undecided = isChosen ? undefined : reading;
    columns.onRead?.(reading, isChosen);
  };
  try {
    return readHeading(records[0]!.cells, { ...columns, onRead });
  } catch (error) {
    if (!undecided || !columns.onRead) throw error;
    const sample = records.slice(0, 1 + SAMPLE_ROWS);
    const { headings } = await suggestColumns(session, kind, undecided, sample, columns.constants);
    readHeading(records[0]!.cells, { ...columns, suggested: headings });
    throw wrongColumns(UNCONFIRMED);
  }
}

function checkCount(count: number, limit: number, what: string): void {
  if (count <= limit) return;
  const message = `The file has more than ${limit} ${what}. Delete empty rows, or split the file.`;
  throw new DomainError('unreadable_file', message);
}

/** In a file with decimal commas such a comma is ambiguous: only a person knows whether it is decimal. */
const EITHER_COMMA = /^\d{1,3},\d{3}$/;

class StagingBatch {
  private readonly staged: string[] = [];
  private readonly raw: string[] = [];
  private readonly faults: string[] = [];
  private readonly stagedColumns: string[];
  private readonly amounts: ReadonlySet<string>;
  length = 0;

  constructor(
    private readonly kind: ImportKind,
    private readonly keepRows: boolean,
    private readonly delimiter: string | undefined,
  ) {
    this.amounts = new Set(kind.amounts);
    this.stagedColumns = Object.keys(kind.staged);
  }

  add(record: FileRecord, heading: Heading): void {
    const { line, cells, cellFaults = [] } = record;
    if (cells.length > MAX_COLUMNS && !cells.slice(MAX_COLUMNS).every(isBlank)) {
      const text = cells.join(' ').slice(0, 1_000);
      this.addBroken({ line, cells: [] }, { message: `has more than ${MAX_COLUMNS} columns`, text });
      return;
    }
    const byName: Record<string, string> = {};
    const note = (column: string, message: string) =>
      this.note(line, column, withCell(message, byName[column] ?? ''));
    if (hasSurplus(cells, heading))
      note('', `has ${cells.length} cells, but the heading has ${heading.cells.length}`);
    for (const [column, position] of heading.positions) {
      const cell = heading.constants[column] ?? unguardFormula(cells[position]?.trim() ?? '');
      byName[column] = this.amounts.has(column) ? this.amountIn(cell) : cell;
    }
    for (const { position, message, isDate } of cellFaults) {
      const [column] = heading.positions.find(([, columnPosition]) => columnPosition === position) ?? [];
      if (column !== undefined && !(isDate && this.kind.times?.includes(column))) note(column, message);
    }
    this.checkUnread(record, heading);
    const values = this.kind.read(byName, note, heading.given);
    this.push(this.staged, [line, ...this.stagedColumns.map((column) => values[column]!)]);
    this.keep(line, cells);
  }

  private checkUnread({ line, cells }: FileRecord, { cells: names, positions, given }: Heading): void {
    const { faultOfUnread } = this.kind;
    if (!faultOfUnread) return;
    const read = new Set(positions.map(([, position]) => position));
    for (const [position, cell] of cells.entries()) {
      const fault = read.has(position) ? undefined : faultOfUnread(cell.trim(), given);
      if (fault !== undefined) this.note(line, names[position] ?? '', withCell(fault, cell));
    }
  }

  private amountIn(cell: string): string {
    if (this.delimiter === ',') return plainNumber(cell);
    return EITHER_COMMA.test(cell) ? cell : withDecimalPoint(plainNumber(cell));
  }

  /** A row that could not be parsed. It may come before the heading. */
  addBroken({ line, cells }: FileRecord, { message, text }: RecordFault): void {
    this.note(line, '', message);
    this.keep(line, cells, text);
  }

  warnOfUnknown({ unknown }: Heading, line: number): void {
    for (const column of unknown) this.push(this.faults, [line, withoutNul(column), UNKNOWN_COLUMN, true]);
  }

  /** A message may quote a part of a cell, and the name of an unread column is a cell. */
  private note(line: number, column: string, message: string): void {
    this.push(this.faults, [line, withoutNul(column), withoutNul(message), false]);
  }

  private keep(line: number, cells: string[], unread: string | null = null): void {
    if (!this.keepRows) return;
    this.push(this.raw, [line, cells.map(withoutNul), unread && withoutNul(unread)]);
  }

  private push(rows: string[], values: StagedValue[]): void {
    const row = copyRow(values);
    rows.push(row);
    this.length += row.length;
  }

  async copy(session: ImportSession): Promise<void> {
    await session.copy(STAGED, this.staged);
    await session.copy(FAULTS, this.faults);
    await session.copy(RAW, this.raw);
  }
}

/** Adds the cell to a message, unless it quotes a part of the cell already. */
function withCell(message: string, cell: string): string {
  if (cell === '' || message.includes('"')) return message;
  const quote = cell.length > MAX_QUOTE_LENGTH ? `${cell.slice(0, MAX_QUOTE_LENGTH)}…` : cell;
  return `${message} (${JSON.stringify(quote.toWellFormed())})`;
}

/** Cells beyond the heading are a sign of an unquoted separator. Missing cells at the end are empty. */
function hasSurplus(cells: string[], heading: Heading): boolean {
  return !cells.slice(heading.cells.length).every(isBlank);
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A row in the text format of COPY. */
export function copyRow(values: readonly StagedValue[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function copyValue(value: StagedValue): string {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? arrayLiteral(value) : String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text;
}
