import { setTimeout as pause } from 'node:timers/promises';
import type { OrderItemRequest } from '../../src/modules/orders/placing/create-order.request.js';
import type { Store } from './fixtures.js';
import { atSuiteEnd } from './suite-end.js';
import { orderBody } from './order-body.js';

interface LoadOptions {
  /** The target of the next order; changes when a test moves the load to another node. */
  url: () => string;
  store: Store;
  items: (count: number) => OrderItemRequest[];
  workers?: number;
  /** The time after which a worker repeats an unanswered order. */
  patienceMs?: number;
}

let loads = 0;

/**
 * Well-behaved stores: after no answer, or a 503, they repeat the order with the same id until they know its
 * outcome.
 */
export class OrderLoad {
  /** Ids that were answered with 201 or 409, with the order number of the answer. */
  readonly acknowledged = new Map<string, string>();
  /** Orders whose first answer was lost, and whose repetition got 409. */
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
    // A failed suite has no server any more that could answer.
    atSuiteEnd(() => (this.stopping = this.abandoned = true));
  }

  /** Stops placing new orders, and waits until all outcomes are known. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.workers);
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      const count = this.count++;
      await this.placeUntilAnswered(`${this.name}-${count}`, this.options.items(count));
    }
  }

  private async placeUntilAnswered(id: string, items: OrderItemRequest[]): Promise<void> {
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
      const isUnexplained = response.status === 503 && !response.headers.has('Retry-After');
      return { status: isUnexplained ? '503 without Retry-After' : response.status, number };
    } catch (error) {
      // A missing answer is expected in these suites: it is counted by its kind, and the order is repeated.
      return {
        status: ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name,
        number: '',
      };
    }
  }
}
