import type { Batch, ImportKind, Written } from '../../imports/import-kind.js';
import { CATALOG_COLUMNS } from './catalog-columns.js';
import { readProduct } from './read-product.js';
import { replaceStockKeys } from './replace-stock-keys.js';

const DIFFERS = [
  'name',
  'description',
  'category',
  'images',
  'base_price',
  'delivery_charge',
  'active',
  'variations',
];
const listOf = (table: string) => DIFFERS.map((column) => `${table}.${column}`).join(', ');

/** Rows that make a difference; `revaried` are those whose stock keys do. */
const FIND_WORK = `
  CREATE TEMP TABLE work AS
  SELECT g.line, p.id AS product_id, p.id IS NULL AS is_new, p.id IS NOT NULL AND p.variations <> g.variations AS revaried
    FROM good g LEFT JOIN products p ON p.sku = g.sku
   WHERE p.id IS NULL OR (${listOf('p')}) IS DISTINCT FROM (${listOf('g')})`;

/** Keys that a product would lose. What orders hold of one is owed to somebody. */
const JUDGE_REMOVALS = `
  CREATE TEMP TABLE removals AS
  SELECT w.line, i.variation_key, i.held, i.on_hand
    FROM work w JOIN staged s USING (line) JOIN stock_items i ON i.product_id = w.product_id
   WHERE w.revaried AND i.variation_key <> ALL (s.keys);

  INSERT INTO faults (line, column_name, message)
  SELECT line, 'variations', format('would remove %s, of which orders hold %s',
           coalesce(nullif(variation_key, ''), 'the stock without a variation'), held)
    FROM removals WHERE held > 0;

  INSERT INTO faults (line, column_name, message, is_warning)
  SELECT line, 'variations', format('removes %s, of which %s are on hand',
           coalesce(nullif(variation_key, ''), 'the stock without a variation'), on_hand), true
    FROM removals WHERE on_hand > 0 AND line NOT IN (SELECT line FROM removals WHERE held > 0);

  DELETE FROM work WHERE line IN (SELECT line FROM removals WHERE held > 0)`;

const LOCK = `
  SELECT count(*) FROM (
    SELECT FROM products p JOIN work w ON w.product_id = p.id
     WHERE w.line > $1 AND w.line <= $2
     ORDER BY p.id FOR NO KEY UPDATE OF p) AS locked`;

/** New products come with their stock, of which there is none yet. */
const INSERT = `
  WITH batch AS MATERIALIZED (
         SELECT nextval(pg_get_serial_sequence('products', 'id')) AS id, s.*
           FROM work w JOIN staged s USING (line)
          WHERE w.is_new AND w.line > $1 AND w.line <= $2
          ORDER BY w.line),
       created AS (
         INSERT INTO products (id, sku, ${DIFFERS.join(', ')})
         SELECT id, sku, ${DIFFERS.join(', ')} FROM batch
         RETURNING id),
       stocked AS (
         INSERT INTO stock_items (product_id, variation_key) SELECT batch.id, key FROM batch, unnest(batch.keys) AS key)
  SELECT count(*)::int AS count FROM created`;

const UPDATE = `
  WITH updated AS (
    UPDATE products p SET ${DIFFERS.map((column) => `${column} = s.${column}`).join(', ')}
      FROM work w JOIN staged s USING (line)
     WHERE p.id = w.product_id AND w.line > $1 AND w.line <= $2 AND w.line <> ALL ($3::int[])
    RETURNING p.id)
  SELECT count(*)::int AS count FROM updated`;

const LOOK = `
  SELECT coalesce(bool_or(is_new), false) AS "hasNew", coalesce(bool_or(NOT is_new), false) AS "hasChanged",
         coalesce(bool_or(revaried), false) AS "hasRevaried"
    FROM work WHERE line > $1 AND line <= $2`;

async function write({ session, lines, actor }: Batch): Promise<Written> {
  const written: Written = { created: 0, updated: 0, faults: [] };
  const [batch] = await session.query<{ hasNew: boolean; hasChanged: boolean; hasRevaried: boolean }>(
    LOOK,
    lines,
  );
  if (batch?.hasChanged) {
    await session.query(LOCK, lines);
    if (batch.hasRevaried) written.faults = await replaceStockKeys(session, lines, actor);
    const refused = written.faults.map(({ line }) => line);
    written.updated = await session.count(UPDATE, [...lines, refused]);
  }
  if (batch?.hasNew) written.created = await session.count(INSERT, lines);
  return written;
}

/** Products that are not in the file stay as they are. */
export const CATALOG_IMPORT: ImportKind = {
  name: 'products',
  columns: CATALOG_COLUMNS,
  staged: {
    sku: 'text',
    name: 'text',
    description: 'text',
    category: 'text',
    images: 'text[]',
    base_price: 'numeric(12,2)',
    delivery_charge: 'numeric(12,2)',
    active: 'boolean',
    variations: 'jsonb',
    keys: 'text[]',
  },
  key: ['sku'],
  keyColumn: 'sku',
  read: readProduct,
  compare: [FIND_WORK, JUDGE_REMOVALS],
  batchSize: 2_000,
  write,
};
