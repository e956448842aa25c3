/** Who takes payments for the wholesaler, and what is needed to speak with it. */
export type GatewaySettings =
  | { name: 'none' }
  | { name: 'sandbox' }
  | { name: 'razorpay'; apiUrl: string; keyId: string; keySecret: string; webhookSecret: string };

const NAMES = ['none', 'sandbox', 'razorpay'] as const;

interface Given {
  /** Of one of the settings; an empty one is not there. */
  optional(name: string): string | undefined;
  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T;
  baseUrl(name: string): string | undefined;
  publicUrl: string | undefined;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** By default: Razorpay where its keys are set, the sandbox on a trial, else none. */
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
 * On a trial the service runs for one person on one machine. The sandbox gives money away, so it then needs no name.
 * HOST does not matter: without PUBLIC_URL and TRUST_PROXY the dashboard lets nobody sign in from another machine.
 */
function isOnTrial({ optional, publicUrl }: Given): boolean {
  return (
    optional('NODE_ENV') !== 'production' &&
    optional('DATABASE_URL') === undefined &&
    (optional('TRUST_PROXY') ?? '0') === '0' &&
    (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  );
}

/** Whether a host name leads to this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
