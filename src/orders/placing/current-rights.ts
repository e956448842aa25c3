import { Injectable } from '@nestjs/common';
import { subscriptionInactive, tokenUnknown } from '../../auth/access/store-token.credential.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Caller } from '../../read-model/access/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import type { Rights } from './rights.repository.js';

/** The order was priced by a plan that the client no longer has. */
class PlanChanged extends DomainError {
  constructor() {
    super('unavailable', 'Your plan is being changed at this moment. Please repeat the request.', {
      retryAfterSeconds: 2,
    });
  }
}

/** Checks the caller's rights again when the order is written, because it may have waited. */
@Injectable()
export class CurrentRights {
  constructor(private readonly snapshot: SnapshotService) {}

  /** Places the order again by the new plan if the plan changed. */
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

/** The reason why the caller may no longer order, if any. */
export function barrierTo(caller: Caller, { isAdmitted, planId }: Rights): DomainError | undefined {
  if (!isAdmitted) return tokenUnknown();
  if (planId === null) return subscriptionInactive();
  return planId === caller.plan.id ? undefined : new PlanChanged();
}
