import { Injectable, Module } from '@nestjs/common';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { SANDBOX_PATH } from '../../../sandbox-gateway/protocol.js';
import { SandboxGatewayModule } from '../../../sandbox-gateway/sandbox-gateway.module.js';
import { type SandboxKeys, SandboxStore } from '../../../sandbox-gateway/sandbox-store.js';
import { gatewayUnavailable, PaymentGateway, signatureInvalid } from './payment-gateway.js';
import { razorpayAccount, type RazorpayAccount } from './razorpay/razorpay-client.js';
import { RazorpayGateway } from './razorpay/razorpay-gateway.js';

/** Provides the `PaymentGateway` that the settings name. */
@Module({
  imports: [SandboxGatewayModule],
  providers: [
    {
      provide: PaymentGateway,
      inject: [SETTINGS, SandboxStore, OwnAddress],
      useFactory: createGateway,
    },
  ],
  exports: [PaymentGateway],
})
export class GatewayModule {}

async function createGateway(
  { paymentGateway }: Settings,
  sandbox: SandboxStore,
  address: OwnAddress,
): Promise<PaymentGateway> {
  if (paymentGateway.name === 'none') return new NoGateway();
  const account =
    paymentGateway.name === 'sandbox'
      ? sandboxAccount(await sandbox.keys(), address)
      : razorpayAccount(paymentGateway);
  return new RazorpayGateway(account);
}

/** The installation has no gateway. Clients pay by transfer and from their wallets. */
@Injectable()
export class NoGateway extends PaymentGateway {
  readonly name = 'none';

  open = refuseCall;
  payments = refuseCall;
  refund = refuseCall;
  refundStatus = refuseCall;

  form(): never {
    throw noGateway();
  }

  readReturn(): never {
    throw signatureInvalid();
  }

  readEvent(): never {
    throw signatureInvalid();
  }
}

function refuseCall(): Promise<never> {
  return Promise.reject(noGateway());
}

function noGateway() {
  return gatewayUnavailable('No payment gateway is set up (PAYMENT_GATEWAY).');
}

/** The sandbox runs inside the service. A command reaches it over HTTP from its own process. */
function sandboxAccount(keys: SandboxKeys, address: OwnAddress): RazorpayAccount {
  const { keyId, keySecret, webhookSecret } = keys;
  return {
    name: 'sandbox',
    keyId,
    keySecret,
    webhookSecret,
    apiUrl: () => `${address.reachableUrl}/${SANDBOX_PATH}`,
    pageUrl: () => `${address.publicUrl}/${SANDBOX_PATH}`,
    unavailableHint: 'It is the sandbox inside the service: the service must be running.',
  };
}
