import type { NewAuditEntry } from '../../audit/audit-log.js';
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

/** As the audit log is told who did it. */
export function doneBy(
  by: Administrator,
): Pick<NewAuditEntry & { person: ClientPerson }, 'person'> | Operator {
  return isOwnerOfClient(by) ? { person: by } : by;
}
