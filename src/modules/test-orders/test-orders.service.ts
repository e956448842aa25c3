import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { DocumentListQuery } from '../invoices/document.queries.js';
import type { DocumentListResponse, DocumentResponse } from '../invoices/document.responses.js';
import type { IssuedDocument } from '../invoices/document-pdf.js';
import { LAW_TIME_ZONE } from '../invoices/rules/law-time-zone.js';
import type { SampleDocuments } from '../invoices/sample-documents.js';
import {
  documentNotFound,
  isSampleNumber,
  pageOfDocuments,
  toSampleResponse,
} from '../invoices/tax-documents.service.js';
import type { Order, OrderKey } from '../orders/entities/order.entity.js';
import {
  duplicateOrder,
  illegalTransition,
  notCancellable,
  notChangeable,
  orderNotFound,
} from '../orders/order-errors.js';
import type { OrderStatusResponse } from '../orders/order.responses.js';
import { OrdersService } from '../orders/orders.service.js';
import type {
  ChangeDeliveryRequest,
  CreateOrderRequest,
  QuoteOrderRequest,
} from '../orders/placing/create-order.request.js';
import { type PlacedOrder, outcomeOfRepeat } from '../orders/placing/order-batch.service.js';
import type { OrderDryRun } from '../orders/placing/order-quotes.service.js';
import { type ClaimedOrder, claimOf } from '../orders/placing/placing.repository.js';
import type { OrderDeliveryResponse, OrderQuoteResponse } from '../orders/placing/placing.responses.js';
import type { StoreOrder } from '../orders/records/order-record.js';
import { toTestOrderNumber } from '../orders/records/order-cursor.js';
import { parcelsOf, refundsOf, returnsOf } from '../orders/records/order-details.js';
import {
  toOrderDelivery,
  toOrderItem,
  toOrderStatus,
  toReturnFacts,
} from '../orders/records/order-for-store.js';
import { stockObstacle } from '../orders/rules/evaluate-orders.js';
import { contentHash } from '../orders/rules/order-content.js';
import {
  ORDER_FIELD_NAMES,
  type OrderFieldName,
  readDelivery,
  readOrderFields,
} from '../orders/rules/order-fields.js';
import { newOrderNumber, newReturnNumber } from '../orders/rules/order-number.js';
import type { Obstacle } from '../orders/rules/obstacle.js';
import { redirectRefusal } from '../orders/rules/order-transitions.js';
import { stockFaults } from '../orders/rules/order-stock.js';
import { priceObstacle } from '../orders/rules/order-totals.js';
import { checkUnits } from '../orders/rules/order-units.js';
import { readReturn, type ReturnInput } from '../orders/rules/return-request.js';
import { type AddReturnResult, scopeOf, TestOrders } from '../orders/store-orders.js';
import { TEST_FAILURE_HEADER, type TestFailure } from '../../platform/access/test-failure.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import { Database } from '../../platform/database/database.js';
import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, HOUR_MS, dayAt } from '../../platform/time/time.js';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { isStorableText } from '../../platform/validation/texts.js';
import type { Caller, Visitor } from '../../read-model/callers/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { testOrdersOf } from '../../read-model/synced-lists/sync-token.js';
import { advanceOrder, type NextStep, withReturn } from './advance-order.js';
import { TestOrder, type TestOrderContent } from './test-order.entity.js';
import { reviveDates, TestOrdersRepository } from './test-orders.repository.js';
import { CANCEL_REASONS } from '../orders/cancel-reasons.js';

/** The orders of test tokens. They are checked like real ones, but hold no stock and owe no money. */
@Injectable()
export class TestOrdersService extends TestOrders implements SampleDocuments {
  constructor(
    private readonly database: Database,
    private readonly stored: TestOrdersRepository,
    private readonly real: OrdersService,
    private readonly workers: WorkerThreads,
    snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const received = 'Test order received. POST /api/test/orders/{order_number}/advance moves it on.';
    super({
      kind: 'test',
      source: stored,
      listOf: testOrdersOf,
      snapshot,
      settings,
      receivedMessage: received,
    });
  }

  override async quote(
    caller: Caller,
    request: QuoteOrderRequest,
    failure?: TestFailure,
  ): Promise<OrderQuoteResponse> {
    const { store_order_id: id, ...withoutId } = request;
    const taken = id === undefined ? null : await this.stored.findByClaim(scopeOf(caller), id);
    if (taken) throw duplicateOrder(claimedBy(taken), contentHash(request));
    const quote = await this.real.quote(caller, withoutId);
    if (!failure || !quote.orderable) return quote;
    const obstacle = demandedObstacle(failure, request, await this.real.dryRun(caller, withoutId));
    return obstacle
      ? { ...quote, orderable: false, errors: obstacle.rows, items: itemsWith(failure, quote) }
      : quote;
  }

  /** Moves an order on, as the wholesaler, a courier or time would do it. */
  async advance(caller: Caller, number: string, step: NextStep): Promise<OrderStatusResponse> {
    return toOrderStatus(await this.change(caller, number, (order) => this.next(order, step)));
  }

