import type { INestApplicationContext } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ClientPerson } from '../../src/platform/access/signed-in-person.js';
import { ClientPaymentsService } from '../../src/modules/payments/client-payments.service.js';
import type { Payment } from '../../src/modules/orders/entities/payment.entity.js';
import type { GatewayForm } from '../../src/modules/payments/gateway/payment-gateway.js';
import { signIn } from './sign-in.js';

/** A person of a client who reviews the orders to pay and pays the shown amount. */
export class Buyer {
  private constructor(
    private readonly payments: ClientPaymentsService,
    readonly person: ClientPerson,
  ) {}

  static async of(test: { app: INestApplicationContext; pool: Pool }, clientId: number): Promise<Buyer> {
    const { person } = await signIn({ pool: test.pool, url: '' }, clientId, 'buyer');
    return new Buyer(test.app.get(ClientPaymentsService, { strict: false }), person);
  }

  async pay(...numbers: string[]): Promise<Payment | undefined> {
    const reviewedPage = await this.payments.review(this.person, numbers);
    return this.payments.pay(this.person, numbers, reviewedPage);
  }

  topUp(amount: string): Promise<Payment> {
    return this.payments.topUp(this.person, amount);
  }

  form(paymentId: string): Promise<GatewayForm> {
    return this.payments.form(this.person, paymentId);
  }

  giveUp(paymentId: string): Promise<Payment> {
    return this.payments.giveUp(this.person, paymentId);
  }
}
