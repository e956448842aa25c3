import { type NoteReason, noteReasonOf } from '../../invoices/rules/note-reasons.js';
import { groupBy, sumBy } from '../../../platform/lists/group-by.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import type { StepResult, PricedOrder, RefundKind, TakeBackRequest } from './order-steps.js';
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

/** The refunds that can be taken back, with the amount that is left of each. */
export function refundsInForce<Refund extends RecordedRefund>(
  refunds: readonly Refund[],
): (Refund & { left: Minor })[] {
  const leftOf = amountsLeft(refunds);
  return refunds
    .filter(({ kind }) => kind !== 'cancelled')
    .map((one) => ({ ...one, left: leftOf(one.refund) }))
    .filter(({ left }) => left > 0);
}

type RefundShare = Pick<RecordedRefund, 'refund' | 'takesBack' | 'amount'>;

const originalOf = ({ refund, takesBack }: RefundShare) => takesBack ?? refund;

/** The amount of each refund, less the parts that were taken back. */
const amountsLeft = (parts: readonly RefundShare[]) => sumBy(parts, originalOf, ({ amount }) => amount);

/**
 * Takes a mistaken refund back from the wallet: all of it, or a part if it is a refund of an amount. A refund
 * for cancelled goods stays with the client.
 */
export function takeBackStep(
  order: PricedOrder,
  lines: readonly PricedLine[],
  refunds: readonly RecordedRefund[],
  { takesBack: number, amount: requestedAmount, reason, key }: TakeBackRequest,
): StepResult {
  const taken = refunds.find(({ refund }) => refund === number);
  if (!taken || taken.kind === 'taken_back') return { refused: `The order has no refund ${number}.` };
  if (order.status === 'cancelled' || taken.kind === 'cancelled')
    return { refused: 'A refund for cancelled goods cannot be taken back. The store can order them again.' };
  const { left } = refundsInForce(refunds).find(({ refund }) => refund === number) ?? { left: 0 };
  if (left === 0) return { refused: `Refund ${number} has nothing left to take back.` };
  const amount = requestedAmount ?? left;
  if (amount > left)
    return { refused: `Only ${numericFromMinor(left)} of refund ${number} can be taken back.` };
  if (amount < left && taken.kind !== 'amount')
    return {
      refused:
        `Refund ${number} is for lines, a return or the delivery. Take it back as a whole: ` +
        `${numericFromMinor(left)}. Then refund the right part.`,
    };
  const kept = lines.reduce((sum, { cancelled, unitPrice }) => sum + cancelled * unitPrice, 0);
  if (order.refunded - amount < kept || coversCancelledUnits(lines, taken))
    return { refused: `${numericFromMinor(kept)} was paid for cancelled goods and stays refunded.` };
  return {
    status: order.status,
    paymentStatus: 'paid',
    stock: 'none',
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

/** Units may have been refunded before they were cancelled. */
function coversCancelledUnits(lines: readonly PricedLine[], { lines: taken }: RecordedRefund): boolean {
  return taken.some(({ line: number, refunded: back }) => {
    const { refunded, cancelled } = lines.find(({ line }) => line === number)!;
    return refunded - back < cancelled;
  });
}

/** A part of a refund: the amount of one line, or an amount without a line. */
export interface RefundPart {
  refund: number;
  kind: RefundKind;
  takesBack: number | null;
  reason: string;
  reasonCode?: NoteReason | null;
  isCommercial?: boolean;
  line: number | null;
  amount: Minor;
  /** Refunded units of the line. */
  units?: number;
}

/**
 * The refunds of an order for its documents. Line 0 is the delivery. The reason is the one of the newest
 * refund. Refunds that were taken back, or of cancelled goods, which were never invoiced, do not count.
 */
export function refundsToBill(parts: readonly RefundPart[]) {
  const byRefund = groupBy(parts, ({ refund }) => refund);
  const first = (part: RefundPart) => byRefund.get(originalOf(part))![0]!;
  const leftOf = amountsLeft(parts);
  const newest = parts.findLast((part) => first(part).kind !== 'cancelled' && leftOf(part.refund) > 0);
  return {
    refunded: parts.map((part) => ({
      refund: part.refund,
      of: originalOf(part),
      line: part.line ?? (first(part).kind === 'delivery' ? 0 : null),
      amount: part.amount,
      ...(part.units && { units: part.units }),
      reason: part.reason,
      reasonCode: noteReasonOf(part),
      ...(first(part).isCommercial && { isCommercial: true }),
      ...(first(part).kind === 'cancelled' && { isCancelled: true }),
    })),
    reason: newest?.reason ?? null,
    reasonCode: newest ? noteReasonOf(newest) : null,
  };
}
