import { numericFromMinor } from '../../../platform/money/money.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import { readLine } from '../../../platform/validation/texts.js';
import { requestKey, type TakeBackRequest } from '../rules/order-steps.js';
import { takeBackStep } from '../rules/take-back.js';
import type { OrderAction, OrderChange } from './order-action.js';
import { booksOf } from './refund.js';

export interface TakeBackInput {
  /** The number of the refund in its order. */
  refund: number;
  /** All that is left of it by default. */
  amount?: string | undefined;
  reason: string;
  key?: string | undefined;
}

export const takeBack: OrderAction<TakeBackInput> = {
  name: 'take-back',
  sentence: 'Takes a refund back from the wallet, because it was a mistake.',
  role: 'staff',
  change: ({ refund: takesBack, amount, ...input }) => {
    const reason = readLine('reason', input.reason, 200);
    const part = { takesBack, ...(amount !== undefined && { amount: readAmount(amount) }) };
    const key = requestKey(input.key, ['taken_back', part, reason]);
    return takeBackRefund({ kind: 'taken_back', ...part, reason, key });
  },
};

export const takeBackRefund = (request: TakeBackRequest): OrderChange => ({
  needs: ['lines', 'refunds'],
  once: { key: request.key, kind: request.kind },
  decide: (order) => {
    const step = takeBackStep(order, order.lines, order.refunds, request);
    if ('refused' in step) return step;
    const amount = numericFromMinor(-step.refund!.amount);
    return {
      ...step,
      ...booksOf(order.orderNumber, step),
      audit: {
        action: 'order.refund_taken_back',
        details: { refund: request.takesBack, amount, reason: request.reason },
      },
    };
  },
});
