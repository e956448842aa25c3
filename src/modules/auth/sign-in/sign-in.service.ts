import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { lockUnchanged } from '../../people/passwords/own-password.service.js';
import { NO_ACCOUNT_HASH } from '../../people/passwords/password-hash.js';
import { type Hasher, PasswordWorkService } from '../../people/passwords/password-work.service.js';
import { Person, SecondStep } from '../../people/person.entity.js';
import { hashSecret, newSecret } from '../../people/secret.js';
import {
  codeLimits,
  passwordLimits,
  type AttemptLimit,
  SignInLimitsService,
} from '../../people/sign-in-limits.service.js';
import { TwoFactorService } from '../../people/two-factor/two-factor.service.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { networkOf } from '../../../platform/http/caller-address.js';
import { AnonymousLimit } from '../../../platform/limits/concurrency-limit.js';
import { asEmail } from '../../../platform/validation/email.js';
import type { Browser } from '../sessions/browser-cookies.service.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Enough time to fetch a phone. */
const SECOND_STEP_MINUTES = 10;

/** A counted attempt, with its account if there is one. */
interface Attempt {
  person: Person | null;
  limits: AttemptLimit[];
  /** This account signed in from this address before. */
  isKnown: boolean;
}

export interface SignInResult {
  to: 'session' | 'second step';
  token: string;
}

/** Signs people in. An unknown account gets the same answer as a wrong password, after the same work. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly work: PasswordWorkService,
    private readonly anonymousLimit: AnonymousLimit,
    private readonly limits: SignInLimitsService,
    private readonly sessions: SessionsService,
    private readonly storedSessions: SessionsRepository,
    private readonly twoFactor: TwoFactorService,
    private readonly audit: AuditLog,
    @InjectRepository(Person) private readonly people: Repository<Person>,
    @InjectRepository(SecondStep) private readonly secondSteps: Repository<SecondStep>,
  ) {}

  /**
   * `previousSession` is the browser's session, which the new one replaces. Too many attempts are refused
   * before the queue for hashing. A full queue does not count as an attempt.
   */
  async begin(
    { email, password }: { email: string; password: string },
    browser: Browser,
    previousSession: Buffer | undefined,
  ): Promise<SignInResult> {
    const account = asEmail(email);
    const network = networkOf(browser.address);
    const attempt = await this.anonymousLimit.run(network, () => this.count(account, browser));
    const work = (hasher: Hasher) => this.beginInTurn(hasher, attempt, password, browser, previousSession);
    const undo = () => this.anonymousLimit.run(network, () => this.limits.giveBack(attempt.limits));
    return attempt.isKnown
      ? this.work.forPerson(account, work, undo)
      : this.work.forAnonymous(network, work, undo);
  }

  /** The second step, with a code of the app or a recovery code. */
  async finish(
    token: string,
    code: string,
    browser: Browser,
    previousSession: Buffer | undefined,
  ): Promise<SignInResult> {
    const hash = hashSecret(token);
    const step = hash && (await this.secondSteps.findOneBy({ hash, endsAt: Raw(isToCome) }));
    const person = step && (await this.people.findOneBy({ id: step.personId, disabledAt: IsNull() }));
    if (!person) throw tookTooLong();
    const isKnown = await this.storedSessions.isKnown(person.email, browser.address);
    const limits = codeLimits(person.id, browser.address, isKnown);
    await this.takeAttempt(limits, person, browser);
    const session = await this.database.transaction(async (transaction) => {
      const used = await this.twoFactor.acceptWithin(transaction, person, code);
      if (!used) throw refused('This code is wrong, or was used already.');
      if (used === 'recovery code') await this.recordRecoveryCode(transaction, person, browser);
      // A password change deletes the second step.
      const { affected } = await transaction.manager.delete(SecondStep, { hash });
      if (!affected) throw tookTooLong();
      return this.sessions.beginWithin(transaction, person, browser, previousSession, 'second step');
    });
    await this.limits.giveBack(limits);
    return { to: 'session', token: session };
  }

  private async count(email: string, browser: Browser): Promise<Attempt> {
    const person = await this.people.findOneBy({ email, releasedAt: IsNull() });
    const isKnown = await this.storedSessions.isKnown(email, browser.address);
    const limits = passwordLimits(email, browser.address, isKnown);
    await this.takeAttempt(limits, person, browser);
    return { person, limits, isKnown };
  }

  private async beginInTurn(
    hasher: Hasher,
    { person, limits }: Attempt,
    password: string,
    browser: Browser,
    previousSession: Buffer | undefined,
  ): Promise<SignInResult> {
    const { isRight, isCurrent } = await hasher.verify(password, person?.passwordHash ?? NO_ACCOUNT_HASH);
    if (!person || !isRight || person.disabledAt !== null) throw wrongPassword();
    await this.limits.giveBack(limits);
    const rehashed = isCurrent ? undefined : await hasher.hash(password);
    return this.database.transaction(async (transaction) => {
      const { totpEnabledAt } = await lockUnchanged(transaction, person, wrongPassword);
      if (rehashed !== undefined)
        await transaction.manager.update(Person, person.id, { passwordHash: rehashed });
      if (totpEnabledAt !== null) return secondStep(transaction, person);
      const token = await this.sessions.beginWithin(transaction, person, browser, previousSession);
      return { to: 'session', token };
    });
  }

  /** The log records the refusal of attempts once, even for unknown accounts. */
  private takeAttempt(
    limits: readonly AttemptLimit[],
    person: Person | null,
    { address }: Browser,
  ): Promise<void> {
    return this.limits.take(limits, () =>
      this.audit.record({
        actor: 'a stranger',
        clientId: person?.clientId ?? null,
        ...(person && { personId: person.id }),
        action: 'sign_in.limited',
        subject: person ? `person ${person.id}` : 'an unknown account',
        address,
      }),
    );
  }

  private recordRecoveryCode(transaction: Transaction, person: Person, { address }: Browser): Promise<void> {
    return this.audit.recordWithin(transaction, {
      person: { ...person, address },
      action: 'recovery_code.used',
      subject: `person ${person.id}`,
    });
  }
}

async function secondStep({ manager }: Transaction, { id: personId }: Person): Promise<SignInResult> {
  const { token, hash } = newSecret();
  await manager.delete(SecondStep, { personId, endsAt: Raw((column) => `${column} <= now()`) });
  const endsAt = () => `now() + make_interval(mins => ${SECOND_STEP_MINUTES})`;
  await manager.insert(SecondStep, { hash, personId, endsAt });
  return { to: 'second step', token };
}

const isToCome = (column: string) => `${column} > now()`;

function tookTooLong(): DomainError {
  return new DomainError('session_missing', 'That took too long. Sign in again.');
}

function wrongPassword(): DomainError {
  return refused('The e-mail address or the password is wrong.');
}

function refused(message: string): DomainError {
  return new DomainError('sign_in_refused', message);
}
