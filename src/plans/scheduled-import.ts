import type { ImportKind } from '../imports/import-kind.js';
import type { ImportSession } from '../imports/import-session.js';
import { addFaults, DROP_FAULTY, inBatch, WORK } from '../imports/import-tables.js';
import { comparing, findWork, IS_DIFFERENT, PRICE_IMPORT } from './price-import.js';
import { OVERLAPS, type Scheduled } from './price-schedules.repository.js';
import { inTheWay, type Period } from './price-schedules.service.js';

/** The price of now counts too if it will have changed by then. */
const WILL_BE_DIFFERENT = `
  (${IS_DIFFERENT} OR EXISTS (
     SELECT FROM scheduled_prices s JOIN price_schedules ON price_schedules.id = s.schedule_id
      WHERE s.plan_id = found.plan_id AND s.product_id = found.product_id AND closed_at IS NULL))`;

/** Only this import schedules fixed prices, and one import runs at a time. So no lock is needed. */
const REFUSE_OVERLAPPING = addFaults(`
  SELECT line, 'sku', format('${inTheWay('%s')}', min(schedule.id))
    FROM ${WORK} w
    JOIN scheduled_prices price ON price.plan_id = w.plan_id AND price.product_id = w.product_id
    JOIN price_schedules schedule ON schedule.id = price.schedule_id
   WHERE ${OVERLAPS}
   GROUP BY line`);

/** All rows in one statement: a schedule is whole, or not there. */
const SCHEDULE = `
  WITH schedule AS (
    INSERT INTO price_schedules (from_at, to_at, actor) VALUES ($3, $4, $5) RETURNING id),
       priced AS (
    INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, value)
    SELECT schedule.id, row_number() OVER (ORDER BY plan_id, product_id), plan_id, product_id, price
      FROM ${WORK}, schedule
     WHERE ${inBatch()}
    RETURNING 1)
  SELECT id AS change, (SELECT count(*)::int FROM priced) AS prices FROM schedule`;

const ONE_BATCH = 2_147_483_647;

/** The same file, whose prices begin later. `record` runs in the transaction of the schedule. */
export function scheduledImport(
  { from, to }: Period,
  record: (session: ImportSession, scheduled: Scheduled) => Promise<void>,
): ImportKind {
  const refuseOverlapping = async (session: ImportSession) => {
    await session.query(REFUSE_OVERLAPPING, [from, to ?? null]);
    await session.run(DROP_FAULTY);
  };
  return {
    ...PRICE_IMPORT,
    compare: comparing(findWork('true', WILL_BE_DIFFERENT), refuseOverlapping),
    batchSize: ONE_BATCH,
    async write({ session, lines, actor }) {
      const values = [...lines, from, to ?? null, actor];
      const [made] = await session.query<Pick<Scheduled, 'change' | 'prices'>>(SCHEDULE, values);
      await record(session, { ...made!, from, to: to ?? null });
      return { created: made!.prices, updated: 0, faults: [] };
    },
  };
}
