import type { RowFault } from '../../imports/import-kind.js';
import type { ImportSession } from '../../imports/import-session.js';
import { addFaults, addWarnings, DROP_FAULTY, inBatch, STAGED, WORK } from '../../imports/import-tables.js';

/*
 * Which stock records there are follows from a product's variations, and has to change with them in one transaction; how many stand
 * on the shelf and are held is the business of the stock room, which builds on this one. So the catalog makes and removes the records
 * of `stock_items`, and never changes a count.
 */

/** Keys that a product would lose. What orders hold of one is owed to somebody. */
const FIND_REMOVALS = `
  CREATE TEMP TABLE removals AS
  SELECT w.line, i.variation_key, i.held, i.on_hand
    FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND i.variation_key <> ALL (s.keys)`;

const REFUSE_HELD = addFaults(`
  SELECT line, 'variations', format('would remove %s, of which orders hold %s',
           coalesce(nullif(variation_key, ''), 'the stock without a variation'), held)
    FROM removals WHERE held > 0`);

const WARN_OF_LOST = addWarnings(`
  SELECT line, 'variations', format('removes %s, of which %s are on hand',
           coalesce(nullif(variation_key, ''), 'the stock without a variation'), on_hand)
    FROM removals WHERE on_hand > 0 AND line NOT IN (SELECT line FROM removals WHERE held > 0)`);

export const JUDGE_REMOVALS = [FIND_REMOVALS, REFUSE_HELD, DROP_FAULTY, WARN_OF_LOST];

const LOCK_REMOVED = `
  SELECT i.id, w.line, i.variation_key AS key, i.held
    FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND ${inBatch('w')} AND i.variation_key <> ALL (s.keys)
   ORDER BY i.id FOR UPDATE OF i`;

const REMOVE = `
  WITH removed AS (DELETE FROM stock_items WHERE id = ANY ($1::int[]) RETURNING product_id, variation_key, on_hand)
  INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor)
  SELECT product_id, variation_key, -on_hand, 'variation removed', $2 FROM removed WHERE on_hand > 0`;

const ADD = `
  INSERT INTO stock_items (product_id, variation_key)
  SELECT w.product_id, key
    FROM ${WORK} w JOIN ${STAGED} s USING (line), unnest(s.keys) AS key
   WHERE w.revaried AND ${inBatch('w')} AND w.line <> ALL ($3::int[])
  ON CONFLICT (product_id, variation_key) DO NOTHING`;

/**
 * Gives the products of a batch whose variations change the stock they need, and takes away what they no longer have. An order
 * may have come to hold some of it just now: that is known only under the lock, and refuses the row.
 */
export async function replaceStockKeys(
  session: ImportSession,
  lines: [number, number],
  actor: string,
): Promise<RowFault[]> {
  const removed = await session.query<{ id: number; line: number; key: string; held: number }>(
    LOCK_REMOVED,
    lines,
  );
  const faults = removed
    .filter(({ held }) => held > 0)
    .map(({ line, key, held }) => ({
      line,
      column: 'variations',
      message: `would remove ${key}, of which orders hold ${held}`,
    }));
  const refused = faults.map(({ line }) => line);
  const ids = removed.filter(({ line }) => !refused.includes(line)).map(({ id }) => id);
  await session.query(REMOVE, [ids, actor]);
  await session.query(ADD, [...lines, refused]);
  return faults;
}
