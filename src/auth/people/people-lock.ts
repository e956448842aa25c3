import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireClient } from '../clients/client-finder.js';
import { type Administrator, isOwnerOfClient } from './administrator.js';
import { Person } from './person.entity.js';
import { requireRole } from './signed-in-person.js';

/** Serializes changes to the people of one client. */
@Injectable()
export class PeopleLock {
  /**
   * Locks and returns all people of the client until the transaction ends. The owner who asks must still be
   * one: if two owners demote each other, the second is refused.
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
