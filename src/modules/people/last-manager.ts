import type { Person } from './person.entity.js';
import { isManager } from '../../platform/access/signed-in-person.js';

type Standing = Pick<Person, 'role' | 'disabledAt' | 'passwordHash'>;

/**
 * Whether the account has no other manager. An invited manager does not replace one who has signed in:
 * otherwise the only manager could lock everyone out with an invitation to an outsider.
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
