import { isLoopback } from './gateway-settings.js';

export interface MailSettings {
  host: string;
  port: number;
  /** `smtps` begins with TLS; `starttls` requires it before login and content. */
  security: 'smtps' | 'starttls' | 'none';
  login: { user: string; password: string } | undefined;
  from: { name: string; address: string };
}

/** An address, or a name with the address in angle brackets. It cannot inject a header. */
const SENDER = /^(?:([^<>@\p{Cc}]*)<([^<>\s@,;]+@[^<>\s@,;]+)>|([^<>\s@,;]+@[^<>\s@,;]+))$/u;

/** Without a server, no mail is sent. */
export function mailSettings(
  { smtpUrl, mailFrom = '' }: { smtpUrl: string | undefined; mailFrom: string | undefined },
  hasPublicUrl: boolean,
  faults: string[],
): MailSettings | undefined {
  if (smtpUrl === undefined) return undefined;
  const server = readServer(smtpUrl);
  const from = readSender(mailFrom);
  // The value is not repeated: it may hold a password.
  if (!server)
    faults.push(
      'SMTP_URL must look like smtp://user:password@smtp.example.com:587 or smtps://…:465; only ' +
        '?starttls=no may follow.',
    );
  if (!from)
    faults.push('SMTP_URL also needs MAIL_FROM, such as "Sharma Wholesale <orders@wholesale.example.com>".');
  // Recipients use other machines: a link to this one would not work for them.
  if (!hasPublicUrl)
    faults.push(
      'SMTP_URL also needs PUBLIC_URL, the address of links in mails, such as https://wholesale.example.com.',
    );
  return server && from && { ...server, from };
}

function readServer(text: string): Omit<MailSettings, 'from'> | undefined {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const login = readLogin(username, password);
  const isPlain = search === '?starttls=no';
  if (hostname === '' || !login || !['', '/'].includes(pathname) || hash !== '') return undefined;
  if (search !== '' && !isPlain) return undefined;
  if (protocol === 'smtps:')
    return isPlain
      ? undefined
      : { host: unbracketed(hostname), port: Number(port || 465), security: 'smtps', ...login };
  // A link in a mail grants access, so mail is encrypted unless the operator says otherwise.
  const security = isPlain || isLoopback(hostname) ? 'none' : 'starttls';
  return { host: unbracketed(hostname), port: Number(port || 587), security, ...login };
}

function readLogin(user: string, password: string): Pick<MailSettings, 'login'> | undefined {
  if (user === '') return password === '' ? { login: undefined } : undefined;
  try {
    return { login: { user: decodeURIComponent(user), password: decodeURIComponent(password) } };
  } catch {
    return undefined;
  }
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function readSender(text: string): MailSettings['from'] | undefined {
  const [, name = '', named, alone] = SENDER.exec(text) ?? [];
  const address = named ?? alone;
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
