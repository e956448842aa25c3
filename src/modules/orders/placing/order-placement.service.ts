import { Injectable } from '@nestjs/common';
import { subscriptionInactive } from '../../clients/refusals.js';
import { unavailable } from '../../../platform/errors/domain-error.js';
import type { Caller } from '../../../read-model/callers/caller.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { tooManyOrdersWaiting } from '../order-errors.js';
import { skusOf } from '../rules/order-lines.js';
import type { CreateOrderRequest } from './create-order.request.js';
import {
  OrderBatchService,
  type OrderToPlace,
  type Outcome,
  type PlacedOrder,
} from './order-batch.service.js';
import { PlanChanged } from './placing.repository.js';
import { Lanes, type Waiting, WaitingOrders } from './fair-queue.js';

/** A larger batch gains little, and its first order waits for its last. */
const MOST_TOGETHER = 64;

/** While one batch is written to the disk, the other is evaluated. */
const BATCHES_AT_ONCE = 2;

/** Waiting orders of one client. A token may have as many waiting requests. */
const MOST_WAITING = 256;

interface WaitingOrder extends Waiting {
  order: OrderToPlace;
  patience: NodeJS.Timeout;
  settle(outcome: Outcome): void;
}

/**
 * Orders that arrive while others are placed wait for the next batch, which takes them all. Batches at the
 * same time have no SKU in common, so they never wait for each other's stock.
 */
@Injectable()
export class OrderPlacementService {
  /** Same limit as for a connection. Keeps the total answer time under five seconds. */
  waitsMs = 2_000;

  private readonly waiting = new WaitingOrders<WaitingOrder>();
  /** The SKUs of the batches under way. */
  private readonly busy = new Set<string>();
  /** A batch may have to wait for a row that another transaction has locked. */
  private readonly lanes = new Lanes(BATCHES_AT_ONCE, () => this.begin());

  constructor(
    private readonly batches: OrderBatchService,
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
  ) {}

  get waitingCount(): number {
    return this.waiting.count;
  }

  /**
   * The client's next read from this node sees the hold of the order. The guard's knowledge of the caller is
   * a moment old. If the plan has changed since, the new one counts.
   */
  async place(caller: Caller, request: CreateOrderRequest, idempotencyKey?: string): Promise<PlacedOrder> {
    const hints = this.suggestions.hintsFor(skusOf(request.items));
    let outcome = await this.join({ caller, request, idempotencyKey, hints });
    if ('refusal' in outcome && outcome.refusal instanceof PlanChanged) {
      await this.snapshot.refreshAfterWrite();
      outcome = await this.join({ caller: this.asOfNow(caller), request, idempotencyKey, hints });
    }
    if ('placed' in outcome) return outcome.placed;
    throw outcome.refusal;
  }

  private asOfNow({ client, token }: Caller): Caller {
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) throw subscriptionInactive();
    return { client, token, subscription, plan: subscription.plan };
  }

  private join(order: OrderToPlace): Promise<Outcome> {
    return new Promise((settle) => this.wait(order, settle));
  }

  private wait(order: OrderToPlace, settle: (outcome: Outcome) => void): void {
    const clientId = order.caller.client.id;
    if (this.waiting.of(clientId) >= MOST_WAITING) return settle({ refusal: tooManyOrdersWaiting() });
    const patience = setTimeout(() => {
      this.waiting.leave(waiting);
      settle({ refusal: unavailable() });
    }, this.waitsMs).unref();
    const waiting = { order, clientId, skus: skusOf(order.request.items), patience, settle };
    this.waiting.join(waiting);
    // Earlier orders were checked at the last change. This one does not change what they wait for.
    if (!waiting.skus.some((sku) => this.busy.has(sku))) this.begin();
  }

  private begin(): void {
    while (!this.lanes.areFull) {
      const batch = this.waiting.take(MOST_TOGETHER, this.busy);
      if (batch.length === 0) return;
      void this.run(batch);
    }
  }

  private async run(batch: WaitingOrder[]): Promise<void> {
    for (const { patience } of batch) clearTimeout(patience);
    const skus = batch.flatMap((order) => order.skus);
    for (const sku of skus) this.busy.add(sku);
    const end = this.lanes.begin();
    const outcomes = await this.outcomesOf(batch).finally(() => {
      for (const sku of skus) this.busy.delete(sku);
      end();
    });
    const placed = batch.filter((_, index) => 'placed' in outcomes[index]!);
    // A store that reads the stock after its order must see its own hold.
    if (placed.length > 0) this.snapshot.refreshFor(placed.map(({ clientId }) => clientId));
    for (const [index, { settle }] of batch.entries()) settle(outcomes[index]!);
  }

  /** A batch refuses single orders by their outcomes. An error of all is a bug, and each order gets it. */
  private async outcomesOf(batch: WaitingOrder[]): Promise<Outcome[]> {
    try {
      return await this.batches.placeTogether(batch.map(({ order }) => order));
    } catch (refusal) {
      return batch.map(() => ({ refusal }));
    }
  }
}
