import type { Batch, ImportKind, NoteFault, RowFault, Written } from '../../imports/import-kind.js';
import {
  addFaults,
  addWarnings,
  asked,
  createWork,
  DROP_FAULTY,
  FAULTS,
  inBatch,
  STAGED,
  WORK,
} from '../../imports/import-tables.js';
import { requiredCell, storableCell } from '../../imports/storable-cell.js';
import { WAS } from '../../imports/what-it-was.js';
import { MAX_ON_HAND } from '../rules/on-hand.js';
import { COUNT } from '../stock-movement.entity.js';
import { NAME_KEYS, resolveTexts } from './find-keys.js';
import { COUNTED_SINCE, isCountedSince, movedSince } from './moved-since.js';
import { STOCK_COLUMNS } from './stock-columns.js';

type StockColumn = (typeof STOCK_COLUMNS)[number] | typeof WAS;

// A file may have a million rows: they are compared and written as sets, which is SQL.

const findStock = (shippedGoods: string) => `
  CREATE TEMP TABLE found AS
  SELECT n.line, s.sku, s.quantity, s.${WAS}, n.product_id, n.varies, i.id, i.variation_key, i.on_hand,
         s.quantity + coalesce(moved.delta, 0) AS target
    FROM named n
    JOIN ${STAGED} s USING (line)
    LEFT JOIN resolved r USING (line)
    LEFT JOIN stock_items i ON i.product_id = n.product_id AND i.variation_key = coalesce(n.key, r.key)
    LEFT JOIN (${movedSince(shippedGoods)}) AS moved ON moved.product_id = i.product_id AND moved.variation_key = i.variation_key;

  ${addFaults(`
    SELECT line, CASE WHEN product_id IS NULL THEN 'sku' ELSE 'variation' END,
           CASE WHEN product_id IS NULL THEN format('there is no product %s', sku)
                WHEN NOT varies THEN format('must be empty: %s has no variations', sku)
                ELSE format('must be one of: %s', (
                  SELECT string_agg(variation_key, ', ' ORDER BY id)
                    FROM (SELECT id, variation_key FROM stock_items o WHERE o.product_id = found.product_id ORDER BY id LIMIT 20) AS choice))
           END
      FROM found WHERE id IS NULL`)}

  ${addFaults(`
    SELECT line, 'variation', format('is %s, which stands in row %s already', variation_key, first)
      FROM (SELECT line, variation_key, min(line) OVER (PARTITION BY id) AS first FROM found WHERE id IS NOT NULL) AS counted
     WHERE line > first`)}`;

/**
 * What to do with a row. Of what was counted just now, the count is what there is. Of what was counted earlier, the count says by how much
 * the books were wrong then, and are wrong by still. A row that came back from an export as it went says nothing.
 */
const FIND_WORK = createWork(`
  SELECT line, false AS is_new, id, quantity, ${WAS}, on_hand,
         CASE WHEN ${asked('counted_at')} IS NOT NULL THEN target - on_hand END AS error
    FROM found
   WHERE id IS NOT NULL AND quantity IS DISTINCT FROM ${WAS} AND target <> on_hand`);

/** Each condition asks the thing as it is by the name `i`, and the row by the name `w`. */
const IS_STALE = `
  w.error IS NULL AND NOT ${asked('overwrite')} AND coalesce(i.on_hand <> w.${WAS} AND i.on_hand <> w.quantity, false)`;
const IS_IMPOSSIBLE = `coalesce(i.on_hand + w.error NOT BETWEEN 0 AND ${MAX_ON_HAND}, false)`;
const IS_OUTDATED = `(w.error IS NOT NULL AND ${isCountedSince('i')})`;

/** Why a row cannot be written, if it cannot: judged once for the report, and again under the lock. */
const REFUSAL = `
  CASE WHEN i.id IS NULL THEN 'was removed from the product just now'
       WHEN ${IS_STALE} THEN format('was %s when this was exported, and is %s now: count again and say with --counted-at when, or write it all the same with --overwrite', w.${WAS}, i.on_hand)
       WHEN ${IS_OUTDATED} THEN '${COUNTED_SINCE}'
       WHEN ${IS_IMPOSSIBLE} THEN format('would make %s with what has moved since', i.on_hand + w.error)
  END`;

