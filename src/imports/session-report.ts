import type { Heading } from './heading.js';
import type { ImportKind, RowFault } from './import-kind.js';
import type { ImportOptions, ImportOutcome, ImportReport, PriceChange, RefusedRow } from './import-report.js';
import type { ImportSession } from './import-session.js';
import { FAULTS, RAW } from './import-tables.js';
import { LIST_PRICE_CHANGES } from './price-guard.js';

const PAGE = 1_000;

/** Rows may be long. */
const REFUSED_PAGE = 100;

/** In the order of the file: by row, within it by column. */
const LIST = `
  CREATE TEMP TABLE listed AS
  SELECT row_number() OVER (PARTITION BY is_warning ORDER BY line, position, message) AS number, line, column_name, message, is_warning
    FROM (SELECT *, coalesce(array_position($1::text[], column_name), 0) AS position FROM ${FAULTS}) AS placed`;

const INDEX =
  'CREATE INDEX ON listed (is_warning, number); CREATE INDEX ON listed (line) WHERE NOT is_warning;';

const COUNT = `
  SELECT count(DISTINCT line) FILTER (WHERE NOT is_warning)::int AS "failedCount",
         count(*) FILTER (WHERE is_warning)::int AS "warningCount"
    FROM listed`;

const LISTED_FAULTS = `
  SELECT line, column_name AS "column", message FROM listed
   WHERE is_warning = $2 AND number > $1 AND number <= $1 + ${PAGE}
   ORDER BY number`;

const REFUSED = `
  SELECT r.line, r.cells, r.unread, string_agg(concat_ws(' ', nullif(l.column_name, ''), l.message), '; ' ORDER BY l.number) AS reason
    FROM ${RAW} r JOIN listed l ON l.line = r.line AND NOT l.is_warning
   WHERE r.line > $1
   GROUP BY r.line, r.cells, r.unread
   ORDER BY r.line
   LIMIT ${REFUSED_PAGE}`;

type RefusedRowFound = RefusedRow & { line: number };

export async function sessionReport(
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
    failed: () => faults(session, false),
    warnings: () => faults(session, true),
    priceChanges: () => (done ? priceChanges(session) : nothing()),
    refusedRows: () => refusedRows(session),
    close: () => session.close(),
  };
}

async function* faults(session: ImportSession, warnings: boolean): AsyncGenerator<RowFault> {
  for (let after = 0; ; after += PAGE) {
    const page = await session.query<RowFault>(LISTED_FAULTS, [after, warnings]);
    yield* page;
    if (page.length < PAGE) return;
  }
}

async function* priceChanges(session: ImportSession): AsyncGenerator<PriceChange> {
  for (let after = 0; ;) {
    const page = await session.query<PriceChange & { plan: string | null }>(LIST_PRICE_CHANGES, [
      after,
      PAGE,
    ]);
    for (const { plan, ...change } of page) yield plan === null ? change : { ...change, plan };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.line;
  }
}

async function* nothing(): AsyncGenerator<never> {}

async function* refusedRows(session: ImportSession): AsyncGenerator<RefusedRow> {
  await session.run(`CREATE INDEX ON ${RAW} (line); ANALYZE ${RAW}`);
  for (let after = 0; ;) {
    const page = await session.query<RefusedRowFound>(REFUSED, [after]);
    for (const { cells, unread, reason } of page) yield { cells, unread, reason };
    const last = page.at(-1);
    if (last === undefined || page.length < REFUSED_PAGE) return;
    after = last.line;
  }
}
