import { COLUMN_SYNONYMS, KNOWN_SKUS } from '../catalog/column-synonyms.js';
import type { ImportKind, RowFault } from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import { PRODUCT_FIELDS } from '../catalog/catalog-columns.js';
import { describePricesWithGst, PRICE_WITHOUT_GST, priceWithoutGst } from '../catalog/catalog-import.js';
import { requiredCell } from '../../shared/imports/cells.js';
import { recordPrices, refuseUnusualPrices } from '../../shared/imports/import-guards.js';
import {
  addFaults,
  addWarnings,
  createWork,
  DROP_FAULTY,
  FOUND,
  GOOD,
  inBatch,
  WORK,
} from '../../shared/imports/import-tables.js';
import { comparing, findWork, IS_DIFFERENT, PRICE_IMPORT, VALUE_COLUMNS } from './price-import.js';
import {
  ADDITION_LOCK,
  OVERLAPS,
  type ScheduleSummary,
  WAIT_FOR_TURN,
} from './price-schedules.repository.js';
import { overlapMessage, type SchedulePeriod } from './price-schedules.service.js';

/** A row with the current price is a change too if another schedule changes the price until then. */
const WILL_BE_DIFFERENT = `
  (${IS_DIFFERENT} OR EXISTS (
     SELECT FROM scheduled_prices s JOIN price_schedules ON price_schedules.id = s.schedule_id
      WHERE s.plan_id = ${FOUND}.plan_id AND s.product_id = ${FOUND}.product_id AND closed_at IS NULL))`;

const OVERLAPPING = `
  SELECT line, 'sku' AS column, format('${overlapMessage('%s')}', min(schedule.id)) AS message
    FROM ${WORK} w
    JOIN scheduled_prices price ON price.product_id = w.product_id
                               AND price.plan_id IS NOT DISTINCT FROM w.plan_id
                               AND price.is_rate = $3
    JOIN price_schedules schedule ON schedule.id = price.schedule_id
   WHERE ${OVERLAPS}
   GROUP BY line`;

/** A change that someone added after the comparison. */
const DROP_OVERLAPPING = `
  WITH dropped AS (
    DELETE FROM ${WORK} USING (${OVERLAPPING}) AS overlapping WHERE ${WORK}.line = overlapping.line
    RETURNING overlapping.*)
  SELECT * FROM dropped ORDER BY line`;

/** A new base price is counted from the price of today, and stays only until the other change. */
export const WARN_OF_OTHER_CHANGES = addWarnings(`
  SELECT line, 'sku', format('is in scheduled change %s too: its price of today may not be its usual one',
           min(schedule.id))
    FROM ${WORK} w
    JOIN scheduled_prices price ON price.product_id = w.product_id
                               AND price.plan_id IS NULL AND NOT price.is_rate
    JOIN price_schedules schedule ON schedule.id = price.schedule_id
   WHERE schedule.closed_at IS NULL
   GROUP BY line`);

/** Writes all rows in one statement, so a schedule is complete or missing. */
const SCHEDULE = `
  WITH schedule AS (
    INSERT INTO price_schedules (from_at, to_at, actor)
    SELECT $3, $4, $5 WHERE EXISTS (SELECT FROM ${WORK} WHERE ${inBatch()}) RETURNING id),
       priced AS (
    INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, is_rate, value)
    SELECT schedule.id, row_number() OVER (ORDER BY plan_id, product_id), plan_id, product_id, $6, price
      FROM ${WORK}, schedule
     WHERE ${inBatch()}
    RETURNING 1)
  SELECT id AS change, (SELECT count(*)::int FROM priced) AS prices,
         (SELECT count(*)::int FROM ${WORK} WHERE ${inBatch()} AND is_new) AS created
    FROM schedule`;

const ONE_BATCH = 2_147_483_647;

const REFUSE_UNKNOWN = addFaults(`
  SELECT line, 'sku', format('there is no product %s', sku) FROM ${FOUND} WHERE product_id IS NULL`);

const CHECK_PRICES = `
  ${recordPrices(`SELECT line, w.sku, NULL, old, price FROM ${WORK} w JOIN ${FOUND} USING (line)`)}
  ${refuseUnusualPrices('base_price')}`;

export type ScheduledColumn = keyof typeof VALUE_COLUMNS;

type Made = Pick<ScheduleSummary, 'change' | 'prices'> & { created: number };

type Schedules = Pick<ImportKind, 'compare' | 'batchSize' | 'write'>;

/** A file of fixed prices that begin later. */
export function scheduledPrices(...args: Parameters<typeof schedules>): ImportKind {
  const { compare, ...rest } = schedules(...args);
  return { ...PRICE_IMPORT, compare: comparing(findWork('true', WILL_BE_DIFFERENT), ...compare), ...rest };
}

