import { Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { SandboxKeys } from '../../sandbox-gateway/account/sandbox-keys.js';
import { SandboxGatewayModule } from '../../sandbox-gateway/sandbox-gateway.module.js';
import { NoGateway } from './no-gateway.js';
import { PaymentGateway } from './payment-gateway.js';
import { razorpayAccount } from './razorpay/razorpay-account.js';
import { RazorpayGateway } from './razorpay/razorpay-gateway.js';
import { sandboxAccount } from './sandbox-account.js';

/** Whoever needs the gateway asks for a `PaymentGateway`, and gets the one that the settings name. */
@Module({
  imports: [SandboxGatewayModule],
  providers: [
    {
      provide: PaymentGateway,
      inject: [SETTINGS, SandboxKeys, OwnAddress],
      useFactory: gatewayOf,
    },
  ],
  exports: [PaymentGateway],
})
export class GatewayModule {}

async function gatewayOf(
  { paymentGateway }: Settings,
  sandboxKeys: SandboxKeys,
  address: OwnAddress,
): Promise<PaymentGateway> {
  if (paymentGateway.name === 'none') return new NoGateway();
  const account =
    paymentGateway.name === 'sandbox'
      ? sandboxAccount(await sandboxKeys.read(), address)
      : razorpayAccount(paymentGateway);
  return new RazorpayGateway(account);
}
