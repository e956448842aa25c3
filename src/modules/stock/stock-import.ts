import type {
  ImportBatch,
  ImportKind,
  NoteFault,
  RowFault,
  WriteResult,
} from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import {
  addFaults,
  addWarnings,
  option,
  createWork,
  DROP_FAULTY,
  FAULTS,
  FOUND,
  GOOD,
  inBatch,
  NAMED,
  RESOLVED,
  WORK,
} from '../../shared/imports/import-tables.js';
import { requiredCell, storableCell } from '../../shared/imports/cells.js';
import { WAS } from '../../shared/imports/import-guards.js';
import { COLUMN_SYNONYMS, KNOWN_SKUS } from '../catalog/column-synonyms.js';
import { resolveVariation } from '../catalog/rules/resolve-variation.js';
import { type Variation, variationKeys } from '../../read-model/products/variations.js';
import { COUNT_REASON, MAX_ON_HAND, parseOnHand } from './rules/on-hand.js';

export const STOCK_COLUMNS = ['sku', 'variation', 'quantity'] as const;

export const STOCK_EXPORT_COLUMNS = [...STOCK_COLUMNS, WAS] as const;

export interface StockRow {
  sku: string;
  variation: string;
  quantity: number;
  /** The quantity at the time of the export. People do not edit it. */
  was: number;
}

/**
 * Stock changes since the time of the count. `shippedGoods` is SQL for shipments, which are no stock
 * movements. One statement reads changes and counts, so both are of the same moment.
 */
const movedSince = (shippedGoods: string) => `
  SELECT product_id, variation_key, sum(delta)::int AS delta
    FROM (SELECT product_id, variation_key, delta
            FROM stock_movements
           WHERE ${option('counted_at')} IS NOT NULL AND moved_at > ${option('counted_at')}
          UNION ALL
          SELECT product_id, variation_key, -quantity
            FROM (${shippedGoods}) AS shipped
           WHERE ${option('counted_at')} IS NOT NULL AND shipped_at > ${option('counted_at')}) AS movement
   GROUP BY product_id, variation_key`;

function isCountedSince(item: string): string {
  return `EXISTS (SELECT FROM stock_movements m
                   WHERE m.product_id = ${item}.product_id AND m.variation_key = ${item}.variation_key
                     AND m.moved_at > ${option('counted_at')} AND m.reason = '${COUNT_REASON}')`;
}

const COUNTED_SINCE = 'was counted again after that time: the later count stays';

const PAGE = 1_000;

/** Every row of an export has an exact key. SQL finds it without parsing. */
const NAME_KEYS = `
  CREATE TEMP TABLE ${NAMED} AS
  SELECT g.*, p.id AS product_id, p.variations <> '[]' AS varies, i.variation_key AS key
    FROM ${GOOD} g
    LEFT JOIN products p ON p.sku = g.sku
    LEFT JOIN stock_items i ON i.product_id = p.id AND i.variation_key = g.variation;
  CREATE INDEX ON ${NAMED} (line) WHERE key IS NULL AND varies;
  ANALYZE ${NAMED} (line, key, varies);
  CREATE TEMP TABLE ${RESOLVED} (line integer NOT NULL, key text NOT NULL);`;

const NEXT = `
  SELECT n.line AS at, n.variation AS text, p.variations
    FROM ${NAMED} n JOIN products p ON p.id = n.product_id
   WHERE n.line > $1 AND n.key IS NULL AND n.varies
   ORDER BY n.line
   LIMIT $2`;

const KEEP = `INSERT INTO ${RESOLVED} SELECT * FROM unnest($1::int[], $2::text[])`;

/** Other texts are read as in an order: `Red / M`, `Size: M, Color: Red`. */
async function resolveTexts(session: ImportSession): Promise<void> {
  for await (const page of session.pages<{ text: string; variations: Variation[] }>(NEXT, PAGE)) {
    const keys = page.flatMap(({ at: line, text, variations }) => {
      const resolved = resolveVariation(variations, variationKeys(variations), text);
      return 'key' in resolved ? [{ line, key: resolved.key }] : [];
    });
    await session.query(KEEP, [keys.map(({ line }) => line), keys.map(({ key }) => key)]);
  }
}

type StockColumn = (typeof STOCK_COLUMNS)[number] | typeof WAS;

// SQL: a file may have a million rows, which are compared and written as sets.

const findStock = (shippedGoods: string) => `
  CREATE TEMP TABLE ${FOUND} AS
  SELECT n.line, n.sku, n.quantity, n.${WAS}, n.product_id, n.varies, i.id, i.variation_key, i.on_hand,
         n.quantity + coalesce(moved.delta, 0) AS target
    FROM ${NAMED} n
    LEFT JOIN ${RESOLVED} r USING (line)
    LEFT JOIN stock_items i ON i.product_id = n.product_id AND i.variation_key = coalesce(n.key, r.key)
    LEFT JOIN (${movedSince(shippedGoods)}) AS moved
           ON moved.product_id = i.product_id AND moved.variation_key = i.variation_key;

  ${addFaults(`
    SELECT line, CASE WHEN product_id IS NULL THEN 'sku' ELSE 'variation' END,
           CASE WHEN product_id IS NULL THEN format('there is no product %s', sku)
                WHEN NOT varies THEN format('must be empty: %s has no variations', sku)
                ELSE format('must be one of: %s', (
                  SELECT string_agg(variation_key, ', ' ORDER BY id)
                    FROM (SELECT id, variation_key FROM stock_items o WHERE o.product_id = ${FOUND}.product_id
                           ORDER BY id LIMIT 20) AS choice))
           END
      FROM ${FOUND} WHERE id IS NULL`)}

  ${addFaults(`
    SELECT line, 'variation', format('is %s, which is already in row %s', variation_key, first)
      FROM (SELECT line, variation_key, min(line) OVER (PARTITION BY id) AS first
              FROM ${FOUND} WHERE id IS NOT NULL) AS counted
     WHERE line > first`)}`;

