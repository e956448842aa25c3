import { readLine } from '../../../platform/validation/texts.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { undoPostings } from '../../wallet/rules/posting.js';
import { unpayStep } from '../rules/undo-steps.js';
import type { OrderAction } from './order-action.js';
import { paymentNote, recordedPayment } from './pay.js';

/** Only money that a person recorded. The payment stays in the corrections of the order. */
export const unpay: OrderAction<{ reason: string }> = {
  name: 'unpay',
  sentence: 'Undoes a payment that was recorded by mistake. The order waits for payment again.',
  role: 'staff',
  change: (input) => {
    const reason = readLine('reason', input.reason, 200);
    return {
      needs: ['lines', 'prepared', 'payment'],
      decide: (order) => {
        const step = unpayStep(order, order.lines, order.prepared);
        if ('refused' in step) return step;
        const paid = order.recordedPayment;
        if (!paid) return { refused: NOT_RECORDED };
        const payment = paymentNote(paid.paymentMethod, paid.paymentReference) || 'recorded';
        return {
          ...step,
          postings: () => undoPostings(recordedPayment(order, paid), reason),
          correction: {
            before: { payment, paid_at: paid.paidAt!.toISOString() },
            after: { payment: null, paid_at: null },
            reason,
          },
          audit: {
            action: 'order.payment_undone',
            details: { amount: numericFromMinor(order.total), payment, reason },
          },
        };
      },
    };
  },
};

const NOT_RECORDED =
  'Its payment was not recorded by a person, or it cost nothing. To give money back, cancel the order.';
