import type { RowFault } from '../../imports/import-kind.js';
import type { ImportSession } from '../../imports/import-session.js';

const LOCK_REMOVED = `
  SELECT i.id, w.line, i.variation_key AS key, i.held
    FROM work w JOIN staged s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND w.line > $1 AND w.line <= $2 AND i.variation_key <> ALL (s.keys)
   ORDER BY i.id FOR UPDATE OF i`;

const REMOVE = `
  WITH removed AS (DELETE FROM stock_items WHERE id = ANY ($1::int[]) RETURNING product_id, variation_key, on_hand)
  INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor)
  SELECT product_id, variation_key, -on_hand, 'variation removed', $2 FROM removed WHERE on_hand > 0`;

const ADD = `
  INSERT INTO stock_items (product_id, variation_key)
  SELECT w.product_id, key
    FROM work w JOIN staged s USING (line), unnest(s.keys) AS key
   WHERE w.revaried AND w.line > $1 AND w.line <= $2 AND w.line <> ALL ($3::int[])
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
