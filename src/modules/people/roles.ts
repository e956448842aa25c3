import { DomainError } from '../../platform/errors/domain-error.js';
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
  admin: { name: 'Admin', does: 'does everything, and manages tokens, plans, wallets and people' },
  staff: { name: 'Staff', does: 'keeps orders, catalog, stock and prices, and confirms transfers' },
  packer: { name: 'Packer', does: 'packs and ships orders, receives returns and goods, and counts stock' },
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
