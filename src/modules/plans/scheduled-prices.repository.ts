import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { PriceSchedule, ScheduledPriceState } from './plan.entity.js';
import { IN_FORCE, SCHEDULES_LOCK } from './price-schedules.repository.js';

/** Small, so that transactions are short: the read model and orders do not wait for them. */
const BATCH_SIZE = 500;

/** Prices that are not applied before their end are never applied. */
const IS_DUE = `
  closed_at IS NULL AND CASE WHEN applied_at IS NULL THEN from_at ELSE to_at END <= now()`;

const ANY_DUE = { text: `SELECT EXISTS (SELECT FROM price_schedules WHERE ${IS_DUE}) AS "isDue"` };

const TRY_LOCK = { text: 'SELECT pg_try_advisory_xact_lock($1) AS "isOurs"' };

/** Sorted by time. At the same time, ends come before starts. */
const NEXT = {
  text: `
    SELECT id, actor, coalesce(to_at <= now(), false) AS "isOver"
      FROM price_schedules
     WHERE ${IS_DUE}
     ORDER BY CASE WHEN applied_at IS NULL THEN from_at ELSE to_at END, applied_at NULLS LAST, id
     LIMIT 1`,
};

/** $1 is the schedule, $2 the last number of the batch before, $3 the state of the prices. */
const BATCH = `
  (SELECT * FROM scheduled_prices
    WHERE schedule_id = $1 AND number > $2 AND state = $3 ORDER BY number LIMIT ${BATCH_SIZE}) AS price`;

const FIXED = `FROM plan_prices p WHERE p.plan_id = price.plan_id AND p.product_id = price.product_id`;

/** Locks rows in the order of an import. */
const LOCK = { text: `SELECT count(*) FROM ${BATCH}, LATERAL (SELECT 1 ${FIXED} FOR UPDATE) AS locked` };

/**
 * SQL: the new prices are written as sets, by ordinary statements, so the triggers set versions and log them.
 * A price that another transaction changes in this moment is left for the next batch. Fixed prices are found
 * one by one: after many deletions PostgreSQL would take their table for a small one, and read all of it.
 */
const WRITE = {
  text: `
    WITH found AS (
           SELECT price.*, fixed.place, ${IN_FORCE} AS old
             FROM ${BATCH}
             LEFT JOIN products product ON product.id = price.product_id
             LEFT JOIN plans plan ON plan.id = price.plan_id
             LEFT JOIN LATERAL (SELECT p.ctid AS place, p.price ${FIXED} OFFSET 0) AS fixed ON true),
         batch AS MATERIALIZED (
           SELECT number, plan_id, product_id, is_rate, replaced, place, old,
                  CASE WHEN $3 = 'waiting' THEN value
                       WHEN old IS NOT DISTINCT FROM value THEN replaced ELSE old END AS new,
                  CASE WHEN $3 = 'waiting' THEN 'applied'
                       WHEN old IS NOT DISTINCT FROM value THEN 'returned' ELSE 'kept' END AS state
             FROM found),
         based AS (
           UPDATE products p SET base_price = new FROM batch b
            WHERE b.plan_id IS NULL AND NOT is_rate AND p.id = b.product_id AND p.base_price = old
              AND new <> old
           RETURNING b.number),
         rated AS (
           UPDATE products p
              SET gst_rate = new, gst_treatment = CASE WHEN new > 0 THEN 'taxable' ELSE p.gst_treatment END
             FROM batch b
            WHERE is_rate AND p.id = b.product_id AND p.gst_rate IS NOT DISTINCT FROM old
              AND new IS DISTINCT FROM old
           RETURNING b.number),
         discounted AS (
           UPDATE plans p SET discount = new FROM batch b
            WHERE b.product_id IS NULL AND p.id = b.plan_id AND p.discount = old AND new <> old
           RETURNING b.number),
         fixed AS (
           INSERT INTO plan_prices (plan_id, product_id, price)
           SELECT plan_id, product_id, new FROM batch WHERE place IS NOT NULL AND new <> old ORDER BY number
           ON CONFLICT (plan_id, product_id) DO UPDATE SET price = excluded.price
           RETURNING plan_id, product_id),
         added AS (
           INSERT INTO plan_prices (plan_id, product_id, price)
           SELECT plan_id, product_id, new FROM batch
            WHERE NOT is_rate AND old IS NULL AND new IS NOT NULL ORDER BY number
           ON CONFLICT DO NOTHING
           RETURNING plan_id, product_id),
         unfixed AS (
           DELETE FROM plan_prices WHERE ctid = ANY (ARRAY(SELECT place FROM batch WHERE new IS NULL))
           RETURNING plan_id, product_id),
         done AS (
           SELECT number FROM based UNION ALL SELECT number FROM rated UNION ALL
           SELECT number FROM discounted UNION ALL
           SELECT number FROM batch WHERE new IS NOT DISTINCT FROM old UNION ALL
           SELECT number FROM batch
             JOIN (TABLE fixed UNION ALL TABLE added UNION ALL TABLE unfixed) AS w
                  USING (plan_id, product_id)),
         marked AS (
           UPDATE scheduled_prices price
              SET state = b.state, replaced = CASE WHEN $3 = 'waiting' THEN b.old ELSE b.replaced END
             FROM batch b JOIN done USING (number)
            WHERE price.schedule_id = $1 AND price.number = b.number)
    SELECT max(number) AS last FROM batch`,
};

const OUTCOME = {
  text: `
    SELECT bool_or(is_rate) AS "isRate", (count(*) FILTER (WHERE state = 'applied'))::int AS applied,
           (count(*) FILTER (WHERE state = 'returned'))::int AS returned,
           (count(*) FILTER (WHERE state = 'kept'))::int AS kept,
           (count(*) FILTER (WHERE state = 'waiting'))::int AS missed
      FROM scheduled_prices WHERE schedule_id = $1`,
};

type ScheduleOutcome = Record<'applied' | 'returned' | 'kept' | 'missed', number> & { isRate: boolean };

export interface DueSchedule extends Pick<PriceSchedule, 'id' | 'actor'> {
  isOver: boolean;
}

@Injectable()
export class ScheduledPricesRepository {
  constructor(private readonly database: Database) {}

  async isAnyDue(): Promise<boolean> {
    const [row] = await this.database.query<{ isDue: boolean }>(ANY_DUE, []);
    return row!.isDue;
  }

  /** Undefined if nothing is due, or another node applies it. */
  async lockNext(transaction: Transaction): Promise<DueSchedule | undefined> {
    const [lock] = await transaction.query<{ isOurs: boolean }>(TRY_LOCK, [SCHEDULES_LOCK]);
    if (!lock!.isOurs) return undefined;
    const [due] = await transaction.query<DueSchedule>(NEXT, []);
    return due;
  }

  /** The prices in this state after a number. Returns the last number; null if there was none. */
  async writeBatch(
    transaction: Transaction,
    id: number,
    after: number,
    state: ScheduledPriceState,
  ): Promise<number | null> {
    await transaction.query(LOCK, [id, after, state]);
    const [written] = await transaction.query<{ last: number | null }>(WRITE, [id, after, state]);
    return written!.last;
  }

  async outcome(transaction: Transaction, id: number): Promise<ScheduleOutcome> {
    const [outcome] = await transaction.query<ScheduleOutcome>(OUTCOME, [id]);
    return outcome!;
  }
}
