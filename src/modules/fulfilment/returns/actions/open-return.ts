import { DomainError } from '../../../../platform/errors/domain-error.js';
import { formatReturnState } from '../../../orders/rules/return-request.js';
import type { ReturnToDecide } from './return-action.js';

/** Two people may decide at once. The second waits for the lock and reads the new state. */
export function requireOpen({ returnNumber, state, decision }: ReturnToDecide): void {
  if (state === 'requested') return;
  const done = formatReturnState(state, decision);
  throw new DomainError('conflict', `The return ${returnNumber} was ${done} already.`);
}
