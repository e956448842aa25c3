import type { ClientView } from './client-view.js';
import type { PlanView } from '../products/plan-view.js';
import type { SubscriptionView } from './subscription-view.js';
import type { TokenView } from './token-view.js';

/** Whose token and domain were right, before anything is said about a subscription. */
export interface Visitor {
  client: ClientView;
  token: TokenView;
}

/** A visitor with an active subscription: who may read and order, and at which prices. */
export interface Caller extends Visitor {
  subscription: SubscriptionView;
  plan: PlanView;
}
