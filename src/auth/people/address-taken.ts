import { DomainError } from '../../platform/errors/domain-error.js';
import { type Administrator, isOwnerOfClient } from './administrator.js';
import type { Person } from './person.entity.js';

/** Owners learn nothing of other clients but that an address is taken. */
export function addressTaken(
  by: Administrator,
  { id, clientId, email }: Pick<Person, 'id' | 'clientId' | 'email'>,
): DomainError {
  const errors = [{ field: 'email', code: 'taken', message: 'belongs to somebody already' }];
  if (isOwnerOfClient(by))
    return new DomainError(
      'conflict',
      clientId === by.clientId
        ? `${email} is one of your people already.`
        : `${email} cannot be invited: it signs in elsewhere.`,
      { errors },
    );
  const whose = clientId === null ? 'the wholesaler' : `client ${clientId}`;
  return new DomainError('conflict', `${email} is person ${id} of ${whose} already.`, { errors });
}
