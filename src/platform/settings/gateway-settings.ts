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
}

/** Without a word about it: Razorpay where there are keys, the sandbox where the data is nobody's, else none. */
export function gatewaySettings({ optional, oneOf, baseUrl }: Given, faults: string[]): GatewaySettings {
  const keys = {
    RAZORPAY_KEY_ID: optional('RAZORPAY_KEY_ID'),
    RAZORPAY_KEY_SECRET: optional('RAZORPAY_KEY_SECRET'),
    RAZORPAY_WEBHOOK_SECRET: optional('RAZORPAY_WEBHOOK_SECRET'),
  };
  const apiUrl = baseUrl('RAZORPAY_API_URL') ?? 'https://api.razorpay.com';
  // Whoever runs it in earnest must not find one day that "paid" meant nothing.
  const isOnTrial = optional('NODE_ENV') !== 'production' && optional('DATABASE_URL') === undefined;
  const hasKeys = Object.values(keys).some((key) => key !== undefined);
  const name = oneOf('PAYMENT_GATEWAY', NAMES, hasKeys ? 'razorpay' : isOnTrial ? 'sandbox' : 'none');
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
