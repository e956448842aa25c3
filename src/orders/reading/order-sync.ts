import { DomainError } from '../../platform/errors/domain-error.js';
import {
  historyOf,
  isUnseen,
  ordersOf,
  readSyncToken,
  type SyncToken,
  writeSyncToken,
} from '../../read-model/lists/sync-token.js';
import { horizonOf, type Seen } from '../../read-model/snapshot/horizon.js';
import type { ListedOrders } from './order-list.repository.js';

/** The sync token with which the client asks for what changes after this view. */
export function ordersSyncToken(clientId: number, view: Seen, horizon = horizonOf(view)): string {
  return writeSyncToken({ history: historyOf(view), list: ordersOf(clientId), horizon });
}

/** The sync token of a client's own orders, or 410 if it is of another client or another list. */
export function readOrdersToken(clientId: number, text: string): SyncToken {
  const token = readSyncToken(text);
  if (!token) throw new Error('The sync token was not checked before.');
  if (token.list !== ordersOf(clientId)) throw expired();
  return token;
}

/** 410 if the sync token is of another history than what was read, or ahead of it. */
export function checkHistory(token: SyncToken, view: Seen): void {
  if (isUnseen(token, view)) throw expired();
}

/**
 * Where to go on after a list of changes that may have been cut off. There is more only if going on gets any further: a
 * transaction that is still open holds the horizon back, and what it holds back comes with the next poll.
 */
export function resumeAfter(
  { view, orders }: ListedOrders,
  since: number,
): { horizon: number; hasMore: boolean } {
  const last = Number(orders.at(-1)?.changed ?? view.highestStamp);
  const horizon = Math.min(horizonOf(view), last + 1);
  return { horizon, hasMore: last < view.highestStamp && horizon > since };
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token is from another history of the data, another client or another list. Read your orders once, without "since".',
  );
}
