import { IsNull } from 'typeorm';
import type { NewAuditEntry, OtherActor } from '../audit/audit-log.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireClient } from '../clients/client.repository.js';
import { Person } from './person.entity.js';
import {
  isManager,
  requireRole,
  rolesOf,
  type SignedInPerson,
} from '../../platform/access/signed-in-person.js';

/** A person who manages people: an owner, an admin, or an operator with a command. */
export type Administrator = SignedInPerson | OtherActor;

export function isSignedIn(by: Administrator): by is SignedInPerson {
  return 'sessionId' in by;
}

/** A stolen session must not bypass the password check. */
export function requireOtherPerson(by: Administrator, personId: number): void {
  if (!isSignedIn(by) || by.id !== personId) return;
  throw new DomainError(
    'conflict',
    'Change your own password and second step under Security. Only another person can disable you.',
  );
}

/** The author of an audit entry. */
export function doneBy(
  by: Administrator,
): Pick<NewAuditEntry & { person: SignedInPerson }, 'person'> | OtherActor {
  return isSignedIn(by) ? { person: by } : by;
}

/** Owners manage the people of their client, admins those of the wholesaler. Operators need no role. */
export function requireManager(by: Administrator): void {
  if (isSignedIn(by)) requireRole(by, rolesOf(by.clientId).find(isManager)!);
}

/** The query condition for people of a client or, with null, of the wholesaler. */
export const ofAccount = (clientId: number | null) => clientId ?? IsNull();

/**
 * Locks and returns all people of the account until the transaction ends, so their changes run one by one.
 * The manager must still be a manager: if two owners demote each other, the second one is refused.
 */
export async function lockPeople({ manager }: Transaction, by: Administrator): Promise<Person[]> {
  requireManager(by);
  const people = await manager
    .createQueryBuilder(Person, 'person')
    .where({ clientId: ofAccount(by.clientId) })
    .orderBy('person.id')
    .setLock('for_no_key_update')
    .getMany();
  if (isSignedIn(by)) {
    const now = people.find(({ id, disabledAt }) => id === by.id && disabledAt === null);
    if (!now) throw new DomainError('session_missing', 'Sign in to continue.');
    requireManager({ ...by, role: now.role });
  } else if (people.length === 0 && by.clientId !== null) await requireClient(manager, by.clientId);
  return people;
}
