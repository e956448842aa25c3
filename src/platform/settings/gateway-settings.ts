/** The payment gateway and its credentials. */
export type GatewaySettings =
  | { name: 'none' }
  | { name: 'sandbox' }
  | { name: 'razorpay'; apiUrl: string; keyId: string; keySecret: string; webhookSecret: string };

const NAMES = ['none', 'sandbox', 'razorpay'] as const;

interface Given {
  /** The value of a setting; undefined if it is empty. */
  optional(name: string): string | undefined;
  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T;
  baseUrl(name: string): string | undefined;
  publicUrl: string | undefined;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Default: Razorpay if its keys are set, the sandbox on a trial, else none. */
export function gatewaySettings(given: Given, faults: string[]): GatewaySettings {
  const { optional, oneOf, baseUrl } = given;
  const keys = {
    RAZORPAY_KEY_ID: optional('RAZORPAY_KEY_ID'),
    RAZORPAY_KEY_SECRET: optional('RAZORPAY_KEY_SECRET'),
    RAZORPAY_WEBHOOK_SECRET: optional('RAZORPAY_WEBHOOK_SECRET'),
  };
  const apiUrl = baseUrl('RAZORPAY_API_URL') ?? 'https://api.razorpay.com';
  const hasKeys = Object.values(keys).some((key) => key !== undefined);
  const fallback = hasKeys ? 'razorpay' : isOnTrial(given) ? 'sandbox' : 'none';
  const name = oneOf('PAYMENT_GATEWAY', NAMES, fallback);
  if (name !== 'razorpay') return { name };
  const {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
  } = keys;
  if (keyId !== undefined && keySecret !== undefined && webhookSecret !== undefined)
    return { name, apiUrl, keyId, keySecret, webhookSecret };
  const missing = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [key] : []));
  faults.push(`Razorpay as the gateway also needs ${missing.join(' and ')}.`);
  return { name: 'none' };
}

/**
 * On a trial one person uses the service on one machine. The sandbox gives money away, so elsewhere it must
 * be named. HOST does not matter: without PUBLIC_URL and TRUST_PROXY no other machine can sign in.
 */
export function isOnTrial({ optional, publicUrl }: Pick<Given, 'optional' | 'publicUrl'>): boolean {
  return (
    !isProduction({ optional }) &&
    optional('DATABASE_URL') === undefined &&
    (optional('TRUST_PROXY') ?? '0') === '0' &&
    (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  );
}

export function isProduction({ optional }: Pick<Given, 'optional'>): boolean {
  return optional('NODE_ENV') === 'production';
}

/** True for names of this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** A line of the bank account or of the contact, such as "IFSC" and "HDFC0001234". */
export interface Detail {
  label: string;
  value: string;
}

const MOST_LINES = 12;

/** With the sandbox, so that bank transfers can be tried too. */
const MADE_UP: Detail[] = [
  { label: 'Account name', value: 'Made up: no money moves' },
  { label: 'Account number', value: '000000000000' },
  { label: 'IFSC', value: 'TEST0000000' },
];

/** The account for bank transfers. Without it, clients cannot pay by bank. */
export function bankDetails(given: string | undefined, isSandbox: boolean, faults: string[]): Detail[] {
  if (given === undefined) return isSandbox ? MADE_UP : [];
  return detailsIn('BANK_TRANSFER_DETAILS', given, '"IFSC: HDFC0001234"', faults);
}

/** How clients reach the wholesaler. */
export function contactDetails(given: string | undefined, faults: string[]): Detail[] {
  return given === undefined ? [] : detailsIn('CONTACT', given, '"Phone: +91 98200 00000"', faults);
}

function detailsIn(name: string, given: string, example: string, faults: string[]): Detail[] {
  const lines = given
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const details = lines.map((line) => {
    const at = line.indexOf(':');
    return { label: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  if (lines.length > MOST_LINES || details.some(({ label, value }) => label === '' || value === ''))
    faults.push(`${name} must be up to ${MOST_LINES} parts like ${example}, separated by semicolons.`);
  return details;
}
