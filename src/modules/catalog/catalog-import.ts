import { COLUMN_SYNONYMS, KNOWN_SKUS } from './column-synonyms.js';
import { type GoodsLaw, RARE_RATE_WARNING, RARE_RATES } from '../tax/goods-law.js';
import type {
  ImportBatch,
  ImportKind,
  MisleadingHeadings,
  NoteFault,
  WriteResult,
} from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import { UNKNOWN_COLUMN } from '../../shared/imports/stage-records.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  addFaults,
  addWarnings,
  option,
  createWork,
  DROP_FAULTY,
  FAULTS,
  GOOD,
  inBatch,
  LOOKALIKES,
  STAGED,
  WORK,
} from '../../shared/imports/import-tables.js';
import {
  refuseUnusualPrices,
  recordPrices,
  CHANGED_BY_OTHER,
  EXPORT_ADVICE,
  isStale,
  isUnedited,
  WAS,
} from '../../shared/imports/import-guards.js';
import { optionalCell } from '../../shared/imports/cells.js';
import { variationKeys } from '../../read-model/products/variations.js';
import {
  CATALOG_COLUMN_TYPES,
  CATALOG_COLUMNS,
  type CatalogColumn,
  CATALOG_PRESETS,
  DECIMAL_COLUMNS,
  EDITABLE_COLUMNS,
  NO_RATE,
  readCatalogRow,
  stagedProduct,
} from './catalog-columns.js';
import { CHECK_REMOVALS, replaceStockKeys } from './stock-keys.js';

/*
 * Spreadsheets damage SKUs: they drop leading zeros, round long numbers and write errors into cells. An
 * import would create a second product beside the real one. So a new SKU that looks damaged needs an option.
 */

const SEPARATORS = ' \u00A0-_\u2010\u2011\u2012\u2013\u2014\u2212';

/**
 * A SKU without the parts that people and spreadsheets change by mistake: case, blanks, dashes, leading
 * zeros.
 */
function normalized(sku: string): string {
  return `regexp_replace(translate(upper(${sku}), '${SEPARATORS}', ''), '(^|[^0-9])0+(?=[0-9])', '\\1', 'g')`;
}

/** `8.90123E+12`: how a narrow column shows a long number. */
const SHORTENED_NUMBER = '^[0-9]+([.,][0-9]+)?E[+-][0-9]+$';

/** `#REF!` and other errors in any language, or a formula. */
const ERROR_OR_FORMULA = '^(=|#N/A|#NV|#[^[:lower:][:space:]]+[!?])';

const ACCEPT_HINT = 'if it is correct, add --accept-new or --force';

/** Compares all products with all new rows, but only if there are new rows. */
const FIND_LOOKALIKES = `
  CREATE TEMP TABLE ${LOOKALIKES} AS
  SELECT w.line, min(p.sku) AS sku
    FROM ${WORK} w
    JOIN ${STAGED} s USING (line)
    JOIN products p ON ${normalized('p.sku')} = ${normalized('s.sku')}
   WHERE w.is_new AND EXISTS (SELECT FROM ${WORK} WHERE is_new)
   GROUP BY w.line;`;

export const REFUSE_ODD_SKUS = `
  ${FIND_LOOKALIKES}
  ${addFaults(`
    SELECT line, 'sku', CASE WHEN ${option('update_only')} THEN oddity ELSE oddity || ': ${ACCEPT_HINT}' END
      FROM (SELECT w.line, s.sku, CASE
                     WHEN ${option('update_only')} THEN 'is not a product yet, and --update-only creates none'
                     WHEN s.sku ~* '${SHORTENED_NUMBER}'
                       THEN 'looks like a long number that a spreadsheet has shortened'
                     WHEN s.sku ~ '${ERROR_OR_FORMULA}'
                       THEN 'looks like a formula or an error of a spreadsheet'
                     WHEN l.sku IS NOT NULL
                       THEN format('would be a new product, but differs from %s only by '
                                   'case, leading zeros, blanks or dashes', l.sku)
                     WHEN s.${WAS} IS NOT NULL
                       THEN 'was exported, but is not a product now; perhaps the SKU was edited'
                   END AS oddity
              FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN ${LOOKALIKES} l USING (line)
             WHERE w.is_new) AS new
     WHERE oddity IS NOT NULL
       AND (${option('update_only')}
            OR NOT (${option('force')} OR sku = ANY (${option('accept_new')}::text[])))`)}
  ${DROP_FAULTY}`;

