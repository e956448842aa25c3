import { Injectable } from '@nestjs/common';
import { Outbox } from '../../mail/outbox.service.js';
import type { Transaction } from '../../platform/database/database.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Client } from '../clients/client.entity.js';
import { RESET_PATH } from '../links/link-mail.js';
import { Person } from './person.entity.js';

const USEFUL_DAYS = 7;

const DAY_MS = 86_400_000;

/** Mails people about changes to their sign-in, so that they notice changes by others. */
@Injectable()
export class SecurityMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly own: OwnAddress,
  ) {}

  passwordChangedWithin(transaction: Transaction, personId: number): Promise<void> {
    return this.tellWithin(transaction, personId, {
      subject: 'Your password was changed',
      what: 'has another password now.',
      otherwise: `ask for a new one at once: ${this.own.publicUrl}${RESET_PATH}`,
    });
  }

  secondStepRemovedWithin(transaction: Transaction, personId: number): Promise<void> {
    return this.tellWithin(transaction, personId, {
      subject: 'Your second step was removed',
      what: 'takes the password alone now.',
      otherwise: 'change your password at once, and tell an owner of your store or the wholesaler.',
    });
  }

  private async tellWithin(
    { manager }: Transaction,
    personId: number,
    { subject, what, otherwise }: { subject: string; what: string; otherwise: string },
  ): Promise<void> {
    if (!this.outbox.takesMail) return;
    const { name, email, clientId } = await manager.findOneByOrFail(Person, { id: personId });
    const client = await manager.findOneByOrFail(Client, { id: clientId! });
    await this.outbox.write(manager, {
      recipient: email,
      subject,
      body: `Hello ${name},

signing in to the dashboard of ${client.name} as ${email} ${what}

If that was not meant, ${otherwise}
`,
      usefulUntil: new Date(Date.now() + USEFUL_DAYS * DAY_MS),
    });
  }
}
