import { Injectable } from '@nestjs/common';
import { Database, type Queries } from '../../platform/database/database.js';

export interface ScheduleSummary {
  change: number;
  prices: number;
  from: Date;
  /** Null: the prices stay. */
  to: Date | null;
}

export interface ScheduledChange extends ScheduleSummary {
  what: string;
  state: 'waiting' | 'beginning' | 'running' | 'applied' | 'ended' | 'missed' | 'withdrawn';
  /** Prices that stayed at the end, because a person had changed them. */
  kept: number;
  by: string;
  scheduled_at: Date;
}

export interface ChangeOfKind extends ScheduledChange {
  isDiscount: boolean;
  isRate: boolean;
}

export interface PriceOfChange {
  plan: string | null;
  sku: string | null;
  /** Null: no fixed price. */
  old: number | null;
  new: number | null;
  state: 'waiting' | 'applied' | 'returned' | 'kept' | 'missed' | 'withdrawn';
}

/** `isRate`: a percentage of GST instead of a price. */
export type NumberedPrice = PriceOfChange & { number: number; isRate: boolean };

/** The lock for applying prices, so that one node applies them in order. */
export const SCHEDULES_LOCK = 7_214_061;

/**
 * The lock for adding a change: two changes of one price at one time must not be added at once. The job takes
 * its own lock before it locks prices, so it cannot be this one.
 */
export const ADDITION_LOCK = 7_214_062;

export const WAIT_FOR_TURN = { text: 'SELECT pg_advisory_xact_lock($1)' };

/** The length of a schedule without an end, which occupies only its first moment. */
const MOMENT = `interval '1 microsecond'`;

/** True for overlapping changes: the end of one would undo the other. $1 and $2 are the new dates. */
export const OVERLAPS = `
  schedule.closed_at IS NULL
  AND schedule.from_at < coalesce($2::timestamptz, $1::timestamptz + ${MOMENT})
  AND $1::timestamptz < coalesce(schedule.to_at, schedule.from_at + ${MOMENT})`;

const OVERLAPPING = {
  text: `
    SELECT schedule.id
      FROM scheduled_prices price
      JOIN price_schedules schedule ON schedule.id = price.schedule_id
     WHERE ${OVERLAPS} AND price.plan_id IS NOT DISTINCT FROM $3 AND price.product_id IS NOT DISTINCT FROM $4
       AND price.is_rate = $5
     LIMIT 1`,
};

// SQL: these lists are streamed, and a schedule may have a million prices.

/** Programs get the code of a plan, pages its name. */
export type PlanColumn = 'code' | 'name';

const columns = (planColumn: PlanColumn) => `
         schedule.id AS change,
         CASE WHEN first.is_rate AND counted.prices > 1 THEN 'GST rates'
              WHEN first.is_rate THEN 'GST rate of ' || product.sku
              WHEN first.plan_id IS NULL AND counted.prices > 1 THEN 'base prices'
              WHEN first.plan_id IS NULL THEN 'base price of ' || product.sku
              WHEN first.product_id IS NULL THEN 'discount of ' || plan.${planColumn}
              ELSE 'fixed prices' END AS what,
         counted.prices, schedule.from_at AS "from", schedule.to_at AS "to",
         CASE WHEN schedule.withdrawn_at IS NOT NULL THEN 'withdrawn'
              WHEN schedule.closed_at IS NOT NULL AND schedule.applied_at IS NULL THEN 'missed'
              WHEN schedule.closed_at IS NOT NULL AND schedule.to_at IS NOT NULL THEN 'ended'
              WHEN schedule.closed_at IS NOT NULL THEN 'applied'
              WHEN schedule.applied_at IS NOT NULL THEN 'running'
              WHEN schedule.from_at <= now() THEN 'beginning'
              ELSE 'waiting' END AS state,
         counted.kept, schedule.actor AS by, schedule.created_at AS scheduled_at`;

const JOINS = `
    LEFT JOIN scheduled_prices first ON first.schedule_id = schedule.id AND first.number = 1
    LEFT JOIN products product ON product.id = first.product_id
    LEFT JOIN plans plan ON plan.id = first.plan_id
   CROSS JOIN LATERAL (
         SELECT count(*)::int AS prices, (count(*) FILTER (WHERE state = 'kept'))::int AS kept
           FROM scheduled_prices WHERE schedule_id = schedule.id) AS counted`;

const SHOW = {
  text: `
    SELECT ${columns('name')}, first.plan_id IS NOT NULL AND first.product_id IS NULL AS "isDiscount",
           first.is_rate AS "isRate"
      FROM price_schedules schedule ${JOINS}
     WHERE schedule.id = $1`,
};

