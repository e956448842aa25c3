import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { OutboxMail } from './outbox-mail.entity.js';

export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  /** After this time it is not sent any more. */
  usefulUntil: Date;
}

@Injectable()
export class Outbox {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Without a mail server, the caller must show the link instead. */
  get takesMail(): boolean {
    return this.settings.mail !== undefined;
  }

  /** In the caller's transaction: the mail is sent only if that commits. Gives the id of the mail. */
  async write(manager: EntityManager, mail: Mail): Promise<string | undefined> {
    if (!this.takesMail) return undefined;
    const mailId = randomUUID();
    await manager.insert(OutboxMail, { mailId, ...mail });
    return mailId;
  }

  /** Cancels mails that were not sent, and deletes their texts. A try that is running may still succeed. */
  async withdraw(manager: EntityManager, mailIds: string[]): Promise<void> {
    if (mailIds.length === 0) return;
    const waiting = { mailId: In(mailIds), nextTryAt: Not(IsNull()) };
    await manager.update(OutboxMail, waiting, { nextTryAt: null, body: null, withdrawnAt: () => 'now()' });
  }
}
