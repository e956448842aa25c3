import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { onePage, type OnePage } from '../platform/lists/one-page.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { showPeriod } from '../platform/time/time.js';
import { PriceSchedule } from './price-schedule.entity.js';
import { ScheduledPrice } from './scheduled-price.entity.js';

/** The dates of a command. */
export interface Dates {
  from?: Date;
  to?: Date;
}

export type Period = Dates & { from: Date };

export interface Scheduled {
  change: number;
  prices: number;
  from: Date;
  /** Null: the prices stay. */
  to: Date | null;
}

interface NewPrice {
  planId?: number;
  productId?: number;
  value: string;
  period: Period;
  actor: string;
}

export interface ScheduledChange extends Scheduled {
  what: string;
  state: 'waiting' | 'beginning' | 'running' | 'applied' | 'ended' | 'missed' | 'withdrawn';
  /** Prices that stayed at the end, because a person had changed them. */
  kept: number;
  by: string;
  scheduled_at: Date;
}

export interface PriceOfChange {
  plan: string | null;
  sku: string | null;
  /** Null: no fixed price. */
  old: number | null;
  new: number | null;
  state: 'waiting' | 'applied' | 'returned' | 'kept' | 'missed' | 'withdrawn';
}

export type PriceNumbered = PriceOfChange & { number: number };

export interface Withdrawn extends Scheduled {
  had_begun: boolean;
}

/** Held while prices are applied, so that one node applies them, in their order. */
export const SCHEDULES_LOCK = 7_214_061;

const WAIT_FOR_NODES = { text: 'SELECT pg_advisory_xact_lock($1)' };

/** A schedule without an end takes only its first moment. */
const MOMENT = `interval '1 microsecond'`;

/** Two changes of one price overlap: the end of one would undo the other. $1 and $2 are the new dates. */
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
     LIMIT 1`,
};

const IS_PAST = { text: 'SELECT $1::timestamptz <= now() AS "isPast"' };

// SQL: these lists are streamed, and a schedule may have a million prices.

const COLUMNS = `
         schedule.id AS change,
         CASE WHEN first.plan_id IS NULL THEN 'base price of ' || product.sku
              WHEN first.product_id IS NULL THEN 'discount of ' || plan.code
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

const LIST = `
  SELECT ${COLUMNS}
    FROM price_schedules schedule ${JOINS}
   WHERE $1 OR schedule.closed_at IS NULL
   ORDER BY schedule.from_at, schedule.id`;

const SHOW = {
  text: `
    SELECT ${COLUMNS}, first.plan_id IS NOT NULL AND first.product_id IS NULL AS "isDiscount"
      FROM price_schedules schedule ${JOINS}
     WHERE schedule.id = $1`,
};

/** The next to begin first. With past ones, the last to begin first. */
const pageOf = (past: boolean) => {
  const [beyond, way] = past ? ['<', 'DESC'] : ['>', 'ASC'];
  const order = `ORDER BY schedule.from_at ${way}, schedule.id ${way}`;
  return `
  SELECT ${COLUMNS}
    FROM (SELECT * FROM price_schedules schedule
           WHERE ($1 OR closed_at IS NULL)
             AND ($2::bigint IS NULL
                  OR (from_at, id) ${beyond} (SELECT from_at, id FROM price_schedules WHERE id = $2))
           ${order} LIMIT $3) AS schedule ${JOINS}
   ${order}`;
};

/** The value in force, of a scheduled price with its product, plan and fixed price. */
export const IN_FORCE = `
  CASE WHEN price.plan_id IS NULL THEN product.base_price
       WHEN price.product_id IS NULL THEN plan.discount
       ELSE fixed.price END`;

