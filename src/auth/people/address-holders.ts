import { Injectable } from '@nestjs/common';
import { IsNull, Raw } from 'typeorm';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PersonLink } from '../links/person-link.entity.js';
import { PersonLinks } from '../links/person-links.js';
import { addressTaken } from './address-taken.js';
import { type Administrator, isOwnerOfClient } from './administrator.js';
import { Person } from './person.entity.js';

/**
 * Each address is one person. Who was invited and never came has it for as long as the invitation is good: else whoever is invited by
 * mistake, or by somebody who means no good, could never be invited where they belong.
 */
@Injectable()
export class AddressHolders {
  constructor(
    private readonly links: PersonLinks,
    private readonly audit: AuditLog,
  ) {}

  /** Whose it is. One whose invitation has ended gives it back here, and looks to their own client as before. */
  async holderWithin(transaction: Transaction, by: Administrator, email: string): Promise<Person | null> {
    const { manager } = transaction;
    const holder = await manager.findOne(Person, {
      where: { email, releasedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (!holder || holder.passwordHash !== null) return holder;
    // Nobody makes or uses a link of theirs any more until this is over.
    const toCome = { personId: holder.id, endsAt: Raw((column) => `${column} > now()`) };
    if (await manager.existsBy(PersonLink, toCome)) return holder;
    await this.release(transaction, by, holder);
    return null;
  }

  /** Before somebody who gave it back is invited once more. */
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

  /** The client that it is taken from is told nothing: it would learn who else invites whom. */
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
  return new DomainError('conflict', `${email} was invited elsewhere at this very moment.`);
}
