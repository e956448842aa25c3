import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../../src/platform/settings/mail-settings.js';
import { atSuiteEnd } from './suite-end.js';

export interface ReceivedMail {
  recipient: string;
  subject: string;
  messageId: string;
  text: string;
  /** The raw mail. */
  source: string;
}

type Judgement = Error | undefined | Promise<Error | undefined>;

/** A real SMTP server that keeps accepted mail and answers as the test says. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Accepts or rejects a recipient; a rejected mail is not transferred. */
  checkRecipient: (recipient: string) => Judgement = () => undefined;
  /** Accepts or rejects a complete mail. */
  check: (mail: ReceivedMail) => Judgement = () => undefined;
  readonly close = atSuiteEnd(() => new Promise<void>((resolve) => this.server.close(resolve)));
  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: (_, __, done) => done(null, { user: 'test' }),
      closeTimeout: 100,
      onRcptTo: ({ address }, _, done) => answer(this.checkRecipient(address), done),
      onData: (stream, { envelope }, done) => answer(this.take(stream, envelope.rcptTo), done),
      ...options,
    });
    // Clients may hang up in the middle.
    this.server.on('error', () => undefined);
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    const listening = server.server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return server;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get settings(): MailSettings {
    return {
      host: '127.0.0.1',
      port: this.port,
      security: 'none',
      login: undefined,
      from: { name: 'Sharma Wholesale', address: 'orders@wholesale.example.com' },
    };
  }

  /** The same settings as environment variables. */
  get environment(): { SMTP_URL: string; MAIL_FROM: string; PUBLIC_URL: string } {
    const { name, address } = this.settings.from;
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: `${name} <${address}>`,
      PUBLIC_URL: 'http://localhost:3000',
    };
  }

  /** Resets the server to its initial state. */
  forget(): void {
    this.received.length = 0;
    this.checkRecipient = () => undefined;
    this.check = () => undefined;
  }

  /** Returns the only mail to this recipient. */
  to(recipient: string): ReceivedMail {
    const mails = this.received.filter((mail) => mail.recipient === recipient);
    if (mails.length !== 1) throw new Error(`${mails.length} mails to ${recipient}, not one`);
    return mails[0]!;
  }

  private async take(stream: Readable, recipients: { address: string }[]): Promise<Error | undefined> {
    const mail = readMail(await text(stream), recipients.map(({ address }) => address).join(', '));
    const refused = await this.check(mail);
    if (!refused) this.received.push(mail);
    return refused;
  }
}

/** The decision may take any time. */
async function answer(judgement: Judgement, done: (refusal?: Error) => void): Promise<void> {
  done(await judgement);
}

/** The answer of a server that rejects a mail. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function readMail(source: string, recipient: string): ReceivedMail {
  const end = source.indexOf('\r\n\r\n');
  const [head, body] = [source.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' '), source.slice(end + 4)];
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return {
    recipient,
    subject: decodeWords(header('Subject')),
    messageId: header('Message-ID'),
    text: decodeBody(body, header('Content-Transfer-Encoding')).replaceAll('\r\n', '\n'),
    source,
  };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\r\n', '')) : body;
}

/** Decodes quoted-printable text as UTF-8. */
function decodeQuoted(quoted: string): string {
  const bytes = quoted.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

function decodeWords(header: string): string {
  return header
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) => decodeQuoted(word.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString());
}
