import { Injectable } from '@nestjs/common';
import { IsNull, Raw } from 'typeorm';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PersonLink } from '../links/person-link.entity.js';
import { PersonLinks } from '../links/person-links.js';
import { type Administrator, isOwnerOfClient } from './administrator.js';
import { Person } from './person.entity.js';

/**
 * An e-mail address belongs to one person. An expired invitation gives the address back. Otherwise a wrong
 * invitation would block the person for ever.
 */
@Injectable()
export class AddressHolders {
  constructor(
    private readonly links: PersonLinks,
    private readonly audit: AuditLog,
  ) {}

  /** The person who has the address. A holder with an expired invitation loses it here, without notice. */
  async holderWithin(transaction: Transaction, by: Administrator, email: string): Promise<Person | null> {
    const { manager } = transaction;
    const holder = await manager.findOne(Person, {
      where: { email, releasedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (!holder || holder.passwordHash !== null) return holder;
    // The lock on the person keeps links from being created or used until the transaction ends.
    const toCome = { personId: holder.id, endsAt: Raw((column) => `${column} > now()`) };
    if (await manager.existsBy(PersonLink, toCome)) return holder;
    await this.release(transaction, by, holder);
    return null;
  }

  /** Gives the address back to a person who is invited again. */
  async takeBackWithin(transaction: Transaction, by: Administrator, person: Person): Promise<void> {
    if (person.releasedAt === null) return;
    const holder = await this.holderWithin(transaction, by, person.email);
    if (holder) throw addressTaken(by, holder);
    try {
      await transaction.manager.update(Person, person.id, { releasedAt: null });
    } catch (error) {
      throw isUniqueViolation(error) ? invitedElsewhere(person) : error;
    }
  }

  /** The former client is not told, because that would reveal another client's invitation. */
  private async release(transaction: Transaction, by: Administrator, { id }: Person): Promise<void> {
    await this.links.endAllWithin(transaction, id);
    await transaction.manager.update(Person, id, { releasedAt: () => 'now()' });
    await this.audit.recordWithin(transaction, {
      actor: isOwnerOfClient(by) ? actorOf(by) : by.actor,
      clientId: null,
      action: 'person.address_released',
      subject: `person ${id}`,
    });
  }
}

function invitedElsewhere({ email }: Person): DomainError {
  return new DomainError('conflict', `${email} was invited elsewhere at the same moment.`);
}

/** Owners learn only that an address is taken, nothing about other clients. */
export function addressTaken(
  by: Administrator,
  { id, clientId, email }: Pick<Person, 'id' | 'clientId' | 'email'>,
): DomainError {
  const errors = [{ field: 'email', code: 'taken', message: 'is already in use' }];
  if (isOwnerOfClient(by))
    return new DomainError(
      'conflict',
      clientId === by.clientId
        ? `${email} is already one of your people.`
        : `${email} cannot be invited: it belongs to another account.`,
      { errors },
    );
  const whose = clientId === null ? 'the wholesaler' : `client ${clientId}`;
  return new DomainError('conflict', `${email} is person ${id} of ${whose} already.`, { errors });
}
