import type {
  ImportBatch,
  ImportKind,
  NoteFault,
  RowFault,
  WriteResult,
} from '../../shared/imports/import-kind.js';
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  FOUND,
  GOOD,
  inBatch,
  WORK,
} from '../../shared/imports/import-tables.js';
import {
  refuseUnusualPrices,
  recordPrices,
  CHANGED_BY_OTHER,
  EXPORT_ADVICE,
  fingerprint,
  isStale,
  isUnedited,
  WAS,
} from '../../shared/imports/import-guards.js';
import { COLUMN_SYNONYMS, KNOWN_SKUS } from '../catalog/column-synonyms.js';
import { optionalCell, requiredCell } from '../../shared/imports/cells.js';
import { numericFromMinor, parsePrice } from '../../platform/money/money.js';

export const PRICE_COLUMNS = ['plan', 'sku', 'wholesale_price'] as const;

/** The columns of files of base prices and GST rates. */
export const VALUE_COLUMNS = { base_price: ['sku', 'base_price'], gst_rate: ['sku', 'gst_rate'] } as const;

export const PRICE_EXPORT_COLUMNS = [...PRICE_COLUMNS, WAS] as const;

export type PriceRow = Record<(typeof PRICE_EXPORT_COLUMNS)[number], string>;

type PriceColumn = (typeof PRICE_COLUMNS)[number];

type FileColumn = PriceColumn | typeof WAS;

/** The three columns of a fixed price, as SQL expressions. */
const columnValues = (plan: string, sku: string, price: string) => [plan, sku, price];

/** The fingerprint of a stored price. It shows later whether the price has changed. */
export const PRICE_FINGERPRINT = fingerprint(columnValues('plans.code', 'p.sku', 'fixed.price'));

/** A plan is found in any case. SQL, because a handful of statements compares a file of any size. */
const FIND_PRICES = `
  CREATE TEMP TABLE ${FOUND} AS
  SELECT g.line, coalesce(plans.code, g.plan) AS plan, g.sku, g.price, g.${WAS}, plans.id AS plan_id,
         p.id AS product_id, fixed.price AS fixed_price
    FROM ${GOOD} g
    LEFT JOIN (SELECT given.plan AS given, plans.id, plans.code
                 FROM (SELECT DISTINCT plan FROM ${GOOD}) AS given
                 JOIN plans ON lower(plans.code) = lower(given.plan)
                WHERE plans.code = given.plan
                   OR NOT EXISTS (SELECT FROM plans other
                                   WHERE lower(other.code) = lower(given.plan)
                                     AND other.id <> plans.id)) AS plans ON plans.given = g.plan
    LEFT JOIN products p ON p.sku = g.sku
    LEFT JOIN plan_prices fixed ON fixed.plan_id = plans.id AND fixed.product_id = p.id`;

const REFUSE_UNKNOWN = addFaults(`
  SELECT line, 'plan', format('there is no plan %s', plan) FROM ${FOUND} WHERE plan_id IS NULL
  UNION ALL
  SELECT line, 'sku', format('there is no product %s', sku) FROM ${FOUND} WHERE product_id IS NULL
  UNION ALL
  SELECT line, 'plan', 'is in the file twice for this product, in other letters'
    FROM (SELECT line, count(*) OVER (PARTITION BY plan_id, product_id) AS rows
            FROM ${FOUND} WHERE plan_id IS NOT NULL AND product_id IS NOT NULL) AS repeated
   WHERE rows > 1`);

/** Selects the rows to write. Rows as they were exported change nothing. */
export const findWork = (isNew: string, isChange: string) =>
  createWork(`
  SELECT line, ${isNew} AS is_new, plan_id, product_id, plan, sku, price, ${WAS}
    FROM ${FOUND}
   WHERE plan_id IS NOT NULL AND product_id IS NOT NULL AND ${isChange}
     AND NOT ${isUnedited(WAS, columnValues('plan', 'sku', 'price'))}`);

export const IS_DIFFERENT = 'price IS DISTINCT FROM fixed_price';

const REFUSE_STALE = `
  ${addFaults(`
    SELECT line, 'wholesale_price', format('has changed since it was exported, and %s: ${EXPORT_ADVICE}',
             coalesce('is ' || fixed_price || ' now', 'is not fixed any more'))
      FROM ${FOUND} JOIN ${WORK} USING (line)
     WHERE ${isStale(`${FOUND}.${WAS}`, columnValues(`${FOUND}.plan`, `${FOUND}.sku`, 'fixed_price'))}`)}
  ${DROP_FAULTY}`;

/** The price of a plan without a fixed price. */
export const DISCOUNTED = 'round(p.base_price * (100 - plans.discount) / 100, 2)';

