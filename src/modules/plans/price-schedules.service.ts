import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { showPeriod } from '../../platform/time/time.js';
import { PriceSchedule, ScheduledPrice } from './plan.entity.js';
import {
  type ChangeOfKind,
  type PriceNumbered,
  type PriceOfChange,
  PriceSchedulesRepository,
  type Scheduled,
  type ScheduledChange,
} from './price-schedules.repository.js';

export interface Dates {
  from?: Date;
  to?: Date;
}

export type Period = Dates & { from: Date };

interface NewPrice {
  planId?: number;
  productId?: number;
  isRate?: boolean;
  value: string;
  period: Period;
  actor: string;
}

interface Withdrawn extends Scheduled {
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
  async periodOf({ from, to }: Dates): Promise<Period | undefined> {
    if (!from && to) throw new DomainError('invalid_value', 'An end date needs a start date.');
    if (!from) return undefined;
    const dates = showPeriod(from, to ?? null, this.settings.timeZone);
    if (to && to <= from)
      throw new DomainError('invalid_value', `The prices would end before they begin (${dates}).`);
    if (await this.schedules.isPast(from))
      throw new DomainError('invalid_value', `The prices would begin in the past (${dates}).`);
    return { from, to };
  }

  /** Schedules one price. The caller has locked its product or plan. */
  async add(transaction: Transaction, { period, actor, ...price }: NewPrice): Promise<Scheduled> {
    const { from, to = null } = period;
    const other = await this.schedules.overlapping(transaction, period, price);
    if (other !== undefined)
      throw new DomainError(
        'conflict',
        `This ${price.isRate ? 'rate' : 'price'} ${inTheWay(String(other))}.`,
      );
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

  /** A sentence for the answer of a command. */
  tell({ change, prices, from, to }: Scheduled, what = 'price'): string {
    const dates = showPeriod(from, to, this.settings.timeZone);
    return `Scheduled change ${change}: ${prices} ${what}${prices === 1 ? '' : 's'} ${dates}.\n`;
  }

  /** By date. */
  list({ past = false }: { past?: boolean }, limit?: number): AsyncGenerator<ScheduledChange, number> {
    return this.schedules.list(past, limit);
  }

  async show(id: number): Promise<ChangeOfKind> {
    const found = await this.schedules.show(id);
    if (!found) throw notFound(id);
    return found;
  }

  async prices(id: number, limit?: number): Promise<AsyncGenerator<PriceOfChange, number>> {
    if (!(await this.schedules.find(id))) throw notFound(id);
    return this.schedules.prices(id, limit);
  }

  page(past: boolean, after: number | undefined, most: number): Promise<ScheduledChange[]> {
    return this.schedules.page(past, after, most);
  }

  pricePage(id: number, after: number | undefined, most: number): Promise<PriceNumbered[]> {
    return this.schedules.pricePage(id, after ?? 0, most);
  }

  /** Cancels a change before it starts. A running change with an end ends now. */
  withdraw(id: number, actor: string): Promise<Withdrawn> {
    return this.database.transaction(async (transaction) => {
      await this.schedules.lockNodes(transaction);
      const found = await this.schedules.find(id, transaction);
      if (!found) throw notFound(id);
      const { from, to, prices, begun } = found;
      if (found.withdrawn) throw new DomainError('conflict', `Scheduled change ${id} was withdrawn already.`);
      if (found.closed || (begun && !to)) {
        const dates = showPeriod(from, to, this.settings.timeZone);
        throw new DomainError(
          'conflict',
          `Scheduled change ${id} (${dates}) has started and cannot be withdrawn. Set the prices again.`,
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

/** The end of the sentence "this price …". The number may be an SQL format placeholder. */
export function inTheWay(change: string): string {
  return `is in scheduled change ${change} at that time: withdraw that change first, or choose other dates`;
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

/** The id of an open schedule with prices of the plan. */
export async function scheduleOf(manager: EntityManager, planId: number): Promise<number | undefined> {
  const found = await manager
    .createQueryBuilder(PriceSchedule, 'schedule')
    .innerJoin(ScheduledPrice, 'price', 'price.scheduleId = schedule.id')
    .where('schedule.closedAt IS NULL AND price.planId = :planId', { planId })
    .getOne();
  return found?.id;
}
