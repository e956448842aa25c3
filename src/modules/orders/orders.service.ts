import { Inject, Injectable } from '@nestjs/common';
import type { DocumentResponse } from '../invoices/document.responses.js';
import { TaxDocumentsService } from '../invoices/tax-documents.service.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { isStorableText } from '../../platform/validation/texts.js';
import type { Caller } from '../../read-model/callers/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { ordersOf } from '../../read-model/synced-lists/sync-token.js';
import type { OrderKey } from './entities/order.entity.js';
import { OrderLifecycleService } from './lifecycle/order-lifecycle.service.js';
import { orderNotFound } from './order-errors.js';
import type { OrderStatusResponse } from './order.responses.js';
import type { CreateOrderRequest, QuoteOrderRequest } from './placing/create-order.request.js';
import type { PlacedOrder } from './placing/order-batch.service.js';
import { OrderPlacementService } from './placing/order-placement.service.js';
import { OrderQuotesService, type OrderDryRun } from './placing/order-quotes.service.js';
import { ORDER_RECEIVED, type OrderQuoteResponse } from './placing/placing.responses.js';
import type { StoreOrder } from './records/order-view.js';
import { OrderViewRepository } from './records/order-view.repository.js';
import { toOrderStatus } from './records/order.mapper.js';
import { withWarnings } from './rules/pincode-of-state.js';
import { StoreOrders } from './store-orders.js';
import { CANCEL_REASONS } from './cancel-reasons.js';

/** The operations of a store on its real orders. */
@Injectable()
export class OrdersService extends StoreOrders {
  constructor(
    private readonly placement: OrderPlacementService,
    private readonly quotes: OrderQuotesService,
    private readonly lifecycle: OrderLifecycleService,
    private readonly orders: OrderViewRepository,
    private readonly snapshot: SnapshotService,
    private readonly taxDocuments: TaxDocumentsService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    super({ source: orders, listOf: ordersOf, snapshot, settings, receivedMessage: ORDER_RECEIVED });
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

  protected override async find(clientId: number, number: string): Promise<StoreOrder | undefined> {
    const [order] = await this.orders.findEach([{ clientId, number }]);
    return order;
  }

  /** Orders that wait for the next batch. For the metrics. */
  get waitingCount(): number {
    return this.placement.waitingCount;
  }

  override async cancel({ client }: Caller, number: string): Promise<OrderStatusResponse> {
    const key = await this.findKey(client.id, number);
    await this.lifecycle.cancelUnpaid(key, 'store', CANCEL_REASONS.store);
    this.snapshot.refreshFor([client.id]);
    const order = await this.find(client.id, key.orderNumber);
    if (!order) throw orderNotFound();
    return toOrderStatus(order);
  }

  protected override async findDetails(clientId: number, number: string) {
    const key = await this.orders.findKey(clientId, number);
    return key && this.orders.findWhole(clientId, key.orderNumber);
  }

  protected override documentsOf(clientId: number, orderNumber: string): Promise<DocumentResponse[]> {
    return this.taxDocuments.forStore(clientId, orderNumber);
  }

  override async findKey(clientId: number, number: string): Promise<OrderKey> {
    const key = isStorableText(number) ? await this.orders.findKey(clientId, number) : undefined;
    if (!key) throw orderNotFound();
    return key;
  }
}
