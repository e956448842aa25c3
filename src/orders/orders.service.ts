import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../read-model/access/caller.js';
import { amountFromMinor } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import { isStorableText } from '../platform/validation/texts.js';
import type { CreateOrderRequest } from './placing/create-order.request.js';
import type { OrderCreatedResponse } from './placing/order-created.response.js';
import { OrderLifecycle } from './lifecycle/order-lifecycle.service.js';
import { orderNotFound } from './order-errors.js';
import { OrderPlacement } from './placing/order-placement.js';
import { toOrderStatus } from './store/order.mapper.js';
import type { OrderStatusResponse } from './store/order.responses.js';
import { OrderViewRepository } from './view/order-view.repository.js';

/** What a store may do with its orders. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly placement: OrderPlacement,
    private readonly lifecycle: OrderLifecycle,
    private readonly orders: OrderViewRepository,
    private readonly snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async create(caller: Caller, request: CreateOrderRequest): Promise<OrderCreatedResponse> {
    const { orderNumber, totals, itemsCount, paymentDueAt } = await this.placement.place(caller, request);
    return {
      success: true,
      order_number: orderNumber,
      store_order_id: request.store_order_id ?? null,
      subtotal: amountFromMinor(totals.subtotal),
      delivery: amountFromMinor(totals.delivery),
      total: amountFromMinor(totals.total),
      currency: this.settings.currency,
      items_count: itemsCount,
      status: 'awaiting_payment',
      message: 'Order received. Review and pay for it in the dashboard to have it shipped.',
      payment_due_at: paymentDueAt.toISOString(),
    };
  }

  async cancel({ client }: Caller, number: string): Promise<OrderStatusResponse> {
    const key = isStorableText(number) ? await this.orders.findKey(client.id, number) : undefined;
    if (!key) throw orderNotFound();
    await this.lifecycle.cancelUnpaid(key, 'store', 'cancelled by the store');
    this.snapshot.refreshFor([client.id]);
    const order = await this.orders.find(client.id, key.orderNumber);
    if (!order) throw orderNotFound();
    return toOrderStatus(order);
  }
}