/**
 * A count of now replaces the number on hand. An older count shows by how much the books were wrong at that
 * time; this `error` is added to the current number. Unedited rows of an export change nothing.
 */
const FIND_WORK = createWork(`
  SELECT line, false AS is_new, id, quantity, ${WAS}, on_hand,
         CASE WHEN ${option('counted_at')} IS NOT NULL THEN target - on_hand END AS error
    FROM ${FOUND}
   WHERE id IS NOT NULL AND quantity IS DISTINCT FROM ${WAS} AND target <> on_hand`);

/** In each condition, `i` is the stored row and `w` the row of the file. */
const IS_STALE = `
  w.error IS NULL AND NOT ${option('overwrite')}
  AND coalesce(i.on_hand <> w.${WAS} AND i.on_hand <> w.quantity, false)`;
const IS_IMPOSSIBLE = `coalesce(i.on_hand + w.error NOT BETWEEN 0 AND ${MAX_ON_HAND}, false)`;
const IS_OUTDATED = `(w.error IS NOT NULL AND ${isCountedSince('i')})`;

/** Checked for the report, and again under the lock. */
const REFUSAL = `
  CASE WHEN i.id IS NULL THEN 'was removed from the product just now'
       WHEN ${IS_STALE} THEN format('was %s at the export and is %s now: count again and add --counted-at, '
                                    'or add --overwrite', w.${WAS}, i.on_hand)
       WHEN ${IS_OUTDATED} THEN '${COUNTED_SINCE}'
       WHEN ${IS_IMPOSSIBLE} THEN format('would give %s with the changes since then', i.on_hand + w.error)
  END`;

const REFUSE = `
  ${addFaults(`
    SELECT line, 'quantity', refusal
      FROM (SELECT w.line, ${REFUSAL} AS refusal
              FROM ${WORK} w LEFT JOIN stock_items i ON i.id = w.id) AS judged
     WHERE refusal IS NOT NULL`)}
  ${DROP_FAULTY}`;

const LOCK = `
  SELECT count(*)::int FROM (
    SELECT FROM stock_items i JOIN ${WORK} w ON w.id = i.id
     WHERE ${inBatch('w')}
     ORDER BY i.id FOR UPDATE OF i) AS locked`;

/**
 * The held number stays. A repeated count is no change. The movement has the time of the count, so that a
 * repeated file finds the books correct for that time.
 */
const WRITE = `
  WITH judged AS (
         SELECT w.line, i.id, i.product_id, i.variation_key, i.on_hand,
                coalesce(i.on_hand + w.error, w.quantity) AS quantity, ${REFUSAL} AS refusal
           FROM ${WORK} w LEFT JOIN stock_items i ON i.id = w.id
          WHERE ${inBatch('w')}),
       counted AS (
         UPDATE stock_items i SET on_hand = judged.quantity
           FROM judged WHERE i.id = judged.id AND refusal IS NULL AND judged.on_hand <> judged.quantity
         RETURNING i.id),
       moved AS (
         INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor, moved_at)
         SELECT product_id, variation_key, quantity - on_hand, '${COUNT_REASON}', $3,
                coalesce(${option('counted_at')}, now())
           FROM judged WHERE refusal IS NULL AND on_hand <> quantity)
  SELECT (SELECT count(*)::int FROM counted) AS updated,
         -- Bounded by the rows of a file.
         (SELECT coalesce(json_agg(json_build_object(
                   'line', line, 'column', 'quantity', 'message', refusal)), '[]')
            FROM judged WHERE refusal IS NOT NULL) AS faults`;

const WARN = addWarnings(`
  SELECT f.line, 'quantity', format('is less than the %s that orders hold: none is for sale', i.held)
    FROM ${FOUND} f JOIN stock_items i ON i.id = f.id
   WHERE f.target < i.held AND f.quantity IS DISTINCT FROM f.${WAS}
     AND NOT EXISTS (SELECT FROM ${FAULTS} x WHERE x.line = f.line AND NOT x.is_warning)`);

const SHOW_CHANGES = `
  SELECT w.line, w.is_new, concat_ws(' ', f.sku, nullif(f.variation_key, '')) AS name,
         jsonb_build_array(jsonb_build_array(
           'on_hand', i.on_hand::text, coalesce(i.on_hand + w.error, w.quantity)::text)) AS fields
    FROM ${WORK} w JOIN ${FOUND} f USING (line) JOIN stock_items i ON i.id = w.id`;

async function write({ session, lines, actor }: ImportBatch): Promise<WriteResult> {
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
  const count = parseOnHand(text);
  if (count === undefined) note(column, `must be a whole number from 0 to ${MAX_ON_HAND}`);
  return count ?? null;
}

export const stockImport = (shippedGoods: string): ImportKind<StockColumn> => ({
  name: 'counts',
  columns: ['sku', 'quantity'],
  // Of no use for products without variations.
  optional: ['variation', WAS],
  mustRead: ['variation'],
  synonyms: COLUMN_SYNONYMS,
  known: { sku: KNOWN_SKUS },
  staged: { sku: 'text', variation: 'text', quantity: 'integer', was: 'integer' },
  key: ['sku', 'variation'],
  keyColumn: 'sku',
  read,
  compare: [NAME_KEYS, resolveTexts, findStock(shippedGoods), FIND_WORK, REFUSE],
  changes: SHOW_CHANGES,
  warn: WARN,
  batchSize: 5_000,
  write,
});
