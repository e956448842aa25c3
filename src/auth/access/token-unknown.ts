import { DomainError } from '../../platform/errors/domain-error.js';

export function tokenUnknown(): DomainError {
  return new DomainError(
    'token_invalid',
    'This token is unknown, was revoked, or belongs to a suspended client.',
  );
}
