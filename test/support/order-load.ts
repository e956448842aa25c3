import { setTimeout as pause } from 'node:timers/promises';
import type { OrderItemRequest } from '../../src/orders/placing/create-order.request.js';
import type { Store } from './fixtures.js';
import { inTheEnd } from './in-the-end.js';
import { orderBody } from './order-body.js';

interface LoadOptions {
  /** Where to send the next order: changes when a test moves the load to another node. */
  url: () => string;
  store: Store;
  items: (count: number) => OrderItemRequest[];
  workers?: number;
  /** How long a worker waits for an answer before it asks again. */
  patienceMs?: number;
}

let loads = 0;

/**
 * Stores that behave as they are asked to: whoever gets no answer, or a 503, repeats the order with the same id until it knows
 * what became of it.
 */
export class OrderLoad {
  /** Ids that were answered with 201 or 409, and the number that the answer named. */
  readonly acknowledged = new Map<string, string>();
  /** Orders for which a first answer got lost and a repetition was told that they exist. */
  recovered = 0;
  readonly statuses = new Map<number | string, number>();
  readonly latencies: number[] = [];
  private stopping = false;
  private abandoned = false;
  private count = 0;
  private readonly name = `load-${process.pid}-${loads++}`;
  private readonly workers: Promise<void>[];

  constructor(private readonly options: LoadOptions) {
    this.workers = Array.from({ length: options.workers ?? 8 }, () => this.work());
    // A suite that failed has nobody left who would answer.
    inTheEnd(() => (this.stopping = this.abandoned = true));
  }

  /** No new orders; those whose outcome is unknown are still asked for. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.workers);
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      const count = this.count++;
      await this.placeUntilKnown(`${this.name}-${count}`, this.options.items(count));
    }
  }

  private async placeUntilKnown(id: string, items: OrderItemRequest[]): Promise<void> {
    const body = JSON.stringify(orderBody(items, { store_order_id: id }));
    for (let attempt = 0; !this.abandoned; attempt++) {
      const outcome = await this.post(body);
      this.statuses.set(outcome.status, (this.statuses.get(outcome.status) ?? 0) + 1);
      if (outcome.status === 409 && attempt > 0) this.recovered++;
      if (outcome.status === 201 || outcome.status === 409) this.acknowledged.set(id, outcome.number);
      if (typeof outcome.status === 'number' && outcome.status < 500) return;
      await pause(20);
    }
  }

  private async post(body: string): Promise<{ status: number | string; number: string }> {
    const beganAt = performance.now();
    try {
      const response = await fetch(`${this.options.url()}/api/orders`, {
        method: 'POST',
        headers: { ...this.options.store.headers, 'Content-Type': 'application/json' },
        body,
        signal: AbortSignal.timeout(this.options.patienceMs ?? 15_000),
      });
      const { order_number: number } = (await response.json()) as { order_number: string };
      this.latencies.push(performance.now() - beganAt);
      return { status: response.status, number };
    } catch (error) {
      // No answer at all is what these suites are about: it is counted by its kind and the order is repeated.
      return {
        status: ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name,
        number: '',
      };
    }
  }
}