const PRICES = `
         plan.code AS plan, product.sku,
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

const PRICE_LIST = `SELECT ${PRICES} ORDER BY price.number`;

const PRICE_PAGE = `
  SELECT price.number, ${PRICES} AND price.number > $2::bigint
   ORDER BY price.number LIMIT $3`;

const PAGE_SIZE = 50;

/** After the lock was waited for, so it asks the clock, not the start of the transaction. */
const FIND = {
  text: `
    SELECT schedule.from_at AS "from", schedule.to_at AS "to", schedule.closed_at AS closed,
           schedule.withdrawn_at AS withdrawn, schedule.from_at <= clock_timestamp() AS begun,
           (SELECT count(*)::int FROM scheduled_prices WHERE schedule_id = schedule.id) AS prices
      FROM price_schedules schedule WHERE schedule.id = $1`,
};

interface Found extends Pick<Scheduled, 'from' | 'to' | 'prices'> {
  closed: Date | null;
  withdrawn: Date | null;
  begun: boolean;
}

/** Changes of prices that begin at a time: scheduled, listed and withdrawn. A job applies them. */
@Injectable()
export class PriceSchedules {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Undefined if no date is given: the prices change now. */
  async periodOf({ from, to }: Dates): Promise<Period | undefined> {
    if (!from && to) throw new DomainError('invalid_value', 'An end needs a start.');
    if (!from) return undefined;
    const dates = showPeriod(from, to ?? null, this.settings.timeZone);
    if (to && to <= from)
      throw new DomainError('invalid_value', `The prices would end before they begin (${dates}).`);
    const [found] = await this.database.query<{ isPast: boolean }>(IS_PAST, [from]);
    if (found!.isPast)
      throw new DomainError('invalid_value', `The prices would begin in the past (${dates}).`);
    return { from, to };
  }

  /** Schedules one price. The caller has locked its product or plan. */
  async add(transaction: Transaction, { period, actor, ...price }: NewPrice): Promise<Scheduled> {
    const { from, to = null } = period;
    const values = [from, to, price.planId ?? null, price.productId ?? null];
    const [other] = await transaction.query<{ id: number }>(OVERLAPPING, values);
    if (other) throw new DomainError('conflict', `This price ${inTheWay(String(other.id))}.`);
    const { manager } = transaction;
    const { id } = await manager.save(PriceSchedule, { fromAt: from, toAt: to, actor });
    await manager.insert(ScheduledPrice, { scheduleId: id, number: 1, ...price });
    const scheduled = { change: id, prices: 1, from, to };
    await this.record(transaction, scheduled, actor);
    return scheduled;
  }

  async record(transaction: Transaction, { change, ...details }: Scheduled, actor: string): Promise<void> {
    await this.audit.recordWithin(transaction, {
      actor,
      clientId: null,
      action: 'prices.scheduled',
      subject: subjectOf(change),
      details: { prices: details.prices, ...datesOf(details) },
    });
  }

  /** In words, for the answer of a command. */
  tell({ change, prices, from, to }: Scheduled): string {
    const dates = showPeriod(from, to, this.settings.timeZone);
    return `Scheduled change ${change}: ${prices === 1 ? '1 price' : `${prices} prices`} ${dates}.\n`;
  }

  /** By date. */
  list({ past = false }: { past?: boolean }, limit?: number): AsyncGenerator<ScheduledChange, number> {
    return this.database.stream<ScheduledChange>(LIST, [past], limit);
  }

  async show(id: number): Promise<ScheduledChange & { isDiscount: boolean }> {
    const [found] = await this.database.query<ScheduledChange & { isDiscount: boolean }>(SHOW, [id]);
    if (!found) throw notFound(id);
    return found;
  }

  async prices(id: number, limit?: number): Promise<AsyncGenerator<PriceOfChange, number>> {
    const [found] = await this.database.query<Found & object>(FIND, [id]);
    if (!found) throw notFound(id);
    return this.database.stream<PriceOfChange>(PRICE_LIST, [id], limit);
  }

  async page(past: boolean, after?: number): Promise<OnePage<ScheduledChange>> {
    const values = [past, after ?? null, PAGE_SIZE + 1];
    const found = await this.database.query<ScheduledChange & object>({ text: pageOf(past) }, values);
    return onePage(found, PAGE_SIZE);
  }

  async pricePage(id: number, after = 0): Promise<OnePage<PriceNumbered>> {
    const values = [id, after, PAGE_SIZE + 1];
    return onePage(await this.database.query<PriceNumbered>({ text: PRICE_PAGE }, values), PAGE_SIZE);
  }

  /** Before it begins, the whole change goes. Later, one with an end ends now. */
  withdraw(id: number, actor: string): Promise<Withdrawn> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(WAIT_FOR_NODES, [SCHEDULES_LOCK]);
      const [found] = await transaction.query<Found & object>(FIND, [id]);
      if (!found) throw notFound(id);
      const { from, to, prices, begun } = found;
      if (found.withdrawn) throw new DomainError('conflict', `Scheduled change ${id} was withdrawn before.`);
      if (found.closed || (begun && !to)) {
        const dates = showPeriod(from, to, this.settings.timeZone);
        throw new DomainError(
          'conflict',
          `Scheduled change ${id} (${dates}) has begun, and has no end to come. Set the prices again.`,
        );
      }
      const now = () => 'clock_timestamp()';
      const end = begun ? { toAt: () => 'least(to_at, clock_timestamp())' } : { closedAt: now };
      await transaction.manager.update(PriceSchedule, { id }, { withdrawnAt: now, ...end });
      const details = { prices, had_begun: begun, ...datesOf({ from, to }) };
      const deed = { action: 'prices.withdrawn', subject: subjectOf(id), details } as const;
      await this.audit.recordWithin(transaction, { ...deed, actor, clientId: null });
      return { change: id, prices, from, to, had_begun: begun };
    });
  }
}

/** The end of the sentence "this price …". An SQL expression may give the number. */
export function inTheWay(change: string): string {
  return `is in scheduled change ${change} at that time: withdraw that one first, or choose other dates`;
}

export function subjectOf(change: number): string {
  return `scheduled change ${change}`;
}

function datesOf({ from, to }: Pick<Scheduled, 'from' | 'to'>) {
  return { from: from.toISOString(), to: to?.toISOString() ?? null };
}

function notFound(id: number): DomainError {
  return new DomainError('scheduled_change_not_found', `There is no scheduled change ${id}.`);
}

/** An open schedule that names the plan. */
export async function scheduleOf(manager: EntityManager, planId: number): Promise<number | undefined> {
  const found = await manager
    .createQueryBuilder(PriceSchedule, 'schedule')
    .innerJoin(ScheduledPrice, 'price', 'price.scheduleId = schedule.id')
    .where('schedule.closedAt IS NULL AND price.planId = :planId', { planId })
    .getOne();
  return found?.id;
}
