import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireClient } from '../clients/require-client.js';
import { type Administrator, isOwnerOfClient } from './administrator.js';
import { Person } from './person.entity.js';
import { requireRole } from './signed-in-person.js';

/** Who administers the people of one client takes turns. */
@Injectable()
export class PeopleLock {
  /**
   * All people of the client as they are now, and nobody else changes them until the transaction is over. An owner must still be one: of two
   * who take each other's role away at once, the second one has none.
   */
  async take({ manager }: Transaction, by: Administrator): Promise<Person[]> {
    if (isOwnerOfClient(by)) requireRole(by, 'owner');
    const people = await manager
      .createQueryBuilder(Person, 'person')
      .where({ clientId: by.clientId })
      .orderBy('person.id')
      .setLock('for_no_key_update')
      .getMany();
    if (isOwnerOfClient(by)) {
      const now = people.find(({ id, disabledAt }) => id === by.id && disabledAt === null);
      if (!now) throw new DomainError('session_missing', 'Sign in to go on.');
      requireRole({ ...by, role: now.role as typeof by.role }, 'owner');
    } else if (people.length === 0) await requireClient(manager, by.clientId);
    return people;
  }
}
