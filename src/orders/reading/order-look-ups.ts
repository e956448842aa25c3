import { Injectable } from '@nestjs/common';
import { unavailable } from '../../platform/errors/domain-error.js';
import { Lanes } from '../../platform/piecework/lanes.js';
import { tooManyAtOnce } from '../../platform/rate-limit/rate-limiter.js';
import { type Waiting, WaitingOrders } from '../placing/batches/waiting-orders.js';
import type { OrderRecord } from './order-record.js';
import { OrderReadsRepository } from './order-reads.repository.js';

/** The fewer, the more of them share each. */
const STATEMENTS_AT_ONCE = 1;

/** Orders may have a hundred lines: the answers to more of them would hold up the neighbours. */
const MOST_TOGETHER = 32;

/** Of one client; a token may have as many requests wait for a place. */
const MOST_WAITING = 256;

/** As long as for a connection: with the time for the statement an answer is there within five seconds. */
const WAITS_MS = 2_000;

/** A look-up wants nothing that another one could be busy with. */
const NONE: readonly string[] = [];
const NOTHING: ReadonlySet<string> = new Set();

interface LookUp extends Waiting {
  number: string;
  since: number;
  found(order: OrderRecord | undefined): void;
  failed(error: unknown): void;
}

/**
 * Looks up orders one by one for whoever asks, and together in the database: the way there and back costs more than an order. One that comes
 * while nothing is under way goes at once, and those that come meanwhile share the next statement; nobody waits for a clock.
 */
@Injectable()
export class OrderLookUps {
  private readonly waiting = new WaitingOrders<LookUp>();
  private readonly lanes = new Lanes(STATEMENTS_AT_ONCE, () => this.begin());

  constructor(private readonly orders: OrderReadsRepository) {}

  /** By our number or the client's own id. */
  async find(clientId: number, number: string): Promise<OrderRecord | undefined> {
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
    try {
      const orders = await this.orders.findEach(together);
      for (const [index, { found }] of together.entries()) found(orders[index]);
    } catch (error) {
      for (const { failed } of together) failed(error);
    }
    // What waits is on its way before the answers are made.
    end();
  }
}
