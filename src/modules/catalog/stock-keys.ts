import type { RowFault } from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import {
  addFaults,
  addWarnings,
  inBatch,
  REMOVALS,
  STAGED,
  WORK,
} from '../../shared/imports/import-tables.js';

/*
 * The stock keys of a product follow from its variations, and both must change in one transaction. So the
 * catalog adds and removes rows of `stock_items`. Numbers on hand and held belong to the stock module. SQL,
 * because this is a part of the import kind, which works on sets of staged rows.
 */

/** Keys that a product would lose. Goods that orders hold must stay. */
export const CHECK_REMOVALS = `
  CREATE TEMP TABLE ${REMOVALS} AS
  SELECT w.line, i.variation_key, i.held, i.on_hand
    FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND i.variation_key <> ALL (s.keys);

  ${addFaults(`
    SELECT line, 'variations', format('would remove %s, of which orders hold %s',
             coalesce(nullif(variation_key, ''), 'the stock without a variation'), held)
      FROM ${REMOVALS} WHERE held > 0`)}

  ${addWarnings(`
    SELECT line, 'variations', format('removes %s, of which %s are on hand',
             coalesce(nullif(variation_key, ''), 'the stock without a variation'), on_hand)
      FROM ${REMOVALS} WHERE on_hand > 0 AND line NOT IN (SELECT line FROM ${REMOVALS} WHERE held > 0)`)}

  DELETE FROM ${WORK} WHERE line IN (SELECT line FROM ${REMOVALS} WHERE held > 0)`;

const LOCK_REMOVED = `
  SELECT i.id, w.line, i.variation_key AS key, i.held
    FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND ${inBatch('w')} AND i.variation_key <> ALL (s.keys)
   ORDER BY i.id FOR UPDATE OF i`;

const REMOVE = `
  WITH removed AS (
    DELETE FROM stock_items WHERE id = ANY ($1::int[]) RETURNING product_id, variation_key, on_hand)
  INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor)
  SELECT product_id, variation_key, -on_hand, 'variation removed', $2 FROM removed WHERE on_hand > 0`;

const ADD = `
  INSERT INTO stock_items (product_id, variation_key)
  SELECT w.product_id, key
    FROM ${WORK} w JOIN ${STAGED} s USING (line), unnest(s.keys) AS key
   WHERE w.revaried AND ${inBatch('w')} AND w.line <> ALL ($3::int[])
  ON CONFLICT (product_id, variation_key) DO NOTHING`;

/**
 * Adds and removes the stock rows of products whose variations change. New holds are known only under the
 * lock; they refuse the row.
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
