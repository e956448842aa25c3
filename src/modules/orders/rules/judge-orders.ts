import { type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { LockedStock } from '../../stock/stock-holdings.repository.js';
import type { OrderLine } from './order-lines.js';
import { demandOf, stockFaults, stockId } from './order-stock.js';
import { checkExpectedTotal, orderTotals, type OrderTotals } from './order-totals.js';
import { checkUnpaidLimit, type UnpaidTotals, withOrder } from './unpaid-limits.js';

/** An order to check, with the facts about it. */
export interface Candidate {
  clientId: number;
  storeOrderId: string | undefined;
  lines: readonly OrderLine[];
  /** Faults of lines that could not be read. */
  faults: readonly FieldError[];
  expectedTotal: number | undefined;
  /** The reason why the caller may no longer order. */
  barred: Error | undefined;
}

export type Verdict =
  /** Accepted. */
  | { totals: OrderTotals }
  /** The index of the accepted order with the same id. */
  | { duplicateOf: number }
  | { refusal: unknown };

/** Stock and unpaid totals. Each accepted order reduces what is left for the next. */
export interface Judged {
  stock: ReadonlyMap<string, LockedStock>;
  unpaidTotals: ReadonlyMap<number, UnpaidTotals>;
}

/** Checks the orders one after the other, as if they had been placed one by one. */
export function judgeInTurn(candidates: readonly Candidate[], { stock, unpaidTotals }: Judged): Verdict[] {
  const left = new Map(stock);
  const open = new Map(unpaidTotals);
  const accepted = new Map<string | symbol, number>();
  return candidates.map((candidate, place) => {
    const id =
      candidate.storeOrderId === undefined ? Symbol() : `${candidate.clientId}/${candidate.storeOrderId}`;
    const duplicateOf = accepted.get(id);
    if (duplicateOf !== undefined) return { duplicateOf };
    try {
      const totals = judge(candidate, left, open.get(candidate.clientId)!);
      hold(candidate, left);
      owe(candidate, totals, open);
      accepted.set(id, place);
      return { totals };
    } catch (refusal) {
      return { refusal };
    }
  });
}

/** Returns the totals or throws. A store learns its faults in this order. */
function judge(
  { lines, faults, expectedTotal, barred }: Candidate,
  stock: ReadonlyMap<string, LockedStock>,
  unpaidTotals: UnpaidTotals,
): OrderTotals {
  const allFaults = [...faults, ...stockFaults(lines, stock)];
  if (allFaults.length > 0) throw validationFailed(allFaults);
  const totals = orderTotals(lines);
  checkExpectedTotal(expectedTotal, totals.total);
  checkUnpaidLimit(unpaidTotals, totals.total);
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

function owe({ clientId }: Candidate, { total }: OrderTotals, unpaidTotals: Map<number, UnpaidTotals>): void {
  const { unpaid, limits } = unpaidTotals.get(clientId)!;
  unpaidTotals.set(clientId, { unpaid: withOrder(unpaid, total), limits });
}