/** Sorted by start: the next one first or, with past ones, the latest one first. */
const pageOf = (past: boolean, planColumn: PlanColumn) => {
  const [beyond, way] = past ? ['<', 'DESC'] : ['>', 'ASC'];
  const order = `ORDER BY schedule.from_at ${way}, schedule.id ${way}`;
  return `
  SELECT ${columns(planColumn)}
    FROM (SELECT * FROM price_schedules schedule
           WHERE ($1 OR closed_at IS NULL)
             AND ($2::bigint IS NULL
                  OR (from_at, id) ${beyond} (SELECT from_at, id FROM price_schedules WHERE id = $2))
           ${order} LIMIT $3) AS schedule ${JOINS}
   ${order}`;
};

/** The value in force, of a scheduled price with its product, plan and fixed price. */
export const IN_FORCE = `
  CASE WHEN price.is_rate THEN product.gst_rate
       WHEN price.plan_id IS NULL THEN product.base_price
       WHEN price.product_id IS NULL THEN plan.discount
       ELSE fixed.price END`;

const prices = (planColumn: PlanColumn) => `
         plan.${planColumn} AS plan, product.sku,
         (CASE price.state WHEN 'waiting' THEN ${IN_FORCE} ELSE price.replaced END)::float8 AS old,
         price.value::float8 AS new,
         CASE WHEN price.state <> 'waiting' OR schedule.closed_at IS NULL THEN price.state
              WHEN schedule.withdrawn_at IS NOT NULL THEN 'withdrawn'
              ELSE 'missed' END AS state
    FROM scheduled_prices price
    JOIN price_schedules schedule ON schedule.id = price.schedule_id
    LEFT JOIN products product ON product.id = price.product_id
    LEFT JOIN plans plan ON plan.id = price.plan_id
    LEFT JOIN plan_prices fixed ON fixed.plan_id = price.plan_id AND fixed.product_id = price.product_id
   WHERE price.schedule_id = $1`;

const pricePage = (planColumn: PlanColumn) => `
  SELECT price.number, price.is_rate AS "isRate", ${prices(planColumn)} AND price.number > $2::bigint
   ORDER BY price.number LIMIT $3`;

/** Runs after waiting for the lock, so it uses the clock, not the start of the transaction. */
const FIND = {
  text: `
    SELECT schedule.from_at AS "from", schedule.to_at AS "to", schedule.closed_at AS closed,
           schedule.withdrawn_at AS withdrawn, schedule.from_at <= clock_timestamp() AS begun,
           counted.prices, counted."isRate"
      FROM price_schedules schedule,
           LATERAL (SELECT count(*)::int AS prices, bool_or(is_rate) AS "isRate"
                      FROM scheduled_prices WHERE schedule_id = schedule.id) AS counted
     WHERE schedule.id = $1`,
};

interface ScheduleRow extends Pick<ScheduleSummary, 'from' | 'to' | 'prices'> {
  closed: Date | null;
  withdrawn: Date | null;
  isRate: boolean;
  begun: boolean;
}

@Injectable()
export class PriceSchedulesRepository {
  constructor(private readonly database: Database) {}

  /** The id of a schedule for this price in the same period. No other is added until the transaction ends. */
  async overlapping(
    transaction: Queries,
    { from, to }: { from: Date; to?: Date },
    { planId, productId, isRate = false }: { planId?: number; productId?: number; isRate?: boolean },
  ): Promise<number | undefined> {
    await transaction.query(WAIT_FOR_TURN, [ADDITION_LOCK]);
    const values = [from, to ?? null, planId ?? null, productId ?? null, isRate];
    const [other] = await transaction.query<{ id: number }>(OVERLAPPING, values);
    return other?.id;
  }

  /** Keeps all nodes from applying prices until the transaction ends. */
  async lockNodes(transaction: Queries): Promise<void> {
    await transaction.query(WAIT_FOR_TURN, [SCHEDULES_LOCK]);
  }

  async show(id: number): Promise<ChangeOfKind | undefined> {
    const [row] = await this.database.query<ChangeOfKind>(SHOW, [id]);
    return row;
  }

  async find(id: number, queries: Queries = this.database): Promise<ScheduleRow | undefined> {
    const [row] = await queries.query<ScheduleRow & object>(FIND, [id]);
    return row;
  }

  page(
    past: boolean,
    after: number | undefined,
    limit: number,
    planColumn: PlanColumn,
  ): Promise<ScheduledChange[]> {
    const text = pageOf(past, planColumn);
    return this.database.query<ScheduledChange>({ text }, [past, after ?? null, limit]);
  }

  pricePage(id: number, after: number, limit: number, planColumn: PlanColumn): Promise<NumberedPrice[]> {
    return this.database.query<NumberedPrice>({ text: pricePage(planColumn) }, [id, after, limit]);
  }
}
