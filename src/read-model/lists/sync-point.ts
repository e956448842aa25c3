import { DomainError } from '../../platform/errors/domain-error.js';
import type { PlanView } from '../products/plan-view.js';
import type { SnapshotService } from '../snapshot/snapshot.service.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { epochOf, readSyncToken, type SyncToken, writeSyncToken } from './sync-token.js';

/** The token with which to ask for what changes after this state. */
export function syncTokenOf(state: SnapshotState, plan: PlanView | undefined): string {
  return writeSyncToken({
    epoch: epochOf(state.identity),
    binding: plan?.id ?? 0,
    horizon: state.horizonOf(plan),
  });
}

/** The state in which to look for what changed since the token, and from which stamp on. */
export async function resumeFrom(
  snapshot: SnapshotService,
  text: string,
  plan: PlanView | undefined,
): Promise<{ state: SnapshotState; stamp: number }> {
  const token = readSyncToken(text);
  if (!token) throw new Error('The token was not checked before.');
  let state = snapshot.current();
  // Another node may have given it out a moment ago.
  if (isAhead(token, state)) {
    await snapshot.refreshNow();
    state = snapshot.current();
  }
  if (token.binding !== (plan?.id ?? 0) || isAhead(token, state)) throw expired();
  return { state, stamp: token.horizon };
}

/** Of a history that this node does not know, or of a moment that it has not seen. */
function isAhead({ epoch, horizon }: SyncToken, { identity, seenBelow }: SnapshotState): boolean {
  return epoch !== epochOf(identity) || horizon > seenBelow;
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token is from another history of the data, another plan or another list. Read the full list once, without "since".',
  );
}
