import type { Transaction } from '../../platform/database/database.js';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { Person } from '../people/person.entity.js';

/**
 * The password that was right may be another one meanwhile, and its person disabled. Nobody changes either from here on until the transaction
 * is over.
 */
export async function lockUnchanged(
  { manager }: Transaction,
  { id, passwordHash }: Pick<Person, 'id' | 'passwordHash'>,
  refusal: () => DomainError,
): Promise<void> {
  const found = await manager.findOne(Person, { where: { id }, lock: { mode: 'for_no_key_update' } });
  if (found?.passwordHash !== passwordHash || found.disabledAt !== null) throw refusal();
}
