import { DomainError } from '../../platform/errors/domain-error.js';

export function subscriptionInactive(): DomainError {
  return new DomainError(
    'subscription_inactive',
    'There is no active subscription. See GET /api/plan for its dates.',
  );
}
