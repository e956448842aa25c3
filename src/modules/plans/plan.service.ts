import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { SubscriptionView, Visitor } from '../../read-model/callers/caller.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import type { PlanResponse } from './plan.response.js';

export interface ClientSubscription {
  code: string;
  name: string;
  discountPercent: number;
  /** How many products have a fixed price in the plan. */
  fixedPrices: number;
  startsAt: Date;
  /** Exclusive. */
  endsAt: Date;
}

export interface ClientPlan {
  active: ClientSubscription | undefined;
  /** The last one that ended, if none is active. */
  ended: ClientSubscription | undefined;
  /** Future subscriptions, the next one first. */
  toCome: ClientSubscription[];
}

/** The plan and the subscriptions of a client, from memory. */
@Injectable()
export class PlanService {
  constructor(
    private readonly snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  describe({ client }: Visitor): PlanResponse {
    const now = Date.now();
    const subscription = this.snapshot.latestSubscription(client.id, now);
    if (!subscription) return { success: true, data: null };
    const { plan, startsAt, endsAt } = subscription;
    return {
      success: true,
      data: {
        code: plan.code,
        name: plan.name,
        currency: this.settings.currency,
        discount_percent: plan.discountBasisPoints / 100,
        subscription: {
          starts_at: new Date(startsAt).toISOString(),
          ends_at: new Date(endsAt).toISOString(),
          active: this.snapshot.activeSubscription(client.id, now) !== undefined,
        },
      },
    };
  }

  activeView(clientId: number): PlanView | undefined {
    return this.snapshot.activeSubscription(clientId, Date.now())?.plan;
  }

  of(clientId: number): ClientPlan {
    const now = Date.now();
    const all = this.snapshot.current().access.subscriptionsOf(clientId);
    const active = this.snapshot.activeSubscription(clientId, now);
    const ended = active ? undefined : all.findLast(({ endsAt }) => endsAt.getTime() <= now);
    return {
      active: active && toClientSubscription(active),
      ended: ended && toClientSubscription(ended),
      toCome: all.filter(({ startsAt }) => startsAt.getTime() > now).map(toClientSubscription),
    };
  }
}

function toClientSubscription({ plan, startsAt, endsAt }: SubscriptionView): ClientSubscription {
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
