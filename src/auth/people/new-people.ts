import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../platform/validation/operator-text.js';
import { type LinkMade, PersonLinks } from '../links/person-links.js';
import { type Administrator, doneBy, isOwnerOfClient } from './administrator.js';
import { asEmail } from './as-email.js';
import { Person } from './person.entity.js';
import { readEmail } from './read-email.js';
import { readRole } from './read-role.js';

/** Of one client, those who are disabled too: nobody is ever deleted. */
const MOST_PEOPLE = 100;

export interface NewPerson {
  email: string;
  /** Until they have chosen one; else their address. */
  name?: string;
  role: string;
}

/** Makes people, with the invitation that lets them in. */
@Injectable()
export class NewPeople {
  constructor(
    private readonly links: PersonLinks,
    private readonly audit: AuditLog,
  ) {}

  async inviteWithin(
    transaction: Transaction,
    by: Administrator,
    { email: emailText, name: nameText, role: roleText }: NewPerson,
  ): Promise<{ personId: number; link: LinkMade }> {
    const email = asEmail(readEmail(emailText));
    const name = readOptionalLine('name', nameText, 200) ?? email;
    const role = readRole(roleText);
    const { manager } = transaction;
    if ((await manager.countBy(Person, { clientId: by.clientId })) >= MOST_PEOPLE)
      throw new DomainError('conflict', `A client has ${MOST_PEOPLE} people at most.`);
    const person = await insert(manager, { clientId: by.clientId, email, name, role });
    if (!person) throw await belongsAlready(manager, by, email);
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

/** Nobody if the address belongs to somebody: the database decides, whoever comes at once. */
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

/** Owners learn nothing of other clients but that an address is taken. */
async function belongsAlready(
  manager: EntityManager,
  by: Administrator,
  email: string,
): Promise<DomainError> {
  const { id, clientId } = await manager.findOneByOrFail(Person, { email });
  const errors = [{ field: 'email', code: 'taken', message: 'belongs to somebody already' }];
  if (isOwnerOfClient(by))
    return new DomainError(
      'conflict',
      clientId === by.clientId
        ? `${email} is one of your people already.`
        : `${email} cannot be invited: it signs in elsewhere.`,
      { errors },
    );
  const whose = clientId === null ? 'the wholesaler' : `client ${clientId}`;
  return new DomainError('conflict', `${email} is person ${id} of ${whose} already.`, { errors });
}
