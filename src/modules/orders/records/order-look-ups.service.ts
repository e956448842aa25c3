import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '../../../platform/errors/domain-error.js';
import { tooManyAtOnce } from '../../../platform/limits/concurrency-limit.js';
import { WorkSlots, type QueuedItem, FairQueue } from '../placing/fair-queue.js';
import type { StoreOrder } from './order-view.js';
import { OrderViewRepository } from './order-view.repository.js';

/** With fewer statements, more look-ups share each. */
const MAX_CONCURRENT_STATEMENTS = 1;

/** Orders may have a hundred lines; larger answers would hold up other requests. */
const MAX_BATCH_SIZE = 32;

/** Per client, as many as the requests of a token that may wait. */
const MAX_WAITING_PER_CLIENT = 256;

/** Same limit as for a connection. Keeps the total answer time under five seconds. */
const MAX_WAIT_MS = 2_000;

/** A look-up needs no lock, so none waits for another. */
const NO_SKUS: readonly string[] = [];
const NO_BUSY_SKUS: ReadonlySet<string> = new Set();

interface LookUp extends QueuedItem {
  number: string;
  since: number;
  resolve(order: StoreOrder | undefined): void;
  reject(error: unknown): void;
}

/**
 * Joins look-ups of single orders into shared statements: a round trip costs more than an order. A look-up
 * goes at once while none is under way; later ones share the next statement. No timer is involved.
 */
@Injectable()
export class OrderLookUpsService {
  private readonly waiting = new FairQueue<LookUp>();
  private readonly slots = new WorkSlots(MAX_CONCURRENT_STATEMENTS, () => this.startLookUps());

  constructor(private readonly orders: OrderViewRepository) {}

  /** Finds an order by our number or the client's id. */
  async find(clientId: number, number: string): Promise<StoreOrder | undefined> {
    if (this.waiting.countOf(clientId) >= MAX_WAITING_PER_CLIENT) throw tooManyAtOnce();
    return new Promise((resolve, reject) => {
      this.waiting.add({ clientId, number, skus: NO_SKUS, since: performance.now(), resolve, reject });
      this.startLookUps();
    });
  }

  private startLookUps(): void {
    while (!this.slots.areFull) {
      const next = this.waiting.take(MAX_BATCH_SIZE, NO_BUSY_SKUS);
      if (next.length === 0) return;
      const earliest = performance.now() - MAX_WAIT_MS;
      const inTime = next.filter(({ since }) => since >= earliest);
      for (const { since, reject } of next) if (since < earliest) reject(unavailable());
      if (inTime.length > 0) void this.lookUp(inTime);
    }
  }

  private async lookUp(batch: LookUp[]): Promise<void> {
    const release = this.slots.acquire();
    // The next statement starts before the answers are made.
    await this.answer(batch).finally(release);
  }

  /**
   * If one look-up makes the database refuse, the whole statement fails. The others must not suffer, so each
   * half is tried on its own.
   */
  private async answer(batch: LookUp[]): Promise<void> {
    try {
      const orders = await this.orders.findEach(batch);
      for (const [index, { resolve }] of batch.entries()) resolve(orders[index]);
    } catch (error) {
      // While the database is unavailable, halves would only fail later.
      if (batch.length === 1 || error instanceof DomainError)
        return batch.forEach(({ reject }) => reject(error));
      const middle = Math.ceil(batch.length / 2);
      await this.answer(batch.slice(0, middle));
      await this.answer(batch.slice(middle));
    }
  }
}
