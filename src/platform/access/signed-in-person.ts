import type { DeskRole } from './access-rule.js';
import { type Permission, roleWith } from './desk-permissions.js';
import { DomainError } from '../errors/domain-error.js';
import type { TimeZone } from '../time/time.js';

/** The name of the account of people without a client. */
export const WHOLESALER = 'the wholesaler';

/** Each role includes the ones before it: view; pay; manage tokens, people and auto-pay. */
export const CLIENT_ROLES = ['viewer', 'buyer', 'owner'] as const;

/** The wholesaler's roles. `desk-permissions.ts` says what each of them may do. */
export const DESK_ROLES = ['packer', 'staff', 'admin'] as const satisfies readonly DeskRole[];

export type ClientRole = (typeof CLIENT_ROLES)[number];

export type Role = ClientRole | DeskRole;

/** The roles of a client's people, or without a client those of the wholesaler's, in their order. */
export function rolesOf(clientId: number | null): readonly Role[] {
  return clientId === null ? DESK_ROLES : CLIENT_ROLES;
}

/** Owners and admins manage the other people of their account. */
export function isManager(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/** The person of the request's session. */
export interface SignedInPerson {
  id: number;
  /** Null for people of the wholesaler. */
  clientId: number | null;
  /** The client's name, or `WHOLESALER`. */
  clientName: string;
  /** The client's time zone, or that of the settings. */
  timeZone: TimeZone;
  name: string;
  email: string;
  role: Role;
  sessionId: number;
  /** Set for a person of the wholesaler who sees the client's pages as its viewer until then. */
  seesUntil?: Date;
  /** The address that the request came from. */
  address: string;
}

export interface ClientPerson extends SignedInPerson {
  clientId: number;
  role: ClientRole;
}

export interface DeskPerson extends SignedInPerson {
  clientId: null;
  role: DeskRole;
}

const ROLE_MESSAGES: Record<Role, string> = {
  viewer: 'All roles can do this.',
  buyer: 'Only buyers and owners can do this.',
  owner: 'Only owners can do this.',
  packer: 'All roles can do this.',
  staff: 'Only staff and admins can do this.',
  admin: 'Only admins can do this.',
};

export type RoleHolder = Pick<SignedInPerson, 'clientId' | 'role'>;

/** Decides whether a page offers an action. */
export function hasRole({ clientId, role }: RoleHolder, required: Role): boolean {
  const roles = rolesOf(clientId);
  return roles.includes(required) && roles.indexOf(role) >= roles.indexOf(required);
}

/** For the wholesaler's people. False for people of clients. */
export const may = (person: RoleHolder, permission: Permission) => hasRole(person, roleWith(permission));

/** Services call this before each change by a person of a client. The guard calls it for the desk. */
export function requireRole(person: RoleHolder & { clientName: string }, required: Role): void {
  if (hasRole(person, required)) return;
  const { clientId, role, clientName } = person;
  const manager = rolesOf(clientId).find(isManager)!;
  throw new DomainError(
    'role_missing',
    `${ROLE_MESSAGES[required]} Your role at ${clientName} is ${role}: ask one of its ${manager}s.`,
  );
}

export const requirePermission = (person: DeskPerson, permission: Permission) =>
  requireRole(person, roleWith(permission));
