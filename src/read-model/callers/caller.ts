import type { TokenKind } from '../../platform/access/token-kind.js';
import type { PlanView } from '../products/plan-view.js';

/** A client in memory. The object stays the same while its content changes. */
export class ClientView {
  name = '';
  suspended = false;

  constructor(readonly id: number) {}
}

interface TokenView {
  readonly id: number;
  readonly kind: TokenKind;
  readonly prefix: string;
  readonly domain: string;
  readonly createdAt: Date;
}

export interface SubscriptionView {
  readonly id: number;
  readonly clientId: number;
  readonly plan: PlanView;
  readonly startsAt: Date;
  /** The first moment after its end. */
  readonly endsAt: Date;
}

/** The client of a token, before the subscription is checked. */
export interface Visitor {
  client: ClientView;
  token: TokenView;
}

/** The client of a token, valid or not. */
export interface Holder extends Visitor {
  readonly revoked: boolean;
  /** The first moment after its end. */
  readonly endsAt: Date;
}

export function isAdmitted({ client, revoked, endsAt }: Holder, nowMs: number): boolean {
  return !client.suspended && !revoked && nowMs < endsAt.getTime();
}

/** A client with an active subscription, and so with prices. */
export interface Caller extends Visitor {
  subscription: SubscriptionView;
  plan: PlanView;
}

/** A client that orders, by a token or through a person. */
export interface OrderingClient extends Pick<Caller, 'subscription' | 'plan'> {
  client: Pick<ClientView, 'id'>;
  token?: Pick<TokenView, 'id' | 'domain'> | undefined;
}
