import type { OwnAddress } from '../../platform/http/own-address.js';
import type { SandboxAccount } from '../../sandbox-gateway/account/sandbox-account.entity.js';
import { SANDBOX_PATH } from '../../sandbox-gateway/sandbox-path.js';
import type { RazorpayAccount } from './razorpay/razorpay-account.js';

/** The sandbox is a part of the service, whoever asks: a command of the wholesaler's finds it in a process of its own. */
export function sandboxAccount(keys: SandboxAccount, address: OwnAddress): RazorpayAccount {
  const { keyId, keySecret, webhookSecret } = keys;
  return {
    name: 'sandbox',
    keyId,
    keySecret,
    webhookSecret,
    apiUrl: () => `${address.reachableUrl}/${SANDBOX_PATH}`,
    pageUrl: () => `${address.publicUrl}/${SANDBOX_PATH}`,
    whenAway: 'It is the sandbox, a part of the service: the service must be running.',
  };
}
