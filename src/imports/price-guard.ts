import { addFaults, asked, DROP_FAULTY, PRICES, WORK } from './import-tables.js';

/** Takes note of what rows do to prices, from a query of line, SKU, plan, the price until now (if there is one) and the new one. */
export function notePrices(query: string): string {
  return `INSERT INTO ${PRICES} (line, sku, plan, old, new) ${query};`;
}

/**
 * Holds back what is more likely a slip of the hand than a price: 0, and what is far from the price until now. A price of 0 is no measure for
 * the next one.
 */
export function holdBackPrices(column: string): string {
  return `
    ${addFaults(`
      SELECT line, '${column}', CASE
               WHEN new = 0 THEN concat('would be 0', ', and is ' || old || ' now', ': if it is meant, say so with --force')
               ELSE format('would change from %s to %s (%s %%), by more than %s %%: if it is meant, say so with --max-change or --force',
                           old, new, ${PERCENT}, trim_scale(${asked('max_change')})) END
        FROM ${PRICES} JOIN ${WORK} USING (line)
       WHERE NOT ${asked('force')}
         AND (new = 0 AND old IS DISTINCT FROM 0 OR old > 0 AND abs(new - old) * 100 > old * ${asked('max_change')})`)}
    ${DROP_FAULTY}`;
}

const PERCENT = `concat(CASE WHEN new > old THEN '+' END, trim_scale(round((new - old) * 100 / old, 2)))`;

/** What is left of the changes when all faults are known; $1 is where the page before ended. */
export const LIST_PRICE_CHANGES = `
  SELECT p.line, p.sku, p.plan, p.old::float8 AS "from", p.new::float8 AS "to"
    FROM ${PRICES} p JOIN ${WORK} w USING (line)
   WHERE p.old <> p.new AND p.line > $1
   ORDER BY p.line
   LIMIT $2`;
