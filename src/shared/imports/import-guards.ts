import { addFaults, option, DROP_FAULTY, PRICES, WORK } from './import-tables.js';

/**
 * The column that an export adds. It shows an import whether the row was edited, and whether the stored
 * values changed since.
 */
export const WAS = 'was';

/** Letters, of 4 bits each. Two versions of a row practically never have the same fingerprint. */
const FINGERPRINT_LENGTH = 10;

/**
 * A short hash of the columns. It has no digits and no vowels, so that no spreadsheet reads it as a number, a
 * date or a misspelt word.
 */
export function fingerprint(columns: readonly string[]): string {
  const digits = `left(md5(ROW(${columns.join(', ')})::text), ${FINGERPRINT_LENGTH})`;
  return `translate(${digits}, '0123456789abcdef', 'bcdfghjklmnpqrst')`;
}

/** The row is as exported: it changes nothing, even if the stored values changed. */
export function isUnedited(was: string, columns: readonly string[]): string {
  return `coalesce(${was} = ${fingerprint(columns)}, false)`;
}

/** The stored values changed since the export, and the command has no --overwrite. */
export function isStale(was: string, stored: readonly string[]): string {
  return `(coalesce(${was} <> ${fingerprint(stored)}, false) AND NOT ${option('overwrite')})`;
}

export const EXPORT_ADVICE = 'export it again, or add --overwrite';

export const CHANGED_BY_OTHER = `was changed a moment ago by another person: ${EXPORT_ADVICE}`;

/** Records price changes, from a query of line, SKU, plan, old price (or null) and new price. */
export function recordPrices(query: string): string {
  return `INSERT INTO ${PRICES} (line, sku, plan, old, new) ${query};`;
}

/**
 * Refuses prices that are probably typing errors: 0, and large changes. After a price of 0 it allows any
 * price.
 */
export function refuseUnusualPrices(column: string): string {
  return `
    ${addFaults(`
      SELECT line, '${column}', CASE
               WHEN new = 0
               THEN concat('would be 0', ', and is ' || old || ' now', ': if it is correct, add --force')
               ELSE format('would change from %s to %s (%s %%), by more than %s %%: '
                           'if it is correct, add --max-change or --force', old, new, ${PERCENT},
                           trim_scale(${option('max_change')})) END
        FROM ${PRICES} JOIN ${WORK} USING (line)
       WHERE NOT ${option('force')}
         AND (new = 0 AND old IS DISTINCT FROM 0
              OR old > 0 AND abs(new - old) * 100 > old * ${option('max_change')})`)}
    ${DROP_FAULTY}`;
}

const PERCENT = `concat(CASE WHEN new > old THEN '+' END, trim_scale(round((new - old) * 100 / old, 2)))`;

/** The changes that were not refused. $1 is the last line of the page before. */
export const LIST_PRICE_CHANGES = `
  SELECT p.line AS at, p.line, p.sku, p.plan, p.old::float8 AS "from", p.new::float8 AS "to"
    FROM ${PRICES} p JOIN ${WORK} w USING (line)
   WHERE p.old <> p.new AND p.line > $1
   ORDER BY p.line
   LIMIT $2`;
