import { DomainError } from '../../platform/errors/domain-error.js';
import { CLIENT_ROLES, type ClientRole } from './roles.js';

export function readRole(text: string): ClientRole {
  const role = CLIENT_ROLES.find((known) => known === text);
  if (role) return role;
  const message = `must be one of ${CLIENT_ROLES.join(', ')}`;
  throw new DomainError('invalid_value', `The role ${message}.`, {
    errors: [{ field: 'role', code: 'invalid', message }],
  });
}
