import { DomainError } from '../../platform/errors/domain-error.js';

export function personNotFound(personId: number): DomainError {
  return new DomainError('person_not_found', `There is no person ${personId}.`);
}
