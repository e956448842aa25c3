import type { Person } from './person.entity.js';

type Standing = Pick<Person, 'role' | 'disabledAt' | 'passwordHash'>;

/**
 * Says whether the client would be without an owner. An invited owner who has not signed in does not count
 * beside one who has; otherwise the only owner could lock all out by inviting a stranger.
 */
export function isLastOwner(person: Standing, others: readonly Standing[]): boolean {
  if (!isOwner(person)) return false;
  const owners = others.filter(isOwner);
  return person.passwordHash === null ? owners.length === 0 : !owners.some(hasCome);
}

function isOwner({ role, disabledAt }: Standing): boolean {
  return role === 'owner' && disabledAt === null;
}

function hasCome({ passwordHash }: Standing): boolean {
  return passwordHash !== null;
}
