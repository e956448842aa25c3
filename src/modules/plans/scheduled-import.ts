import { COLUMN_SYNONYMS, KNOWN_SKUS } from '../catalog/column-synonyms.js';
import type { ImportKind } from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import { PRODUCT_FIELDS } from '../catalog/catalog-columns.js';
import { requiredCell } from '../../shared/imports/cells.js';
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  GOOD,
  inBatch,
  WORK,
} from '../../shared/imports/import-tables.js';
import { comparing, findWork, IS_DIFFERENT, PRICE_IMPORT, RATE_COLUMNS } from './price-import.js';
import { OVERLAPS, type ScheduleSummary } from './price-schedules.repository.js';
import { overlapMessage, type SchedulePeriod } from './price-schedules.service.js';

/** A row with the current price is a change too if another schedule changes the price until then. */
const WILL_BE_DIFFERENT = `
  (${IS_DIFFERENT} OR EXISTS (
     SELECT FROM scheduled_prices s JOIN price_schedules ON price_schedules.id = s.schedule_id
      WHERE s.plan_id = found.plan_id AND s.product_id = found.product_id AND closed_at IS NULL))`;

/** Needs no lock: only imports schedule fixed prices, and one import runs at a time. */
const REFUSE_OVERLAPPING = addFaults(`
  SELECT line, 'sku', format('${overlapMessage('%s')}', min(schedule.id))
    FROM ${WORK} w
    JOIN scheduled_prices price ON price.product_id = w.product_id
                               AND price.plan_id IS NOT DISTINCT FROM w.plan_id
                               AND price.is_rate = (w.plan_id IS NULL)
    JOIN price_schedules schedule ON schedule.id = price.schedule_id
   WHERE ${OVERLAPS}
   GROUP BY line`);

/** Writes all rows in one statement, so a schedule is complete or missing. */
const SCHEDULE = `
  WITH schedule AS (
    INSERT INTO price_schedules (from_at, to_at, actor) VALUES ($3, $4, $5) RETURNING id),
       priced AS (
    INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, is_rate, value)
    SELECT schedule.id, row_number() OVER (ORDER BY plan_id, product_id), plan_id, product_id,
           plan_id IS NULL, price
      FROM ${WORK}, schedule
     WHERE ${inBatch()}
    RETURNING 1)
  SELECT id AS change, (SELECT count(*)::int FROM priced) AS prices FROM schedule`;

const ONE_BATCH = 2_147_483_647;

const FIND_RATES = `
  CREATE TEMP TABLE found AS
  SELECT g.line, g.sku, g.rate, p.id AS product_id, p.gst_rate
    FROM ${GOOD} g LEFT JOIN products p ON p.sku = g.sku`;

const REFUSE_UNKNOWN = addFaults(`
  SELECT line, 'sku', format('there is no product %s', sku) FROM found WHERE product_id IS NULL`);

/** Rows without a plan, which marks them as rates. */
const RATES_TO_CHANGE = createWork(`
  SELECT line, gst_rate IS NULL AS is_new, NULL::int AS plan_id, product_id, sku, rate AS price
    FROM found
   WHERE product_id IS NOT NULL
     AND (rate IS DISTINCT FROM gst_rate OR EXISTS (
            SELECT FROM scheduled_prices s JOIN price_schedules ON price_schedules.id = s.schedule_id
             WHERE s.product_id = found.product_id AND s.is_rate AND closed_at IS NULL))`);

const PREVIEW_RATES = `
  SELECT w.line, w.is_new, w.sku AS name,
         jsonb_build_array(jsonb_build_array('gst_rate', found.gst_rate::float8::text,
                                             w.price::float8::text)) AS fields
    FROM ${WORK} w JOIN found USING (line)`;

const RATE = PRODUCT_FIELDS.gst_rate;

type RateColumn = (typeof RATE_COLUMNS)[number];

type Schedules = Pick<ImportKind, 'compare' | 'batchSize' | 'write'>;

/** A file of fixed prices that begin later. */
export function scheduledPrices(...args: Parameters<typeof schedules>): ImportKind {
  const { compare, ...rest } = schedules(...args);
  return { ...PRICE_IMPORT, compare: comparing(findWork('true', WILL_BE_DIFFERENT), ...compare), ...rest };
}

export function scheduledRates(
  law: Parameters<typeof RATE.read>[2],
  ...args: Parameters<typeof schedules>
): ImportKind<RateColumn, 'sku' | 'rate'> {
  const { compare, ...rest } = schedules(...args);
  return {
    name: 'GST rates',
    columns: RATE_COLUMNS,
    amounts: ['gst_rate'],
    synonyms: COLUMN_SYNONYMS,
    known: { sku: KNOWN_SKUS },
    staged: { sku: 'text', rate: RATE.type },
    key: ['sku'],
    keyColumn: 'sku',
    read: ({ sku, gst_rate: text }, note) => ({
      sku: requiredCell('sku', sku, note),
      rate: requiredCell('gst_rate', text, note) && RATE.read(text, (fault) => note('gst_rate', fault), law),
    }),
    compare: [FIND_RATES, REFUSE_UNKNOWN, RATES_TO_CHANGE, ...compare],
    changes: PREVIEW_RATES,
    ...rest,
  };
}

/** Schedules the values of WORK. `record` runs in the transaction of the schedule. */
function schedules(
  { from, to }: SchedulePeriod,
  record: (session: ImportSession, scheduled: ScheduleSummary) => Promise<void>,
): Schedules {
  const refuseOverlapping = async (session: ImportSession) => {
    await session.query(REFUSE_OVERLAPPING, [from, to ?? null]);
    await session.run(DROP_FAULTY);
  };
  return {
    compare: [refuseOverlapping],
    batchSize: ONE_BATCH,
    async write({ session, lines, actor }) {
      const values = [...lines, from, to ?? null, actor];
      const [made] = await session.query<Pick<ScheduleSummary, 'change' | 'prices'>>(SCHEDULE, values);
      await record(session, { ...made!, from, to: to ?? null });
      return { created: made!.prices, updated: 0, faults: [] };
    },
  };
}
