import { DomainError } from '../errors/domain-error.js';
import type { RequestKey } from './admin-key.js';
import { type Permission, roleWith } from './desk-permissions.js';
import { may } from './signed-in-person.js';

/** Whether people with the role of the key have this permission. */
export const keyMay = ({ role }: RequestKey, permission: Permission) =>
  may({ clientId: null, role }, permission);

/** For a part of a request. The guard checks the role of its route. */
export function requireOfKey(key: RequestKey, permission: Permission, what: string): void {
  if (keyMay(key, permission)) return;
  throw new DomainError(
    'role_missing',
    `${what} needs a key with the role ${roleWith(permission)}. The key has the role ${key.role}.`,
  );
}
