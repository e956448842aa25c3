import { DomainError } from '../../platform/errors/domain-error.js';

export function subscriptionInactive(): DomainError {
  return new DomainError(
    'subscription_inactive',
    'There is no active subscription. See GET /api/plan for its dates. Follow the parcels of paid orders ' +
      'with GET /api/orders/{order_number}, or in the dashboard.',
  );
}

export function tokenUnknown(): DomainError {
  return new DomainError(
    'token_invalid',
    'This token is unknown, was revoked, or belongs to a suspended client.',
  );
}
