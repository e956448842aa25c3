import type { LockedStock } from '../../stock/stock-holdings.js';
import { type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import { checkExpectedTotal } from './expected-total.js';
import type { OrderLine } from './order-lines.js';
import { demandOf, stockFaults, stockId } from './order-stock.js';
import { orderTotals, type OrderTotals } from './order-totals.js';
import { checkUnpaidLimit, type Standing, type Unpaid, withOrder } from './unpaid-limits.js';

/** An order that is to be judged, with what was found out about it. */
export interface Candidate {
  clientId: number;
  /** The store's own. */
  storeOrderId: string | undefined;
  lines: readonly OrderLine[];
  /** Of the lines that could not be read. */
  faults: readonly FieldError[];
  expectedTotal: number | undefined;
  /** Why its caller may not order any more, whatever the order is like. */
  barred: Error | undefined;
}

export type Verdict =
  /** It stands; and what its client has not paid then. */
  | { totals: OrderTotals; unpaid: Unpaid }
  /** The order before it that stands, by its place. */
  | { duplicateOf: number }
  | { refusal: unknown };

/** What orders are judged by, and what those that stand leave of it to the ones behind them. */
export interface Judged {
  stock: ReadonlyMap<string, LockedStock>;
  standings: ReadonlyMap<number, Standing>;
}

/** Judges one order after the other, each against what those before it have left: together they come out as they would one by one. */
export function judgeInTurn(candidates: readonly Candidate[], { stock, standings }: Judged): Verdict[] {
  const left = new Map(stock);
  const open = new Map(standings);
  const standing = new Map<string | symbol, number>();
  return candidates.map((candidate, place) => {
    const id =
      candidate.storeOrderId === undefined ? Symbol() : `${candidate.clientId}/${candidate.storeOrderId}`;
    const duplicateOf = standing.get(id);
    if (duplicateOf !== undefined) return { duplicateOf };
    try {
      const totals = judge(candidate, left, open.get(candidate.clientId)!);
      hold(candidate, left);
      const unpaid = owe(candidate, totals, open);
      standing.set(id, place);
      return { totals, unpaid };
    } catch (refusal) {
      return { refusal };
    }
  });
}

/** What it comes to, or a refusal: of all that is wrong with an order the store is told in this order. */
function judge(
  { lines, faults, expectedTotal, barred }: Candidate,
  stock: ReadonlyMap<string, LockedStock>,
  standing: Standing,
): OrderTotals {
  const allFaults = [...faults, ...stockFaults(lines, stock)];
  if (allFaults.length > 0) throw validationFailed(allFaults);
  const totals = orderTotals(lines);
  checkExpectedTotal(expectedTotal, totals.total);
  checkUnpaidLimit(standing, totals.total);
  if (barred) throw barred;
  return totals;
}

function hold({ lines }: Candidate, stock: Map<string, LockedStock>): void {
  for (const demand of demandOf(lines)) {
    const id = stockId(demand);
    const item = stock.get(id)!;
    stock.set(id, { ...item, held: item.held + demand.quantity });
  }
}

function owe({ clientId }: Candidate, { total }: OrderTotals, standings: Map<number, Standing>): Unpaid {
  const { unpaid, limits } = standings.get(clientId)!;
  const then = withOrder(unpaid, total);
  standings.set(clientId, { unpaid: then, limits });
  return then;
}
