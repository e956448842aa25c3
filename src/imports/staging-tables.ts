import type { ImportKind } from './import-kind.js';

/** Where an import sorts its rows out: tables of its own connection, which nobody else sees and which go with it. */
export function createStagingTables({ staged }: ImportKind): string {
  const columns = Object.entries(staged).map(([name, type]) => `${name} ${type}`);
  return `
    SET work_mem = '64MB';
    SET temp_buffers = '32MB';
    CREATE TEMP TABLE staged (line integer NOT NULL, ${columns.join(', ')});
    CREATE TEMP TABLE raw (line integer NOT NULL, cells text[] NOT NULL, unread text);
    CREATE TEMP TABLE faults (
      line integer NOT NULL, column_name text NOT NULL, message text NOT NULL, is_warning boolean NOT NULL DEFAULT false);
    CREATE TEMP VIEW good AS
      SELECT * FROM staged s WHERE NOT EXISTS (SELECT FROM faults f WHERE f.line = s.line AND NOT f.is_warning);`;
}

/**
 * A key that stands twice is bad from the second time on, even if the first one is bad for another reason: who knows which was meant.
 * Nothing else is told of such a row: it has to go.
 */
export function markRepetitions({ key, keyColumn }: ImportKind): string {
  const columns = key.join(', ');
  const isComplete = key.map((column) => `${column} IS NOT NULL`).join(' AND ');
  return `
    ANALYZE staged;
    WITH repetition AS MATERIALIZED (
           SELECT s.line, first.line AS first
             FROM staged s
             JOIN (SELECT ${columns}, min(line) AS line FROM staged WHERE ${isComplete} GROUP BY ${columns} HAVING count(*) > 1) first
            USING (${columns})
            WHERE s.line > first.line),
         other AS (
           DELETE FROM faults f USING repetition r WHERE f.line = r.line AND NOT f.is_warning)
    INSERT INTO faults (line, column_name, message)
    SELECT line, '${keyColumn}', format('stands in row %s already', first) FROM repetition;`;
}

export const INDEX_WORK = `
  CREATE UNIQUE INDEX ON work (line);
  CREATE UNIQUE INDEX ON staged (line);
  ANALYZE work;`;
