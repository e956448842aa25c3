export type GatewaySettings =
  | { name: 'none' }
  | { name: 'sandbox' }
  | { name: 'razorpay'; apiUrl: string; keyId: string; keySecret: string; webhookSecret: string };

interface GatewayValues {
  paymentGateway: GatewaySettings['name'] | undefined;
  razorpayKeyId: string | undefined;
  razorpayKeySecret: string | undefined;
  razorpayWebhookSecret: string | undefined;
  razorpayApiUrl: string;
}

/** Default: Razorpay if its keys are set, the sandbox on a trial, else none. */
export function gatewaySettings(
  values: GatewayValues,
  isOnTrial: boolean,
  faults: string[],
): GatewaySettings {
  const { razorpayKeyId: keyId, razorpayKeySecret: keySecret, razorpayWebhookSecret: webhookSecret } = values;
  const hasKeys = [keyId, keySecret, webhookSecret].some((key) => key !== undefined);
  const name = values.paymentGateway ?? (hasKeys ? 'razorpay' : isOnTrial ? 'sandbox' : 'none');
  if (name !== 'razorpay') return { name };
  if (keyId !== undefined && keySecret !== undefined && webhookSecret !== undefined)
    return { name, apiUrl: values.razorpayApiUrl, keyId, keySecret, webhookSecret };
  const missing = Object.entries({
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
  }).flatMap(([key, value]) => (value === undefined ? [key] : []));
  faults.push(`Razorpay as the gateway also needs ${missing.join(' and ')}.`);
  return { name: 'none' };
}

/** True for names of this machine only. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
