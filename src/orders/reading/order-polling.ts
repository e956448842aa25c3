import { Injectable } from '@nestjs/common';
import type { Caller } from '../../read-model/access/caller.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import { inPieces } from '../../platform/piecework/in-pieces.js';
import { ReadyRepresentation, SmallRepresentation } from '../../platform/http/representation.js';
import { isStorableText } from '../../platform/validation/storable-text.js';
import { OrderListRepository, type ListedOrders } from './order-list.repository.js';
import type { OrderListQuery } from './order.queries.js';
import type { OrderListResponse } from './order.responses.js';
import { readOwnCursor, writeOrderCursor } from './order-cursor.js';
import { orderNotFound } from '../order-errors.js';
import { OrderLookUps } from './order-look-ups.js';
import { OrderReadsRepository } from './order-reads.repository.js';
import { toOrderStatus, toOrderSummary } from './order.mapper.js';
import type { OrderRecord, OrderSummary } from './order-record.js';
import { LIST_POLL_SECONDS, type Polled, pollSeconds } from './poll-interval.js';
import { checkHistory, ordersSyncToken, readOrdersToken, resumeAfter } from './order-sync.js';

const PAGE_SIZE = 50;

/** How many changed orders one answer tells of; the rest comes with the next. */
const MOST_CHANGES = 1_000;

/** What stores ask again and again: how their orders are getting on. */
@Injectable()
export class OrderPolling {
  constructor(
    private readonly orders: OrderReadsRepository,
    private readonly lookUps: OrderLookUps,
    private readonly lists: OrderListRepository,
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
    // A number may hold a comma: what is one as a whole is not taken apart.
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
    const { view, orders } = await this.lists.page(client.id, query, after, limit + 1);
    const shown = orders.slice(0, limit);
    const body: OrderListResponse = {
      success: true,
      data: shown.map(toOrderSummary),
      ...(orders.length > limit && { next_cursor: cursorAfter(client.id, shown.at(-1)!) }),
      ...(isFirstUnfiltered(query) && { sync_token: ordersSyncToken(client.id, view) }),
    };
    return { answer: new ReadyRepresentation(JSON.stringify(body)), seconds: LIST_POLL_SECONDS };
  }

  private async changes({ client }: Caller, since: string): Promise<Polled> {
    const token = readOrdersToken(client.id, since);
    const listed = await this.lists.changedSince(client.id, token.horizon, MOST_CHANGES);
    checkHistory(token, listed.view);
    const body = changesBody(client.id, listed, token.horizon);
    return { answer: new ReadyRepresentation(JSON.stringify(body)), seconds: LIST_POLL_SECONDS };
  }
}

/** A hundred orders of a hundred lines are more than one wants to write in one go. */
function* writeStatuses(orders: OrderRecord[], unknown: string[]): Generator<void, string> {
  const data: string[] = [];
  for (const order of orders) {
    data.push(JSON.stringify(toOrderStatus(order)));
    yield;
  }
  return `{"success":true,"data":[${data.join(',')}],"unknown":${JSON.stringify(unknown)}}`;
}

function changesBody(clientId: number, listed: ListedOrders, since: number): OrderListResponse {
  const { horizon, hasMore } = resumeAfter(listed, since);
  return {
    success: true,
    data: listed.orders.map(toOrderSummary),
    has_more: hasMore,
    sync_token: ordersSyncToken(clientId, listed.view, horizon),
  };
}

function cursorAfter(clientId: number, { placedAtMicros, orderNumber }: OrderSummary): string {
  return writeOrderCursor({ clientId, placedAt: Number(placedAtMicros), orderNumber });
}

function partsOf(asked: string | string[]): string[] {
  const parts = typeof asked === 'string' ? asked.split(',').map((part) => part.trim()) : asked;
  return [...new Set(parts)].filter((part) => part !== '');
}

/** The sync token of a later page would miss what changed on earlier pages since they were read. */
function isFirstUnfiltered({ limit: _, ...filters }: OrderListQuery): boolean {
  return Object.values(filters).every((value) => value === undefined);
}
