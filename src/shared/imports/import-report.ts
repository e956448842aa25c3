import { Readable } from 'node:stream';
import { guardOriginalCell } from './cells.js';
import { csvRow } from './csv-format.js';
import { type Heading, REASON_COLUMN } from './heading.js';
import { LIST_PRICE_CHANGES } from './import-guards.js';
import type { ImportKind, ImportOptions, RowFault } from './import-kind.js';
import type { ImportSession } from './import-session.js';
import { createPreview, FAULTS, LISTED, PREVIEW, RAW, STAGED, WORK } from './import-tables.js';

/** `done`: the good rows were, or would be, written. */
export interface ImportOutcome {
  done: boolean;
  created: number;
  updated: number;
  unchanged: number;
}

export interface PriceChange {
  line: number;
  sku: string;
  /** Set for a fixed price. */
  plan?: string;
  from: number;
  to: number;
}

/** A row that was, or would be, written. */
export interface RowChange {
  line: number;
  /** Such as the SKU or the order number. */
  name: string;
  isNew: boolean;
  /** The columns that differ. A new row has no old values. */
  fields: [column: string, from: string | null, to: string | null][];
}

export interface RefusedRow {
  cells: string[];
  /** The text of a row that could not be parsed. */
  unread: string | null;
  reason: string;
}

/** The result of an import or a dry run. The lists are streamed from the database: they may be long. */
export interface ImportReport {
  dryRun: boolean;
  /** With `allOrNothing`: one refused row prevented all others. */
  nothingWritten: boolean;
  created: number;
  updated: number;
  unchanged: number;
  /** The number of refused rows. A row may have several faults. */
  failedCount: number;
  warningCount: number;
  heading: string[];
  /** The separator of the cells; undefined for a workbook. */
  delimiter?: string;
  failed(): AsyncIterable<RowFault>;
  warnings(): AsyncIterable<RowFault>;
  /** For a dry run: after an import the stored values are the new ones. */
  changes(): AsyncIterable<RowChange>;
  /** Prices that were, or would be, changed. */
  priceChanges(): AsyncIterable<PriceChange>;
  /** The refused rows as in the file, with reasons. Needs `keepRows`. */
  refusedRows(): AsyncIterable<RefusedRow>;
  /** Additional facts of the kind of file. */
  more?: { json: object; text: string };
  /** The scheduled change that the file made. */
  scheduled?: { change: number; text: string };
  close(): Promise<void>;
}

const PAGE_SIZE = 1_000;

/** A smaller page, because rows may be long. */
const REFUSED_PAGE_SIZE = 100;

/** In the order of the file: by row, then by column. */
const LIST = `
  CREATE TEMP TABLE ${LISTED} AS
  SELECT row_number() OVER (PARTITION BY is_warning ORDER BY line, position, message) AS number,
         line, column_name, message, is_warning
    FROM (SELECT *, coalesce(array_position($1::text[], column_name), 0) AS position
            FROM ${FAULTS}) AS placed`;

const INDEX = `
  CREATE INDEX ON ${LISTED} (is_warning, number);
  CREATE INDEX ON ${LISTED} (line) WHERE NOT is_warning;`;

const COUNT = `
  SELECT count(DISTINCT line) FILTER (WHERE NOT is_warning)::int AS "failedCount",
         count(*) FILTER (WHERE is_warning)::int AS "warningCount"
    FROM ${LISTED}`;

/** Characters of a cell in a message. */
export const MAX_QUOTE_LENGTH = 60;

/** The message with the staged value, unless it contains the value or its cell already. */
const MESSAGE = `
  l.message || CASE WHEN NOT l.is_warning AND cell <> '' AND position(cell IN l.message) = 0
                         AND l.message NOT LIKE '%")'
                    THEN format(' ("%s%s")', left(cell, ${MAX_QUOTE_LENGTH}),
                                CASE WHEN length(cell) > ${MAX_QUOTE_LENGTH} THEN '…' ELSE '' END)
                    ELSE '' END`;
/** OFFSET 0: otherwise PostgreSQL makes the JSON again at each use of the cell. */
const WITH_CELL = `
  LEFT JOIN ${STAGED} s ON s.line = l.line
 CROSS JOIN LATERAL (
   SELECT CASE WHEN jsonb_typeof(to_jsonb(s) -> l.column_name) IN ('string', 'number')
               THEN to_jsonb(s) ->> l.column_name END AS cell OFFSET 0) AS staged_cell`;

