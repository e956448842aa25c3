import type { TestFailure } from '../../platform/access/test-failure.js';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import {
  ReadyRepresentation,
  type Representation,
  SmallRepresentation,
} from '../../platform/http/representation.js';
import { onePage } from '../../platform/lists/bounded-lists.js';
import { amountFromNumeric } from '../../platform/money/money.js';
import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import type { Settings } from '../../platform/settings/settings.js';
import { parseEnd, parseInstant } from '../../platform/time/time.js';
import type { SentList } from '../../platform/validation/read-query.js';
import { isStorableText } from '../../platform/validation/texts.js';
import type { Caller, Visitor } from '../../read-model/callers/caller.js';
import { watermarkOf } from '../../read-model/snapshot/watermark.js';
import type { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { refreshBehind } from '../../read-model/synced-lists/sync-point.js';
import {
  isUnknown,
  readSyncToken,
  type SyncedList,
  type SyncToken,
  syncTokenAfter,
} from '../../read-model/synced-lists/sync-token.js';
import { subscriptionInactive } from '../clients/refusals.js';
import type { DocumentResponse } from '../invoices/document.responses.js';
import type { OrderKey } from './entities/order.entity.js';
import { type OrderKind, orderNotFound } from './order-errors.js';
import type { OrderListQuery } from './order.queries.js';
import type { OrderDocumentsResponse, OrderListResponse, OrderStatusResponse } from './order.responses.js';
import type {
  ChangeDeliveryRequest,
  CreateOrderRequest,
  QuoteOrderRequest,
} from './placing/create-order.request.js';
import { readIdempotencyKey } from './placing/idempotency-key.js';
import type { PlacedOrder } from './placing/order-batch.service.js';
import type {
  OrderCreatedResponse,
  OrderDeliveryResponse,
  OrderQuoteResponse,
} from './placing/placing.responses.js';
import { cursorOf, readOwnCursor, writeOrderCursor } from './records/order-cursor.js';
import type { OrderFilter } from './records/order-filter.js';
import type { StoreOrder, StoreOrderDetails } from './records/order-record.js';
import type { OrderViewRepository, OrdersWithState, StoreScope } from './records/order-view.repository.js';
import {
  type ReturnFacts,
  toStoreOrderDetails,
  toOrderStatus,
  toOrderSummary,
} from './records/order-for-store.js';
import { metadataField } from './rules/order-metadata.js';
import { normaliseOrderNumber, normaliseTestOrderNumber } from './rules/order-number.js';
import type { OrderStatus } from './rules/order-transitions.js';
import { withWarnings } from './rules/pincode-of-state.js';
import type { ReturnInput } from './rules/return-request.js';

const PAGE_SIZE = 50;

/** Changed orders in one answer. The rest comes with the next one. */
const MAX_CHANGES = 1_000;

/** Seconds until an order in this status may change. */
export const POLL_SECONDS: Record<OrderStatus, number> = {
  awaiting_payment: 300,
  pending: 900,
  shipped: 3_600,
  delivered: 86_400,
  cancelled: 86_400,
};

/** For lists, where new orders may appear, and for answers without orders. */
export const LIST_POLL_SECONDS = 300;

/** An answer that stores poll, and the seconds until the next poll makes sense. */
export interface PollResponse {
  answer: Representation;
  seconds: number;
}

/** The table of the orders. */
export type OrderSource = Pick<OrderViewRepository, 'findEach' | 'page' | 'changedSince'>;

interface StoreOrdersOptions {
  kind: OrderKind;
  source: OrderSource;
  /** Names the list of a client's orders in sync tokens. */
  listOf: (clientId: number) => SyncedList;
  snapshot: SnapshotService;
  settings: Settings;
  /** The message of the answer: what happens next. */
  receivedMessage: string;
}

/** The operations of a store on its orders, real ones or test orders. */
export abstract class StoreOrders {
  protected constructor(private readonly options: StoreOrdersOptions) {}

  /** The failure is demanded for a test order. */
  abstract quote(
    caller: Caller,
    request: QuoteOrderRequest,
    failure?: TestFailure,
  ): Promise<OrderQuoteResponse>;

  abstract cancel(caller: Caller, number: string): Promise<OrderStatusResponse>;

  /** Changes recipient and address until the order is packed. A repeat changes nothing. */
  abstract redirect(
    caller: Caller,
    number: string,
    delivery: ChangeDeliveryRequest,
  ): Promise<OrderDeliveryResponse>;

  /** Finds the key by our number or the store's own id. */
  abstract findKey(caller: Visitor, number: string): Promise<OrderKey>;

  /** The documents of an order, oldest first. */
  protected abstract documentsOf(clientId: number, orderNumber: string): Promise<DocumentResponse[]>;

  protected abstract findDetails(
    clientId: number,
    orderNumber: string,
  ): Promise<StoreOrderDetails | undefined>;

  /** The failure is demanded for a test order. */
  protected abstract place(
    caller: Caller,
    request: CreateOrderRequest,
    key?: string,
    failure?: TestFailure,
  ): Promise<PlacedOrder>;

  async create(
    caller: Caller,
    request: CreateOrderRequest,
    sent: Pick<ApiRequest, 'headers' | 'query' | 'body' | 'testFailure'>,
  ): Promise<{ answer: OrderCreatedResponse; isReplay: boolean }> {
    const key = readIdempotencyKey(sent, request);
    const placed = await this.place(caller, request, key, sent.testFailure);
    const { orderNumber, itemsCount, items, paymentDueAt, isReplay = false } = placed;
    const answer: OrderCreatedResponse = {
      success: true,
      order_number: orderNumber,
      store_order_id: request.store_order_id ?? null,
      subtotal: amountFromNumeric(placed.subtotal),
      delivery: amountFromNumeric(placed.delivery),
      total: amountFromNumeric(placed.total),
      currency: this.options.settings.currency,
      items_count: itemsCount,
      items,
      status: 'awaiting_payment',
      message: this.options.receivedMessage,
      payment_due_at: paymentDueAt.toISOString(),
      ...metadataField(placed),
    };
    return { answer: withWarnings(answer, request.shipping), isReplay };
  }

  async status(caller: Caller, number: string): Promise<PollResponse> {
    return toPollResponse(await this.get(caller, number));
  }

  async details(caller: Visitor, number: string): Promise<Representation> {
    const { clientId, orderNumber } = await this.findKey(caller, number);
    const order = await this.findDetails(clientId, orderNumber);
    if (!order) throw orderNotFound(number, this.options.kind);
    if (order.paymentStatus === 'unpaid' && !this.hasSubscription(clientId)) throw subscriptionInactive();
    const documents = await this.documentsOf(clientId, orderNumber);
    return new SmallRepresentation(toStoreOrderDetails(order, documents));
  }

  async documents(caller: Visitor, number: string): Promise<Representation> {
    const { clientId, orderNumber } = await this.findKey(caller, number);
    const documents = await this.documentsOf(clientId, orderNumber);
    return new SmallRepresentation({ success: true, documents } satisfies OrderDocumentsResponse);
  }

  private hasSubscription(clientId: number): boolean {
    return this.options.snapshot.activeSubscription(clientId, Date.now()) !== undefined;
  }

  async statuses(caller: Caller, { whole, names }: SentList): Promise<PollResponse> {
    const parts = [...new Set(names)].filter((name) => name !== '');
    const candidates = [...new Set([whole ?? [], parts].flat())];
    const byNumber = await this.findAll(caller, candidates);
    // An id may contain a comma, so the whole text is tried first.
    const numbers = whole !== undefined && byNumber.has(whole) ? [whole] : parts;
    if (numbers.length === 0)
      throw validationFailed([{ field: 'orders', code: 'required', message: 'is required' }]);
    const orders = numbers.flatMap((number) => byNumber.get(number) ?? []);
    const distinct = [...new Map(orders.map((order) => [order.orderNumber, order])).values()];
    const unknown = numbers.filter((number) => !byNumber.has(number));
    const json = await runInSlices(writeStatuses(distinct, unknown));
    return pollResponse(json, pollSeconds(orders.map(({ status }) => status)));
  }

  protected async get(caller: Visitor, number: string): Promise<StoreOrder> {
    const order = (await this.findAll(caller, [number])).get(number);
    if (!order) throw orderNotFound(number, this.options.kind);
    return order;
  }

  /** The orders by the requested numbers. Only a number without an order is read as people write it. */
  private async findAll(caller: Visitor, requested: readonly string[]): Promise<Map<string, StoreOrder>> {
    const scope = scopeOf(caller);
    const found = new Map<string, StoreOrder>();
    for (const spelling of [0, 1]) {
      const missing = requested.flatMap((number) => {
        const text = found.has(number) ? undefined : spellingsOf(number)[spelling];
        return text === undefined ? [] : [{ number, text }];
      });
      if (missing.length === 0) continue;
      const orders = await this.options.source.findEach(
        missing.map(({ text }) => ({ ...scope, number: text })),
      );
      for (const [index, { number }] of missing.entries())
        if (orders[index]) found.set(number, orders[index]);
    }
    return found;
  }

  list(caller: Caller, query: OrderListQuery): Promise<PollResponse> {
    return query.since === undefined ? this.page(caller, query) : this.changes(caller, query.since);
  }

  private async page(caller: Caller, query: OrderListQuery): Promise<PollResponse> {
    const { client } = caller;
    const limit = query.limit ?? PAGE_SIZE;
    const after = query.cursor === undefined ? undefined : readOwnCursor(client.id, query.cursor);
    const { state, orders } = await this.readInCurrentGeneration(() =>
      this.options.source.page(scopeOf(caller), filterOf(query), { after }, limit + 1),
    );
    const { rows, last } = onePage(orders, limit);
    const body: OrderListResponse = {
      success: true,
      data: rows.map(toOrderSummary),
      has_more: last !== undefined,
      ...(last && { next_cursor: writeOrderCursor(cursorOf(client.id, last)) }),
      ...(isFirstUnfiltered(query) && { sync_token: syncTokenAfter(state, this.options.listOf(client.id)) }),
    };
    return pollResponse(JSON.stringify(body), LIST_POLL_SECONDS);
  }

  private async changes(caller: Caller, since: string): Promise<PollResponse> {
    const list = this.options.listOf(caller.client.id);
    const token = readOrdersToken(list, since);
    const page = await this.readInCurrentGeneration(() =>
      this.options.source.changedSince(scopeOf(caller), token.watermark, MAX_CHANGES),
    );
    // 410 for a token of another database generation, or one that is ahead of it.
    const { snapshot } = this.options;
    if (isUnknown(token, page.state)) {
      await refreshBehind(snapshot, since, token);
      throw expired();
    }
    const body = changesBody(list, page, token.watermark);
    return pollResponse(JSON.stringify(body), LIST_POLL_SECONDS);
  }

  /** After a failover the next generation begins before a sync token is written or read. */
  private async readInCurrentGeneration(readPage: () => Promise<OrdersWithState>): Promise<OrdersWithState> {
    const { snapshot } = this.options;
    let page = await readPage();
    if (page.state.identity !== snapshot.current().identity) {
      await snapshot.refreshNow();
      page = await readPage();
    }
    snapshot.noteVersion(page.state);
    return page;
  }
}

/** A store's own ids, and its list, belong to the domain of its token. */
export function scopeOf({ client, token }: Visitor): StoreScope {
  return { clientId: client.id, domain: token.domain };
}

/** A number as it is requested, then without what people change: case, dashes, O and 0, space around it. */
export function spellingsOf(number: string): string[] {
  if (!isStorableText(number)) return [];
  const normalised = normaliseOrderNumber(number) ?? normaliseTestOrderNumber(number) ?? number.trim();
  return normalised === number ? [number] : [number, normalised];
}

/** A return, and whether this request made it. */
export interface AddReturnResult {
  orderNumber: string;
  returned: ReturnFacts;
  isNew: boolean;
}

/** The same for test tokens. The module of test orders provides it. */
export abstract class TestOrders extends StoreOrders {
  abstract addReturn(caller: Visitor, number: string, input: ReturnInput): Promise<AddReturnResult>;
}

/** 100 orders of 100 lines would hold up other requests. */
function* writeStatuses(orders: StoreOrder[], unknown: string[]): Generator<void, string> {
  const data: string[] = [];
  for (const order of orders) {
    data.push(JSON.stringify(toOrderStatus(order)));
    yield;
  }
  return `{"success":true,"data":[${data.join(',')}],"unknown":${JSON.stringify(unknown)}}`;
}

function changesBody(list: SyncedList, page: OrdersWithState, since: number): OrderListResponse {
  const { watermark, hasMore } = resumeAfter(page, since);
  return {
    success: true,
    data: page.orders.map(toOrderSummary),
    has_more: hasMore,
    sync_token: syncTokenAfter(page.state, list, watermark),
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
    ...(created_from !== undefined && { from: parseInstant(created_from, 'UTC')! }),
    ...(created_to !== undefined && { to: parseEnd(created_to, 'UTC')! }),
  };
}

/** A token of a later page would miss changes of the earlier pages. */
function isFirstUnfiltered({ limit: _, ...filters }: OrderListQuery): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** 410 for a token of another client or another list. */
function readOrdersToken(list: SyncedList, text: string): SyncToken {
  const token = readSyncToken(text);
  if (!token) throw new Error('The sync token was not checked before.');
  if (token.list !== list) throw expired();
  return token;
}

/**
 * The position after a list of changes that may be cut off. "More" must lead further than this poll: an open
 * transaction holds the watermark back, and the next poll brings the orders behind it.
 */
function resumeAfter(
  { state, orders }: OrdersWithState,
  since: number,
): { watermark: number; hasMore: boolean } {
  // Later changes are of other stores of the client, if the list is not cut off.
  const last = orders.length < MAX_CHANGES ? state.highestVersion : Number(orders.at(-1)!.changed);
  const watermark = Math.min(watermarkOf(state), last + 1);
  return { watermark, hasMore: last < state.highestVersion && watermark > since };
}

function expired(): DomainError {
  return new DomainError(
    'sync_token_expired',
    'This token belongs to another state of the database, another client or another list. Read your ' +
      'orders once, without "since".',
  );
}

export function toPollResponse(order: StoreOrder): PollResponse {
  return { answer: new SmallRepresentation(toOrderStatus(order)), seconds: pollSeconds([order.status]) };
}

function pollResponse(json: string, seconds: number): PollResponse {
  return { answer: new ReadyRepresentation(json), seconds };
}

/** The order that may change first decides. */
function pollSeconds(statuses: OrderStatus[]): number {
  return statuses.length === 0
    ? LIST_POLL_SECONDS
    : Math.min(...statuses.map((status) => POLL_SECONDS[status]));
}
