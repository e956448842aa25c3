import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { asEmail } from './as-email.js';
import { Person } from './person.entity.js';

const ID = /^\d{1,9}$/;

/** Finds whom of all clients' people an operator means: by number or address. */
@Injectable()
export class PersonFinder {
  constructor(@InjectRepository(Person) private readonly people: Repository<Person>) {}

  async find(text: string): Promise<{ personId: number; clientId: number }> {
    const called = text.trim();
    const by = ID.test(called) ? { id: Number(called) } : { email: asEmail(called), releasedAt: IsNull() };
    const found = await this.people.findOneBy({ ...by, clientId: Not(IsNull()) });
    if (!found) throw new DomainError('person_not_found', `There is no person "${called}".`);
    return { personId: found.id, clientId: found.clientId! };
  }
}
