import type { NewAuditEntry } from '../../audit/audit-log.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ClientPerson } from './signed-in-person.js';

/** Somebody who works for the wholesaler, by command, for one client. */
export interface Operator {
  clientId: number;
  actor: string;
}

/** Who looks after a client's people: one of its owners, or an operator. */
export type Administrator = ClientPerson | Operator;

export function isOwnerOfClient(by: Administrator): by is ClientPerson {
  return 'sessionId' in by;
}

/** Whoever found an owner's open session is not to get around the password, which one is asked for where one does this for oneself. */
export function requireSomebodyElse(by: Administrator, personId: number): void {
  if (!isOwnerOfClient(by) || by.id !== personId) return;
  throw new DomainError(
    'conflict',
    'For yourself you change the password and the second step under Security. Only another owner can disable you.',
  );
}

/** As the audit log is told who did it. */
export function doneBy(
  by: Administrator,
): Pick<NewAuditEntry & { person: ClientPerson }, 'person'> | Operator {
  return isOwnerOfClient(by) ? { person: by } : by;
}