  /** Applies the rules of real returns. No goods will arrive. */
  override async addReturn(caller: Visitor, number: string, input: ReturnInput): Promise<AddReturnResult> {
    const request = readReturn(input);
    const hasRequestedId = ({ storeReturnId: id }: { storeReturnId: string | null }) =>
      id === input.storeReturnId;
    let isNew = true;
    const order = await this.change(caller, number, (before) => {
      isNew = !before.returns?.some(hasRequestedId);
      if (!isNew) return before;
      checkUnits(before.items, request.lines, 'returned');
      return { ...before, ...withReturn(before, request, this.moment()) };
    });
    const one = returnsOf(order).find(hasRequestedId)!;
    return { orderNumber: order.orderNumber, returned: toReturnFacts(one), isNew };
  }

  override async cancel(caller: Caller, number: string): Promise<OrderStatusResponse> {
    const cancelled = await this.change(caller, number, (order) => {
      if (order.status === 'cancelled') return order;
      if (order.status !== 'awaiting_payment') throw notCancellable(order);
      return { ...this.next(order, 'cancelled'), cancelReason: CANCEL_REASONS.store };
    });
    return toOrderStatus(cancelled);
  }

  override async redirect(
    caller: Caller,
    number: string,
    delivery: ChangeDeliveryRequest,
  ): Promise<OrderDeliveryResponse> {
    const redirected = await this.change(caller, number, (order) => {
      const refused = redirectRefusal({ ...order, packingList: null });
      if (refused !== undefined) throw notChangeable(order, refused);
      return { ...order, ...readDelivery(delivery) };
    });
    return toOrderDelivery(redirected);
  }

  override async findKey(caller: Visitor, number: string): Promise<OrderKey> {
    const { orderNumber } = await this.get(caller, number);
    return { clientId: caller.client.id, orderNumber };
  }

  protected override findDetails(clientId: number, orderNumber: string) {
    return this.stored.find(clientId, orderNumber);
  }

  protected override async documentsOf(clientId: number, orderNumber: string): Promise<DocumentResponse[]> {
    return (await this.samplesOf(clientId, orderNumber)).map(toSampleResponse);
  }

  async findDocument(clientId: number, number: string): Promise<IssuedDocument> {
    const name = number.trim().toUpperCase();
    const orderNumber = name.split('-').slice(0, -2).join('-');
    const samples = isStorableText(orderNumber) ? await this.samplesOf(clientId, orderNumber) : [];
    const document = samples.find((sample) => sample.number === name);
    if (!document) {
      const hint = 'Test tokens read only the samples of test orders.';
      throw documentNotFound(isSampleNumber(number) ? undefined : hint);
    }
    return document;
  }

  pageOfSamples(clientId: number, query: DocumentListQuery): Promise<DocumentListResponse> {
    return pageOfDocuments(query, async (after, last, limit) => {
      const orders = await this.stored.newest(clientId, SAMPLED_ORDERS);
      const found: DocumentResponse[] = [];
      for (const order of orders)
        if (isBilledIn(order, after.day, last))
          found.push(...(await this.documentsOf(clientId, order.orderNumber)));
      const placeOf = ({ date, number }: DocumentResponse) => `${date} ${number}`;
      const first = `${after.day} ${after.number}`;
      return found
        .filter((document) => placeOf(document) > first && document.date <= last)
        .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .slice(0, limit);
    });
  }

  protected override async place(
    caller: Caller,
    request: CreateOrderRequest,
    key?: string,
    failure?: TestFailure,
  ): Promise<PlacedOrder> {
    const scope = scopeOf(caller);
    const claim = claimOf(caller, request, key)[0]?.storeOrderId ?? null;
    const taken = claim === null ? null : await this.stored.findByClaim(scope, claim);
    if (taken) return answerRepeat(taken, request, key);
    const dryRun = await this.real.dryRun(caller, request);
    const obstacle = failure && demandedObstacle(failure, request, dryRun);
    if (obstacle) throw obstacle.error;
    const content = this.newOrder(request, dryRun);
    const { orderNumber, placedAt } = content;
    const order = { ...scope, orderNumber, claim, contentHash: contentHash(request), placedAt, content };
    if (await this.stored.add(order)) return claimedBy(order);
    // A request at the same time has the same claim.
    return answerRepeat((await this.stored.findByClaim(scope, claim!))!, request, key);
  }

  private async samplesOf(clientId: number, orderNumber: string): Promise<IssuedDocument[]> {
    const order = await this.findDetails(clientId, orderNumber);
    const samples: IssuedDocument[] = [];
    if (!order?.parcels) return samples;
    const work = { module: import.meta.resolve('./make-samples.js'), facts: { clientId, order } };
    for await (const sample of this.workers.run<IssuedDocument>(`samples of client ${clientId}`, work))
      samples.push(sample);
    return samples;
  }

