import { DomainError } from '../../../../platform/errors/domain-error.js';
import { readLine } from '../../../../platform/validation/texts.js';
import { isWithdrawable, MAX_REASON_LENGTH, WITHDRAWN } from '../../../orders/rules/return-request.js';
import { noSuchReturn } from '../no-such-return.js';
import { requireOpen } from './open-return.js';
import type { ReturnAction, ReturnChange, ReturnEffects, ReturnToDecide } from './return-action.js';

export const refuse: ReturnAction<{ reason: string }> = {
  name: 'refuse',
  sentence: 'Refuses a return. Its goods can be returned again.',
  role: 'packer',
  change: (input) => {
    const reason = readLine('reason', input.reason, MAX_REASON_LENGTH);
    if (reason === WITHDRAWN) throw new DomainError('invalid_value', 'Only the client withdraws its return.');
    return {
      decide: (facts) => {
        requireOpen(facts);
        return { ...end(facts, reason), audit: { action: 'return.refused', details: { reason } } };
      },
    };
  },
};

/** The client takes its request back, also after it was accepted. */
export const withdrawRequest: ReturnChange = {
  decide: (facts) => {
    requireOpen(facts);
    if (!isWithdrawable(facts)) throw noSuchReturn(facts.returnNumber);
    return { ...end(facts, WITHDRAWN), audit: { action: 'return.withdrawn', details: {} } };
  },
};

/** The goods do not come back. */
const end = ({ items }: ReturnToDecide, decision: string): ReturnEffects => ({
  arrived: items.map(({ line }) => ({ line, received: 0, restocked: 0 })),
  decides: { state: 'refused', decision },
});
