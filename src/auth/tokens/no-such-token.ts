import { DomainError } from '../../platform/errors/domain-error.js';

/** To a client's people. The same for another client's token: nobody learns that it exists. */
export function noSuchToken(): DomainError {
  return new DomainError('token_not_found', 'There is no such token, or it has ended.');
}
