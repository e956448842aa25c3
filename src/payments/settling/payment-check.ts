import { Injectable } from '@nestjs/common';
import type { PaymentKey } from '../../orders/entities/payment.entity.js';
import { PaymentGateway } from '../gateway/payment-gateway.js';
import { PaymentsRepository } from '../payments.repository.js';
import { backOff, GIVE_UP_AFTER_SECONDS } from '../rules/next-check.js';
import { Settlement } from './settlement.js';

/** After so long without an answer a person is told. */
const CONCERN_SECONDS = 3 * 24 * 3_600;

/** Asks about one payment that is due. */
@Injectable()
export class PaymentCheck {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly settlement: Settlement,
  ) {}

  async check(key: PaymentKey): Promise<void> {
    // Its opening was broken off: the gateway may know it, but nobody was ever sent there.
    if (await this.payments.change({ ...key, status: 'opening' }, { status: 'failed', nextCheckAt: null }))
      return;
    const { provider, status } = await this.payments.find(key);
    if (provider !== this.gateway.name) {
      // It was opened at a gateway that is not set up any more. A person must look at it, unless it is over.
      const concern = status === 'open' ? { concern: 'other_gateway' as const } : {};
      await this.payments.change(key, { nextCheckAt: null, urgent: false, ...concern });
      return;
    }
    try {
      await this.settlement.settle(key);
    } catch (error) {
      await this.postpone(key);
      throw error;
    }
  }

  private async postpone(key: PaymentKey): Promise<void> {
    const { checks, createdAt, answeredAt, concern, resolvedConcern } = await this.payments.find(key);
    const silentSeconds = (Date.now() - (answeredAt ?? createdAt).getTime()) / 1_000;
    if (silentSeconds > CONCERN_SECONDS && concern === null && resolvedConcern !== 'no_answer')
      await this.payments.change(key, { concern: 'no_answer' });
    await this.payments.postpone(key, silentSeconds > GIVE_UP_AFTER_SECONDS ? null : backOff(checks));
  }
}
