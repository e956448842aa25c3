import type { KeptCredentials } from './demo-credentials.js';
import type { GatewayName } from '../../modules/payments/gateway/payment-gateway.js';
import type { Settings } from '../../platform/settings/settings.js';
import { forTerminal } from '../../platform/validation/texts.js';
import { VERSION } from '../../platform/version.js';

const GATEWAYS: Record<GatewayName, string> = {
  none: 'no gateway (PAYMENT_GATEWAY); clients pay by bank transfer and from their wallets',
  sandbox: 'the sandbox; no money moves, and clients can pay with nothing',
  razorpay_test: 'Razorpay in test mode; no money moves',
  razorpay: 'Razorpay',
};

export const FIRST_ADMIN = 'The desk has no admin yet.';

export const INVITE_ONE =
  'Invite one: npx wholesale desk invite --email <address> --role admin ' +
  '(in a checkout: npm run cli -- desk invite …)';

/** Lines for the person who started the service. */
export function printLine(line: string): void {
  process.stdout.write(forTerminal(process.stdout, `${line}\n`));
}

/**
 * With a hop count, callers that bypass the proxy are believed too. A loopback address is reachable from this
 * machine only.
 */
export function forgedAddressWarning({
  host,
  trustProxy,
}: Pick<Settings, 'host' | 'trustProxy'>): string | undefined {
  if (typeof trustProxy !== 'number' || /^(127\.|::1$|localhost$)/.test(host)) return undefined;
  return (
    `Warning: TRUST_PROXY=${trustProxy} with HOST=${host} believes the X-Forwarded-For of every caller ` +
    'that reaches this port. ' +
    'Set TRUST_PROXY to the addresses of the proxy, or HOST to 127.0.0.1 if the proxy runs on this machine.'
  );
}

export function newerSchemaWarning(newer: readonly string[]): string {
  return (
    `Warning: the schema is newer than this version (${VERSION}): it has ${newer.join(', ')}. ` +
    'ALLOW_NEWER_SCHEMA=on lets this version serve with it. It does not migrate.'
  );
}

/**
 * The next steps of a newcomer. The token is shown on a terminal only: files and pipes are kept, and read by
 * others.
 */
export function announce(
  listeningAt: string,
  publicUrl: string | undefined,
  gateway: GatewayName,
  demo: KeptCredentials | undefined,
): void {
  const url = listeningAt
    .replace('[::1]', 'localhost')
    .replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::\])(?=:|$)/, '//localhost');
  // With a public address, the local one refuses sign-ins.
  const site = publicUrl ?? url;
  const lines = [
    '',
    `The wholesale order API ${VERSION} listens at ${url}`,
    `Docs: ${url}/docs`,
    `Dashboard: ${site}/dashboard`,
    `Desk: ${site}/desk`,
    `Payments: ${GATEWAYS[gateway]}`,
  ];
  if (demo && process.stdout.isTTY) lines.push(...tryIt(url, site, demo));
  else if (demo) lines.push(`Try it with the demo credentials in ${demo.file}`);
  printLine(lines.join('\n'));
}

function tryIt(url: string, site: string, demo: KeptCredentials): string[] {
  return [
    'Try it with the demo credentials:',
    '',
    curlLine(url, demo),
    '',
    ...signInLines(`As a store, sign in at ${site}/dashboard`, demo.email, demo.password),
    ...signInLines(`As the wholesaler, sign in at ${site}/desk`, demo.desk_email, demo.desk_password),
  ];
}

function signInLines(where: string, email: string, password: string): string[] {
  return [where, `  e-mail address  ${email}`, `  password        ${password}`, ''];
}

function curlLine(url: string, { token, domain }: KeptCredentials): string {
  return `curl ${url}/api/products -H 'Authorization: Bearer ${token}' -H 'X-Client-Domain: ${domain}'`;
}
