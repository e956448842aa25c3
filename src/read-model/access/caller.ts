import type { PlanView } from '../products/plan-view.js';

/** A client as the snapshot knows it. The object stays the same while its content is kept current. */
export class ClientView {
  name = '';
  email = '';
  suspended = false;

  constructor(readonly id: number) {}
}

export interface TokenView {
  readonly id: number;
  readonly clientId: number;
  readonly prefix: string;
  readonly domain: string;
  readonly createdAt: Date;
}

export interface SubscriptionView {
  readonly id: number;
  readonly clientId: number;
  readonly plan: PlanView;
  readonly startsAt: Date;
  /** The first moment at which it no longer holds. */
  readonly endsAt: Date;
}

/** Whose token it is, before anything is said about a subscription. */
export interface Visitor {
  client: ClientView;
  token: TokenView;
}

/** Whose token it is or was: what decides whether it lets anybody in. */
export interface Holder extends Visitor {
  readonly revoked: boolean;
  /** The first moment at which it no longer holds. */
  readonly endsAt: Date;
}

export function isAdmitted({ client, revoked, endsAt }: Holder, nowMs: number): boolean {
  return !client.suspended && !revoked && nowMs < endsAt.getTime();
}

/** A visitor with an active subscription: who may read and order, and at which prices. */
export interface Caller extends Visitor {
  subscription: SubscriptionView;
  plan: PlanView;
}
