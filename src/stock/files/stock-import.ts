import type { Batch, ImportKind, NoteFault, Written } from '../../imports/import-kind.js';
import {
  addFaults,
  addWarnings,
  createWork,
  FAULTS,
  GOOD,
  inBatch,
  WORK,
} from '../../imports/import-tables.js';
import { requiredCell, storableCell } from '../../imports/storable-cell.js';
import { MAX_ON_HAND } from '../rules/on-hand.js';

const REASON = 'count';

// A file may have a million rows: they are compared and written as sets, which is SQL.

/** A key is accepted only as it is: a count of the wrong thing is worse than none. */
const FIND_STOCK = `
  CREATE TEMP TABLE found AS
  SELECT g.line, g.sku, g.variation, g.quantity, p.id AS product_id, p.variations <> '[]' AS varies, i.id, i.on_hand, i.held
    FROM ${GOOD} g
    LEFT JOIN products p ON p.sku = g.sku
    LEFT JOIN stock_items i ON i.product_id = p.id AND i.variation_key = g.variation`;

const REFUSE_UNKNOWN = addFaults(`
  SELECT line, CASE WHEN product_id IS NULL THEN 'sku' ELSE 'variation' END,
         CASE WHEN product_id IS NULL THEN format('there is no product %s', sku)
              WHEN NOT varies THEN format('must be empty: %s has no variations', sku)
              ELSE format('must be one of: %s', (
                SELECT string_agg(variation_key, ', ' ORDER BY id)
                  FROM (SELECT id, variation_key FROM stock_items o WHERE o.product_id = found.product_id ORDER BY id LIMIT 20) AS choice))
         END
    FROM found WHERE id IS NULL`);

const FIND_WORK = createWork(
  'SELECT line, false AS is_new, id, quantity FROM found WHERE on_hand <> quantity',
);

const LOCK = `
  SELECT count(*)::int FROM (
    SELECT FROM stock_items i JOIN ${WORK} w ON w.id = i.id
     WHERE ${inBatch('w')}
     ORDER BY i.id FOR UPDATE OF i) AS locked`;

/** What orders hold is another column, and stays. Someone may have counted the same in the meantime: that is no change. */
const WRITE = `
  WITH before AS (
         SELECT w.line, w.quantity, i.id, i.product_id, i.variation_key, i.on_hand
           FROM ${WORK} w LEFT JOIN stock_items i ON i.id = w.id
          WHERE ${inBatch('w')}),
       counted AS (
         UPDATE stock_items i SET on_hand = before.quantity
           FROM before WHERE i.id = before.id AND before.on_hand <> before.quantity
         RETURNING i.id),
       moved AS (
         INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor)
         SELECT product_id, variation_key, quantity - on_hand, '${REASON}', $3 FROM before WHERE on_hand <> quantity)
  SELECT (SELECT count(*)::int FROM counted) AS updated,
         ARRAY(SELECT line FROM before WHERE id IS NULL ORDER BY line) AS gone`;

const WARN = addWarnings(`
  SELECT f.line, 'quantity', format('is less than the %s that orders hold: none is for sale', i.held)
    FROM found f JOIN stock_items i ON i.id = f.id
   WHERE f.quantity < i.held AND NOT EXISTS (SELECT FROM ${FAULTS} x WHERE x.line = f.line AND NOT x.is_warning)`);

async function write({ session, lines, actor }: Batch): Promise<Written> {
  await session.query(LOCK, lines);
  const [written] = await session.query<{ updated: number; gone: number[] }>(WRITE, [...lines, actor]);
  const { updated, gone } = written!;
  const faults = gone.map((line) => ({
    line,
    column: 'variation',
    message: 'was removed from the product just now',
  }));
  return { created: 0, updated, faults };
}

export type StockColumn = 'sku' | 'variation' | 'quantity';

function read({ sku, variation, quantity }: Record<StockColumn, string>, note: NoteFault) {
  const isCount = /^\d{1,10}$/.test(quantity) && Number(quantity) <= MAX_ON_HAND;
  if (!isCount) note('quantity', `must be a whole number from 0 to ${MAX_ON_HAND}`);
  return {
    sku: requiredCell('sku', sku, note),
    variation: storableCell('variation', variation, note),
    quantity: isCount ? Number(quantity) : null,
  };
}

export const STOCK_IMPORT: ImportKind<StockColumn> = {
  name: 'counts',
  columns: ['sku', 'variation', 'quantity'],
  staged: { sku: 'text', variation: 'text', quantity: 'integer' },
  key: ['sku', 'variation'],
  keyColumn: 'sku',
  read,
  compare: [FIND_STOCK, REFUSE_UNKNOWN, FIND_WORK],
  warn: WARN,
  batchSize: 5_000,
  write,
};
