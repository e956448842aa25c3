import { DomainError } from '../../../../platform/errors/domain-error.js';
import { readLine } from '../../../../platform/validation/texts.js';
import { MAX_REASON_LENGTH } from '../../../orders/rules/return-request.js';
import type { ReturnAction } from './return-action.js';

/** With a reason, which is for the audit log, the return is closed without a refund. */
export const refund: ReturnAction<{ none?: string | undefined }> = {
  name: 'refund',
  sentence: 'Refunds a return that was received without a decision about its refund.',
  role: 'staff',
  change: ({ none }) => {
    const reason = none === undefined ? undefined : readLine('reason', none, MAX_REASON_LENGTH);
    return {
      decide: ({ returnNumber, refundOpen, items }) => {
        if (!refundOpen) throw new DomainError('conflict', `The return ${returnNumber} waits for no refund.`);
        if (reason !== undefined)
          return { refundOpen: false, audit: { action: 'return.not_refunded', details: { reason } } };
        const received = items.flatMap(({ line, received: quantity }) =>
          quantity ? [{ line, quantity }] : [],
        );
        return { refundOpen: false, refunds: received };
      },
    };
  },
};
