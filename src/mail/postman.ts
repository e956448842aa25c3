import { Inject, Injectable } from '@nestjs/common';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { MailSettings } from '../platform/settings/mail-settings.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import type { OutboxMail } from './outbox-mail.entity.js';
import { UndeliveredMail } from './undelivered-mail.js';

const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

/** However busily a server does nothing. Together with what is done about it, this must be less than a mail is taken for. */
const DELIVERY_TIMEOUT_MS = 60_000;

export type Letter = Pick<OutboxMail, 'mailId' | 'recipient' | 'subject'> & { body: string };

/** Hands mail to the SMTP server, each on a connection of its own: there are few. */
@Injectable()
export class Postman {
  private readonly mail: MailSettings | undefined;
  private readonly transport: ReturnType<typeof transportOf> | undefined;

  constructor(@Inject(SETTINGS) { mail }: Settings) {
    this.mail = mail;
    this.transport = mail && transportOf(mail);
  }

  /** Resolves when the server has taken it. Whoever stops it does not know whether the server has. */
  async deliver({ mailId, recipient, subject, body }: Letter, stopping?: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
    const { transport, mail } = this;
    if (!transport || !mail) throw new Error('There is no server for mail.');
    try {
      await transport.sendMail({
        from: mail.from,
        // An address, and not a list of them, whatever it looks like.
        to: { name: '', address: recipient },
        subject,
        text: body,
        messageId: `<${mailId}@${mail.from.address.split('@')[1]}>`,
        // So that an absence is not reported to nobody.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: stopping ? AbortSignal.any([stopping, late]) : late,
      });
    } catch (error) {
      throw new UndeliveredMail(error as NodemailerError);
    }
  }
}

function transportOf({ host, port, security, login }: MailSettings) {
  return createTransport({
    host,
    port,
    secure: security === 'smtps',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
