import { DomainError } from '../../platform/errors/domain-error.js';

/** Each role includes the ones before it: view; pay; manage tokens, people and auto-pay. */
export const CLIENT_ROLES = ['viewer', 'buyer', 'owner'] as const;

export type ClientRole = (typeof CLIENT_ROLES)[number];

export function readRole(text: string): ClientRole {
  const role = CLIENT_ROLES.find((known) => known === text);
  if (role) return role;
  const message = `must be one of ${CLIENT_ROLES.join(', ')}`;
  throw new DomainError('invalid_value', `The role ${message}.`, {
    errors: [{ field: 'role', code: 'invalid', message }],
  });
}

/** A client's roles, and those of the wholesaler's employees. */
export type Role = ClientRole | 'admin' | 'staff';

const WORDS: Record<Role, { name: string; does: string }> = {
  owner: { name: 'Owner', does: 'sees everything, pays, and manages tokens, people and auto-pay' },
  buyer: { name: 'Buyer', does: 'sees everything and pays' },
  viewer: { name: 'Viewer', does: 'sees everything' },
  admin: { name: 'Admin', does: 'works for the wholesaler' },
  staff: { name: 'Staff', does: 'works for the wholesaler' },
};

export const roleName = (role: Role) => WORDS[role].name;

/** "a buyer, who sees everything and pays". */
export function describeRole(role: Role): string {
  const { name, does } = WORDS[role];
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name.toLowerCase()}, who ${does}`;
}

export function whatRoleDoes(role: Role): string {
  const { does } = WORDS[role];
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}.`;
}
