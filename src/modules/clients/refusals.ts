import { DomainError } from '../../platform/errors/domain-error.js';

/** What the store of a suspended client reads. */
export const SUSPENDED = 'Your account is suspended. Ask the wholesaler.';

export function subscriptionInactive(): DomainError {
  return new DomainError(
    'subscription_inactive',
    'There is no active subscription. See GET /api/plan for its dates. Follow the parcels of paid orders ' +
      'with GET /api/orders/{order_number}, or in the dashboard.',
  );
}

/** For an order that a person enters. */
export const noSubscription = () =>
  new DomainError('subscription_inactive', 'There is no active subscription, so there are no prices.');

export const suspended = () =>
  new DomainError('conflict', 'The account is suspended: no order can be placed.');

export function tokenUnknown(
  message = 'This token is unknown, was revoked, or belongs to a suspended client.',
): DomainError {
  return new DomainError('token_invalid', message);
}
