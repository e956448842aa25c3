import { Inject, Injectable } from '@nestjs/common';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { MailSettings } from '../../platform/settings/mail-settings.js';
import { Firm } from '../../platform/settings/firm.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { OutboxMail } from './outbox-mail.entity.js';

const MAX_FAULT_LENGTH = 200;

/** The commands that concern this mail. Errors of other commands concern every mail. */
const MAIL_COMMANDS = new Set(['RCPT TO', 'DATA']);

/**
 * The message leaves out the server's words and the cause: servers quote the mail, and the mail holds the
 * secret of a link.
 */
export class UndeliveredMail extends Error {
  /** The server works, but refuses this mail. */
  readonly isRefused: boolean;
  /** A retry would fail too. */
  readonly isPermanent: boolean;

  constructor(error: NodemailerError) {
    super(describe(error));
    this.isRefused = error.responseCode !== undefined && MAIL_COMMANDS.has(error.command ?? '');
    this.isPermanent = this.isRefused && error.permanent === true;
  }
}

/** An error of the connection cannot quote the mail, so its message is kept. */
function describe({ code, command, responseCode, originalCode, message, response }: NodemailerError): string {
  const facts = [originalCode ?? code, responseCode, command && `at ${command}`].filter(Boolean).join(' ');
  const detail = command === 'CONN' && response === undefined ? `: ${message}` : '';
  return `${facts}${detail}`.replaceAll(/\s+/g, ' ').slice(0, MAX_FAULT_LENGTH);
}

const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

/** The limit for slow servers. It must be shorter than the lease of a mail. */
const DELIVERY_TIMEOUT_MS = 60_000;

export type OutgoingMail = Pick<OutboxMail, 'mailId' | 'recipient' | 'subject'> & { body: string };

/** Opens a connection for each mail, because mails are few. */
@Injectable()
export class SmtpClient {
  private readonly mail: MailSettings | undefined;
  private readonly transport: ReturnType<typeof transportOf> | undefined;

  constructor(
    @Inject(SETTINGS) { mail }: Settings,
    private readonly firm: Firm,
  ) {
    this.mail = mail;
    this.transport = mail && transportOf(mail);
  }

  /** Resolves when the server has accepted the mail. After an abort, the result is unknown. */
  async deliver({ mailId, recipient, subject, body }: OutgoingMail, stopping?: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
    const { transport, mail } = this;
    if (!transport || !mail) throw new Error('SMTP_URL is not set.');
    try {
      await transport.sendMail({
        from: { ...mail.from, name: mail.from.name || this.firm.name },
        // One address, never parsed as a list.
        to: { name: '', address: recipient },
        subject,
        text: body,
        messageId: `<${mailId}@${mail.from.address.split('@')[1]}>`,
        // Prevents replies such as "out of office".
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: stopping ? AbortSignal.any([stopping, timeout]) : timeout,
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
