import type { Person } from './person.entity.js';
import { isManager } from '../../platform/access/signed-in-person.js';

type Standing = Pick<Person, 'role' | 'disabledAt' | 'passwordHash'>;

/**
 * Says whether the account would be without a manager. An invited one who has not signed in does not count
 * beside one who has; otherwise the only manager could lock all out by inviting a stranger.
 */
export function isLastManager(person: Standing, others: readonly Standing[]): boolean {
  if (!mayManage(person)) return false;
  const managers = others.filter(mayManage);
  return person.passwordHash === null
    ? managers.length === 0
    : !managers.some(({ passwordHash }) => passwordHash !== null);
}

function mayManage({ role, disabledAt }: Standing): boolean {
  return isManager(role) && disabledAt === null;
}
