import { Injectable } from '@nestjs/common';
import { Outbox } from '../../../shared/mail/outbox.repository.js';
import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { linkPath, PersonMailService } from '../person-mail.service.js';
import { type Person, type LinkKind, PersonLink, FIRST_ADMIN } from '../person.entity.js';
import { newSecret } from '../secret.js';

const VALID_FOR: Record<LinkKind, string> = { invitation: '7 days', reset: '1 hour' };

/** The address contains the secret. It is shown once. */
export interface NewLink {
  kind: LinkKind;
  url: string;
  endsAt: Date;
  isMailed: boolean;
}

/** Creates and withdraws links. The caller has locked the person. */
@Injectable()
export class PersonLinksService {
  constructor(
    private readonly outbox: Outbox,
    private readonly mail: PersonMailService,
    private readonly own: OwnAddress,
  ) {}

  /** Replaces the previous link, and mails the new one if mail is set up. */
  async makeWithin(transaction: Transaction, person: Person, kind: LinkKind): Promise<NewLink> {
    await this.endWithin(transaction, { personId: person.id, kind });
    const { token: secret, hash } = newSecret();
    const key = { personId: person.id, kind };
    const endsAt = () => `now() + interval '${VALID_FOR[kind]}'`;
    await transaction.manager.insert(PersonLink, { ...key, hash, endsAt });
    const made = await transaction.manager.findOneByOrFail(PersonLink, key);
    const url = `${this.own.publicUrl}${linkPath(person)}#${secret}`;
    const link = { kind, url, endsAt: made.endsAt };
    const isNamed = person.email !== FIRST_ADMIN;
    const mailId = isNamed ? await this.mail.linkWithin(transaction, person, link) : undefined;
    if (mailId !== undefined) await transaction.manager.update(PersonLink, key, { mailId });
    return { ...link, isMailed: mailId !== undefined };
  }

  endAllWithin(transaction: Transaction, personId: number): Promise<void> {
    return this.endWithin(transaction, { personId });
  }

  /** Withdraws a mail that was not sent yet, because its link no longer works. */
  private async endWithin(
    { manager }: Transaction,
    which: { personId: number; kind?: LinkKind },
  ): Promise<void> {
    const links = await manager.findBy(PersonLink, which);
    const mailIds = links.flatMap(({ mailId }) => mailId ?? []);
    await this.outbox.withdraw(manager, mailIds);
    await manager.delete(PersonLink, which);
  }
}

/** One error for all reasons: it does not reveal whether the link ever existed. */
export function linkInvalid(): DomainError {
  return new DomainError(
    'link_invalid',
    'This link no longer works: it expired, was used, or was replaced by a newer one. Request another one.',
  );
}
