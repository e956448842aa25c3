import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import { readLine } from '../../../platform/validation/texts.js';
import { LOSS, readNoteReason } from '../../invoices/rules/note-reasons.js';
import { orderRefund } from '../../wallet/rules/posting.js';
import { type OrderStep, type RefundRequest, refundStep, requestKey } from '../rules/order-steps.js';
import type { LineQuantity } from '../rules/order-units.js';
import { areLost } from '../rules/parcel-exception.js';
import type { OrderEffects, OrderAction, OrderChange } from './order-action.js';

/** Lines, the delivery or both, or an amount. */
export interface RefundInput {
  reason: string;
  lines?: LineQuantity[] | undefined;
  delivery?: boolean | undefined;
  amount?: string | undefined;
  /** The credit note of an amount changes no tax. */
  commercial?: boolean | undefined;
  /** The code of the reason on the credit note, if it is not the usual one. */
  reasonCode?: string | undefined;
  /** A repetition does nothing, unless it has a new key. */
  key?: string | undefined;
}

/** A refund for each part. They have different keys, so that a repetition finds both. */
export const refund: OrderAction<RefundInput, OrderChange[]> = {
  name: 'refund',
  sentence: 'Returns part of what was paid for an order to the wallet.',
  role: 'staff',
  change: ({ key, commercial, reasonCode, ...input }) => {
    const reason = readLine('reason', input.reason, 200);
    const parts = readParts(input);
    if (commercial && input.amount === undefined)
      throw new DomainError('invalid_value', 'Only a refund of an amount can have a commercial credit note.');
    return parts.map((part, at) => {
      const code = reasonCode ? readNoteReason(reasonCode) : undefined;
      const choices = { ...(commercial && { isCommercial: true }), ...(code && { reasonCode: code }) };
      const own = at > 0 && key ? requestKey(undefined, [part, key]) : requestKey(key, [part, reason]);
      return refundPart({ ...part, ...choices, reason, key: own });
    });
  },
};

export const refundPart = (request: RefundRequest): OrderChange => ({
  needs: ['lines', 'parcels'],
  once: { key: request.key, kind: request.kind },
  decide: (order) => {
    // Goods of a lost parcel have a code of their own.
    const isLoss = request.kind === 'lines' && areLost(request.lines, order.parcels);
    const step = refundStep(order, order.lines, { ...(isLoss && { reasonCode: LOSS }), ...request });
    if ('refused' in step) return step;
    const { amount, kind, reason, reasonCode, isCommercial } = step.refund!;
    return {
      ...step,
      ...booksOf(order.orderNumber, step),
      audit: {
        action: 'order.refunded',
        details: {
          amount: numericFromMinor(amount),
          kind,
          reason,
          ...(reasonCode && { reason_code: reasonCode }),
          ...(isCommercial && { commercial: 'yes' }),
        },
      },
    };
  },
});

/** The refund of a return has its number as the key, so it is made once. */
export const refundReturned = (
  { number, reason }: { number: string; reason: string },
  lines: LineQuantity[],
): OrderChange => refundPart({ kind: 'returned', lines, returnNumber: number, reason, key: number });

/** The entry of a refund in the wallet, or of one that is taken back, and its note. */
export const booksOf = (
  orderNumber: string,
  { refund: made }: OrderStep,
): Pick<OrderEffects, 'postings' | 'documents'> => {
  const { amount, reason } = made!;
  if (amount === 0) return {};
  return {
    postings: (numbers) => [orderRefund(orderNumber, numbers.refund, amount, reason)],
    documents: (numbers) => ({ refund: { refund: numbers.refund } }),
  };
};

type RefundedPart =
  { kind: 'lines'; lines: LineQuantity[] } | { kind: 'delivery' } | { kind: 'amount'; amount: Minor };

function readParts({ lines, delivery, amount }: RefundInput): RefundedPart[] {
  const parts: RefundedPart[] = [
    ...(lines ? [{ kind: 'lines' as const, lines }] : []),
    ...(delivery ? [{ kind: 'delivery' as const }] : []),
  ];
  if ((amount === undefined) === (parts.length === 0))
    throw new DomainError('invalid_value', 'Name lines, the delivery or both, or an amount alone.');
  return amount === undefined ? parts : [{ kind: 'amount', amount: readAmount(amount) }];
}
