import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { type DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { PersonLinksService } from '../links/person-links.service.js';
import { endSessionsWithin } from '../end-sessions.js';
import { Person } from '../person.entity.js';
import { PersonMailService } from '../person-mail.service.js';
import type { SignedInPerson } from '../../../platform/access/signed-in-person.js';
import { ownPasswordLimits, SignInLimitsService } from '../sign-in-limits.service.js';
import { checkNewPassword } from './password-fault.js';
import { NO_ACCOUNT_HASH } from './password-hash.js';
import { type Hasher, PasswordWorkService } from './password-work.service.js';

/** Refuses the action if the password has changed, and locks it until the transaction ends. */
type PasswordLock = (transaction: Transaction) => Promise<void>;

/** Changes a person's own password, or checks it before a sensitive action. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly database: Database,
    private readonly work: PasswordWorkService,
    private readonly limits: SignInLimitsService,
    private readonly links: PersonLinksService,
    private readonly mail: PersonMailService,
    private readonly audit: AuditLog,
    @InjectRepository(Person) private readonly people: Repository<Person>,
  ) {}

  /** Checks the password before a sensitive action, which a stolen session could misuse. */
  check(person: SignedInPerson, password: string): Promise<PasswordLock> {
    return this.attempt(person, (hasher) => this.checkInTurn(hasher, person, password, 'password'));
  }

  /** Ends all other sessions of the person, and all links. */
  change(person: SignedInPerson, passwords: { current: string; password: string }): Promise<void> {
    return this.attempt(person, async (hasher) => {
      const lockPassword = await this.checkInTurn(hasher, person, passwords.current, 'current');
      checkNewPassword(passwords.password, person);
      const passwordHash = await hasher.hash(passwords.password);
      await this.database.transaction(async (transaction) => {
        await lockPassword(transaction);
        const ended = await this.replaceWithin(transaction, person, { passwordHash });
        await this.audit.recordWithin(transaction, {
          person,
          action: 'password.changed',
          subject: `person ${person.id}`,
          details: { sessions_ended: ended },
        });
      });
    });
  }

  /** Ends all links, and all sessions except one. Returns the number of sessions. */
  async replaceWithin(
    transaction: Transaction,
    { id, sessionId }: { id: number; sessionId?: number },
    values: Pick<Person, 'passwordHash'> & Partial<Pick<Person, 'name' | 'email'>>,
    { isFirst = false } = {},
  ): Promise<number> {
    await transaction.manager.update(Person, id, values);
    await this.links.endAllWithin(transaction, id);
    if (!isFirst) await this.mail.passwordChangedWithin(transaction, id);
    return endSessionsWithin(transaction, id, sessionId);
  }

  /** Counts an attempt before it waits in the queue. A full queue does not count as an attempt. */
  private async attempt<Result>(
    person: SignedInPerson,
    work: (hasher: Hasher) => Promise<Result>,
  ): Promise<Result> {
    const limits = ownPasswordLimits(person.id);
    await this.limits.take(limits, () =>
      this.audit.record({ person, action: 'sign_in.limited', subject: `person ${person.id}` }),
    );
    return this.work.forPerson(person.email, work, () => this.limits.giveBack(limits));
  }

  private async checkInTurn(
    hasher: Hasher,
    person: SignedInPerson,
    password: string,
    field: string,
  ): Promise<PasswordLock> {
    const { passwordHash } = await this.people.findOneByOrFail({ id: person.id });
    const { isRight } = await hasher.verify(password, passwordHash ?? NO_ACCOUNT_HASH);
    if (!isRight) throw wrongPassword(field);
    await this.limits.giveBack(ownPasswordLimits(person.id));
    const checked = { id: person.id, passwordHash };
    return async (transaction) => {
      await lockUnchanged(transaction, checked, () => wrongPassword(field));
    };
  }
}

function wrongPassword(field: string): DomainError {
  return validationFailed([{ field, code: 'wrong', message: 'is not your current password' }]);
}

/**
 * Checks that the password is unchanged and the person enabled, and keeps it so until the transaction ends.
 * Returns the person as stored now.
 */
export async function lockUnchanged(
  { manager }: Transaction,
  { id, passwordHash }: Pick<Person, 'id' | 'passwordHash'>,
  refusal: () => DomainError,
): Promise<Person> {
  const person = await manager.findOne(Person, { where: { id }, lock: { mode: 'for_no_key_update' } });
  if (person?.passwordHash !== passwordHash || person.disabledAt !== null) throw refusal();
  return person;
}