const COLUMNS = CATALOG_COLUMNS.join(', ');
/** The value for the table: only a rate of GST may be unknown there. */
const stored = (column: CatalogColumn, value: string) =>
  column === 'gst_rate' ? `nullif(${value}, ${NO_RATE})` : value;
const WITH_DEFAULTS = CATALOG_COLUMNS.map((column) =>
  CATALOG_PRESETS[column] === undefined
    ? column
    : stored(column, `coalesce(${column}, ${CATALOG_PRESETS[column]})`),
).join(', ');
const REQUIRED = CATALOG_COLUMNS.filter((column) => CATALOG_PRESETS[column] === undefined);
/** Columns that the file lacks keep their stored values. */
const newValue = (column: CatalogColumn, table: string) =>
  stored(column, `coalesce(${table}.${column}, p.${column})`);
const DIFFERENCES = EDITABLE_COLUMNS.map(
  (column) => `('${column}', p.${column} IS DISTINCT FROM ${newValue(column, 's')})`,
);
const CHANGES = EDITABLE_COLUMNS.map((column) => `${column} = ${newValue(column, 's')}`);
const ofTable = (table: string, columns: readonly CatalogColumn[] = CATALOG_COLUMNS) =>
  columns.map((column) => `${table}.${column}`);
/** The new values of a product `p`. */
const newValues = (table: string, columns: readonly CatalogColumn[] = CATALOG_COLUMNS) =>
  columns.map((column) => newValue(column, table));

// SQL: a file may have a million rows, which are compared and written as sets.

/** Rows that change something. `revaried` rows change their stock keys. */
const FIND_WORK = createWork(`
  SELECT g.line, p.id AS product_id, p.id IS NULL AS is_new,
         coalesce(p.variations <> g.variations, false) AS revaried
    FROM ${GOOD} g LEFT JOIN products p ON p.sku = g.sku
   WHERE p.id IS NULL OR (${ofTable('p', EDITABLE_COLUMNS).join(', ')})
                         IS DISTINCT FROM (${newValues('g', EDITABLE_COLUMNS).join(', ')})
          AND NOT ${isUnedited(`g.${WAS}`, newValues('g'))}`);

const CHARGE_ADVICE = 'add --new-delivery-charge';

const SET_NEW_CHARGE = `
  UPDATE ${STAGED} s SET delivery_charge = $1
    FROM ${WORK} w WHERE w.line = s.line AND w.is_new AND s.delivery_charge IS NULL`;

/** Bounded by the columns of the file. */
const FIND_LACKING_COLUMNS = `
  SELECT ${REQUIRED.map((column) => `bool_and(s.${column} IS NULL) AS ${column}`).join(', ')},
         (SELECT array_agg(column_name) FROM ${FAULTS}
           WHERE is_warning AND message = '${UNKNOWN_COLUMN}') AS unknown
    FROM ${WORK} w JOIN ${STAGED} s USING (line) HAVING bool_and(w.is_new)`;

/** A wrong heading is one refusal, not one for each row of a file of new products. */
async function refuseWrongHeading(session: ImportSession): Promise<void> {
  const [lacking] = await session.query<Record<CatalogColumn, boolean> & { unknown: string[] | null }>(
    FIND_LACKING_COLUMNS,
  );
  const lacks = REQUIRED.filter((column) => lacking?.[column]);
  if (lacks.length === 0 || !lacking?.unknown) return;
  throw new DomainError(
    'wrong_columns',
    `The heading lacks ${lacks.join(', ')}, which new products need. ` +
      `It has a column that is not read: ${lacking.unknown.join(', ')}.` +
      (lacks.includes('delivery_charge') ? ` If no column has the charge, ${CHARGE_ADVICE}.` : ''),
  );
}

