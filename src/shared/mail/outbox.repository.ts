import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, Raw, Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { OutboxMail } from './outbox-mail.entity.js';
import type { OutgoingMail } from './smtp-client.service.js';

/** If a node takes a mail and dies, another node may take it after this time. */
const LEASE_SECONDS = 120;

const RETENTION_DAYS = 30;

export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  /** The mail is not sent after this time. */
  usefulUntil: Date;
}

export type ClaimedMail = OutgoingMail & Pick<OutboxMail, 'tries'>;

/** SQL: one statement takes a due mail and skips mails that other nodes are taking. */
const TAKE = {
  name: 'outbox-take',
  text: `
    UPDATE outbox SET tries = tries + 1, next_try_at = now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE mail_id = (SELECT mail_id FROM outbox WHERE next_try_at <= now() AND useful_until > now()
                       ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING mail_id AS "mailId", recipient, subject, body, tries`,
};

const CLEARED = { nextTryAt: null, body: null };

/** Stores mail. All times come from the database, so nodes with different clocks agree. */
@Injectable()
export class Outbox {
  constructor(
    private readonly database: Database,
    @InjectRepository(OutboxMail) private readonly mails: Repository<OutboxMail>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether a mail server is set up. If not, the caller must show the link instead. */
  get canSend(): boolean {
    return this.settings.mail !== undefined;
  }

  /** Writes in the caller's transaction: the mail is sent only if it commits. Returns the mail's id. */
  async write(manager: EntityManager, mail: Mail): Promise<string | undefined> {
    if (!this.canSend) return undefined;
    const mailId = randomUUID();
    await manager.insert(OutboxMail, { mailId, ...mail });
    return mailId;
  }

  /** Cancels mails that were not sent, and deletes their texts. A try that is running may still succeed. */
  async withdraw(manager: EntityManager, mailIds: string[]): Promise<void> {
    if (mailIds.length === 0) return;
    const waiting = { mailId: In(mailIds), nextTryAt: Not(IsNull()) };
    await manager.update(OutboxMail, waiting, { ...CLEARED, withdrawnAt: now });
  }

  /** Takes a due mail, which no other node gets. */
  async take(): Promise<ClaimedMail | undefined> {
    const [taken] = await this.database.query<ClaimedMail>(TAKE, []);
    return taken;
  }

  /** Marks a mail as sent, even if it was withdrawn or given up in the meantime. */
  async noteSent(mailId: string): Promise<void> {
    await this.mails.update(mailId, {
      ...CLEARED,
      sentAt: now,
      givenUpAt: null,
      withdrawnAt: null,
      fault: null,
    });
  }

  async putOff(mailId: string, fault: string, seconds: number): Promise<void> {
    const nextTryAt = () => `now() + make_interval(secs => ${seconds})`;
    await this.mails.update({ mailId, nextTryAt: Not(IsNull()) }, { fault, nextTryAt });
  }

  async giveUp(mailId: string, fault: string): Promise<void> {
    await this.mails.update({ mailId, nextTryAt: Not(IsNull()) }, { ...CLEARED, fault, givenUpAt: now });
  }

  /** Gives up mails that are no longer useful, and counts them. */
  async giveUpExpired(): Promise<number> {
    const late = { nextTryAt: Not(IsNull()), usefulUntil: Raw((column) => `${column} <= now()`) };
    return (await this.mails.update(late, { ...CLEARED, givenUpAt: now })).affected ?? 0;
  }

  /** Deletes old mails that need no more tries. */
  async deleteOld(): Promise<void> {
    const long = Raw((column) => `${column} < now() - interval '${RETENTION_DAYS} days'`);
    await this.mails.delete({ nextTryAt: IsNull(), createdAt: long });
  }
}

function now(): string {
  return 'now()';
}
