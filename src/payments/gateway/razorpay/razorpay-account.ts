import type { GatewayName } from '../payment-gateway.js';
import type { GatewaySettings } from '../../../platform/settings/gateway-settings.js';

type RazorpaySettings = Extract<GatewaySettings, { name: 'razorpay' }>;

/** With whom the adapter speaks Razorpay's protocol, and as whom. */
export interface RazorpayAccount {
  name: Exclude<GatewayName, 'none'>;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** Where the API is for us. Asked for each time: where the service listens is known only once it does. */
  apiUrl(): string;
  /** Where the same paths are for a browser. */
  pageUrl(): string;
  /** What to do if nobody answers there, as a sentence. */
  whenAway: string;
}

/** As the settings have it. */
export function razorpayAccount({ apiUrl, ...keys }: RazorpaySettings): RazorpayAccount {
  return {
    ...keys,
    name: keys.keyId.startsWith('rzp_test_') ? 'razorpay_test' : 'razorpay',
    apiUrl: () => apiUrl,
    pageUrl: () => apiUrl,
    whenAway: 'Try again in a while.',
  };
}
