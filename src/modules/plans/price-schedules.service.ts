import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails } from '../audit/audit-entry.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { readDatabaseClock } from '../../platform/database/database-clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { formatPeriod } from '../../platform/time/time.js';
import { PriceSchedule, ScheduledPrice } from './plan.entity.js';
import {
  type ChangeOfKind,
  type NumberedPrice,
  type PlanColumn,
  PriceSchedulesRepository,
  type ScheduleSummary,
  type ScheduledChange,
} from './price-schedules.repository.js';

export interface ScheduleDates {
  from?: Date;
  to?: Date;
}

export type SchedulePeriod = ScheduleDates & { from: Date };

interface NewPrice {
  planId?: number;
  productId?: number;
  isRate?: boolean;
  value: string;
  period: SchedulePeriod;
  actor: string;
}

interface WithdrawalResult extends ScheduleSummary {
  had_begun: boolean;
}

/** Schedules, lists and withdraws price changes. A job applies them. */
@Injectable()
export class PriceSchedules {
  constructor(
    private readonly database: Database,
    private readonly schedules: PriceSchedulesRepository,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Undefined if no date is given: the prices change now. */
  async periodOf({ from, to }: ScheduleDates): Promise<SchedulePeriod | undefined> {
    if (!from && to) throw new DomainError('invalid_value', 'An end date needs a start date.');
    if (!from) return undefined;
    const dates = formatPeriod(from, to ?? null, this.settings.timeZone);
    if (to && to <= from)
      throw new DomainError('invalid_value', `The prices would end before they begin (${dates}).`);
    if (from <= (await readDatabaseClock(this.database)))
      throw new DomainError('invalid_value', `The prices would begin in the past (${dates}).`);
    return { from, to };
  }

  /** Schedules one price. The caller has locked its product or plan. */
  async add(transaction: Transaction, { period, actor, ...price }: NewPrice): Promise<ScheduleSummary> {
    const { from, to = null } = period;
    const other = await this.schedules.overlapping(transaction, period, price);
    if (other !== undefined)
      throw new DomainError(
        'conflict',
        `This ${price.isRate ? 'rate' : 'price'} ${overlapMessage(String(other))}.`,
      );
    const { manager } = transaction;
    const { id } = await manager.save(PriceSchedule, { fromAt: from, toAt: to, actor });
    await manager.insert(ScheduledPrice, { scheduleId: id, number: 1, ...price });
    const scheduled = { change: id, prices: 1, from, to };
    await this.record(transaction, scheduled, actor, price.isRate);
    return scheduled;
  }

  async record(
    transaction: Transaction,
    { change, prices, ...dates }: ScheduleSummary,
    actor: string,
    isRate = false,
    file?: string,
  ): Promise<void> {
    const details = { prices, ...(file !== undefined && { file }), ...datesOf(dates) };
    const entry = scheduleEntry('scheduled', change, isRate, details);
    await this.audit.recordWithin(transaction, { ...entry, actor });
  }

  /** A sentence for the answer of a command. */
  describe({ change, prices, from, to }: ScheduleSummary, what = 'price'): string {
    const dates = formatPeriod(from, to, this.settings.timeZone);
    return `Scheduled change ${change}: ${prices} ${what}${prices === 1 ? '' : 's'} ${dates}.\n`;
  }

  async show(id: number): Promise<ChangeOfKind> {
    const schedule = await this.schedules.show(id);
    if (!schedule) throw scheduleNotFound(id);
    return schedule;
  }

  page(
    past: boolean,
    after: number | undefined,
    limit: number,
    planColumn: PlanColumn = 'name',
  ): Promise<ScheduledChange[]> {
    return this.schedules.page(past, after, limit, planColumn);
  }

  pricePage(
    id: number,
    after: number | undefined,
    limit: number,
    planColumn: PlanColumn = 'name',
  ): Promise<NumberedPrice[]> {
    return this.schedules.pricePage(id, after ?? 0, limit, planColumn);
  }

  /** Cancels a change before it starts. A running change with an end ends now. */
  withdraw(id: number, actor: string): Promise<WithdrawalResult> {
    return this.database.transaction(async (transaction) => {
      await this.schedules.lockNodes(transaction);
      const schedule = await this.schedules.find(id, transaction);
      if (!schedule) throw scheduleNotFound(id);
      const { from, to, prices, isRate, begun: hasStarted } = schedule;
      if (schedule.withdrawn)
        throw new DomainError('conflict', `Scheduled change ${id} was withdrawn already.`);
      if (schedule.closed || (hasStarted && !to)) {
        const dates = formatPeriod(from, to, this.settings.timeZone);
        throw new DomainError(
          'conflict',
          `Scheduled change ${id} (${dates}) has started and cannot be withdrawn. Set the prices again.`,
        );
      }
      const now = () => 'clock_timestamp()';
      const end = hasStarted ? { toAt: () => 'least(to_at, clock_timestamp())' } : { closedAt: now };
      await transaction.manager.update(PriceSchedule, { id }, { withdrawnAt: now, ...end });
      const details = { prices, had_begun: hasStarted, ...datesOf({ from, to }) };
      await this.audit.recordWithin(transaction, {
        ...scheduleEntry('withdrawn', id, isRate, details),
        actor,
      });
      return { change: id, prices, from, to, had_begun: hasStarted };
    });
  }
}

/** The end of the sentence "this price …". The number may be an SQL format placeholder. */
export function overlapMessage(change: string): string {
  return `is in scheduled change ${change} at that time: withdraw that change first, or choose other dates`;
}

/** The audit entry of a scheduled change of prices, or of GST rates. */
export function scheduleEntry(
  step: 'scheduled' | 'applied' | 'ended' | 'withdrawn',
  change: number,
  isRate: boolean,
  { prices, ...details }: AuditDetails,
) {
  const what = isRate ? 'gst_rates' : 'prices';
  return {
    action: `${what}.${step}`,
    subject: `scheduled change ${change}`,
    clientId: null,
    details: { ...(prices !== undefined && { [what]: prices }), ...details },
  } as const;
}

function datesOf({ from, to }: Pick<ScheduleSummary, 'from' | 'to'>) {
  return { from: from.toISOString(), to: to?.toISOString() ?? null };
}

function scheduleNotFound(id: number): DomainError {
  return new DomainError('scheduled_change_not_found', `There is no scheduled change ${id}.`);
}

/** The id of an open schedule with prices of the plan. */
export async function findOpenSchedule(manager: EntityManager, planId: number): Promise<number | undefined> {
  const schedule = await manager
    .createQueryBuilder(PriceSchedule, 'schedule')
    .innerJoin(ScheduledPrice, 'price', 'price.scheduleId = schedule.id')
    .where('schedule.closedAt IS NULL AND price.planId = :planId', { planId })
    .getOne();
  return schedule?.id;
}
