import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Outbox } from '../../mail/outbox.js';
import { Client } from '../clients/client.entity.js';
import type { Person } from '../people/person.entity.js';
import { newSessionToken } from '../sessions/session-token.js';
import { LINK_MAIL } from './link-mail.js';
import { LINK_PATH } from './link-path.js';
import { type LinkKind, PersonLink } from './person-link.entity.js';

const GOOD_FOR: Record<LinkKind, string> = { invitation: '7 days', reset: '1 hour' };

/** SQL, because the new one takes the place of the one before in one statement, and ends by the clock that all nodes share. */
const MAKE = {
  name: 'person-link-make',
  text: `
    INSERT INTO person_links AS link (person_id, kind, hash, ends_at) VALUES ($1, $2, $3, now() + $4::interval)
    ON CONFLICT (person_id, kind) DO UPDATE
      SET hash = excluded.hash, created_at = now(), ends_at = excluded.ends_at, mail_id = NULL
    RETURNING ends_at AS "endsAt"`,
};

/** The secret is in its address, this once. */
export interface LinkMade {
  kind: LinkKind;
  url: string;
  endsAt: Date;
  isMailed: boolean;
}

/** Makes links and takes them back. Whoever calls has locked the person. */
@Injectable()
export class PersonLinks {
  constructor(
    private readonly outbox: Outbox,
    private readonly own: OwnAddress,
  ) {}

  /** Is sent to the person where mail is sent at all. */
  async makeWithin(transaction: Transaction, person: Person, kind: LinkKind): Promise<LinkMade> {
    const { token: secret, hash } = newSessionToken();
    const values = [person.id, kind, hash, GOOD_FOR[kind]];
    const [made] = await transaction.query<{ endsAt: Date }>(MAKE, values);
    const link = { kind, url: `${this.own.publicUrl}${LINK_PATH}#${secret}`, endsAt: made!.endsAt };
    return { ...link, isMailed: await this.mail(transaction, person, link) };
  }

  async endAllWithin({ manager }: Transaction, personId: number): Promise<void> {
    await manager.delete(PersonLink, { personId });
  }

  private async mail(
    { manager }: Transaction,
    person: Person,
    { kind, url, endsAt }: Omit<LinkMade, 'isMailed'>,
  ): Promise<boolean> {
    const { name: clientName } = await manager.findOneByOrFail(Client, { id: person.clientId! });
    const words = LINK_MAIL[kind]({ person, clientName, url, endsAt });
    const mailId = await this.outbox.write(manager, {
      recipient: person.email,
      usefulUntil: endsAt,
      ...words,
    });
    if (mailId === undefined) return false;
    await manager.update(PersonLink, { personId: person.id, kind }, { mailId });
    return true;
  }
}
