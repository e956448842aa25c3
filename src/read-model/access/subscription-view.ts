import type { PlanView } from '../products/plan-view.js';

export interface SubscriptionView {
  readonly id: number;
  readonly clientId: number;
  readonly plan: PlanView;
  readonly startsAt: Date;
  /** The first moment at which it no longer holds. */
  readonly endsAt: Date;
}
