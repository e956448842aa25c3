import { DomainError } from '../../platform/errors/domain-error.js';
import { DESK_WORK } from '../../platform/access/desk-permissions.js';
import { type Role, rolesOf } from '../../platform/access/signed-in-person.js';
import { capitalised } from '../../platform/validation/texts.js';

export function readRole(text: string, clientId: number | null): Role {
  const roles = rolesOf(clientId);
  const role = roles.find((each) => each === text);
  if (role) return role;
  const message = `must be one of ${roles.join(', ')}`;
  throw new DomainError('invalid_value', `The role ${message}.`, {
    errors: [{ field: 'role', code: 'invalid', message }],
  });
}

const ROLE_WORDS: Record<Role, { name: string; does: string }> = {
  owner: { name: 'Owner', does: 'sees everything, pays, and manages tokens, people and auto-pay' },
  buyer: { name: 'Buyer', does: 'sees everything and pays' },
  viewer: { name: 'Viewer', does: 'sees everything' },
  admin: { name: 'Admin', does: DESK_WORK.admin },
  staff: { name: 'Staff', does: DESK_WORK.staff },
  packer: { name: 'Packer', does: DESK_WORK.packer },
};

export const roleName = (role: Role) => ROLE_WORDS[role].name;

/** "a buyer, who sees everything and pays". “Staff” has no article. */
export function describeRole(role: Role): string {
  const { name, does } = ROLE_WORDS[role];
  const article = role === 'staff' ? '' : /^[AEIOU]/.test(name) ? 'an ' : 'a ';
  return `${article}${name.toLowerCase()}, who ${does}`;
}

export function whatRoleDoes(role: Role): string {
  return `${capitalised(ROLE_WORDS[role].does)}.`;
}
