import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type DomainError, validationFailed } from '../../platform/errors/domain-error.js';
import { PersonLinks } from '../links/person-links.js';
import { Person } from '../people/person.entity.js';
import { SecurityMail } from '../people/security-mail.js';
import type { ClientPerson } from '../people/signed-in-person.js';
import { Sessions } from '../sessions/sessions.js';
import { ownPasswordLimits } from '../sign-in/attempt-limits.js';
import { SignInLimits } from '../sign-in/sign-in-limits.js';
import { checkNewPassword } from './check-new-password.js';
import { lockUnchanged } from './lock-unchanged.js';
import { NOBODYS_HASH } from './password-hash.js';
import { type Hasher, PasswordWork } from './password-work.js';

/** Refuses what the password was shown for if it is another one by then, and keeps it as it is until the transaction is over. */
export type StillRight = (transaction: Transaction) => Promise<void>;

/** What a person who is signed in does with their own password: change it, or show once more that they know it. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly database: Database,
    private readonly work: PasswordWork,
    private readonly limits: SignInLimits,
    private readonly sessions: Sessions,
    private readonly links: PersonLinks,
    private readonly mail: SecurityMail,
    private readonly audit: AuditLog,
    @InjectRepository(Person) private readonly people: Repository<Person>,
  ) {}

  /** Before what somebody who found an open session must not be able to do. */
  check(person: ClientPerson, password: string): Promise<StillRight> {
    return this.attempt(person, (hasher) => this.checkInTurn(hasher, person, password, 'password'));
  }

  /** Whoever else is signed in as this person is not any more, and no link made before lets anybody choose another. */
  change(person: ClientPerson, given: { current: string; password: string }): Promise<void> {
    return this.attempt(person, async (hasher) => {
      const stillRight = await this.checkInTurn(hasher, person, given.current, 'current');
      checkNewPassword(given.password, person);
      const passwordHash = await hasher.hash(given.password);
      await this.database.transaction(async (transaction) => {
        await stillRight(transaction);
        await transaction.manager.update(Person, person.id, { passwordHash });
        await this.links.endAllWithin(transaction, person.id);
        await this.mail.passwordChangedWithin(transaction, person.id);
        const ended = await this.sessions.endAllWithin(transaction, person.id, person.sessionId);
        await this.audit.recordWithin(transaction, {
          person,
          action: 'password.changed',
          subject: `person ${person.id}`,
          details: { sessions_ended: ended },
        });
      });
    });
  }

  /** Counted before it waits in line; whoever finds that full has not tried. */
  private async attempt<Result>(
    person: ClientPerson,
    work: (hasher: Hasher) => Promise<Result>,
  ): Promise<Result> {
    const limits = ownPasswordLimits(person.id);
    await this.limits.take(limits, () =>
      this.audit.record({ person, action: 'sign_in.limited', subject: `person ${person.id}` }),
    );
    return this.work.inTurn('people', work, () => this.limits.giveBack(limits));
  }

  private async checkInTurn(
    hasher: Hasher,
    person: ClientPerson,
    password: string,
    field: string,
  ): Promise<StillRight> {
    const { passwordHash } = await this.people.findOneByOrFail({ id: person.id });
    const { isRight } = await hasher.verify(password, passwordHash ?? NOBODYS_HASH);
    if (!isRight) throw wrongPassword(field);
    await this.limits.giveBack(ownPasswordLimits(person.id));
    return (transaction) =>
      lockUnchanged(transaction, { id: person.id, passwordHash }, () => wrongPassword(field));
  }
}

function wrongPassword(field: string): DomainError {
  return validationFailed([{ field, code: 'wrong', message: 'is not the password you sign in with' }]);
}
