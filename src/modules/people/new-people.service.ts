import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Raw } from 'typeorm';
import { actorOf } from '../audit/actor-of.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Role } from '../../platform/access/signed-in-person.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { asEmail, readEmail } from '../../platform/validation/email.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import { type Administrator, doneBy, isSignedIn, ofAccount } from './administrator.js';
import { type NewLink, PersonLinksService } from './links/person-links.service.js';
import { FIRST_ADMIN, PersonLink, Person } from './person.entity.js';
import { readRole } from './roles.js';

/** The limit of an account, with disabled people, because people are never deleted. */
const MAX_PEOPLE = 100;

export interface NewPerson {
  email: string;
  /** The address until the person has chosen a name. */
  name?: string;
  role: string;
}

/** The values to store. */
type NewPersonValues = Required<NewPerson> & { role: Role };

export function readNewPerson(
  { email: emailText, name, role }: NewPerson,
  clientId: number | null,
): NewPersonValues {
  const email = readPersonEmail(emailText);
  return { email, name: readOptionalLine('name', name, 200) ?? email, role: readRole(role, clientId) };
}

/** The stored form of the address of a person. The address of the first admin's link is reserved. */
export function readPersonEmail(text: string): string {
  const email = asEmail(readEmail(text));
  if (email !== FIRST_ADMIN) return email;
  const message = 'is reserved: choose an address of your own';
  throw new DomainError('invalid_value', `The e-mail address ${message}.`, {
    errors: [{ field: 'email', code: 'invalid', message }],
  });
}

/**
 * Creates people together with their invitation. An e-mail address belongs to one person. An expired
 * invitation releases the address; otherwise a wrong invitation would block the person for ever.
 */
@Injectable()
export class NewPeopleService {
  constructor(
    private readonly links: PersonLinksService,
    private readonly audit: AuditLog,
  ) {}

  async inviteWithin(
    transaction: Transaction,
    by: Administrator,
    values: NewPersonValues,
  ): Promise<{ personId: number; link: NewLink }> {
    const { manager } = transaction;
    const { email, role } = values;
    const own = { clientId: ofAccount(by.clientId) };
    if ((await manager.countBy(Person, own)) >= MAX_PEOPLE)
      throw new DomainError('conflict', `An account can have at most ${MAX_PEOPLE} people.`);
    // A person with an expired invitation is invited again, not created twice.
    const existing =
      (await manager.findOneBy(Person, { ...own, email })) ??
      (await this.holderWithin(transaction, by, email));
    if (existing) throw addressTaken(by, existing);
    const person = await insertPerson(manager, { clientId: by.clientId, ...values });
    if (!person)
      throw addressTaken(by, await manager.findOneByOrFail(Person, { email, releasedAt: IsNull() }));
    const link = await this.links.makeWithin(transaction, person, 'invitation');
    await this.audit.recordWithin(transaction, {
      ...doneBy(by),
      action: 'person.invited',
      subject: `person ${person.id}`,
      details: { email, role, mailed: link.isMailed },
    });
    return { personId: person.id, link };
  }

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

  /** Returns a released address to a person who is invited again. */
  async takeBackWithin(transaction: Transaction, by: Administrator, person: Person): Promise<void> {
    if (person.releasedAt === null) return;
    const holder = await this.holderWithin(transaction, by, person.email);
    if (holder) throw addressTaken(by, holder);
    try {
      await transaction.manager.update(Person, person.id, { releasedAt: null });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new DomainError('conflict', `${person.email} was invited by another account at the same moment.`);
    }
  }

  /** The previous client gets no notice, because that would reveal another client's invitation. */
  private async release(transaction: Transaction, by: Administrator, { id }: Person): Promise<void> {
    await this.links.endAllWithin(transaction, id);
    await transaction.manager.update(Person, id, { releasedAt: () => 'now()' });
    await this.audit.recordWithin(transaction, {
      actor: isSignedIn(by) ? actorOf(by) : by.actor,
      clientId: null,
      action: 'person.address_released',
      subject: `person ${id}`,
    });
  }
}

/** Undefined if the address is taken. The unique index decides between parallel calls. */
async function insertPerson(manager: EntityManager, values: Partial<Person>): Promise<Person | undefined> {
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(Person)
    .values(values)
    .orIgnore()
    .execute();
  const id = identifiers[0]?.id as number | undefined;
  return id === undefined ? undefined : manager.findOneByOrFail(Person, { id });
}

/** Owners learn only that an address is taken, nothing about other accounts. */
function addressTaken(
  by: Administrator,
  { id, clientId, email }: Pick<Person, 'id' | 'clientId' | 'email'>,
): DomainError {
  const errors = [{ field: 'email', code: 'taken', message: 'is already in use' }];
  if (isSignedIn(by) && by.clientId !== null)
    return new DomainError(
      'conflict',
      clientId === by.clientId
        ? `${email} is already one of your people.`
        : `${email} cannot be invited: it belongs to another account.`,
      { errors },
    );
  const whose = clientId === null ? 'the wholesaler' : `client ${clientId}`;
  return new DomainError('conflict', `${email} is already person ${id} of ${whose}.`, { errors });
}