const FAULT_PAGE = `
  SELECT l.number::int AS at, l.line, l.column_name AS "column", ${MESSAGE} AS message
    FROM ${LISTED} l ${WITH_CELL}
   WHERE l.is_warning = $3 AND l.number > $1
   ORDER BY l.number
   LIMIT $2`;

/** The condition stands for both tables: otherwise PostgreSQL reads all faults again for each page. */
const REFUSED_ROWS = `
  SELECT r.line AS at, r.cells, r.unread,
         string_agg(concat_ws(' ', nullif(l.column_name, ''), ${MESSAGE}), '; ' ORDER BY l.number) AS reason
    FROM ${RAW} r JOIN ${LISTED} l ON l.line = r.line AND NOT l.is_warning ${WITH_CELL}
   WHERE r.line > $1 AND l.line > $1
   GROUP BY r.line, r.cells, r.unread
   ORDER BY r.line
   LIMIT $2`;

export async function createReport(
  session: ImportSession,
  kind: ImportKind,
  heading: Heading,
  options: ImportOptions,
  { done, created, updated, unchanged }: ImportOutcome,
): Promise<ImportReport> {
  await session.query(LIST, [[...kind.columns, ...(kind.optional ?? [])]]);
  await session.run(INDEX);
  const [counts] = await session.query<{ failedCount: number; warningCount: number }>(COUNT);
  return {
    dryRun: options.dryRun ?? false,
    nothingWritten: !done,
    created,
    updated,
    unchanged,
    ...counts!,
    heading: heading.cells,
    delimiter: heading.delimiter,
    failed: () => faultsOf(session, false, options),
    warnings: () => faultsOf(session, true, options),
    changes: () => rowChanges(session, kind),
    priceChanges: () => (done ? priceChanges(session) : Readable.from([])),
    refusedRows: () => refusedRows(session, options),
    more: done ? await kind.more?.(session) : undefined,
    close: () => session.close(),
  };
}

/** A dry run may have refused rows after the preview was created. */
const LIST_CHANGES = `
  SELECT p.line AS at, p.line, p.name, p.is_new AS "isNew", p.fields
    FROM ${PREVIEW} p JOIN ${WORK} w USING (line) WHERE p.line > $1 ORDER BY p.line LIMIT $2`;

async function* rowChanges(session: ImportSession, kind: ImportKind): AsyncGenerator<RowChange> {
  await session.run(createPreview(kind));
  yield* session.rows<RowChange>(LIST_CHANGES, PAGE_SIZE);
}

async function* priceChanges(session: ImportSession): AsyncGenerator<PriceChange> {
  const rows = session.rows<PriceChange & { plan: string | null }>(LIST_PRICE_CHANGES, PAGE_SIZE);
  for await (const { plan, ...change } of rows) yield plan === null ? change : { ...change, plan };
}

async function* faultsOf(
  session: ImportSession,
  isWarning: boolean,
  { formatMessage = unchanged }: ImportOptions,
): AsyncGenerator<RowFault> {
  for await (const fault of session.rows<RowFault>(FAULT_PAGE, PAGE_SIZE, [isWarning]))
    yield { ...fault, message: formatMessage(fault.message) };
}

const unchanged = (message: string) => message;

async function* refusedRows(
  session: ImportSession,
  { formatMessage = unchanged }: ImportOptions,
): AsyncGenerator<RefusedRow> {
  await session.run(`CREATE INDEX ON ${RAW} (line); ANALYZE ${RAW}`);
  for await (const row of session.rows<RefusedRow>(REFUSED_ROWS, REFUSED_PAGE_SIZE))
    yield { ...row, reason: formatMessage(row.reason) };
}

/**
 * The refused rows as in the file, with its separator and a last column for the reason. It replaces an older
 * reason column. Surplus cells and the text of an unreadable row stand after the reason. So the row is
 * refused again until a person corrects it, and no data is lost.
 */
export async function* refusedRowsFile(report: ImportReport): AsyncGenerator<string> {
  const { heading, delimiter } = report;
  const row = (cells: string[]) => csvRow(cells.map(guardOriginalCell), delimiter);
  const kept = heading.flatMap((name, index) => (name.trim().toLowerCase() === REASON_COLUMN ? [] : [index]));
  yield row([...kept.map((index) => heading[index] ?? ''), REASON_COLUMN]);
  for await (const { cells, unread, reason } of report.refusedRows()) {
    const surplus = [...cells.slice(heading.length), ...(unread === null ? [] : [unread])];
    yield row([...kept.map((index) => cells[index] ?? ''), reason, ...surplus]);
  }
}
