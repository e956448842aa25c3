import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import type { Judged, PricedOrder, RefundKind, TakeBackRequest } from './order-steps.js';
import type { PricedLine, RefundedLine } from './order-units.js';

/** A refund of an order as it was recorded. */
export interface RecordedRefund {
  refund: number;
  kind: RefundKind;
  /** Less than 0 if it takes another one back. */
  amount: Minor;
  takesBack: number | null;
  returnNumber: string | null;
  lines: readonly RefundedLine[];
}

/** The refunds of which something can be taken back, with what is left of each. */
export function refundsInForce<Refund extends RecordedRefund>(
  refunds: readonly Refund[],
): (Refund & { left: Minor })[] {
  return refunds
    .filter(({ kind }) => kind !== 'cancelled')
    .map((one) => ({ ...one, left: leftOf(one, refunds) }))
    .filter(({ left }) => left > 0);
}

function leftOf({ refund, amount }: RecordedRefund, refunds: readonly RecordedRefund[]): Minor {
  return refunds.reduce((left, one) => left + (one.takesBack === refund ? one.amount : 0), amount);
}

/**
 * A refund that was a mistake goes back from the wallet to the order: all of it, or a part of one of an
 * amount. What was refunded for cancelled goods stays with the client.
 */
export function takeBackStep(
  order: PricedOrder,
  lines: readonly PricedLine[],
  refunds: readonly RecordedRefund[],
  { takesBack: number, amount: asked, reason, key }: TakeBackRequest,
): Judged {
  const taken = refunds.find(({ refund }) => refund === number);
  if (!taken || taken.kind === 'taken_back') return { refused: `The order has no refund ${number}.` };
  if (order.status === 'cancelled' || taken.kind === 'cancelled')
    return { refused: 'What was paid for cancelled goods stays refunded. The store can order them again.' };
  const { left } = refundsInForce(refunds).find(({ refund }) => refund === number) ?? { left: 0 };
  if (left === 0) return { refused: `Nothing of refund ${number} can be taken back.` };
  const amount = asked ?? left;
  if (amount > left)
    return { refused: `Only ${numericFromMinor(left)} of refund ${number} can be taken back.` };
  if (amount < left && taken.kind !== 'amount')
    return {
      refused:
        `Refund ${number} is not one of an amount, so all of it is taken back: ${numericFromMinor(left)}. ` +
        'Then refund the right part.',
    };
  const kept = lines.reduce((sum, { cancelled, unitPrice }) => sum + cancelled * unitPrice, 0);
  if (order.refunded - amount < kept)
    return { refused: `${numericFromMinor(kept)} stays refunded, because its goods are cancelled.` };
  return {
    status: order.status,
    paymentStatus: 'paid',
    stock: 'none',
    money: 'refund',
    refund: {
      kind: 'taken_back',
      takesBack: number,
      amount: -amount,
      reason,
      key,
      items: taken.lines.map((item) => ({
        line: item.line,
        refunded: 0 - item.refunded,
        amount: 0 - item.amount,
      })),
      ...(taken.returnNumber !== null && { returnNumber: taken.returnNumber }),
    },
  };
}
