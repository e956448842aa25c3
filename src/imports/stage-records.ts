import { setImmediate as breathe } from 'node:timers/promises';
import { unguardFormula, withDecimalPoint } from './cells.js';
import { type Heading, readHeading } from './heading.js';
import type { ImportKind, StagedValue, ImportOptions } from './import-kind.js';
import { LONGEST_QUOTE } from './import-report.js';
import type { ImportSession } from './import-session.js';
import { type FileRecord, isEmptyRecord, type RecordFault, type RecordSource } from './record-source.js';

export const UNKNOWN_COLUMN = 'is not a column of this import and was ignored';

/** A short row may become long: a product is staged with all its stock keys. */
const COPY_LENGTH = 8_000_000;

/** Records between two chances for requests, which the service answers meanwhile. */
const AT_ONCE = 200;

/** Copies the records into the staging tables. While PostgreSQL takes one batch, the next is read. */
export async function stageRecords(
  session: ImportSession,
  kind: ImportKind,
  source: RecordSource,
  { keepRows = false, renamed, constants, onProgress }: ImportOptions,
): Promise<Heading> {
  const columns = { required: kind.columns, optional: kind.optional, renamed, constants };
  let heading: Heading | undefined;
  let copied: Promise<void> = Promise.resolve();
  const send = async (staging: StagingBatch): Promise<void> => {
    await copied;
    copied = staging.copy(session);
    // The next `await` gets the error. This catch only prevents an "unhandled rejection".
    copied.catch(() => undefined);
  };
  for await (const { records, progress, delimiter } of source.batches()) {
    const begin = () => new StagingBatch(kind, keepRows, delimiter);
    let staging = begin();
    for (const [at, record] of records.entries()) {
      if (at % AT_ONCE === 0) await breathe();
      if (record.fault !== undefined) staging.addBroken(record, record.fault);
      else if (isEmptyRecord(record)) continue;
      else if (heading) staging.add(record, heading);
      else
        staging.warnOfUnknown((heading = { ...readHeading(record.cells, columns), delimiter }), record.line);
      if (staging.length < COPY_LENGTH) continue;
      await send(staging);
      staging = begin();
    }
    await send(staging);
    onProgress?.({ phase: 'reading', done: progress });
  }
  await copied;
  return heading ?? readHeading([], columns);
}

class StagingBatch {
  private readonly staged: string[] = [];
  private readonly raw: string[] = [];
  private readonly faults: string[] = [];
  private readonly stagedColumns: string[];
  private readonly withCommas: ReadonlySet<string>;
  length = 0;

  constructor(
    private readonly kind: ImportKind,
    private readonly keepRows: boolean,
    delimiter: string | undefined,
  ) {
    this.withCommas = new Set(delimiter === ',' ? [] : kind.amounts);
    this.stagedColumns = Object.keys(kind.staged);
  }

  add({ line, cells, cellFaults = [] }: FileRecord, heading: Heading): void {
    const byName: Record<string, string> = {};
    const note = (column: string, message: string) =>
      this.note(line, column, withCell(message, byName[column] ?? ''));
    if (hasSurplus(cells, heading))
      note('', `has ${cells.length} cells, but the heading has ${heading.cells.length}`);
    for (const [column, position] of heading.positions) {
      const cell = heading.constants[column] ?? unguardFormula(cells[position]?.trim() ?? '');
      byName[column] = this.withCommas.has(column) ? withDecimalPoint(cell) : cell;
    }
    for (const { position, message, isDate } of cellFaults) {
      const [column] = heading.positions.find(([, known]) => known === position) ?? [];
      if (column !== undefined && !(isDate && this.kind.times?.includes(column))) note(column, message);
    }
    const values = this.kind.read(byName, note, heading.given);
    this.push(this.staged, [line, ...this.stagedColumns.map((column) => values[column]!)]);
    this.keep(line, cells);
  }

  /** A row that could not be parsed. It may come before the heading. */
  addBroken({ line, cells }: FileRecord, { message, text }: RecordFault): void {
    this.note(line, '', message);
    this.keep(line, cells, text);
  }

  warnOfUnknown({ unknown }: Heading, line: number): void {
    for (const column of unknown) this.push(this.faults, [line, column, UNKNOWN_COLUMN, true]);
  }

  private note(line: number, column: string, message: string): void {
    this.push(this.faults, [line, column, message, false]);
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
    await session.copy('staged', this.staged);
    await session.copy('faults', this.faults);
    await session.copy('raw', this.raw);
  }
}

/** Some messages quote a part of the cell already. */
function withCell(message: string, cell: string): string {
  if (cell === '' || message.includes('"')) return message;
  const shown = cell.length > LONGEST_QUOTE ? `${cell.slice(0, LONGEST_QUOTE)}…` : cell;
  return `${message} (${JSON.stringify(shown.toWellFormed())})`;
}

/** Cells beyond the heading show an unquoted separator. Missing cells at the end are empty. */
function hasSurplus(cells: string[], heading: Heading): boolean {
  return cells.slice(heading.cells.length).some((cell) => cell.trim() !== '');
}

/** PostgreSQL cannot store this character. */
function withoutNul(cell: string): string {
  return cell.replaceAll('\0', '').toWellFormed();
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