const REFUSE_INCOMPLETE = `
  ${addFaults(`
    SELECT line, needed, format('is required: there is no product %s yet', sku) ||
           CASE needed WHEN 'delivery_charge' THEN '; for all such rows ${CHARGE_ADVICE}'
                       ELSE '' END
      FROM (SELECT s.* FROM ${WORK} w JOIN ${STAGED} s USING (line) WHERE w.is_new) AS new,
           LATERAL (VALUES ${REQUIRED.map((column) => `('${column}', ${column} IS NULL)`).join(', ')})
                AS told (needed, lacks)
     WHERE lacks`)}
  ${DROP_FAULTY}`;

/** Names the columns that differ: the person who edited them knows which value is right. */
const REFUSE_STALE = `
  ${addFaults(`
    SELECT w.line, '', format('has changed since it was exported, and differs in %s: ${EXPORT_ADVICE}', (
             SELECT string_agg(name, ', ')
               FROM (VALUES ${DIFFERENCES.join(', ')}) AS difference (name, is_one) WHERE is_one))
      FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN products p ON p.id = w.product_id
     WHERE ${isStale(`s.${WAS}`, ofTable('p'))}`)}
  ${DROP_FAULTY}`;

const LOCK = `
  SELECT count(*) FROM (
    SELECT FROM products p JOIN ${WORK} w ON w.product_id = p.id
     WHERE ${inBatch('w')}
     ORDER BY p.id FOR NO KEY UPDATE OF p) AS locked`;

const CHECK_PRICES = `
  ${recordPrices(`
    SELECT w.line, s.sku, NULL, p.base_price, s.base_price
      FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
     WHERE s.base_price IS DISTINCT FROM p.base_price AND s.base_price IS NOT NULL`)}
  ${refuseUnusualPrices('base_price')}`;

/** SQL: goods with tax are taxable. `s` is the staged row, `p` the product or NULL. */
const HAS_WRONG_TREATMENT = `
  ${newValue('gst_treatment', 's')} <> 'taxable' AND ${newValue('gst_rate', 's')} > 0`;

const REFUSE_TREATMENT = `
  ${addFaults(`
    SELECT w.line, 'gst_treatment', format('%s needs the GST rate 0, not %s',
             ${newValue('gst_treatment', 's')}, ${newValue('gst_rate', 's')}::float8)
      FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
     WHERE ${HAS_WRONG_TREATMENT}`)}
  ${DROP_FAULTY}`;

/** Rows that changed between comparison and lock. */
const DROP_STALE = `
  DELETE FROM ${WORK} w USING ${STAGED} s, products p
   WHERE s.line = w.line AND p.id = w.product_id AND ${inBatch('w')}
     AND (${isStale(`s.${WAS}`, ofTable('p'))} OR ${HAS_WRONG_TREATMENT})
  RETURNING w.line`;

/** New products get their stock rows, with 0 on hand. */
const INSERT = `
  WITH batch AS MATERIALIZED (
         SELECT nextval((SELECT pg_get_serial_sequence('products', 'id')::regclass)) AS id, s.*
           FROM ${WORK} w JOIN ${STAGED} s USING (line)
          WHERE w.is_new AND ${inBatch('w')}
          ORDER BY w.line),
       created AS (
         INSERT INTO products (id, ${COLUMNS}) SELECT id, ${WITH_DEFAULTS} FROM batch RETURNING id),
       stocked AS (
         INSERT INTO stock_items (product_id, variation_key)
         SELECT batch.id, key FROM batch, unnest(coalesce(batch.keys, '{""}')) AS key)
  SELECT count(*)::int AS count FROM created`;

