import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { isPlainObject } from '../../platform/validation/named-fields.js';
import { hourOf } from '../../store-requests/recording/request-counts.js';
import { ownText } from '../../store-requests/rules/own-text.js';
import { askedItems } from './asked-items.js';
import { keptReasons } from './kept-reasons.js';
import { REFUSAL_LIMITS } from './refusal-limits.js';
import { RefusedOrdersRepository } from './refused-orders.repository.js';

const KEPT_MS = 30 * 86_400_000;

/** What is refused while this many wait to be written is only counted. */
const MAX_WAITING = 100;

/**
 * Why orders were refused, kept for 30 days and without the customer's data. A client that sends nothing but nonsense must not fill the
 * disk: when its hour is full the rest is counted, here, and added up in the database once in a while.
 */
@Injectable()
export class RefusedOrders implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusedOrders.name);
  private readonly waiting = new Set<Promise<void>>();
  /** Clients whose hour is full, and which: the database is not asked again. */
  private readonly full = new Map<number, number>();
  private uncounted = new Map<number, number>();
  /** For the metrics. */
  readonly outcomes = { kept: 0, left_out: 0 };

  constructor(private readonly refused: RefusedOrdersRepository) {}

  /** Writes behind the caller's back: a refusal must neither wait for this nor fail with it. */
  record(clientId: number, body: unknown, error: DomainError): void {
    if (this.waiting.size >= MAX_WAITING || this.full.get(clientId) === thisHour())
      return this.leaveOut(clientId);
    const written = this.write(clientId, body, error).finally(() => this.waiting.delete(written));
    this.waiting.add(written);
  }

  /** Resolves when everything recorded so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting);
  }

  /** Adds up what was left out, and forgets a batch of what is too old. */
  async keepUp(batchSize: number): Promise<void> {
    for (const [clientId, hour] of this.full) if (hour !== thisHour()) this.full.delete(clientId);
    await this.count();
    await this.refused.forget(new Date(Date.now() - KEPT_MS), batchSize);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
    await this.count();
  }

  private async write(
    clientId: number,
    body: unknown,
    { code, message, errors }: DomainError,
  ): Promise<void> {
    try {
      const reasons = keptReasons(errors ?? [{ field: '', code, message }], REFUSAL_LIMITS.reasonsBytes);
      const storeOrderId = ownText(isPlainObject(body) ? body.store_order_id : undefined);
      const refusal = { clientId, storeOrderId, code, asked: askedItems(body), reasons };
      if (await this.refused.keepIfRoom(refusal)) return void this.outcomes.kept++;
      this.full.set(clientId, thisHour());
    } catch (error) {
      this.logger.warn(`A refused order of client ${clientId} was not written down: ${String(error)}`);
    }
    this.leaveOut(clientId);
  }

  private leaveOut(clientId: number): void {
    this.outcomes.left_out++;
    this.uncounted.set(clientId, (this.uncounted.get(clientId) ?? 0) + 1);
  }

  private async count(): Promise<void> {
    if (this.uncounted.size === 0) return;
    const counts = this.uncounted;
    this.uncounted = new Map();
    try {
      await this.refused.addLeftOut(counts);
    } catch (error) {
      this.logger.warn(`The refused orders of ${counts.size} clients were not counted: ${String(error)}`);
    }
  }
}

function thisHour(): number {
  return hourOf(Date.now());
}
