import type { ImportKind, ImportOptions, RowFault } from './import-kind.js';
import type { ImportSession } from './import-session.js';

/**
 * The temporary tables of all imports, by their names in SQL. A kind reads GOOD, adds to FAULTS and creates
 * WORK.
 */

/** Every row of the file, with the columns of the kind. */
export const STAGED = 'staged';

/** Staged rows without a fault. */
export const GOOD = 'good';

/** Faults and warnings. */
export const FAULTS = 'faults';

/** Good rows that change something. */
export const WORK = 'work';

/** Old and new prices: `line, sku, plan, old, new`. */
export const PRICES = 'prices';

/** The changes of the rows of WORK, for a dry run: `line, is_new, name, fields`. */
export const PREVIEW = 'preview';

/** The original rows, if `keepRows` is set. */
export const RAW = 'raw';

/** One row with the options of the command. */
export const OPTIONS = 'options';

/** Faults and warnings, numbered in the order of the report. */
export const LISTED = 'listed';

/** Of one kind: good rows with the order or the product that they name. */
export const NAMED = 'named';

/** Of one kind: good rows with the stored values. */
export const FOUND = 'found';

/** Of stock: the key of each row whose variation is read as in an order. */
export const RESOLVED = 'resolved';

/** Of the catalog: products whose SKU looks like that of a new row. */
export const LOOKALIKES = 'lookalikes';

/** Of the catalog: stock keys that products would lose. */
export const REMOVALS = 'removals';

/** Of deliveries: rows without an order, with the orders of their tracking number. */
export const TRACKED = 'tracked';

/** Of deliveries: the parcels of each row. */
export const REPORTED = 'reported';

/** An option, as an expression that PostgreSQL evaluates once per statement. */
export function option(name: string): string {
  return `(SELECT ${name} FROM ${OPTIONS})`;
}

/** Fills WORK from a query of `line`, `is_new` and the columns that writing needs. */
export function createWork(query: string): string {
  return `CREATE TEMP TABLE ${WORK} AS ${query};`;
}

/** Removes rows from WORK that have got faults. */
export const DROP_FAULTY = `
  DELETE FROM ${WORK} WHERE line IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning);`;

/** The rows of one batch: its lines are $1 and $2. */
export function inBatch(work: string = WORK): string {
  return `${work}.line > $1 AND ${work}.line <= $2`;
}

/** From a query of line, column and message. */
export function addFaults(query: string): string {
  return `INSERT INTO ${FAULTS} (line, column_name, message) ${query};`;
}

const INSERT_FAULTS = addFaults('SELECT * FROM unnest($1::int[], $2::text[], $3::text[])');

export async function recordFaults(session: ImportSession, faults: readonly RowFault[]): Promise<void> {
  if (faults.length === 0) return;
  const column = <Field extends keyof RowFault>(field: Field) => faults.map((fault) => fault[field]);
  await session.query(INSERT_FAULTS, [column('line'), column('column'), column('message')]);
}

/** Adds warnings, from the same kind of query. Their rows are written. */
export function addWarnings(query: string): string {
  return `
    INSERT INTO ${FAULTS} (line, column_name, message, is_warning)
    SELECT *, true FROM (${query}) AS warning;`;
}

/** The query of the kind, or a query that lists the cells of each row, bounded by the file's columns. */
export function changesQuery({ changes, columns, optional = [], key }: ImportKind): string {
  return (
    changes ??
    `SELECT w.line, w.is_new, s.${key[0]} AS name,
            (SELECT coalesce(jsonb_agg(jsonb_build_array(key, NULL, value)), '[]')
               FROM jsonb_each_text(to_jsonb(s))
              WHERE key = ANY ('{${[...columns, ...optional].join(',')}}') AND key <> '${key[0]}'
                AND value IS NOT NULL) AS fields
       FROM ${WORK} w JOIN ${STAGED} s USING (line)`
  );
}

/** Stores the result, because a list is read in pages, and each page of a query may read the whole file. */
export function createPreview(kind: ImportKind): string {
  return `
    CREATE TEMP TABLE IF NOT EXISTS ${PREVIEW} AS ${changesQuery(kind)};
    CREATE UNIQUE INDEX IF NOT EXISTS ${PREVIEW}_line ON ${PREVIEW} (line);
    ANALYZE ${PREVIEW};`;
}

/** The default of `maxChange`, in percent. */
export const MAX_CHANGE = 50;

export function createStagingTables({ staged }: ImportKind): string {
  const columns = Object.entries(staged).map(([name, type]) => `${name} ${type}`);
  return `
    SET work_mem = '64MB';
    SET temp_buffers = '32MB';
    CREATE TEMP TABLE ${STAGED} (line integer NOT NULL, ${columns.join(', ')});
    CREATE TEMP TABLE ${RAW} (line integer NOT NULL, cells text[] NOT NULL, unread text);
    CREATE TEMP TABLE ${FAULTS} (
      line integer NOT NULL, column_name text NOT NULL, message text NOT NULL,
      is_warning boolean NOT NULL DEFAULT false);
    CREATE TEMP TABLE ${OPTIONS} (
      overwrite boolean NOT NULL, force boolean NOT NULL, update_only boolean NOT NULL,
      accept_new text[] NOT NULL, counted_at timestamptz, max_change numeric NOT NULL);
    CREATE TEMP TABLE ${PRICES} (
      line integer NOT NULL, sku text NOT NULL, plan text, old numeric(12,2), new numeric(12,2) NOT NULL);
    CREATE TEMP VIEW ${GOOD} AS
      SELECT * FROM ${STAGED} s
       WHERE NOT EXISTS (SELECT FROM ${FAULTS} f WHERE f.line = s.line AND NOT f.is_warning);`;
}

/**
 * Refuses a repeated key from the second row on, even if the first row is refused too: either may be right.
 * Other faults of such a row are removed, because the row must be deleted.
 */
export function markRepetitions({ key, keyColumn }: ImportKind): string {
  const columns = key.join(', ');
  const isComplete = key.map((column) => `${column} IS NOT NULL`).join(' AND ');
  // Only the columns of joins. All columns of a catalog take a tenth of the time of unchanged rows.
  return `
    ANALYZE ${STAGED} (line, ${columns});
    WITH repetition AS MATERIALIZED (
           SELECT s.line, first.line AS first
             FROM ${STAGED} s
             JOIN (SELECT ${columns}, min(line) AS line FROM ${STAGED} WHERE ${isComplete}
                    GROUP BY ${columns} HAVING count(*) > 1) first
            USING (${columns})
            WHERE s.line > first.line),
         other AS (
           DELETE FROM ${FAULTS} f USING repetition r WHERE f.line = r.line AND NOT f.is_warning)
    ${addFaults(`SELECT line, '${keyColumn}', format('is already in row %s', first) FROM repetition`)}`;
}

export const INSERT_OPTIONS = `INSERT INTO ${OPTIONS} VALUES ($1, $2, $3, $4, $5, $6)`;

/** The values of the options, in the order of the columns. */
export function optionValues(options: ImportOptions): unknown[] {
  const { overwrite = false, force = false, updateOnly = false, acceptNew = [], countedAt = null } = options;
  return [overwrite, force, updateOnly, acceptNew, countedAt, options.maxChange ?? MAX_CHANGE];
}

export const INDEX_WORK = `
  CREATE UNIQUE INDEX ON ${WORK} (line);
  CREATE UNIQUE INDEX ON ${STAGED} (line);
  CREATE INDEX ON ${PRICES} (line);
  ANALYZE ${WORK};`;
