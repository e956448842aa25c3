/** The part of an order that decides when it is taken. */
export interface Waiting {
  clientId: number;
  skus: readonly string[];
}

/** Orders further behind are nearly always blocked as well. */
const MOST_LOOKED_AT = 256;

/** Waiting orders by client, in the order of the clients' turns. */
export class WaitingOrders<Order extends Waiting> {
  private readonly lines = new Map<number, Order[]>();

  get count(): number {
    return [...this.lines.values()].reduce((sum, { length }) => sum + length, 0);
  }

  of(clientId: number): number {
    return this.lines.get(clientId)?.length ?? 0;
  }

  join(order: Order): void {
    const line = this.lines.get(order.clientId);
    if (line) line.push(order);
    else this.lines.set(order.clientId, [order]);
  }

  leave(order: Order): void {
    this.remove(new Set([order]), [order.clientId]);
  }

  /**
   * Takes one order of each client, then a second of each, so that one client cannot delay the others. An
   * order with a busy SKU stays, and later orders with one of its SKUs do not overtake it.
   */
  take(most: number, busy: ReadonlySet<string>): Order[] {
    const blocked = new Set(busy);
    const taken = new Set<Order>();
    let lookedAt = 0;
    for (const order of this.inTurn()) {
      if (taken.size === most || lookedAt++ === MOST_LOOKED_AT) break;
      if (!order.skus.some((sku) => blocked.has(sku))) taken.add(order);
      else for (const sku of order.skus) blocked.add(sku);
    }
    const served = [...new Set([...taken].map(({ clientId }) => clientId))];
    this.remove(taken, served);
    return [...taken];
  }

  private *inTurn(): Generator<Order> {
    const lines = [...this.lines.values()];
    for (let place = 0, found = true; found; place++) {
      found = false;
      for (const line of lines) {
        const order = line[place];
        if (!order) continue;
        found = true;
        yield order;
      }
    }
  }

  /** A client that was served comes last the next time. */
  private remove(orders: ReadonlySet<Order>, clientIds: readonly number[]): void {
    for (const clientId of clientIds) {
      const left = this.lines.get(clientId)!.filter((order) => !orders.has(order));
      this.lines.delete(clientId);
      if (left.length > 0) this.lines.set(clientId, left);
    }
  }
}

/** Work that takes this long waits for a lock that only it needs. */
const HELD_UP_MS = 250;

/** The default pool has connections for all of them. */
const MOST_HELD_UP = 2;

/** Limits how much work runs at a time. Up to two delayed works do not count, so that others continue. */
export class Lanes {
  private underWay = 0;
  private heldUp = 0;

  constructor(
    private readonly count: number,
    /** Starts waiting work while slots are free. */
    private readonly goOn: () => void,
  ) {}

  get areFull(): boolean {
    return this.underWay - Math.min(this.heldUp, MOST_HELD_UP) >= this.count;
  }

  /** Returns the function that ends the work and starts the next. */
  begin(): () => void {
    this.underWay++;
    let isHeldUp = false;
    const patience = setTimeout(() => {
      isHeldUp = true;
      this.heldUp++;
      this.goOn();
    }, HELD_UP_MS);
    return () => {
      clearTimeout(patience);
      if (isHeldUp) this.heldUp--;
      this.underWay--;
      this.goOn();
    };
  }
}
