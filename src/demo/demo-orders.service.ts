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
import { DEMO_ACTOR } from './demo-store.js';

export type Fate = 'waiting' | 'paid' | 'shipped' | 'delivered' | 'refunded' | 'expired';

export interface DemoOrder {
  /** The store's own id, so that each order is placed once. */
  id: string;
  fate: Fate;
  customer: { name: string; phone: string };
  shipping: { address: string; city: string; state: string; pincode: string; country: string };
  items: { sku: string; quantity: number; variation?: string }[];
  tracking?: string;
}

const RAVI = person('Ravi Kumar', '12, MG Road', 'Bengaluru', 'Karnataka', '560038');
const MEERA = person('Meera Nair', '4, Marine Drive', 'Kochi', 'Kerala', '682031');
const FARHAN = person('Farhan Ali', '88, Banjara Hills', 'Hyderabad', 'Telangana', '500034');
const LAKSHMI = person('Lakshmi Iyer', '23, Besant Nagar', 'Chennai', 'Tamil Nadu', '600090');
const ARJUN = person('Arjun Singh', '7, C-Scheme', 'Jaipur', 'Rajasthan', '302001');

/** The oldest first. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  { id: 'DEMO-0981', fate: 'delivered', ...LAKSHMI, items: [shirt('Navy / M', 2)], tracking: 'BD4711001' },
  { id: 'DEMO-0984', fate: 'refunded', ...ARJUN, items: [shirt('White / L', 1)] },
  { id: 'DEMO-0986', fate: 'expired', ...FARHAN, items: [shirt('Red / S', 1)] },
  { id: 'DEMO-0987', fate: 'shipped', ...RAVI, items: [shirt('Red / L', 3)], tracking: 'BD4711002' },
  { id: 'DEMO-0990', fate: 'shipped', ...MEERA, items: [shirt('Navy / L', 1)], tracking: 'BD4711003' },
  { id: 'DEMO-0992', fate: 'paid', ...ARJUN, items: [mugs(4)] },
  { id: 'DEMO-0995', fate: 'waiting', ...FARHAN, items: [mugs(2), shirt('White / M', 2)] },
  { id: 'DEMO-0996', fate: 'waiting', ...MEERA, items: [shirt('Navy / XL', 5)] },
  { id: 'DEMO-0998', fate: 'waiting', ...LAKSHMI, items: [mugs(6)] },
];

function person(name: string, address: string, city: string, state: string, pincode: string) {
  return {
    customer: { name, phone: '+91 98765 43210' },
    shipping: { address, city, state, pincode, country: 'India' },
  };
}

function shirt(variation: string, quantity: number) {
  return { sku: 'TSHIRT-CLASSIC', variation, quantity };
}

function mugs(quantity: number) {
  return { sku: 'MUG-350', quantity };
}

type Step = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

const STEPS: Record<Fate, Step[]> = {
  waiting: [],
  paid: ['pay'],
  shipped: ['pay', 'ship'],
  delivered: ['pay', 'ship', 'deliver'],
  refunded: ['pay', 'cancel'],
  expired: ['expire'],
};

/** How many steps an order with this status has done. */
const DONE: Record<OrderStatus, number> = {
  awaiting_payment: 0,
  pending: 1,
  shipped: 2,
  delivered: 3,
  cancelled: Infinity,
};

/**
 * Orders of the demo store with every status, made by the same services as real orders. Steps that are done
 * are skipped.
 */
@Injectable()
export class DemoOrders {
  constructor(
    private readonly dataSource: DataSource,
    private readonly snapshot: SnapshotService,
    private readonly store: OrdersService,
    private readonly desk: OrderDeskService,
    private readonly lifecycle: OrderLifecycleService,
  ) {}

  /** The store must have a subscription. */
  async make(clientId: number): Promise<void> {
    await this.snapshot.refreshNow();
    const caller = await this.callerOf(clientId);
    for (const order of DEMO_ORDERS) await this.bringThere(caller, order);
  }

  private async bringThere(caller: Caller, order: DemoOrder): Promise<void> {
    await this.place(caller, order);
    const orderNumber = await this.desk.numberOf(order.id, caller.client.id);
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