const UPDATE = `
  WITH updated AS (
    UPDATE products p SET ${CHANGES.join(', ')}
      FROM ${WORK} w JOIN ${STAGED} s USING (line)
     WHERE p.id = w.product_id AND ${inBatch('w')} AND w.line <> ALL ($3::int[])
    RETURNING p.id)
  SELECT count(*)::int AS count FROM updated`;

/** The value as text, as in a cell of the file. */
const asText = (column: CatalogColumn, value: string) =>
  column === 'images'
    ? `array_to_string(${value}, ' ')`
    : column === 'variations'
      ? `(SELECT string_agg(format('%s=%s', v ->> 'name', (
             SELECT string_agg(value, '|') FROM jsonb_array_elements_text(v -> 'values') AS value)), '; ')
           FROM jsonb_array_elements(${value}) AS v)`
      : `(${value})::text`;

const COMPARED = EDITABLE_COLUMNS.map((column) => {
  const [old, next] = [asText(column, `p.${column}`), asText(column, newValue(column, 's'))];
  return `CASE WHEN p.${column} IS DISTINCT FROM ${newValue(column, 's')}
                AND coalesce(${old}, '') <> coalesce(${next}, '')
               THEN jsonb_build_array('${column}', ${old}, ${next}) END`;
});

/** Shown with a change of the rate. No column of a file. */
export const PRICE_WITHOUT_GST = 'price_without_gst';

/** Prices include GST, so another rate leaves another part of the price. */
export const priceWithoutGst = (price: string, rate: string) =>
  `(${price} - round(${price} * ${rate} / (100 + ${rate}), 2))`;

const NEW_RATE = newValue('gst_rate', 's');

const COMPARED_WITHOUT_GST = `
  CASE WHEN p.gst_rate <> ${NEW_RATE}
       THEN jsonb_build_array('${PRICE_WITHOUT_GST}', ${priceWithoutGst('p.base_price', 'p.gst_rate')}::text,
                              ${priceWithoutGst(newValue('base_price', 's'), NEW_RATE)}::text) END`;

/** Suppliers quote prices without tax too, and a number cannot tell. Prices of an export are our own. */
const COUNT_PRICES_WITH_GST = `
  SELECT count(*)::int AS count
    FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
   WHERE s.base_price IS NOT NULL AND s.${WAS} IS NULL AND ${NEW_RATE} > 0`;

/** Says how new base prices are read, of so many products with tax. */
export const describePricesWithGst = (prices: number) =>
  prices === 0
    ? { json: {}, text: '' }
    : {
        json: { prices_with_gst: prices },
        text:
          `Prices are read with GST included, here of products with tax: ${prices}. If those of your ` +
          'supplier are without GST, add it in the file first: 100 at 18 % is 118.\n',
      };

const SHOW_CHANGES = `
  SELECT w.line, w.is_new, s.sku AS name,
         to_jsonb(array_remove(ARRAY[${[...COMPARED, COMPARED_WITHOUT_GST].join(', ')}], NULL)) AS fields
    FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id`;

/** A missing rate only if other products have rates. */
const WARN_OF_TAX = addWarnings(`
  SELECT w.line, 'gst_rate', '${RARE_RATE_WARNING}'
    FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
   WHERE ${newValue('gst_rate', 's')} IN (${RARE_RATES.join(', ')})
     AND ${newValue('gst_rate', 's')} IS DISTINCT FROM p.gst_rate
  UNION ALL
  SELECT w.line, 'gst_rate', 'is missing: no order with this product can be shipped with a GST invoice'
    FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN products p ON p.id = w.product_id
   WHERE ${newValue('gst_rate', 's')} IS NULL
     AND (EXISTS (SELECT FROM products WHERE gst_rate IS NOT NULL)
          OR EXISTS (SELECT FROM ${STAGED} WHERE ${stored('gst_rate', 'gst_rate')} IS NOT NULL))`);

