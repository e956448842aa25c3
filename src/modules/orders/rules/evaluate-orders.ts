import { type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { LockedStock } from '../../stock/stock-holdings.repository.js';
import type { Obstacle } from './obstacle.js';
import type { OrderLine } from './order-lines.js';
import { demandOf, stockFaults, stockId } from './order-stock.js';
import { priceObstacle, orderTotals, type OrderTotals } from './order-totals.js';
import { unpaidObstacle, type UnpaidTotals, withOrder } from './unpaid-limits.js';

/** An order to check, with the facts about it. */
export interface SubmittedOrder {
  clientId: number;
  /** The store's own ids belong to it. */
  domain?: string | undefined;
  storeOrderId: string | undefined;
  lines: readonly OrderLine[];
  /** Faults of lines that could not be read. */
  faults: readonly FieldError[];
  expectedTotal: number | undefined;
  /** The reason why the caller may no longer order. */
  barred: Error | undefined;
}

export type OrderDecision =
  /** Accepted. */
  | { totals: OrderTotals }
  /** The index of the accepted order with the same id. */
  | { duplicateOf: number }
  | { refusal: unknown };

/** Stock and unpaid totals. Each accepted order reduces what is left for the next. */
export interface OrderCapacity {
  stock: ReadonlyMap<string, LockedStock>;
  unpaidTotals: ReadonlyMap<number, UnpaidTotals>;
}

/** Checks the orders one after the other, as if they had been placed one by one. */
export function evaluateOrders(
  orders: readonly SubmittedOrder[],
  { stock, unpaidTotals }: OrderCapacity,
): OrderDecision[] {
  const remainingStock = new Map(stock);
  const unpaidByClient = new Map(unpaidTotals);
  const accepted = new Map<string | symbol, number>();
  return orders.map((order, index) => {
    const { clientId, domain, storeOrderId } = order;
    const id = storeOrderId === undefined ? Symbol() : JSON.stringify([clientId, domain, storeOrderId]);
    const duplicateOf = accepted.get(id);
    if (duplicateOf !== undefined) return { duplicateOf };
    try {
      const { totals, obstacle } = evaluateOrder(order, remainingStock, unpaidByClient.get(order.clientId)!);
      if (obstacle) throw obstacle.error;
      if (order.barred) throw order.barred;
      holdStock(order, remainingStock);
      addToUnpaid(order, totals, unpaidByClient);
      accepted.set(id, index);
      return { totals };
    } catch (refusal) {
      return { refusal };
    }
  });
}

/**
 * For placing and for quotes. A store learns the first obstacle: stock, the expected total, then the limit of
 * unpaid orders. Throws for lines that cannot be read.
 */
export function evaluateOrder(
  { lines, faults, expectedTotal }: Pick<SubmittedOrder, 'lines' | 'faults' | 'expectedTotal'>,
  stock: ReadonlyMap<string, LockedStock>,
  unpaidTotals: UnpaidTotals,
): { totals: OrderTotals; obstacle: Obstacle | undefined } {
  const shortages = stockFaults(lines, stock);
  if (faults.length > 0) throw validationFailed([...faults, ...shortages]);
  const totals = orderTotals(lines);
  const obstacle =
    stockObstacle(shortages) ??
    priceObstacle(expectedTotal, totals.total) ??
    unpaidObstacle(unpaidTotals, totals.total);
  return { totals, obstacle };
}

export function stockObstacle(shortages: FieldError[]): Obstacle | undefined {
  return shortages.length === 0 ? undefined : { error: validationFailed(shortages), rows: shortages };
}

function holdStock({ lines }: SubmittedOrder, stock: Map<string, LockedStock>): void {
  for (const demand of demandOf(lines)) {
    const id = stockId(demand);
    const item = stock.get(id)!;
    stock.set(id, { ...item, held: item.held + demand.quantity });
  }
}

function addToUnpaid(
  { clientId }: SubmittedOrder,
  { total }: OrderTotals,
  unpaidTotals: Map<number, UnpaidTotals>,
): void {
  const { unpaid, limits } = unpaidTotals.get(clientId)!;
  unpaidTotals.set(clientId, { unpaid: withOrder(unpaid, total), limits });
}
