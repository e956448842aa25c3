import { DomainError } from '../../platform/errors/domain-error.js';
import { epochOf, readSyncToken, type SyncToken, writeSyncToken } from '../../read-model/lists/sync-token.js';
import { horizonAfter } from '../../read-model/snapshot/horizon.js';
import type { ListedOrders, OrdersView } from './order-list.repository.js';

/** Lists of products bind their tokens to a plan, or to 0; the negative number keeps a client's apart from both. */
const bindingOf = (clientId: number) => -clientId;

/** The token with which the client asks for what changes after this view. */
export function ordersSyncToken(clientId: number, view: OrdersView, horizon = horizonOf(view)): string {
  return writeSyncToken({ epoch: epochOf(view.identity), binding: bindingOf(clientId), horizon });
}

/** The token of a client's own orders, or 410 if it is of another client or another list. */
export function readOrdersToken(clientId: number, text: string): SyncToken {
  const token = readSyncToken(text);
  if (!token) throw new Error('The token was not checked before.');
  if (token.binding !== bindingOf(clientId)) throw expired();
  return token;
}

/** 410 if the token is of another history than what was read, or ahead of it. */
export function checkHistory({ epoch, horizon }: SyncToken, view: OrdersView): void {
  if (epoch !== epochOf(view.identity) || horizon > view.seenBelow) throw expired();
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

function horizonOf({ seenBelow, highestStamp }: OrdersView): number {
  return horizonAfter(seenBelow, highestStamp);
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token is from another history of the data, another client or another list. Read your orders once, without "since".',
  );
}
