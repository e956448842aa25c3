import { Injectable } from '@nestjs/common';
import { noSubscription, subscriptionInactive } from '../../clients/refusals.js';
import { unavailable } from '../../../platform/errors/domain-error.js';
import type { OrderingClient } from '../../../read-model/callers/caller.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { currentPayer, type Payer, workFor } from '../../../platform/limits/work-meter.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { tooManyOrdersWaiting } from '../order-errors.js';
import { skusOf } from '../rules/order-lines.js';
import type { CreateOrderRequest } from './create-order.request.js';
import {
  OrderBatchService,
  type OrderToPlace,
  type PlacementOutcome,
  type PlacedOrder,
} from './order-batch.service.js';
import { type OrderEntry, PlanChangedError } from './placing.repository.js';
import { WorkSlots, type QueuedItem, FairQueue } from './fair-queue.js';

/** A larger batch gains little, and its first order waits for its last. */
const MAX_BATCH_SIZE = 64;

/** While one batch is written to the disk, the other is evaluated. */
const MAX_CONCURRENT_BATCHES = 2;

/** Waiting orders of one client. A token may have as many waiting requests. */
const MAX_WAITING_PER_CLIENT = 256;

interface WaitingOrder extends QueuedItem {
  payer: Payer | undefined;
  order: OrderToPlace;
  timeout: NodeJS.Timeout;
  settle(outcome: PlacementOutcome): void;
}

/**
 * Orders that arrive while others are placed wait for the next batch, which takes them all. Batches at the
 * same time have no SKU in common, so they never wait for each other's stock.
 */
@Injectable()
export class OrderPlacementService {
  /** Same limit as for a connection. Keeps the total answer time under five seconds. */
  maxWaitMs = 2_000;

  private readonly waiting = new FairQueue<WaitingOrder>();
  /** The SKUs of the batches under way. */
  private readonly busySkus = new Set<string>();
  /** A batch may have to wait for a row that another transaction has locked. */
  private readonly slots = new WorkSlots(MAX_CONCURRENT_BATCHES, () => this.startBatches());

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
  async place(
    caller: OrderingClient,
    request: CreateOrderRequest,
    idempotencyKey?: string,
    entry?: OrderEntry,
  ): Promise<PlacedOrder> {
    const hints = this.suggestions.hintsFor(skusOf(request.items));
    const order = { caller, request, idempotencyKey, entry, hints };
    let outcome = await this.enqueue(order);
    if ('refusal' in outcome && outcome.refusal instanceof PlanChangedError) {
      await this.snapshot.refreshAfterWrite();
      outcome = await this.enqueue({ ...order, caller: this.withCurrentPlan(caller) });
    }
    if ('placed' in outcome) return outcome.placed;
    throw outcome.refusal;
  }

  private withCurrentPlan({ client, token }: OrderingClient): OrderingClient {
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) throw token ? subscriptionInactive() : noSubscription();
    return { client, token, subscription, plan: subscription.plan };
  }

  private enqueue(order: OrderToPlace): Promise<PlacementOutcome> {
    return new Promise((settle) => this.wait(order, settle));
  }

  private wait(order: OrderToPlace, settle: (outcome: PlacementOutcome) => void): void {
    const clientId = order.caller.client.id;
    if (this.waiting.countOf(clientId) >= MAX_WAITING_PER_CLIENT)
      return settle({ refusal: tooManyOrdersWaiting() });
    const timeout = setTimeout(() => {
      this.waiting.remove(waiting);
      settle({ refusal: unavailable() });
    }, this.maxWaitMs).unref();
    const payer = currentPayer();
    const waiting = { payer, order, clientId, skus: skusOf(order.request.items), timeout, settle };
    this.waiting.add(waiting);
    // Earlier orders were checked at the last change. This one does not change what they wait for.
    if (!waiting.skus.some((sku) => this.busySkus.has(sku))) this.startBatches();
  }

  private startBatches(): void {
    while (!this.slots.areFull) {
      const batch = this.waiting.take(MAX_BATCH_SIZE, this.busySkus);
      if (batch.length === 0) return;
      void workFor(sharedBy(batch), () => this.runBatch(batch));
    }
  }

  private async runBatch(batch: WaitingOrder[]): Promise<void> {
    for (const { timeout } of batch) clearTimeout(timeout);
    const skus = batch.flatMap((order) => order.skus);
    for (const sku of skus) this.busySkus.add(sku);
    const release = this.slots.acquire();
    const outcomes = await this.outcomesOf(batch).finally(() => {
      for (const sku of skus) this.busySkus.delete(sku);
      release();
    });
    const placed = batch.filter((_, index) => 'placed' in outcomes[index]!);
    // A store that reads the stock after its order must see its own hold.
    if (placed.length > 0) this.snapshot.refreshFor(placed.map(({ clientId }) => clientId));
    for (const [index, { settle }] of batch.entries()) settle(outcomes[index]!);
  }

  /** A batch refuses single orders by their outcomes. An error of all is a bug, and each order gets it. */
  private async outcomesOf(batch: WaitingOrder[]): Promise<PlacementOutcome[]> {
    try {
      return await this.batches.placeBatch(batch.map(({ order }) => order));
    } catch (refusal) {
      return batch.map(() => ({ refusal }));
    }
  }
}

/** Each order pays the same part of its batch. */
function sharedBy(batch: readonly WaitingOrder[]): Payer {
  return {
    charge: (units) => {
      for (const { payer } of batch) payer?.charge(units / batch.length);
    },
  };
}