const CHECK_PRICES = `
  ${recordPrices(`
    SELECT w.line, w.sku, w.plan, coalesce(fixed.price, ${DISCOUNTED}), coalesce(w.price, ${DISCOUNTED})
      FROM ${WORK} w JOIN plans ON plans.id = w.plan_id JOIN products p ON p.id = w.product_id
      LEFT JOIN plan_prices fixed ON fixed.plan_id = w.plan_id AND fixed.product_id = w.product_id`)}
  ${refuseUnusualPrices('wholesale_price')}`;

const PREVIEW_CHANGES = `
  SELECT w.line, w.is_new, w.sku || ' in plan ' || w.plan AS name,
         jsonb_build_array(jsonb_build_array(
           'wholesale_price', ${FOUND}.fixed_price::text, w.price::text)) AS fields
    FROM ${WORK} w JOIN ${FOUND} USING (line)`;

const LOCK = `
  SELECT count(*) FROM (
    SELECT FROM plan_prices p JOIN ${WORK} w USING (plan_id, product_id)
     WHERE ${inBatch('w')} AND w.${WAS} IS NOT NULL
     ORDER BY plan_id, product_id FOR UPDATE OF p) AS locked`;

/** Rows that changed between comparison and lock. */
const DROP_STALE = `
  DELETE FROM ${WORK} USING ${WORK} w LEFT JOIN plan_prices p USING (plan_id, product_id)
   WHERE ${WORK}.line = w.line AND ${inBatch('w')}
     AND ${isStale(`w.${WAS}`, columnValues('w.plan', 'w.sku', 'p.price'))}
  RETURNING w.line`;

const FIX = `
  WITH fixed AS (
    INSERT INTO plan_prices AS p (plan_id, product_id, price)
    SELECT plan_id, product_id, price FROM ${WORK} WHERE ${inBatch()} AND price IS NOT NULL
     ORDER BY plan_id, product_id
    ON CONFLICT (plan_id, product_id) DO UPDATE SET price = excluded.price WHERE p.price <> excluded.price
    RETURNING xmax = 0 AS created)
  SELECT count(*) FILTER (WHERE created)::int AS created,
         count(*) FILTER (WHERE NOT created)::int AS updated
    FROM fixed`;

/** Without the fixed price, the plan's discount applies. */
const UNFIX = `
  WITH unfixed AS (
    DELETE FROM plan_prices p USING ${WORK} w
     WHERE ${inBatch('w')} AND w.price IS NULL AND p.plan_id = w.plan_id AND p.product_id = w.product_id
    RETURNING p.plan_id)
  SELECT count(*)::int AS count FROM unfixed`;

async function write({ session, lines }: ImportBatch): Promise<WriteResult> {
  await session.query(LOCK, lines);
  const stale = await session.query<{ line: number }>(DROP_STALE, lines);
  const [fixed] = await session.query<{ created: number; updated: number }>(FIX, lines);
  const unfixed = await session.count(UNFIX, lines);
  return { created: fixed!.created, updated: fixed!.updated + unfixed, faults: stale.map(changedJustNow) };
}

function changedJustNow({ line }: { line: number }): RowFault {
  return { line, column: 'wholesale_price', message: CHANGED_BY_OTHER };
}

function read({ plan, sku, wholesale_price: price, was }: Record<FileColumn, string>, note: NoteFault) {
  return {
    plan: requiredCell('plan', plan, note),
    sku: requiredCell('sku', sku, note),
    price: readPrice(price, note),
    was: optionalCell(WAS, was, note),
  };
}

/** An empty price removes the fixed price. */
function readPrice(text: string, note: NoteFault): string | null {
  if (text === '') return null;
  const parsed = parsePrice(text);
  if ('minor' in parsed) return numericFromMinor(parsed.minor);
  note('wholesale_price', parsed.fault);
  return null;
}

/** All steps of the comparison, around the steps that find the work. */
export function comparing(...find: ImportKind['compare']): ImportKind['compare'] {
  return [FIND_PRICES, REFUSE_UNKNOWN, ...find, REFUSE_STALE, CHECK_PRICES];
}

const KNOWN_PLANS = `
  SELECT count(DISTINCT lower(code))::int AS count FROM plans
   WHERE lower(code) IN (SELECT lower(unnest($1::text[])))`;

export const PRICE_IMPORT: ImportKind<FileColumn, 'plan' | 'sku' | 'price' | 'was'> = {
  name: 'prices',
  columns: PRICE_COLUMNS,
  optional: [WAS],
  amounts: ['wholesale_price'],
  synonyms: COLUMN_SYNONYMS,
  known: {
    sku: KNOWN_SKUS,
    plan: KNOWN_PLANS,
  },
  staged: { plan: 'text', sku: 'text', price: 'numeric(12,2)', was: 'text' },
  key: ['plan', 'sku'],
  keyColumn: 'sku',
  read,
  compare: comparing(findWork('fixed_price IS NULL', IS_DIFFERENT)),
  changes: PREVIEW_CHANGES,
  batchSize: 5_000,
  write,
};
