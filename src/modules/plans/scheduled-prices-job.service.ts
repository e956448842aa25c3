import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { actAs, Database, type Transaction } from '../../platform/database/database.js';
import { PriceSchedule, type ScheduledPriceState } from './plan.entity.js';
import { scheduleEntry } from './price-schedules.service.js';
import { type DueSchedule, ScheduledPricesRepository } from './scheduled-prices.repository.js';

const INTERVAL_MS = 1_000;

/** The progress after a batch. */
interface BatchPosition {
  id: number;
  isOver: boolean;
  last: number;
}

/**
 * Applies the scheduled prices that are due by the database's clock, and restores the earlier ones at the
 * end. One node at a time applies a batch. After a crash any node continues.
 */
@Injectable()
export class ScheduledPricesJob extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly prices: ScheduledPricesRepository,
    private readonly audit: AuditLog,
  ) {
    super('scheduled_prices', INTERVAL_MS);
  }

  async run(): Promise<void> {
    let position: BatchPosition | undefined;
    for (
      let goesOn = await this.prices.isAnyDue();
      goesOn && !this.isStopping;
      goesOn = position !== undefined
    ) {
      const before = position;
      position = await this.database.transaction((transaction) => this.applyNext(transaction, before));
    }
  }

  /** Undefined if nothing is due, or another node applies it. */
  private async applyNext(
    transaction: Transaction,
    before: BatchPosition | undefined,
  ): Promise<BatchPosition | undefined> {
    const due = await this.prices.lockNext(transaction);
    if (!due) return undefined;
    await actAs(transaction, due.actor);
    const { id, isOver } = due;
    const after = before?.id === id && before.isOver === isOver ? before.last : 0;
    const state: ScheduledPriceState = isOver ? 'applied' : 'waiting';
    const last = await this.prices.writeBatch(transaction, id, after, state);
    // Prices that were left out stand before this position.
    if (last === null && after === 0) await this.complete(transaction, due);
    return { id, isOver, last: last ?? 0 };
  }

  private async complete(transaction: Transaction, { id, actor, isOver }: DueSchedule): Promise<void> {
    const { manager } = transaction;
    const { applied, isRate, ...atTheEnd } = await this.prices.outcome(transaction, id);
    const now = () => 'now()';
    const closedAt = () => 'CASE WHEN to_at IS NULL THEN now() END';
    await manager.update(PriceSchedule, { id }, isOver ? { closedAt: now } : { appliedAt: now, closedAt });
    const entry = isOver
      ? scheduleEntry('ended', id, isRate, atTheEnd)
      : scheduleEntry('applied', id, isRate, { prices: applied });
    await this.audit.recordWithin(transaction, { ...entry, actor });
  }
}
