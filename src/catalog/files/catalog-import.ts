import type { Batch, ImportKind, NoteFault, Written } from '../../imports/import-kind.js';
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  GOOD,
  inBatch,
  STAGED,
  WORK,
} from '../../imports/import-tables.js';
import { holdBackPrices, notePrices } from '../../imports/price-guard.js';
import { optionalCell } from '../../imports/storable-cell.js';
import { CHANGED_JUST_NOW, EXPORT_AGAIN, isStale, isUnedited, WAS } from '../../imports/what-it-was.js';
import { variationKeys } from '../../read-model/products/variations.js';
import {
  CATALOG_COLUMN_TYPES,
  CATALOG_COLUMNS,
  type CatalogColumn,
  INITIAL,
  readCatalogRow,
  stagedProduct,
} from './catalog-columns.js';
import { REFUSE_ODD_SKUS } from './odd-skus.js';
import { JUDGE_REMOVALS, replaceStockKeys } from './stock-keys.js';

const COLUMNS = CATALOG_COLUMNS.join(', ');
const BEGINNINGS = CATALOG_COLUMNS.map((column) =>
  INITIAL[column] === undefined ? column : `coalesce(${column}, ${INITIAL[column]})`,
).join(', ');
const NEEDED = CATALOG_COLUMNS.filter((column) => INITIAL[column] === undefined);
const CHANGEABLE = CATALOG_COLUMNS.filter((column) => column !== 'sku');
const columnsOf = (table: string, columns: readonly CatalogColumn[] = CATALOG_COLUMNS) =>
  columns.map((column) => `${table}.${column}`);
/** What a row says of a product `p`: of columns that the file does not have, what is stored. */
const saidBy = (table: string, columns: readonly CatalogColumn[] = CATALOG_COLUMNS) =>
  columns.map((column) => `coalesce(${table}.${column}, p.${column})`);

// A file may have a million rows: they are compared and written as sets, which is SQL.

/** Rows that make a difference; `revaried` are those whose stock keys do. */
const FIND_WORK = createWork(`
  SELECT g.line, p.id AS product_id, p.id IS NULL AS is_new, coalesce(p.variations <> g.variations, false) AS revaried
    FROM ${GOOD} g LEFT JOIN products p ON p.sku = g.sku
   WHERE p.id IS NULL OR (${columnsOf('p', CHANGEABLE).join(', ')}) IS DISTINCT FROM (${saidBy('g', CHANGEABLE).join(', ')})
          AND NOT ${isUnedited(`g.${WAS}`, saidBy('g'))}`);

/** Of the columns that a new product must say. */
const REFUSE_INCOMPLETE = `
  ${addFaults(`
    SELECT line, needed, format('is needed: there is no product %s yet', sku)
      FROM (SELECT s.* FROM ${WORK} w JOIN ${STAGED} s USING (line) WHERE w.is_new) AS new,
           LATERAL (VALUES ${NEEDED.map((column) => `('${column}', ${column} IS NULL)`).join(', ')}) AS told (needed, lacks)
     WHERE lacks`)}
  ${DROP_FAULTY}`;

/** Names what the file would turn back, or was meant to change: who edited it knows which. */
const REFUSE_STALE = `
  ${addFaults(`
    SELECT w.line, '', format('has changed since it was exported, and differs in %s: ${EXPORT_AGAIN}', (
             SELECT string_agg(name, ', ') FROM (VALUES ${CHANGEABLE.map((column) => `('${column}', p.${column} <> s.${column})`).join(', ')})
                                                AS difference (name, is_one) WHERE is_one))
      FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN products p ON p.id = w.product_id
     WHERE ${isStale(`s.${WAS}`, columnsOf('p'))}`)}
  ${DROP_FAULTY}`;

const LOCK = `
  SELECT count(*) FROM (
    SELECT FROM products p JOIN ${WORK} w ON w.product_id = p.id
     WHERE ${inBatch('w')}
     ORDER BY p.id FOR NO KEY UPDATE OF p) AS locked`;

