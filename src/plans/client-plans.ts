import { Injectable } from '@nestjs/common';
import type { SubscriptionView } from '../read-model/access/caller.js';
import type { PlanView } from '../read-model/products/plan-view.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';

/** A client's subscription to a plan, as it stands in the plan at this moment. */
export interface ClientSubscription {
  code: string;
  name: string;
  discountPercent: number;
  /** Of how many products the plan fixes the price, whatever the discount. */
  fixedPrices: number;
  startsAt: Date;
  /** The first moment that is no longer covered. */
  endsAt: Date;
}

export interface ClientPlan {
  active: ClientSubscription | undefined;
  /** The one that ended last, where none is active. */
  ended: ClientSubscription | undefined;
  /** What has not begun yet, the next one first. */
  toCome: ClientSubscription[];
}

/** At whose prices a client buys, from memory. */
@Injectable()
export class ClientPlans {
  constructor(private readonly snapshot: SnapshotService) {}

  /** The plan whose prices hold now; none without an active subscription. */
  activeView(clientId: number): PlanView | undefined {
    return this.snapshot.activeSubscription(clientId, Date.now())?.plan;
  }

  of(clientId: number): ClientPlan {
    const now = Date.now();
    const all = this.snapshot.current().access.subscriptionsOf(clientId);
    const active = this.snapshot.activeSubscription(clientId, now);
    const ended = active ? undefined : all.findLast(({ endsAt }) => endsAt.getTime() <= now);
    return {
      active: active && shown(active),
      ended: ended && shown(ended),
      toCome: all.filter(({ startsAt }) => startsAt.getTime() > now).map(shown),
    };
  }
}

function shown({ plan, startsAt, endsAt }: SubscriptionView): ClientSubscription {
  const { code, name, discountBasisPoints, fixedPriceCount } = plan;
  return {
    code,
    name,
    discountPercent: discountBasisPoints / 100,
    fixedPrices: fixedPriceCount,
    startsAt,
    endsAt,
  };
}
