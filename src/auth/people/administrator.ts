import type { NewAuditEntry } from '../../audit/audit-log.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ClientPerson } from './signed-in-person.js';

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
export function requireSomebodyElse(by: Administrator, personId: number): void {
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
