import type { ImportKind } from './import-kind.js';
import type { ImportOptions } from './import-report.js';
import { addFaults, ASKED, FAULTS, GOOD, PRICES, RAW, STAGED, WORK } from './import-tables.js';

/** What a price may change by, in percent, when nobody says otherwise. */
export const MAX_CHANGE = 50;

export function createStagingTables({ staged }: ImportKind): string {
  const columns = Object.entries(staged).map(([name, type]) => `${name} ${type}`);
  return `
    SET work_mem = '64MB';
    SET temp_buffers = '32MB';
    CREATE TEMP TABLE ${STAGED} (line integer NOT NULL, ${columns.join(', ')});
    CREATE TEMP TABLE ${RAW} (line integer NOT NULL, cells text[] NOT NULL, unread text);
    CREATE TEMP TABLE ${FAULTS} (
      line integer NOT NULL, column_name text NOT NULL, message text NOT NULL, is_warning boolean NOT NULL DEFAULT false);
    CREATE TEMP TABLE ${ASKED} (
      overwrite boolean NOT NULL, force boolean NOT NULL, update_only boolean NOT NULL, accept_new text[] NOT NULL,
      counted_at timestamptz, max_change numeric NOT NULL);
    CREATE TEMP TABLE ${PRICES} (line integer NOT NULL, sku text NOT NULL, plan text, old numeric(12,2), new numeric(12,2) NOT NULL);
    CREATE TEMP VIEW ${GOOD} AS
      SELECT * FROM ${STAGED} s WHERE NOT EXISTS (SELECT FROM ${FAULTS} f WHERE f.line = s.line AND NOT f.is_warning);`;
}

/**
 * A key that stands twice is bad from the second time on, even if the first one is bad for another reason: who knows which was meant.
 * Nothing else is told of such a row: it has to go.
 */
export function markRepetitions({ key, keyColumn }: ImportKind): string {
  const columns = key.join(', ');
  const isComplete = key.map((column) => `${column} IS NOT NULL`).join(' AND ');
  return `
    ANALYZE ${STAGED};
    WITH repetition AS MATERIALIZED (
           SELECT s.line, first.line AS first
             FROM ${STAGED} s
             JOIN (SELECT ${columns}, min(line) AS line FROM ${STAGED} WHERE ${isComplete} GROUP BY ${columns} HAVING count(*) > 1) first
            USING (${columns})
            WHERE s.line > first.line),
         other AS (
           DELETE FROM ${FAULTS} f USING repetition r WHERE f.line = r.line AND NOT f.is_warning)
    ${addFaults(`SELECT line, '${keyColumn}', format('stands in row %s already', first) FROM repetition`)}`;
}

export const KEEP_ASKED = `INSERT INTO ${ASKED} VALUES ($1, $2, $3, $4, $5, $6)`;

/** In the order of the columns. */
export function askedValues(options: ImportOptions): unknown[] {
  const { overwrite = false, force = false, updateOnly = false, acceptNew = [], countedAt = null } = options;
  return [overwrite, force, updateOnly, acceptNew, countedAt, options.maxChange ?? MAX_CHANGE];
}

export const INDEX_WORK = `
  CREATE UNIQUE INDEX ON ${WORK} (line);
  CREATE UNIQUE INDEX ON ${STAGED} (line);
  ANALYZE ${WORK};`;
