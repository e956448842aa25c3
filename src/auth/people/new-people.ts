import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import { type LinkMade, PersonLinks } from '../links/person-links.js';
import { AddressHolders, addressTaken } from './address-holders.js';
import { type Administrator, doneBy } from './administrator.js';
import { asEmail, readEmail } from './email.js';
import { Person } from './person.entity.js';
import { readRole, type ClientRole } from './roles.js';
/** Per client, disabled people included, because people are never deleted. */
const MOST_PEOPLE = 100;

export interface NewPerson {
  email: string;
  /** The address until the person has chosen a name. */
  name?: string;
  role: string;
}

/** The values as they are stored. */
type PersonRead = Required<NewPerson> & { role: ClientRole };

export function readNewPerson({ email: emailText, name, role }: NewPerson): PersonRead {
  const email = asEmail(readEmail(emailText));
  return { email, name: readOptionalLine('name', name, 200) ?? email, role: readRole(role) };
}

/** Creates people together with their invitation. */
@Injectable()
export class NewPeople {
  constructor(
    private readonly addresses: AddressHolders,
    private readonly links: PersonLinks,
    private readonly audit: AuditLog,
  ) {}

  async inviteWithin(
    transaction: Transaction,
    by: Administrator,
    given: PersonRead,
  ): Promise<{ personId: number; link: LinkMade }> {
    const { manager } = transaction;
    const { email, role } = given;
    const own = { clientId: by.clientId };
    if ((await manager.countBy(Person, own)) >= MOST_PEOPLE)
      throw new DomainError('conflict', `A client has ${MOST_PEOPLE} people at most.`);
    // A person with an expired invitation is invited again, not created twice.
    const known =
      (await manager.findOneBy(Person, { ...own, email })) ??
      (await this.addresses.holderWithin(transaction, by, email));
    if (known) throw addressTaken(by, known);
    const person = await insert(manager, { ...own, ...given });
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
}

/** Undefined if the address is taken. The unique index decides between parallel calls. */
async function insert(manager: EntityManager, given: Partial<Person>): Promise<Person | undefined> {
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(Person)
    .values(given)
    .orIgnore()
    .execute();
  const id = identifiers[0]?.id as number | undefined;
  return id === undefined ? undefined : manager.findOneByOrFail(Person, { id });
}