/** A file of base prices or GST rates that begin later. They have no plan. */
export function scheduledValues(
  column: ScheduledColumn,
  law: Parameters<typeof PRODUCT_FIELDS.gst_rate.read>[2],
  period: SchedulePeriod,
  record: Parameters<typeof schedules>[1],
): ImportKind<'sku' | ScheduledColumn, 'sku' | 'value'> {
  const isRate = column === 'gst_rate';
  const { compare, ...rest } = schedules(period, record, isRate);
  const { type, read } = PRODUCT_FIELDS[column];
  const text = isRate ? '::float8::text' : '::text';
  return {
    name: isRate ? 'GST rates' : 'base prices',
    columns: VALUE_COLUMNS[column],
    amounts: [column],
    synonyms: COLUMN_SYNONYMS,
    known: { sku: KNOWN_SKUS },
    staged: { sku: 'text', value: type },
    key: ['sku'],
    keyColumn: 'sku',
    read: ({ sku, [column]: cell }, note) => ({
      sku: requiredCell('sku', sku, note),
      // A catalog as a file of rates may have products without a rate, which stay as they are.
      value:
        isRate && cell === ''
          ? null
          : requiredCell(column, cell, note) && read(cell, (fault) => note(column, fault), law),
    }),
    compare: [
      `CREATE TEMP TABLE ${FOUND} AS
       SELECT g.line, g.sku, g.value, p.id AS product_id, p.${column} AS old
         FROM ${GOOD} g LEFT JOIN products p ON p.sku = g.sku`,
      REFUSE_UNKNOWN,
      createWork(`
        SELECT line, false AS is_new, NULL::int AS plan_id, product_id, sku, value AS price
          FROM ${FOUND}
         WHERE product_id IS NOT NULL AND value IS NOT NULL
           AND (value IS DISTINCT FROM old OR EXISTS (
                  SELECT FROM scheduled_prices s JOIN price_schedules ON price_schedules.id = s.schedule_id
                   WHERE s.product_id = ${FOUND}.product_id AND s.plan_id IS NULL AND s.is_rate = ${isRate}
                     AND closed_at IS NULL))`),
      ...compare,
      ...(isRate ? [] : [CHECK_PRICES, WARN_OF_OTHER_CHANGES]),
    ],
    changes: `
      SELECT w.line, w.is_new, w.sku AS name,
             jsonb_build_array(jsonb_build_array('${column}', old${text}, price${text}))
               || ${isRate ? WITHOUT_GST : "'[]'"} AS fields
        FROM ${WORK} w JOIN ${FOUND} USING (line)`,
    more: isRate ? describeRates : describeFollowers,
    ...rest,
  };
}

const PRICE = '(SELECT base_price FROM products WHERE id = w.product_id)';

const WITHOUT_GST = `
  CASE WHEN old <> price
       THEN jsonb_build_array(jsonb_build_array(
              '${PRICE_WITHOUT_GST}', ${priceWithoutGst(PRICE, 'old')}::text,
              ${priceWithoutGst(PRICE, 'price')}::text))
       ELSE '[]' END`;

const describeRates = () =>
  Promise.resolve({
    json: {},
    text:
      'Prices include GST and stay, also those of plans. A higher rate leaves less of them without GST, ' +
      'a lower one more.\n',
  });

/** The effect of new base prices on the prices in plans. */
export async function describeFollowers(session: ImportSession) {
  const fixed = await session.count(
    `SELECT count(*)::int AS count FROM plan_prices JOIN ${WORK} USING (product_id)`,
    [],
  );
  const taxed = await session.count(
    `SELECT count(*)::int AS count
       FROM ${WORK} w JOIN products p ON p.id = w.product_id WHERE p.gst_rate > 0`,
    [],
  );
  const withGst = describePricesWithGst(taxed);
  return {
    json: { fixed_prices: fixed, ...withGst.json },
    text:
      `Prices by the discount of a plan follow. Fixed prices of these products, which stay: ${fixed}.\n` +
      withGst.text,
  };
}

/** Schedules the values of WORK. `record` runs in the transaction of the schedule. */
function schedules(
  { from, to }: SchedulePeriod,
  record: (session: ImportSession, scheduled: ScheduleSummary) => Promise<void>,
  isRate = false,
): Schedules {
  const dates = [from, to ?? null] as const;
  const refuseOverlapping = async (session: ImportSession) => {
    await session.query(addFaults(OVERLAPPING), [...dates, isRate]);
    await session.run(DROP_FAULTY);
  };
  return {
    compare: [refuseOverlapping],
    batchSize: ONE_BATCH,
    async write({ session, lines, actor }) {
      await session.query(WAIT_FOR_TURN.text, [ADDITION_LOCK]);
      const faults = await session.query<RowFault & object>(DROP_OVERLAPPING, [...dates, isRate]);
      const [made] = await session.query<Made>(SCHEDULE, [...lines, ...dates, actor, isRate]);
      if (!made) return { created: 0, updated: 0, faults };
      const { created, ...scheduled } = made;
      await record(session, { ...scheduled, from, to: to ?? null });
      return { created, updated: scheduled.prices - created, faults };
    },
  };
}
