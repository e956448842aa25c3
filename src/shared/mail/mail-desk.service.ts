import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOptionsSelect, In, IsNull, MoreThan, Not, Raw, Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/texts.js';
import { OutboxMail } from './outbox-mail.entity.js';
import { type MailState } from './mail-states.js';
import { Outbox } from './outbox.repository.js';
import { SmtpClient, UndeliveredMail } from './smtp-client.service.js';

/** A mail without its text, which only the recipient may read. */
export interface MailListItem {
  mail_id: string;
  created_at: Date;
  recipient: string;
  subject: string;
  state: MailState;
  tries: number;
  next_try_at: Date | null;
  sent_at: Date | null;
  fault: string | null;
}

/** The text holds the secret of a link, so no list reads it. */
const LISTED = {
  mailId: true,
  createdAt: true,
  recipient: true,
  subject: true,
  tries: true,
  nextTryAt: true,
  sentAt: true,
  givenUpAt: true,
  withdrawnAt: true,
  fault: true,
} as const satisfies FindOptionsSelect<OutboxMail>;

type ListedMail = Pick<OutboxMail, keyof typeof LISTED>;

const STATE_CONDITIONS = {
  waiting: { nextTryAt: Not(IsNull()) },
  sent: { sentAt: Not(IsNull()) },
  'given-up': { givenUpAt: Not(IsNull()) },
  withdrawn: { withdrawnAt: Not(IsNull()) },
};

const TEST_MAIL = { subject: 'Test mail', body: 'This mail shows that the service can send mail.\n' };

@Injectable()
export class MailDesk {
  constructor(
    @InjectRepository(OutboxMail) private readonly mails: Repository<OutboxMail>,
    private readonly outbox: Outbox,
    private readonly smtp: SmtpClient,
  ) {}

  /** The newest mail comes first. A page begins after the mail `before`. */
  async list(state?: MailState, limit?: number, before?: string): Promise<MailListItem[]> {
    const mails = await this.mails.find({
      select: LISTED,
      where: {
        ...(state && STATE_CONDITIONS[state]),
        ...(before !== undefined && { createdAt: isOlderThan(before) }),
      },
      order: { createdAt: 'DESC', mailId: 'DESC' },
      ...(limit !== undefined && { take: limit }),
    });
    return mails.map(toListItem);
  }

  /**
   * Mails since a time that were given up, or wait after a try that failed. The newest mail comes first. A
   * page begins after the mail `before`.
   */
  async listUnsent(since: Date, limit: number, before?: string): Promise<MailListItem[]> {
    const createdAt = before === undefined ? MoreThan(since) : And(MoreThan(since), isOlderThan(before));
    const mails = await this.mails.find({
      select: LISTED,
      where: [
        { createdAt, ...STATE_CONDITIONS['given-up'] },
        { createdAt, ...STATE_CONDITIONS.waiting, fault: Not(IsNull()) },
      ],
      order: { createdAt: 'DESC', mailId: 'DESC' },
      take: limit,
    });
    return mails.map(toListItem);
  }

  /** The states by mail id, with the error of the last try. Deleted mails are missing. */
  async statesOf(mailIds: string[]): Promise<Map<string, { state: MailState; fault: string | null }>> {
    const mails =
      mailIds.length === 0 ? [] : await this.mails.find({ select: LISTED, where: { mailId: In(mailIds) } });
    return new Map(mails.map((mail) => [mail.mailId, { state: stateOf(mail), fault: mail.fault }]));
  }

  async counts(): Promise<{ waiting: number; given_up: number }> {
    const [waiting, givenUp] = await Promise.all([
      this.mails.countBy(STATE_CONDITIONS.waiting),
      this.mails.countBy(STATE_CONDITIONS['given-up']),
    ]);
    return { waiting, given_up: givenUp };
  }

  /** Sends without the outbox, so that the person who sets up the server sees the result. */
  async sendTestMail(address: string): Promise<void> {
    if (!this.outbox.canSend) throw new DomainError('conflict', 'SMTP_URL is not set: no mail is sent.');
    const letter = { mailId: randomUUID(), recipient: readLine('address', address, 254), ...TEST_MAIL };
    try {
      await this.smtp.deliver(letter);
    } catch (error) {
      if (!(error instanceof UndeliveredMail)) throw error;
      throw new DomainError('mail_undelivered', `The server refused the mail: ${error.message}.`);
    }
  }
}

function isOlderThan(before: string) {
  const last = 'SELECT last.created_at, last.mail_id FROM outbox last WHERE mail_id = :before';
  return Raw<Date>((column) => `(${column}, mail_id) < (${last})`, { before });
}

function toListItem(mail: ListedMail): MailListItem {
  const { mailId, createdAt, nextTryAt, sentAt, recipient, subject, tries, fault } = mail;
  return {
    mail_id: mailId,
    created_at: createdAt,
    recipient,
    subject,
    state: stateOf(mail),
    tries,
    next_try_at: nextTryAt,
    sent_at: sentAt,
    fault,
  };
}

function stateOf({ sentAt, givenUpAt, withdrawnAt }: ListedMail): MailState {
  if (sentAt) return 'sent';
  if (withdrawnAt) return 'withdrawn';
  return givenUpAt ? 'given-up' : 'waiting';
}
