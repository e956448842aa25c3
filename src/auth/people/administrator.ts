import type { NewAuditEntry } from '../../audit/audit-log.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireClient } from '../clients/client-finder.js';
import { Person } from './person.entity.js';
import { type ClientPerson, requireRole } from './signed-in-person.js';

/** An employee of the wholesaler who works for one client, by command. */
export interface Operator {
  clientId: number;
  actor: string;
}

/** The person who manages a client's people: an owner or an operator. */
export type Administrator = ClientPerson | Operator;

export function isOwnerOfClient(by: Administrator): by is ClientPerson {
  return 'sessionId' in by;
}

/** A stolen session must not bypass the password check. */
export function requireOtherPerson(by: Administrator, personId: number): void {
  if (!isOwnerOfClient(by) || by.id !== personId) return;
  throw new DomainError(
    'conflict',
    'Change your own password and second step under Security. Only another owner can disable you.',
  );
}

/** The author, as the audit log stores it. */
export function doneBy(
  by: Administrator,
): Pick<NewAuditEntry & { person: ClientPerson }, 'person'> | Operator {
  return isOwnerOfClient(by) ? { person: by } : by;
}

/** Operators need no role. */
export function requireOwner(by: Administrator): void {
  if (isOwnerOfClient(by)) requireRole(by, 'owner');
}

/**
 * Locks and returns all people of the client until the transaction ends, so their changes run one by one. The
 * owner who asks must still be one: if two owners demote each other, the second is refused.
 */
export async function lockPeople({ manager }: Transaction, by: Administrator): Promise<Person[]> {
  requireOwner(by);
  const people = await manager
    .createQueryBuilder(Person, 'person')
    .where({ clientId: by.clientId })
    .orderBy('person.id')
    .setLock('for_no_key_update')
    .getMany();
  if (isOwnerOfClient(by)) {
    const now = people.find(({ id, disabledAt }) => id === by.id && disabledAt === null);
    if (!now) throw new DomainError('session_missing', 'Sign in to continue.');
    requireRole({ ...by, role: now.role as typeof by.role }, 'owner');
  } else if (people.length === 0) await requireClient(manager, by.clientId);
  return people;
}
