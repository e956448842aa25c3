import { DomainError } from '../../platform/errors/domain-error.js';
import type { TimeZone } from '../../platform/time/time.js';
import { CLIENT_ROLES, type ClientRole } from './roles.js';

/** The person of the request's session. */
export interface ClientPerson {
  id: number;
  clientId: number;
  clientName: string;
  /** The client's time zone. */
  timeZone: TimeZone;
  name: string;
  email: string;
  role: ClientRole;
  sessionId: number;
  /** The address that the request came from. */
  address: string;
}

const NEEDED: Record<ClientRole, string> = {
  viewer: 'All roles can do this.',
  buyer: 'Only buyers and owners can do this.',
  owner: 'Only owners can do this.',
};

/** Decides whether a page offers an action. */
export function hasRole({ role }: ClientPerson, atLeast: ClientRole): boolean {
  return CLIENT_ROLES.indexOf(role) >= CLIENT_ROLES.indexOf(atLeast);
}

/** Services call this before each change, for every caller. */
export function requireRole(person: ClientPerson, atLeast: ClientRole): void {
  if (hasRole(person, atLeast)) return;
  const { role, clientName } = person;
  throw new DomainError(
    'role_missing',
    `${NEEDED[atLeast]} You are a ${role} of ${clientName}: ask one of its owners.`,
  );
}