  private newOrder(request: CreateOrderRequest, { lines, totals }: OrderDryRun): TestOrderContent {
    const placedAt = new Date();
    const { currency, paymentWindowHours, timeZone } = this.settings;
    return {
      orderNumber: toTestOrderNumber(newOrderNumber(dayAt(placedAt.getTime(), timeZone))),
      storeOrderId: request.store_order_id ?? null,
      ...sentFields(request),
      status: 'awaiting_payment',
      paymentStatus: 'unpaid',
      currency,
      subtotal: numericFromMinor(totals.subtotal),
      delivery: numericFromMinor(totals.delivery),
      total: numericFromMinor(totals.total),
      refundedAmount: '0.00',
      itemsCount: lines.length,
      courier: null,
      trackingNumber: null,
      trackingUrl: null,
      shippedAt: null,
      cancelReason: null,
      metadata: request.metadata ?? null,
      placedAt,
      paymentDueAt: new Date(placedAt.getTime() + paymentWindowHours * HOUR_MS),
      items: lines.map(({ index, offer, variationKey, remark, metadata, quantity, lineTotal }) => ({
        line: index + 1,
        sku: offer.sku,
        name: offer.name,
        variationKey,
        remark,
        metadata,
        quantity,
        unitPrice: numericFromMinor(offer.price),
        lineTotal: numericFromMinor(lineTotal),
        shipped: 0,
        cancelled: 0,
        refunded: 0,
        returned: 0,
      })),
      timeline: [{ status: 'awaiting_payment', changedAt: placedAt.getTime() }],
      parcels: null,
      parcelItems: null,
      returns: null,
      returnItems: null,
      refunds: null,
      refundItems: null,
    };
  }

  private next(order: TestOrderContent, step: NextStep): TestOrderContent {
    const next = advanceOrder(order, step, this.moment());
    if ('refused' in next) throw illegalTransition(order.orderNumber, next.refused);
    return next;
  }

  private moment() {
    const now = new Date();
    return { now, returnNumber: `TEST-${newReturnNumber(dayAt(now.getTime(), this.settings.timeZone))}` };
  }

  private async change(
    caller: Visitor,
    number: string,
    change: (order: TestOrderContent) => TestOrderContent,
  ): Promise<TestOrderContent> {
    const key = await this.findKey(caller, number);
    return this.database.transaction(async ({ manager }) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const order = await manager.findOne(TestOrder, { where: key, lock });
      if (!order) throw orderNotFound();
      const before = reviveDates(order.content);
      const content = change(before);
      // A repeat writes nothing: the content may have hundreds of KB.
      if (!isDeepStrictEqual(content, before)) await manager.update(TestOrder, key, { content });
      return content;
    });
  }
}

/** Making samples takes as long as billing. The documentation names the number. */
const SAMPLED_ORDERS = 100;

/** Whether a parcel left, or money went back, in these days. */
function isBilledIn(order: StoreOrder, first: Day, last: Day): boolean {
  const times = [
    ...parcelsOf(order).map(({ shippedAt }) => shippedAt),
    ...refundsOf(order).map(({ refundedAt }) => refundedAt),
  ];
  const days = times.map((time) => dayAt(time, LAW_TIME_ZONE));
  return days.some((day) => day >= first && day <= last);
}

/** A price that has just risen by one rupee; by two if the store expects a rise of one. */
const PRICE_RISES: readonly Minor[] = [100, 200];

/** The obstacle by the rules of placing if all goods were sold out, or if a price had changed. */
function demandedObstacle(
  failure: TestFailure,
  { expected_total: expected }: QuoteOrderRequest,
  { lines, totals }: OrderDryRun,
): Obstacle | undefined {
  if (failure === 'sold_out') return stockObstacle(stockFaults(lines, new Map()));
  if (failure !== 'price_changed') return undefined;
  if (expected === undefined) {
    const message = `is required with ${TEST_FAILURE_HEADER}: ${failure}`;
    throw validationFailed([{ field: 'expected_total', code: 'required', message }]);
  }
  return PRICE_RISES.map((rise) => priceObstacle(expected, totals.total + rise)).find(
    (obstacle) => obstacle !== undefined,
  );
}

function itemsWith(failure: TestFailure, { items }: OrderQuoteResponse): OrderQuoteResponse['items'] {
  if (failure !== 'sold_out') return items;
  return items.map((item) => ({ ...item, stock: { ...item.stock, available: 0, sufficient: false } }));
}

function sentFields(request: CreateOrderRequest): Pick<Order, OrderFieldName> {
  const sent = readOrderFields(request);
  const fields = ORDER_FIELD_NAMES.map((name) => [name, sent[name] ?? null]);
  return Object.fromEntries(fields) as Pick<Order, OrderFieldName>;
}

const claimedBy = ({
  content,
  contentHash: hash,
}: Pick<TestOrder, 'content' | 'contentHash'>): ClaimedOrder => ({
  ...content,
  contentHash: hash,
  items: content.items.map(toOrderItem),
});

/** The answer to a request whose id or key has an order already. */
function answerRepeat(order: TestOrder, request: CreateOrderRequest, key: string | undefined): PlacedOrder {
  const outcome = outcomeOfRepeat(claimedBy(order), { request, idempotencyKey: key });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.placed;
}
