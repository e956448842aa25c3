import { DomainError } from '../../platform/errors/domain-error.js';
import type { PlanView } from '../products/plan-view.js';
import type { SnapshotService } from '../snapshot/snapshot.service.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import {
  catalogOf,
  generationOf,
  isSignedBy,
  isUnknown,
  readSyncToken,
  STOCK_LIST,
  type SyncedList,
  type SyncToken,
  syncTokenAfter,
} from './sync-token.js';

/** The sync token for changes after this state. */
export function syncTokenOf(state: SnapshotState, plan: PlanView | undefined): string {
  return syncTokenAfter(state.readPositionFor(plan), listOf(plan));
}

/** The state and the change version from which a sync token continues. */
export async function resumeFrom(
  snapshot: SnapshotService,
  text: string,
  plan: PlanView | undefined,
): Promise<{ state: SnapshotState; changeVersion: number }> {
  const token = readSyncToken(text);
  if (!token) throw new Error('The sync token was not checked before.');
  let state = snapshot.current();
  if (isUnknown(token, state)) {
    await refreshBehind(snapshot, text, token);
    state = snapshot.current();
  }
  if (token.list !== listOf(plan) || isUnknown(token, state)) throw expired();
  return { state, changeVersion: token.watermark };
}

/**
 * Refreshes for a token that is ahead. Another node may have issued it a moment ago. If the database does not
 * know its change then, it was rolled back. A new generation begins before later changes get the same
 * versions.
 */
export async function refreshBehind(
  snapshot: SnapshotService,
  text: string,
  token: SyncToken,
): Promise<void> {
  const state = snapshot.current();
  if (token.generation === generationOf(state) && isSignedBy(state, text))
    snapshot.noteVersion({ identity: state.identity, highestVersion: token.highestVersion });
  await snapshot.refreshNow();
}

/** The stock is the same for all plans. */
function listOf(plan: PlanView | undefined): SyncedList {
  return plan ? catalogOf(plan.id) : STOCK_LIST;
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token is from before a restored backup or a failover of the database, or of another plan or ' +
      'another list. Read the full list once, without "since".',
  );
}