const REFUSE = `
  ${addFaults(`
    SELECT line, 'quantity', refusal
      FROM (SELECT w.line, ${REFUSAL} AS refusal FROM ${WORK} w LEFT JOIN stock_items i ON i.id = w.id) AS judged
     WHERE refusal IS NOT NULL`)}
  ${DROP_FAULTY}`;

const LOCK = `
  SELECT count(*)::int FROM (
    SELECT FROM stock_items i JOIN ${WORK} w ON w.id = i.id
     WHERE ${inBatch('w')}
     ORDER BY i.id FOR UPDATE OF i) AS locked`;

/**
 * What orders hold is another column, and stays. Someone may have counted the same in the meantime: that is no change. The movement stands
 * at the time of the count, so that the same file, given again, finds the books right for that time.
 */
const WRITE = `
  WITH judged AS (
         SELECT w.line, i.id, i.product_id, i.variation_key, i.on_hand, coalesce(i.on_hand + w.error, w.quantity) AS quantity,
                ${REFUSAL} AS refusal
           FROM ${WORK} w LEFT JOIN stock_items i ON i.id = w.id
          WHERE ${inBatch('w')}),
       counted AS (
         UPDATE stock_items i SET on_hand = judged.quantity
           FROM judged WHERE i.id = judged.id AND refusal IS NULL AND judged.on_hand <> judged.quantity
         RETURNING i.id),
       moved AS (
         INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor, moved_at)
         SELECT product_id, variation_key, quantity - on_hand, '${COUNT}', $3, coalesce(${asked('counted_at')}, now())
           FROM judged WHERE refusal IS NULL AND on_hand <> quantity)
  SELECT (SELECT count(*)::int FROM counted) AS updated,
         (SELECT coalesce(json_agg(json_build_object('line', line, 'column', 'quantity', 'message', refusal)), '[]')
            FROM judged WHERE refusal IS NOT NULL) AS faults`;

const WARN = addWarnings(`
  SELECT f.line, 'quantity', format('is less than the %s that orders hold: none is for sale', i.held)
    FROM found f JOIN stock_items i ON i.id = f.id
   WHERE f.target < i.held AND f.quantity IS DISTINCT FROM f.${WAS}
     AND NOT EXISTS (SELECT FROM ${FAULTS} x WHERE x.line = f.line AND NOT x.is_warning)`);

async function write({ session, lines, actor }: Batch): Promise<Written> {
  await session.query(LOCK, lines);
  const [written] = await session.query<{ updated: number; faults: RowFault[] }>(WRITE, [...lines, actor]);
  return { created: 0, ...written! };
}

function read({ sku, variation, quantity, was }: Record<StockColumn, string>, note: NoteFault) {
  return {
    sku: requiredCell('sku', sku, note),
    variation: storableCell('variation', variation, note),
    quantity: countCell('quantity', quantity, note),
    was: was === '' ? null : countCell(WAS, was, note),
  };
}

function countCell(column: string, text: string, note: NoteFault): number | null {
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_ON_HAND) return Number(text);
  note(column, `must be a whole number from 0 to ${MAX_ON_HAND}`);
  return null;
}

export const stockImport = (shippedGoods: string): ImportKind<StockColumn> => ({
  name: 'counts',
  columns: STOCK_COLUMNS,
  optional: [WAS],
  staged: { sku: 'text', variation: 'text', quantity: 'integer', was: 'integer' },
  key: ['sku', 'variation'],
  keyColumn: 'sku',
  read,
  compare: [NAME_KEYS, resolveTexts, findStock(shippedGoods), FIND_WORK, REFUSE],
  warn: WARN,
  batchSize: 5_000,
  write,
});
