import type { RazorpayAccount } from './razorpay-account.js';

/** What a gateway tells may hold what was sent to it in confidence. */
export function withoutSecrets(text: string, { keyId, keySecret, webhookSecret }: RazorpayAccount): string {
  const secrets = [keySecret, webhookSecret, basicCredentials(keyId, keySecret)];
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

export function basicCredentials(keyId: string, keySecret: string): string {
  return Buffer.from(`${keyId}:${keySecret}`).toString('base64');
}