const JUDGE_PRICES = `
  ${notePrices(`
    SELECT w.line, s.sku, NULL, p.base_price, s.base_price
      FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
     WHERE s.base_price IS DISTINCT FROM p.base_price AND s.base_price IS NOT NULL`)}
  ${holdBackPrices('base_price')}`;

/** Under the lock: what has changed since the rows were compared. */
const DROP_STALE = `
  DELETE FROM ${WORK} w USING ${STAGED} s, products p
   WHERE s.line = w.line AND p.id = w.product_id AND ${inBatch('w')} AND ${isStale(`s.${WAS}`, columnsOf('p'))}
  RETURNING w.line`;

/** New products come with their stock, of which there is none yet. */
const INSERT = `
  WITH batch AS MATERIALIZED (
         SELECT nextval(pg_get_serial_sequence('products', 'id')) AS id, s.*
           FROM ${WORK} w JOIN ${STAGED} s USING (line)
          WHERE w.is_new AND ${inBatch('w')}
          ORDER BY w.line),
       created AS (
         INSERT INTO products (id, ${COLUMNS}) SELECT id, ${BEGINNINGS} FROM batch RETURNING id),
       stocked AS (
         INSERT INTO stock_items (product_id, variation_key) SELECT batch.id, key FROM batch, unnest(coalesce(batch.keys, '{""}')) AS key)
  SELECT count(*)::int AS count FROM created`;

const UPDATE = `
  WITH updated AS (
    UPDATE products p SET ${CHANGEABLE.map((column) => `${column} = coalesce(s.${column}, p.${column})`).join(', ')}
      FROM ${WORK} w JOIN ${STAGED} s USING (line)
     WHERE p.id = w.product_id AND ${inBatch('w')} AND w.line <> ALL ($3::int[])
    RETURNING p.id)
  SELECT count(*)::int AS count FROM updated`;

const LOOK = `
  SELECT coalesce(bool_or(is_new), false) AS "hasNew", coalesce(bool_or(NOT is_new), false) AS "hasChanged",
         coalesce(bool_or(revaried), false) AS "hasRevaried"
    FROM ${WORK} WHERE ${inBatch()}`;

type FileColumn = CatalogColumn | typeof WAS;

function read(row: Readonly<Record<FileColumn, string>>, note: NoteFault, given: ReadonlySet<string>) {
  const product = readCatalogRow(row, note, given);
  return Object.assign(stagedProduct(product), {
    keys: product.variations && variationKeys(product.variations),
    was: optionalCell(WAS, row.was, note),
  });
}

async function write({ session, lines, actor }: Batch): Promise<Written> {
  const written: Written = { created: 0, updated: 0, faults: [] };
  const [batch] = await session.query<{ hasNew: boolean; hasChanged: boolean; hasRevaried: boolean }>(
    LOOK,
    lines,
  );
  if (batch?.hasChanged) {
    await session.query(LOCK, lines);
    const stale = await session.query<{ line: number }>(DROP_STALE, lines);
    if (batch.hasRevaried) written.faults = await replaceStockKeys(session, lines, actor);
    const refused = written.faults.map(({ line }) => line);
    written.updated = await session.count(UPDATE, [...lines, refused]);
    for (const { line } of stale) written.faults.push({ line, column: '', message: CHANGED_JUST_NOW });
  }
  if (batch?.hasNew) written.created = await session.count(INSERT, lines);
  return written;
}

/** Products that are not in the file stay as they are, and so do columns that it does not have. */
export const CATALOG_IMPORT: ImportKind<FileColumn, FileColumn | 'keys'> = {
  name: 'products',
  columns: ['sku'],
  optional: [...CHANGEABLE, WAS],
  amounts: ['base_price', 'delivery_charge'],
  // The keys under which a product is stocked follow from its variations.
  staged: { ...CATALOG_COLUMN_TYPES, keys: 'text[]', was: 'text' },
  key: ['sku'],
  keyColumn: 'sku',
  read,
  compare: [FIND_WORK, REFUSE_ODD_SKUS, REFUSE_INCOMPLETE, REFUSE_STALE, JUDGE_PRICES, JUDGE_REMOVALS],
  batchSize: 2_000,
  write,
};
