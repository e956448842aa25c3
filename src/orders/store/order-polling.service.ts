import { Injectable } from '@nestjs/common';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import { ReadyRepresentation, SmallRepresentation } from '../../platform/http/representation.js';
import { onePage } from '../../platform/lists/one-page.js';
import { inPieces } from '../../platform/piecework/in-pieces.js';
import { parseEnd, parseInstant } from '../../platform/validation/instant.js';
import { isStorableText } from '../../platform/validation/texts.js';
import type { Caller } from '../../read-model/access/caller.js';
import {
  historyOf,
  isUnseen,
  ordersOf,
  readSyncToken,
  type SyncToken,
  writeSyncToken,
} from '../../read-model/lists/sync-token.js';
import { horizonOf, type Seen } from '../../read-model/snapshot/horizon.js';
import { orderNotFound } from '../order-errors.js';
import { cursorOf, readOwnCursor, writeOrderCursor } from '../view/order-cursor.js';
import type { OrderFilter } from '../view/order-filter.js';
import { OrderLookUps } from '../view/order-look-ups.js';
import type { StoreOrder } from '../view/order-view.js';
import { OrderViewRepository, type SeenOrders } from '../view/order-view.repository.js';
import { toOrderStatus, toOrderSummary } from './order.mapper.js';
import type { OrderListQuery } from './order.queries.js';
import type { OrderListResponse } from './order.responses.js';
import { LIST_POLL_SECONDS, type Polled, pollSeconds } from './poll-interval.js';

const PAGE_SIZE = 50;

/** How many changed orders one answer has; the rest comes with the next answer. */
const MOST_CHANGES = 1_000;

/** The reads that stores repeat: status, statuses and lists of their orders. */
@Injectable()
export class OrderPolling {
  constructor(
    private readonly orders: OrderViewRepository,
    private readonly lookUps: OrderLookUps,
  ) {}

  async status({ client }: Caller, number: string): Promise<Polled> {
    const order = isStorableText(number) ? await this.lookUps.find(client.id, number) : undefined;
    if (!order) throw orderNotFound();
    return { answer: new SmallRepresentation(toOrderStatus(order), 0), seconds: pollSeconds([order.status]) };
  }

  async statuses({ client }: Caller, asked: string | string[]): Promise<Polled> {
    const parts = partsOf(asked);
    const candidates = [...new Set([asked, parts].flat())].filter(isStorableText);
    const found = new Map(
      (await this.orders.findMany(client.id, candidates)).map((order) => [order.asked, order]),
    );
    // A number may hold a comma, so the whole text is tried first.
    const numbers = typeof asked === 'string' && found.has(asked) ? [asked] : parts;
    if (numbers.length === 0)
      throw validationFailed([{ field: 'orders', code: 'required', message: 'is required' }]);
    const orders = numbers.flatMap((number) => found.get(number) ?? []);
    const distinct = [...new Map(orders.map((order) => [order.orderNumber, order])).values()];
    const unknown = numbers.filter((number) => !found.has(number));
    return {
      answer: new ReadyRepresentation(await inPieces(writeStatuses(distinct, unknown))),
      seconds: pollSeconds(orders.map(({ status }) => status)),
    };
  }

  list(caller: Caller, query: OrderListQuery): Promise<Polled> {
    return query.since === undefined ? this.page(caller, query) : this.changes(caller, query.since);
  }

  private async page({ client }: Caller, query: OrderListQuery): Promise<Polled> {
    const limit = query.limit ?? PAGE_SIZE;
    const after = query.cursor === undefined ? undefined : readOwnCursor(client.id, query.cursor);
    const { seen, orders } = await this.orders.page(client.id, filterOf(query), { after }, limit + 1);
    const { rows, last } = onePage(orders, limit);
    const body: OrderListResponse = {
      success: true,
      data: rows.map(toOrderSummary),
      ...(last && { next_cursor: writeOrderCursor(cursorOf(client.id, last)) }),
      ...(isFirstUnfiltered(query) && { sync_token: ordersSyncToken(client.id, seen) }),
    };
    return { answer: new ReadyRepresentation(JSON.stringify(body)), seconds: LIST_POLL_SECONDS };
  }

  private async changes({ client }: Caller, since: string): Promise<Polled> {
    const token = readOrdersToken(client.id, since);
    const listed = await this.orders.changedSince(client.id, token.horizon, MOST_CHANGES);
    checkHistory(token, listed.seen);
    const body = changesBody(client.id, listed, token.horizon);
    return { answer: new ReadyRepresentation(JSON.stringify(body)), seconds: LIST_POLL_SECONDS };
  }
}

/** A hundred orders of a hundred lines would hold up other requests. */
function* writeStatuses(orders: StoreOrder[], unknown: string[]): Generator<void, string> {
  const data: string[] = [];
  for (const order of orders) {
    data.push(JSON.stringify(toOrderStatus(order)));
    yield;
  }
  return `{"success":true,"data":[${data.join(',')}],"unknown":${JSON.stringify(unknown)}}`;
}

function changesBody(clientId: number, listed: SeenOrders, since: number): OrderListResponse {
  const { horizon, hasMore } = resumeAfter(listed, since);
  return {
    success: true,
    data: listed.orders.map(toOrderSummary),
    has_more: hasMore,
    sync_token: ordersSyncToken(clientId, listed.seen, horizon),
  };
}

function filterOf(query: OrderListQuery): OrderFilter {
  const {
    status,
    payment_status: paymentStatus,
    store_order_id: storeOrderId,
    created_from,
    created_to,
  } = query;
  return {
    status,
    paymentStatus,
    storeOrderId,
    ...(created_from !== undefined && { from: parseInstant(created_from)! }),
    ...(created_to !== undefined && { to: parseEnd(created_to)! }),
  };
}

function partsOf(asked: string | string[]): string[] {
  const parts = typeof asked === 'string' ? asked.split(',').map((part) => part.trim()) : asked;
  return [...new Set(parts)].filter((part) => part !== '');
}

/** The sync token of a later page would miss what changed on earlier pages since they were read. */
function isFirstUnfiltered({ limit: _, ...filters }: OrderListQuery): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** With this token the client asks for the changes after this view. */
function ordersSyncToken(clientId: number, view: Seen, horizon = horizonOf(view)): string {
  return writeSyncToken({ history: historyOf(view), list: ordersOf(clientId), horizon });
}

/** 410 for a token of another client or another list. */
function readOrdersToken(clientId: number, text: string): SyncToken {
  const token = readSyncToken(text);
  if (!token) throw new Error('The sync token was not checked before.');
  if (token.list !== ordersOf(clientId)) throw expired();
  return token;
}

/** 410 for a token of another history, or one that is ahead of it. */
function checkHistory(token: SyncToken, view: Seen): void {
  if (isUnseen(token, view)) throw expired();
}

/**
 * Where to go on after a list of changes that may have been cut off. "More" must lead further than this poll: an
 * open transaction holds the horizon back, and the next poll brings the orders behind it.
 */
function resumeAfter({ seen, orders }: SeenOrders, since: number): { horizon: number; hasMore: boolean } {
  const last = Number(orders.at(-1)?.changed ?? seen.highestStamp);
  const horizon = Math.min(horizonOf(seen), last + 1);
  return { horizon, hasMore: last < seen.highestStamp && horizon > since };
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token is from another history of the data, another client or another list. Read your orders once, without "since".',
  );
}
