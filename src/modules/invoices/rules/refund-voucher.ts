import type { Minor } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';

/** A receipt voucher, and its part that was not paid back yet. */
export interface OpenReceipt {
  number: string;
  issued_on: Day;
  unreturned: Minor;
}

/**
 * The receipts that a refund returns, in the given order, and never more than they confirm. Without receipts,
 * or beyond them, there is nothing to return.
 */
export function allocateRefund(amount: Minor, receipts: readonly OpenReceipt[]) {
  let left = amount;
  return receipts.flatMap(({ number, issued_on, unreturned }) => {
    const part = Math.min(left, unreturned);
    left -= part;
    return part > 0 ? [{ number, issued_on, amount: part }] : [];
  });
}
