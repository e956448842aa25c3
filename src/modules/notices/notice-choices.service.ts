import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { type Administrator, doneBy, isSignedIn, lockPeople } from '../people/administrator.js';
import { linkInvalid } from '../people/links/person-links.service.js';
import { lockPerson } from '../people/links/reset-requests.service.js';
import { personNotFound } from '../people/people-list.service.js';
import { Person } from '../people/person.entity.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import { hashSecret } from '../people/secret.js';
import { Outbox } from '../../shared/mail/outbox.repository.js';
import { Database } from '../../platform/database/database.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { readAmount } from '../../platform/money/read-amount.js';
import { readFields } from '../../platform/validation/readers.js';
import { NoticeChoice, NoticeLink } from './notices.entity.js';
import { kindsFor, type NoticeKind, USUAL_KINDS } from './rules/kinds.js';

export interface NoticeChoices {
  kinds: readonly NoticeKind[];
  lowWallet: Minor | null;
}

/** The choices as a form sends them. */
export interface NoticeForm {
  kinds: string[];
  lowWallet: string;
}

/** Stores the notices that each person chooses. */
@Injectable()
export class NoticeChoicesService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @InjectRepository(NoticeChoice) private readonly choices: Repository<NoticeChoice>,
  ) {}

  get isEnabled(): boolean {
    return this.outbox.canSend;
  }

  async of(person: Pick<SignedInPerson, 'id' | 'role' | 'clientId'>): Promise<NoticeChoices> {
    return choicesOf(this.choices.manager, person);
  }

  /** The notices of the person, or those of another one whom the person manages. */
  async set(by: Administrator, form: NoticeForm, personId?: number): Promise<void> {
    const { lowWallet } = readFields({ lowWallet: () => readThreshold(form.lowWallet) });
    await this.database.transaction(async (transaction) => {
      // A form and a link at the same moment do not undo each other.
      const person =
        personId === undefined && isSignedIn(by)
          ? await lockPerson(transaction.manager, by.id)
          : (await lockPeople(transaction, by)).find(({ id }) => id === personId);
      if (!person) throw personNotFound(personId ?? 0);
      const kinds = kindsFor(person).filter((kind) => form.kinds.includes(kind));
      if (kinds.includes('low_wallet') && lowWallet === null)
        throw validationFailed([
          { field: 'lowWallet', code: 'required', message: 'is needed for the notice of a low wallet' },
        ]);
      await write(transaction.manager, { personId: person.id, kinds, lowWallet });
      await this.audit.recordWithin(transaction, {
        ...doneBy(by),
        action: 'notices.changed',
        subject: personId === undefined ? 'notices' : `person ${personId}`,
        details: { kinds: kinds.join(' '), low_wallet: lowWallet },
      });
    });
  }

  /** Switches a notice off. A second use of the link changes nothing. */
  async switchOff(secret: string, address: string): Promise<NoticeKind> {
    const hash = hashSecret(secret.trim().split('#').at(-1)!);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const link = hash && (await manager.findOneBy(NoticeLink, { hash }));
      if (!link) throw linkInvalid();
      const { personId, kind } = link;
      const person = await lockPerson(manager, personId);
      const { kinds, lowWallet } = await choicesOf(manager, person);
      if (!kinds.includes(kind)) return kind;
      const left = kinds.filter((other) => other !== kind);
      const money = lowWallet === null ? null : numericFromMinor(lowWallet);
      await write(manager, { personId, kinds: left, lowWallet: money });
      await this.audit.recordWithin(transaction, {
        person: { ...person, address },
        action: 'notices.changed',
        subject: 'notices',
        details: { kinds: left.join(' '), by: 'link' },
      });
      return kind;
    });
  }
}

async function choicesOf(
  manager: EntityManager,
  { id, role, clientId }: Pick<Person, 'id' | 'role' | 'clientId'>,
): Promise<NoticeChoices> {
  const choice = await manager.findOneBy(NoticeChoice, { personId: id });
  if (!choice) return { kinds: clientId === null || role === 'viewer' ? [] : USUAL_KINDS, lowWallet: null };
  const { kinds, lowWallet } = choice;
  return { kinds, lowWallet: lowWallet === null ? null : minorFromNumeric(lowWallet) };
}

async function write(manager: EntityManager, choice: NoticeChoice): Promise<void> {
  const insert = manager.createQueryBuilder().insert().into(NoticeChoice).values(choice);
  await insert.orUpdate(['kinds', 'low_wallet'], ['person_id']).execute();
}

function readThreshold(text: string): string | null {
  return text.trim() === '' ? null : numericFromMinor(readAmount(text));
}
