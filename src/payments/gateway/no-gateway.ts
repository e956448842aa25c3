import { Injectable } from '@nestjs/common';
import { gatewayUnavailable, signatureInvalid } from './gateway-errors.js';
import { PaymentGateway } from './payment-gateway.js';

/** Clients pay by transfer and from their wallets. */
@Injectable()
export class NoGateway extends PaymentGateway {
  readonly name = 'none';

  open = refuse;
  payments = refuse;
  refund = refuse;
  refundStatus = refuse;

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

function refuse(): Promise<never> {
  return Promise.reject(noGateway());
}

function noGateway() {
  return gatewayUnavailable('No payment gateway is set up (PAYMENT_GATEWAY).');
}
