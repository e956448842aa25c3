import { Injectable } from '@nestjs/common';
import { subscriptionInactive, tokenUnknown } from '../../auth/access/store-token.credential.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Caller } from '../../read-model/access/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import type { Rights } from './rights.repository.js';

/** Where the prices are those of a plan that the client has no longer. */
class PlanChanged extends DomainError {
  constructor() {
    super('unavailable', 'Your plan is being changed at this moment. Please repeat the request.', {
      retryAfterSeconds: 2,
    });
  }
}

/** What let a caller in was a moment old, and an order may have had to wait: whether it still holds is asked when the order is written. */
@Injectable()
export class CurrentRights {
  constructor(private readonly snapshot: SnapshotService) {}

  /** Places it again, by the new plan, if the plan was changed. */
  async keep<Placed>(caller: Caller, place: (caller: Caller) => Promise<Placed>): Promise<Placed> {
    try {
      return await place(caller);
    } catch (error) {
      if (!(error instanceof PlanChanged)) throw error;
      await this.snapshot.refreshAfterWrite();
      return place(this.asOfNow(caller));
    }
  }

  private asOfNow({ client, token }: Caller): Caller {
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) throw subscriptionInactive();
    return { client, token, subscription, plan: subscription.plan };
  }
}

/** Why the caller may not order any more, if that is so. */
export function barrierTo(caller: Caller, { isAdmitted, planId }: Rights): DomainError | undefined {
  if (!isAdmitted) return tokenUnknown();
  if (planId === null) return subscriptionInactive();
  return planId === caller.plan.id ? undefined : new PlanChanged();
}
