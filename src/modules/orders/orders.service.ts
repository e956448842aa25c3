import { Inject, Injectable } from '@nestjs/common';
import type { DocumentResponse } from '../invoices/document.responses.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Caller } from '../../read-model/callers/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { ordersOf } from '../../read-model/synced-lists/sync-token.js';
import type { OrderKey } from './entities/order.entity.js';
import { OrderCorrectionsService } from './lifecycle/order-corrections.service.js';
import { OrderLifecycleService } from './lifecycle/order-lifecycle.service.js';
import { orderNotFound } from './order-errors.js';
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
import { OrderViewRepository } from './records/order-view.repository.js';
import { toOrderDelivery, toOrderStatus } from './records/order.mapper.js';
import { readDelivery } from './rules/order-fields.js';
import { withWarnings } from './rules/pincode-of-state.js';
import { spellingsOf, StoreOrders } from './store-orders.js';
import { CANCEL_REASONS } from './cancel-reasons.js';

/** The operations of a store on its real orders. */
@Injectable()
export class OrdersService extends StoreOrders {
  constructor(
    private readonly placement: OrderPlacementService,
    private readonly quotes: OrderQuotesService,
    private readonly lifecycle: OrderLifecycleService,
    private readonly corrections: OrderCorrectionsService,
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
  dryRun(caller: Caller, request: CreateOrderRequest): Promise<OrderDryRun> {
    return this.quotes.dryRun(caller, request);
  }

  protected override place(caller: Caller, request: CreateOrderRequest, key?: string): Promise<PlacedOrder> {
    return this.placement.place(caller, request, key);
  }

  /** Orders that wait for the next batch. For the metrics. */
  get waitingCount(): number {
    return this.placement.waitingCount;
  }

  override async cancel({ client }: Caller, number: string): Promise<OrderStatusResponse> {
    const key = await this.findKey(client.id, number);
    await this.lifecycle.cancelUnpaid(key, 'store', CANCEL_REASONS.store);
    this.snapshot.refreshFor([client.id]);
    return toOrderStatus(await this.get(client.id, key.orderNumber));
  }

  override async redirect(
    { client }: Caller,
    number: string,
    delivery: ChangeDeliveryRequest,
  ): Promise<OrderDeliveryResponse> {
    const key = await this.findKey(client.id, number);
    return toOrderDelivery(await this.corrections.deliveryByStore(key, readDelivery(delivery)));
  }

  protected override findDetails(clientId: number, orderNumber: string) {
    return this.orders.findWhole(clientId, orderNumber);
  }

  protected override documentsOf(clientId: number, orderNumber: string): Promise<DocumentResponse[]> {
    return this.taxDocuments.forStore(clientId, orderNumber);
  }

  /** The key by our number, also as people write it, or by the store's own id. */
  override async findKey(clientId: number, number: string): Promise<OrderKey> {
    for (const spelling of spellingsOf(number)) {
      const key = await this.orders.findKey(clientId, spelling);
      if (key) return key;
    }
    throw orderNotFound(number);
  }
}
