import type { Batch, ImportKind, NoteFault, Written } from '../../imports/import-kind.js';
import { addFaults, createWork, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import { requiredCell } from '../../imports/storable-cell.js';
import { numericFromMinor, parseMoney } from '../../platform/money/money.js';

export const PRICE_COLUMNS = ['plan', 'sku', 'wholesale_price'] as const;

type PriceColumn = (typeof PRICE_COLUMNS)[number];

export type PriceRow = Record<PriceColumn, string>;

/** SQL throughout, because a file is compared and written as a set: a handful of statements, whatever the number of rows. */
const FIND_PRICES = `
  CREATE TEMP TABLE found AS
  SELECT g.line, g.plan, g.sku, g.price, plans.id AS plan_id, p.id AS product_id, fixed.price AS fixed_price
    FROM ${GOOD} g
    LEFT JOIN plans ON plans.code = g.plan
    LEFT JOIN products p ON p.sku = g.sku
    LEFT JOIN plan_prices fixed ON fixed.plan_id = plans.id AND fixed.product_id = p.id`;

const REFUSE_UNKNOWN = addFaults(`
  SELECT line, 'plan', format('there is no plan %s', plan) FROM found WHERE plan_id IS NULL
  UNION ALL
  SELECT line, 'sku', format('there is no product %s', sku) FROM found WHERE product_id IS NULL`);

const FIND_WORK = createWork(`
  SELECT line, fixed_price IS NULL AS is_new, plan_id, product_id, price
    FROM found
   WHERE plan_id IS NOT NULL AND product_id IS NOT NULL AND price IS DISTINCT FROM fixed_price`);

const FIX = `
  WITH fixed AS (
    INSERT INTO plan_prices AS p (plan_id, product_id, price)
    SELECT plan_id, product_id, price FROM ${WORK} WHERE ${inBatch()} AND price IS NOT NULL ORDER BY plan_id, product_id
    ON CONFLICT (plan_id, product_id) DO UPDATE SET price = excluded.price WHERE p.price <> excluded.price
    RETURNING xmax = 0 AS created)
  SELECT count(*) FILTER (WHERE created)::int AS created, count(*) FILTER (WHERE NOT created)::int AS updated FROM fixed`;

/** A change like any other: the product goes on at the plan's discount. */
const UNFIX = `
  WITH unfixed AS (
    DELETE FROM plan_prices p USING ${WORK} w
     WHERE ${inBatch('w')} AND w.price IS NULL AND p.plan_id = w.plan_id AND p.product_id = w.product_id
    RETURNING p.plan_id)
  SELECT count(*)::int AS count FROM unfixed`;

async function write({ session, lines }: Batch): Promise<Written> {
  const [fixed] = await session.query<{ created: number; updated: number }>(FIX, lines);
  const unfixed = await session.count(UNFIX, lines);
  return { created: fixed!.created, updated: fixed!.updated + unfixed, faults: [] };
}

function read({ plan, sku, wholesale_price: price }: PriceRow, note: NoteFault) {
  return {
    plan: requiredCell('plan', plan, note),
    sku: requiredCell('sku', sku, note),
    price: readPrice(price, note),
  };
}

/** An empty price takes the fixed one away. */
function readPrice(text: string, note: NoteFault): string | null {
  if (text === '') return null;
  const parsed = parseMoney(text);
  if ('minor' in parsed) return numericFromMinor(parsed.minor);
  note('wholesale_price', parsed.fault);
  return null;
}

export const PRICE_IMPORT: ImportKind<PriceColumn, 'plan' | 'sku' | 'price'> = {
  name: 'prices',
  columns: PRICE_COLUMNS,
  staged: { plan: 'text', sku: 'text', price: 'numeric(12,2)' },
  key: ['plan', 'sku'],
  keyColumn: 'sku',
  read,
  compare: [FIND_PRICES, REFUSE_UNKNOWN, FIND_WORK],
  batchSize: 5_000,
  write,
};
