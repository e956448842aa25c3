import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { OutboxMail } from './outbox-mail.entity.js';

/** A few kind words to one person. */
export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  /** When it has not left by then, it never will. */
  usefulUntil: Date;
}

/** Where mail is left. */
@Injectable()
export class Outbox {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Without a server nothing is taken: whoever would have mailed a link must show it. */
  get takesMail(): boolean {
    return this.settings.mail !== undefined;
  }

  /** With the transaction of what it tells of: it is sent if that has happened, and only then. Gives the id by which the mail can be asked for. */
  async write(manager: EntityManager, mail: Mail): Promise<string | undefined> {
    if (!this.takesMail) return undefined;
    const mailId = randomUUID();
    await manager.insert(OutboxMail, { mailId, ...mail });
    return mailId;
  }

  /** What has not left by then never will, and nothing of its text is kept. A server that is being asked to take it may still do so. */
  async withdraw(manager: EntityManager, mailIds: string[]): Promise<void> {
    if (mailIds.length === 0) return;
    const waiting = { mailId: In(mailIds), nextTryAt: Not(IsNull()) };
    await manager.update(OutboxMail, waiting, { nextTryAt: null, body: null, withdrawnAt: () => 'now()' });
  }
}
