import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Not, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import type { SignedInPerson } from '../../../platform/access/signed-in-person.js';
import { readDatabaseClock } from '../../../platform/database/database-clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { endSessionsWithin } from '../end-sessions.js';
import { OwnPasswordService } from '../passwords/own-password.service.js';
import { PersonMailService } from '../person-mail.service.js';
import { Person, Session, RecoveryCode } from '../person.entity.js';
import { hashRecoveryCode, newRecoveryCode, newTotpSecret, totpStepOf, totpUri } from './codes.js';

const RECOVERY_CODES = 10;

const CODE = /^\d{6}$/;

export interface TwoFactorState {
  enabledAt: Date | null;
  codesLeft: number;
}

/** The secret for the app, as a QR code and as text. */
export interface TotpSetUp {
  secret: string;
  uri: string;
}

/** The second step of signing in: a code from an app, or a recovery code. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly ownPassword: OwnPasswordService,
    private readonly mail: PersonMailService,
    @InjectRepository(Person) private readonly people: Repository<Person>,
    @InjectRepository(RecoveryCode) private readonly codes: Repository<RecoveryCode>,
  ) {}

  async state({ id }: SignedInPerson): Promise<TwoFactorState> {
    const { totpEnabledAt } = await this.people.findOneByOrFail({ id });
    const codesLeft = await this.codes.countBy({ personId: id, usedAt: IsNull() });
    return { enabledAt: totpEnabledAt, codesLeft };
  }

  /** Creates a secret, shown once. It is active after the first code. */
  async begin(person: SignedInPerson, password: string): Promise<TotpSetUp> {
    const lockPassword = await this.ownPassword.check(person, password);
    const totpSecret = newTotpSecret();
    await this.database.transaction(async (transaction) => {
      await lockPassword(transaction);
      const off = { id: person.id, totpEnabledAt: IsNull() };
      const updated = await transaction.manager.update(Person, off, { totpSecret });
      if (!updated.affected) throw stateChangedError();
    });
    return { secret: totpSecret, uri: totpUri(totpSecret, person.email) };
  }

  /** Activates the second step. Ends all other sessions. The recovery codes are shown once. */
  confirm(person: SignedInPerson, code: string): Promise<string[]> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { totpSecret, totpEnabledAt } = await manager.findOneOrFail(Person, {
        where: { id: person.id },
        lock: { mode: 'for_no_key_update' },
      });
      if (totpSecret === null || totpEnabledAt !== null) throw stateChangedError();
      const step = totpStepOf(totpSecret, plain(code), await readDatabaseClock(transaction));
      if (step === undefined) throw wrongCode();
      const totpLastStep = String(step);
      await manager.update(Person, person.id, { totpEnabledAt: () => 'now()', totpLastStep });
      await endSessionsWithin(transaction, person.id, person.sessionId);
      await manager.update(Session, person.sessionId, { secondStepAt: () => 'now()' });
      await this.audit.recordWithin(transaction, auditEntryOf(person, 'two_factor.enabled'));
      return renewCodes(transaction, person.id);
    });
  }

  async disable(person: SignedInPerson, password: string): Promise<void> {
    const lockPassword = await this.ownPassword.check(person, password);
    await this.database.transaction(async (transaction) => {
      await lockPassword(transaction);
      if (await this.removeWithin(transaction, person.id, person.sessionId))
        await this.audit.recordWithin(transaction, auditEntryOf(person, 'two_factor.disabled'));
    });
  }

  /**
   * Also deletes the recovery codes, and ends all sessions except one. Returns false without a second step.
   */
  async removeWithin(transaction: Transaction, personId: number, exceptSessionId?: number): Promise<boolean> {
    const { manager } = transaction;
    const on = { id: personId, totpEnabledAt: Not(IsNull()) };
    const removed = await manager.update(Person, on, { totpEnabledAt: null, totpSecret: null });
    if (!removed.affected) return false;
    await manager.delete(RecoveryCode, { personId });
    await endSessionsWithin(transaction, personId, exceptSessionId);
    await this.mail.secondStepRemovedWithin(transaction, personId);
    return true;
  }

  /** Earlier recovery codes stop working. */
  async renewCodes(person: SignedInPerson, password: string): Promise<string[]> {
    const lockPassword = await this.ownPassword.check(person, password);
    return this.database.transaction(async (transaction) => {
      await lockPassword(transaction);
      const on = { id: person.id, totpEnabledAt: Not(IsNull()) };
      if (!(await transaction.manager.existsBy(Person, on))) throw stateChangedError();
      await this.audit.recordWithin(transaction, auditEntryOf(person, 'recovery_codes.renewed'));
      return renewCodes(transaction, person.id);
    });
  }

  /** Accepts a code once. Returns its kind, or undefined for a wrong code. */
  async acceptWithin(
    transaction: Transaction,
    { id, totpSecret }: Person,
    typed: string,
  ): Promise<'code' | 'recovery code' | undefined> {
    const { manager } = transaction;
    const code = plain(typed);
    if (CODE.test(code)) {
      const now = await readDatabaseClock(transaction);
      const step = totpSecret === null ? undefined : totpStepOf(totpSecret, code, now);
      if (step === undefined) return undefined;
      const later = { id, totpLastStep: LessThan(String(step)) };
      const taken = await manager.update(Person, later, { totpLastStep: String(step) });
      return taken.affected ? 'code' : undefined;
    }
    const hash = hashRecoveryCode(typed);
    const unused = hash && { personId: id, hash, usedAt: IsNull() };
    const used = unused && (await manager.update(RecoveryCode, unused, { usedAt: () => 'now()' }));
    return used?.affected ? 'recovery code' : undefined;
  }
}

async function renewCodes({ manager }: Transaction, personId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await manager.delete(RecoveryCode, { personId });
  await manager.insert(
    RecoveryCode,
    codes.map((code) => ({ personId, hash: hashRecoveryCode(code)! })),
  );
  return codes;
}

function auditEntryOf(person: SignedInPerson, action: `${string}.${string}`) {
  return { person, action, subject: `person ${person.id}` };
}

/** Apps show codes in two groups. */
const plain = (code: string) => code.replace(/\s/g, '');

function wrongCode(): DomainError {
  return validationFailed([
    { field: 'code', code: 'wrong', message: 'is not the code that the app shows now' },
  ]);
}

function stateChangedError(): DomainError {
  return new DomainError(
    'conflict',
    'The second step has changed since you opened the page. Open the page again.',
  );
}
