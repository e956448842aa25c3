import { Inject, Injectable } from '@nestjs/common';
import type { Visitor } from '../read-model/access/caller.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import type { PlanResponse } from './plan.response.js';

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
}