const FIND_KINDS_OF_ROWS = `
  SELECT coalesce(bool_or(is_new), false) AS "hasNew", coalesce(bool_or(NOT is_new), false) AS "hasChanged",
         coalesce(bool_or(revaried), false) AS "hasRevaried"
    FROM ${WORK} WHERE ${inBatch()}`;

type FileColumn = CatalogColumn | typeof WAS;

/** A file of prices from a day must not change them today. */
const DAYS: MisleadingHeadings<FileColumn> = {
  headings: [
    'from',
    'to',
    'until',
    'valid from',
    'valid to',
    'valid until',
    'effective from',
    'effective date',
  ],
  beside: ['base_price', 'delivery_charge', 'gst_rate'],
  advice:
    'the prices and rates of a catalog count at once. Remove the column, or import base prices, fixed ' +
    'prices of plans or GST rates, whose first day you choose.',
};

function read(
  row: Readonly<Record<FileColumn, string>>,
  note: NoteFault,
  presentColumns: ReadonlySet<string>,
  law: GoodsLaw,
) {
  const product = readCatalogRow(row, note, presentColumns, law);
  return Object.assign(stagedProduct(product), {
    keys: product.variations && variationKeys(product.variations),
    was: presentColumns.has(WAS) ? optionalCell(WAS, row.was, note) : null,
  });
}

async function write({ session, lines, actor }: ImportBatch): Promise<WriteResult> {
  const written: WriteResult = { created: 0, updated: 0, faults: [] };
  const [batch] = await session.query<{ hasNew: boolean; hasChanged: boolean; hasRevaried: boolean }>(
    FIND_KINDS_OF_ROWS,
    lines,
  );
  if (batch?.hasChanged) {
    await session.query(LOCK, lines);
    const stale = await session.query<{ line: number }>(DROP_STALE, lines);
    if (batch.hasRevaried) written.faults = await replaceStockKeys(session, lines, actor);
    const refused = written.faults.map(({ line }) => line);
    written.updated = await session.count(UPDATE, [...lines, refused]);
    for (const { line } of stale) written.faults.push({ line, column: '', message: CHANGED_BY_OTHER });
  }
  if (batch?.hasNew) written.created = await session.count(INSERT, lines);
  return written;
}

/**
 * Products that the file lacks stay unchanged. So do columns that it lacks. With a charge of new products, an
 * empty charge is one that the file lacks.
 */
export const catalogImport = (
  law: GoodsLaw,
  newCharge?: string,
): ImportKind<FileColumn, FileColumn | 'keys'> => ({
  name: 'products',
  columns: ['sku'],
  optional: [...EDITABLE_COLUMNS, WAS],
  misleading: DAYS,
  amounts: DECIMAL_COLUMNS,
  synonyms: COLUMN_SYNONYMS,
  known: { sku: KNOWN_SKUS },
  // The stock keys follow from the variations.
  staged: { ...CATALOG_COLUMN_TYPES, keys: 'text[]', was: 'text' },
  key: ['sku'],
  keyColumn: 'sku',
  read(row, note, presentColumns) {
    const lacksCharge = newCharge !== undefined && row.delivery_charge === '';
    const noteOther: NoteFault = (column, fault) => column === 'delivery_charge' || note(column, fault);
    return read(row, lacksCharge ? noteOther : note, presentColumns, law);
  },
  compare: [
    FIND_WORK,
    async (session) => {
      if (newCharge !== undefined) await session.query(SET_NEW_CHARGE, [newCharge]);
    },
    refuseWrongHeading,
    REFUSE_ODD_SKUS,
    REFUSE_INCOMPLETE,
    REFUSE_STALE,
    REFUSE_TREATMENT,
    CHECK_PRICES,
    CHECK_REMOVALS,
  ],
  changes: SHOW_CHANGES,
  async more(session) {
    const prices = await session.count(COUNT_PRICES_WITH_GST, []);
    return prices === 0 ? undefined : describePricesWithGst(prices);
  },
  warn: WARN_OF_TAX,
  batchSize: 2_000,
  write,
});
