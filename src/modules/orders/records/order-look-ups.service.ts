import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '../../../platform/errors/domain-error.js';
import { tooManyAtOnce } from '../../../platform/limits/concurrency-limit.js';
import { Lanes, type Waiting, WaitingOrders } from '../placing/fair-queue.js';
import type { StoreOrder } from './order-view.js';
import { OrderViewRepository } from './order-view.repository.js';

/** With fewer statements, more look-ups share each. */
const STATEMENTS_AT_ONCE = 1;

/** Orders may have a hundred lines; larger answers would hold up other requests. */
const MOST_TOGETHER = 32;

/** Per client, as many as the requests of a token that may wait. */
const MOST_WAITING = 256;

/** Same limit as for a connection. Keeps the total answer time under five seconds. */
const WAITS_MS = 2_000;

/** A look-up needs no lock, so none waits for another. */
const NONE: readonly string[] = [];
const NOTHING: ReadonlySet<string> = new Set();

interface LookUp extends Waiting {
  number: string;
  since: number;
  found(order: StoreOrder | undefined): void;
  failed(error: unknown): void;
}

/**
 * Joins look-ups of single orders into shared statements: a round trip costs more than an order. A look-up
 * goes at once while none is under way; later ones share the next statement. No timer is involved.
 */
@Injectable()
export class OrderLookUpsService {
  private readonly waiting = new WaitingOrders<LookUp>();
  private readonly lanes = new Lanes(STATEMENTS_AT_ONCE, () => this.begin());

  constructor(private readonly orders: OrderViewRepository) {}

  /** Finds an order by our number or the client's id. */
  async find(clientId: number, number: string): Promise<StoreOrder | undefined> {
    if (this.waiting.of(clientId) >= MOST_WAITING) throw tooManyAtOnce();
    return new Promise((found, failed) => {
      this.waiting.join({ clientId, number, skus: NONE, since: performance.now(), found, failed });
      this.begin();
    });
  }

  private begin(): void {
    while (!this.lanes.areFull) {
      const next = this.waiting.take(MOST_TOGETHER, NOTHING);
      if (next.length === 0) return;
      const earliest = performance.now() - WAITS_MS;
      const inTime = next.filter(({ since }) => since >= earliest);
      for (const { since, failed } of next) if (since < earliest) failed(unavailable());
      if (inTime.length > 0) void this.lookUp(inTime);
    }
  }

  private async lookUp(together: LookUp[]): Promise<void> {
    const end = this.lanes.begin();
    // The next statement starts before the answers are made.
    await this.answer(together).finally(end);
  }

  /**
   * If one look-up makes the database refuse, the whole statement fails. The others must not suffer, so each
   * half is tried on its own.
   */
  private async answer(together: LookUp[]): Promise<void> {
    try {
      const orders = await this.orders.findEach(together);
      for (const [index, { found }] of together.entries()) found(orders[index]);
    } catch (error) {
      // While the database is unavailable, halves would only fail later.
      if (together.length === 1 || error instanceof DomainError)
        return together.forEach(({ failed }) => failed(error));
      const middle = Math.ceil(together.length / 2);
      await this.answer(together.slice(0, middle));
      await this.answer(together.slice(middle));
    }
  }
}
