import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { Token } from '../auth/tokens/token.entity.js';
import { OrderDeskService } from '../orders/desk/order-desk.service.js';
import { OrderLifecycleService } from '../orders/lifecycle/order-lifecycle.service.js';
import { OrdersService } from '../orders/orders.service.js';
import type { OrderStatus } from '../orders/rules/order-transitions.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { Caller } from '../read-model/access/caller.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import { DEMO_ACTOR } from './demo-actor.js';
import { DEMO_ORDERS, type DemoOrder, type Fate } from './demo-order-list.js';

type Step = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

const STEPS: Record<Fate, Step[]> = {
  waiting: [],
  paid: ['pay'],
  shipped: ['pay', 'ship'],
  delivered: ['pay', 'ship', 'deliver'],
  refunded: ['pay', 'cancel'],
  expired: ['expire'],
};

/** How many steps were done when an order stands like this. */
const DONE: Record<OrderStatus, number> = {
  awaiting_payment: 0,
  pending: 1,
  shipped: 2,
  delivered: 3,
  cancelled: Infinity,
};

/** Orders of the demo's store in every state, each brought there as any order is. What was done before is not done again. */
@Injectable()
export class DemoOrders {
  constructor(
    private readonly dataSource: DataSource,
    private readonly snapshot: SnapshotService,
    private readonly store: OrdersService,
    private readonly desk: OrderDeskService,
    private readonly lifecycle: OrderLifecycleService,
  ) {}

  /** For a store that is subscribed. */
  async make(clientId: number): Promise<void> {
    await this.snapshot.refreshNow();
    const caller = await this.callerOf(clientId);
    for (const order of DEMO_ORDERS) await this.bringThere(caller, order);
  }

  private async bringThere(caller: Caller, order: DemoOrder): Promise<void> {
    await this.place(caller, order);
    const orderNumber = await this.desk.numberOf(caller.client.id, order.id);
    const { status } = await this.desk.show(orderNumber);
    for (const step of STEPS[order.fate].slice(DONE[status]))
      await this.take(step, { clientId: caller.client.id, orderNumber }, order);
  }

  private async place(caller: Caller, { id, customer, shipping, items }: DemoOrder): Promise<void> {
    try {
      await this.store.create(caller, { store_order_id: id, customer, shipping, items });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'duplicate_order') throw error;
    }
  }

  private async take(
    step: Step,
    key: { clientId: number; orderNumber: string },
    { tracking }: DemoOrder,
  ): Promise<void> {
    const { orderNumber } = key;
    if (step === 'pay') return this.lifecycle.payFromWallet([key], DEMO_ACTOR);
    if (step === 'expire')
      return this.lifecycle.act(key, { action: 'expire', cancelReason: 'expired' }, DEMO_ACTOR);
    if (step === 'deliver') await this.desk.deliver(orderNumber, DEMO_ACTOR);
    if (step === 'cancel') await this.desk.cancel(orderNumber, DEMO_ACTOR, 'damaged in the warehouse');
    if (step === 'ship')
      await this.desk.ship(orderNumber, DEMO_ACTOR, {
        courier: 'BlueDart',
        trackingNumber: tracking ?? null,
        trackingUrl: tracking === undefined ? null : `https://tracking.example.com/${tracking}`,
        shippedAt: null,
      });
  }

  private async callerOf(clientId: number): Promise<Caller> {
    const token = await this.dataSource.manager.findOneByOrFail(Token, { clientId, revokedAt: IsNull() });
    const subscription = this.snapshot.activeSubscription(clientId, Date.now());
    if (!subscription) throw new Error('The demo store has no subscription.');
    const client = { id: clientId, name: '', email: '', suspended: false };
    return { client, token, subscription, plan: subscription.plan };
  }
}
