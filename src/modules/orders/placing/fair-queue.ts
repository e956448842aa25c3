/** The part of an order that decides when it is taken. */
export interface QueuedItem {
  clientId: number;
  skus: readonly string[];
}

/** Orders further behind are nearly always blocked as well. */
const MAX_EXAMINED = 256;

/** Waiting orders by client, in the order of the clients' turns. */
export class FairQueue<Item extends QueuedItem> {
  private readonly queues = new Map<number, Item[]>();

  get count(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  countOf(clientId: number): number {
    return this.queues.get(clientId)?.length ?? 0;
  }

  add(order: Item): void {
    const queue = this.queues.get(order.clientId);
    if (queue) queue.push(order);
    else this.queues.set(order.clientId, [order]);
  }

  remove(order: Item): void {
    this.removeFrom(new Set([order]), [order.clientId]);
  }

  /**
   * Takes one order of each client, then a second of each, so that one client cannot delay the others. An
   * order with a busy SKU stays, and later orders with one of its SKUs do not overtake it.
   */
  take(maxItems: number, busy: ReadonlySet<string>): Item[] {
    const blocked = new Set(busy);
    const taken = new Set<Item>();
    let examined = 0;
    for (const order of this.roundRobin()) {
      if (taken.size === maxItems || examined++ === MAX_EXAMINED) break;
      if (!order.skus.some((sku) => blocked.has(sku))) taken.add(order);
      else for (const sku of order.skus) blocked.add(sku);
    }
    const served = [...new Set([...taken].map(({ clientId }) => clientId))];
    this.removeFrom(taken, served);
    return [...taken];
  }

  private *roundRobin(): Generator<Item> {
    const queues = [...this.queues.values()];
    for (let position = 0, isAnyLeft = true; isAnyLeft; position++) {
      isAnyLeft = false;
      for (const queue of queues) {
        const order = queue[position];
        if (!order) continue;
        isAnyLeft = true;
        yield order;
      }
    }
  }

  /** A client that was served comes last the next time. */
  private removeFrom(orders: ReadonlySet<Item>, clientIds: readonly number[]): void {
    for (const clientId of clientIds) {
      const left = this.queues.get(clientId)!.filter((order) => !orders.has(order));
      this.queues.delete(clientId);
      if (left.length > 0) this.queues.set(clientId, left);
    }
  }
}

/** Work that takes this long waits for a lock that only it needs. */
const DELAYED_AFTER_MS = 250;

/** The default pool has connections for all of them. */
const MAX_DELAYED = 2;

/** Limits how much work runs at a time. Up to two delayed works do not count, so that others continue. */
export class WorkSlots {
  private running = 0;
  private delayed = 0;

  constructor(
    private readonly count: number,
    /** Starts waiting work while slots are free. */
    private readonly startNext: () => void,
  ) {}

  get areFull(): boolean {
    return this.running - Math.min(this.delayed, MAX_DELAYED) >= this.count;
  }

  /** Returns the function that ends the work and starts the next. */
  acquire(): () => void {
    this.running++;
    let isDelayed = false;
    const delayTimer = setTimeout(() => {
      isDelayed = true;
      this.delayed++;
      this.startNext();
    }, DELAYED_AFTER_MS);
    return () => {
      clearTimeout(delayTimer);
      if (isDelayed) this.delayed--;
      this.running--;
      this.startNext();
    };
  }
}
