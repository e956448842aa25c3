import { Inject, Injectable } from '@nestjs/common';
import { Client } from '../clients/client.entity.js';
import { Outbox } from '../../shared/mail/outbox.repository.js';
import type { Transaction } from '../../platform/database/database.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Firm } from '../../platform/settings/firm.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { DAY_MS, offsetName, plainTime, type TimeZone } from '../../platform/time/time.js';
import { type LinkKind, Person } from './person.entity.js';
import { describeRole } from './roles.js';

/** The paths of the pages for clients' people, and for people of the wholesaler. */
export const HOME_PATHS = { client: '/dashboard', wholesaler: '/desk' } as const;

const homePathOf = ({ clientId }: Pick<Person, 'clientId'>) =>
  clientId === null ? HOME_PATHS.wholesaler : HOME_PATHS.client;

/** The page of links. Their secret follows `#`, so it reaches no server's log and no `Referer`. */
export const linkPath = (person: Pick<Person, 'clientId'>) => `${homePathOf(person)}/link`;

const USEFUL_DAYS = 7;

type Recipient = Pick<Person, 'clientId' | 'name' | 'email' | 'role'> & {
  /** The site to sign in to: "the dashboard of Anaya Home". */
  site: string;
  timeZone: TimeZone;
};

const LINK_MAIL: Record<LinkKind, (to: Recipient, howToUse: string) => { subject: string; body: string }> = {
  invitation: ({ site, role }, howToUse) => ({
    subject: `You are invited to ${site}`,
    body: `Hello,

you are invited to ${site} as ${describeRole(role)}.
Choose a password here to sign in:

${howToUse}

If you did not expect this invitation, ignore it.
`,
  }),
  reset: ({ name, email, site }, howToUse) => ({
    subject: 'A new password',
    body: `Hello ${name},

you requested a new password for ${site}, where you sign in as ${email}.
Choose it here:

${howToUse}

If you did not request it, ignore this mail: your password does not change.
`,
  }),
};

/** Mails people their links, and changes to their sign-in, so that they notice changes by others. */
@Injectable()
export class PersonMailService {
  constructor(
    private readonly outbox: Outbox,
    private readonly own: OwnAddress,
    private readonly firm: Firm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the mail's id, or undefined if no mail is set up. */
  linkWithin(
    transaction: Transaction,
    person: Person,
    { kind, url, endsAt }: { kind: LinkKind; url: string; endsAt: Date },
  ): Promise<string | undefined> {
    // A mail program may cut off the part after #, and a browser may run no scripts.
    const howToUse = ({ timeZone }: Recipient) => {
      const until = `${plainTime(endsAt, timeZone).slice(0, 16)} ${offsetName(endsAt, timeZone)}`;
      return `${url}

If the page asks for a code, copy the part of the link after the #.
The link works once, until ${until}.`;
    };
    return this.write(transaction, person.id, endsAt, (to) => LINK_MAIL[kind](to, howToUse(to)));
  }

  async passwordChangedWithin(transaction: Transaction, personId: number): Promise<void> {
    await this.mailChange(transaction, personId, {
      subject: 'Your password was changed',
      what: 'now needs the new password.',
      otherwise: (person) => `request a new one at once: ${this.own.publicUrl}${homePathOf(person)}/reset`,
    });
  }

  async secondStepRemovedWithin(transaction: Transaction, personId: number): Promise<void> {
    await this.mailChange(transaction, personId, {
      subject: 'Your second step was removed',
      what: 'now needs only the password.',
      otherwise: ({ clientId }) =>
        clientId === null
          ? 'change your password at once, and tell an admin.'
          : 'change your password at once, and tell an owner of your store or the wholesaler.',
    });
  }

  private mailChange(
    transaction: Transaction,
    personId: number,
    { subject, what, otherwise }: { subject: string; what: string; otherwise: (to: Recipient) => string },
  ): Promise<string | undefined> {
    const usefulUntil = new Date(Date.now() + USEFUL_DAYS * DAY_MS);
    return this.write(transaction, personId, usefulUntil, (to) => ({
      subject,
      body: `Hello ${to.name},

signing in to ${to.site} as ${to.email} ${what}

If you did not expect this, ${otherwise(to)}
`,
    }));
  }

  private async write(
    { manager }: Transaction,
    personId: number,
    usefulUntil: Date,
    words: (to: Recipient) => { subject: string; body: string },
  ): Promise<string | undefined> {
    if (!this.outbox.canSend) return undefined;
    const person = await manager.findOneByOrFail(Person, { id: personId });
    const { clientId } = person;
    const client = clientId === null ? null : await manager.findOneByOrFail(Client, { id: clientId });
    const { name: firm } = this.firm;
    const desk = firm === '' ? 'the wholesaler’s desk' : `the desk of ${firm}`;
    const site = client ? `the dashboard of ${client.name}` : desk;
    const timeZone = client?.timeZone ?? this.settings.timeZone;
    const { subject, body } = words({ ...person, site, timeZone });
    return this.outbox.write(manager, {
      recipient: person.email,
      usefulUntil,
      subject,
      body: firm === '' ? body : `${firm}\n\n${body}`,
    });
  }
}
