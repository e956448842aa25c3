import { DomainError } from '../../platform/errors/domain-error.js';

export function clientNotFound(clientId: number): DomainError {
  return new DomainError('client_not_found', `There is no client ${clientId}.`);
}
