import type { Person } from './person.entity.js';

type Standing = Pick<Person, 'role' | 'disabledAt' | 'passwordHash'>;

/**
 * Whether nobody could look after the client without this one. Who was invited and has not come yet does not count beside somebody who has,
 * or a client's only owner could lock everybody out by inviting nobody in particular.
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
