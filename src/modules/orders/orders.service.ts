import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { DocumentResponse } from '../invoices/document.responses.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Caller, Visitor } from '../../read-model/callers/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { ordersOf } from '../../read-model/synced-lists/sync-token.js';
import type { OrderKey } from './entities/order.entity.js';
import { OrderLifecycleService } from './lifecycle/order-lifecycle.service.js';
import { notChangeable, orderNotFound } from './order-errors.js';
import type { OrderStatusResponse } from './order.responses.js';
import type {
  ChangeDeliveryRequest,
  CreateOrderRequest,
  QuoteOrderRequest,
} from './placing/create-order.request.js';
import type { PlacedOrder } from './placing/order-batch.service.js';
import { OrderPlacementService } from './placing/order-placement.service.js';
import { OrderQuotesService, type OrderDryRun } from './placing/order-quotes.service.js';
import {
  ORDER_RECEIVED,
  type OrderDeliveryResponse,
  type OrderQuoteResponse,
} from './placing/placing.responses.js';
import { OrderViewRepository, type OrderVersion } from './records/order-view.repository.js';
import { toOrderDelivery, toOrderStatus } from './records/order-for-store.js';
import { readDelivery } from './rules/order-fields.js';
import { withWarnings } from './rules/pincode-of-state.js';
import { type PollResponse, scopeOf, spellingsOf, StoreOrders, toPollResponse } from './store-orders.js';
import { CANCEL_REASONS } from './cancel-reasons.js';
import { changeOwnDelivery } from './actions/change-delivery.js';
import { STORE } from './actions/order-action.js';

const MAX_KEPT = 10_000;

type KeptStatus = PollResponse & OrderVersion;

/** The operations of a store on its real orders. */
@Injectable()
export class OrdersService extends StoreOrders {
  /** The last answers about single orders. A look at the version costs a third of reading the order. */
  private readonly keptStatuses = new LRUCache<string, KeptStatus>({ max: MAX_KEPT });

  constructor(
    private readonly placement: OrderPlacementService,
    private readonly quotes: OrderQuotesService,
    private readonly lifecycle: OrderLifecycleService,
    private readonly orders: OrderViewRepository,
    private readonly snapshot: SnapshotService,
    private readonly taxDocuments: TaxDocumentsService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    super({
      kind: 'real',
      source: orders,
      listOf: ordersOf,
      snapshot,
      settings,
      receivedMessage: ORDER_RECEIVED,
    });
  }

  override async quote(caller: Caller, request: QuoteOrderRequest): Promise<OrderQuoteResponse> {
    return withWarnings(await this.quotes.quote(caller, request), request.shipping);
  }

  /** Refuses what placing the order now would refuse, and holds nothing. */
  dryRun(caller: Caller, request: QuoteOrderRequest): Promise<OrderDryRun> {
    return this.quotes.dryRun(caller, request);
  }

  protected override place(caller: Caller, request: CreateOrderRequest, key?: string): Promise<PlacedOrder> {
    return this.placement.place(caller, request, key);
  }

  /** Orders that wait for the next batch. For the metrics. */
  get waitingCount(): number {
    return this.placement.waitingCount;
  }

  override async cancel(caller: Caller, number: string): Promise<OrderStatusResponse> {
    const key = await this.findKey(caller, number);
    await this.lifecycle.cancelUnpaid(key, STORE, CANCEL_REASONS.store);
    this.snapshot.refreshFor([key.clientId]);
    return toOrderStatus(await this.get(caller, key.orderNumber));
  }

  override async redirect(
    caller: Caller,
    number: string,
    delivery: ChangeDeliveryRequest,
  ): Promise<OrderDeliveryResponse> {
    const key = await this.findKey(caller, number);
    await this.lifecycle
      .applyChange(key, changeOwnDelivery(readDelivery(delivery)), STORE)
      .catch(async (error: unknown) => {
        // No further correction has room.
        if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
        throw notChangeable(await this.get(caller, key.orderNumber), error.message);
      });
    return toOrderDelivery((await this.findDetails(key.clientId, key.orderNumber))!);
  }

  override async status(caller: Caller, number: string): Promise<PollResponse> {
    const scope = scopeOf(caller);
    const key = [scope.clientId, scope.domain, this.snapshot.current().identity, number].join(' ');
    const kept = this.keptStatuses.get(key);
    const version = kept && (await this.orders.findVersion(scope, number));
    if (version && version.orderNumber === kept.orderNumber && version.changed === kept.changed) return kept;
    const order = await this.get(caller, number);
    const status = { ...toPollResponse(order), orderNumber: order.orderNumber, changed: order.changed };
    this.keptStatuses.set(key, status);
    return status;
  }

  protected override findDetails(clientId: number, orderNumber: string) {
    return this.orders.findForStore(clientId, orderNumber);
  }

  protected override documentsOf(clientId: number, orderNumber: string): Promise<DocumentResponse[]> {
    return this.taxDocuments.forStore(clientId, orderNumber);
  }

  /** The key by our number, also as people write it, or by the store's own id. */
  override async findKey(caller: Visitor, number: string): Promise<OrderKey> {
    for (const spelling of spellingsOf(number)) {
      const key = await this.orders.findKey(scopeOf(caller), spelling);
      if (key) return key;
    }
    throw orderNotFound(number);
  }
}
