import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { OrderPayments } from '../../orders/paying/order-payments.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { gatewayKey, gatewayTopUp } from '../../wallet/rules/posting.js';
import { WalletLedger } from '../../wallet/wallet-ledger.js';
import { GatewayEventRecord } from '../entities/gateway-event.entity.js';
import { GatewayRefundRecord } from '../entities/gateway-refund.entity.js';
import { Payment, type PaymentKey } from '../entities/payment.entity.js';
import { PaymentGateway } from '../gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from '../payments.repository.js';
import { type Attempt, judgeAttempts, type Known } from '../rules/judge-attempts.js';
import { nextCheck } from '../rules/next-check.js';
import type { Concern } from '../rules/payment-status.js';

/** After so long a bank that has said yes should have paid. */
const CAPTURE_SECONDS = 3 * 24 * 3_600;

const ACTOR = 'gateway';

/** How far a payment has come. */
export interface Settled {
  payment: Payment;
  /** The bank has said yes, and the money is on its way. */
  isUnderway: boolean;
}

/**
 * Where every way ends on which one hears of a payment: the browser's return, the gateway's event, our own asking. Each is only a reason to
 * ask the gateway, whose answer alone is believed. So it does not matter which comes first, how often, or whether at all.
 */
@Injectable()
export class Settlement {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly orderPayments: OrderPayments,
    private readonly ledger: WalletLedger,
  ) {}

  async settle(key: PaymentKey): Promise<Settled> {
    const payment = await this.payments.find(key);
    const { provider, gatewayOrderId } = payment;
    if (gatewayOrderId === null) return { payment, isUnderway: false };
    if (provider !== this.gateway.name) throw otherGateway(payment);
    const events = await this.payments.waitingEvents(payment);
    const attempts = await this.gateway.payments(gatewayOrderId);
    return this.database.transaction((transaction) => this.writeDown(transaction, key, attempts, events));
  }

  /** The payment is locked first, then its orders, their stock and the wallet: whoever settles it at the same time comes after. */
  private async writeDown(
    transaction: Transaction,
    key: PaymentKey,
    attempts: Attempt[],
    events: string[],
  ): Promise<Settled> {
    const payment = await this.payments.lock(transaction, key);
    const known = await this.known(transaction, key);
    const asked = { amount: minorFromNumeric(payment.amount), currency: payment.currency };
    const { credits, isUnderway, concern } = judgeAttempts(attempts, asked, known);
    if (credits.length > 0) await this.credit(transaction, payment, credits);
    await this.note(transaction, payment, { isPaid: credits.length > 0, isUnderway, concern });
    await markProcessed(transaction, payment.provider, events);
    return { payment: await this.payments.lock(transaction, key), isUnderway };
  }

  private async credit(
    transaction: Transaction,
    { clientId, paymentId }: Payment,
    attempts: Attempt[],
  ): Promise<void> {
    const orders = await this.payments.ordersOf(transaction, { clientId, paymentId });
    const credits = attempts.map(({ gatewayPaymentId, amount }) =>
      gatewayTopUp(paymentId, gatewayPaymentId, amount),
    );
    await this.orderPayments.payWhatWaits(transaction, orders, { clientId, credits, actor: ACTOR });
  }

  private async known(transaction: Transaction, { clientId, paymentId }: PaymentKey): Promise<Known> {
    const brought = await this.ledger.broughtBy(transaction, clientId, paymentId);
    const refunds = await transaction.manager.findBy(GatewayRefundRecord, {
      clientId,
      paymentId,
      status: In(['requested', 'pending', 'processed']),
    });
    const refunded = new Map<string, Minor>();
    for (const { gatewayPaymentId, amount } of refunds)
      refunded.set(gatewayPaymentId, (refunded.get(gatewayPaymentId) ?? 0) + minorFromNumeric(amount));
    const prefix = gatewayKey('');
    return { credited: new Set([...brought.keys()].map((posted) => posted.slice(prefix.length))), refunded };
  }

  private async note(
    { manager }: Transaction,
    payment: Payment,
    found: { isPaid: boolean; isUnderway: boolean; concern: Concern | undefined },
  ): Promise<void> {
    const { clientId, paymentId, checks, createdAt } = payment;
    const ageSeconds = (Date.now() - createdAt.getTime()) / 1_000;
    const status = found.isPaid ? 'paid' : payment.status;
    const seconds = nextCheck({ status, checks, ageSeconds });
    const neverCaptured = found.isUnderway && ageSeconds > CAPTURE_SECONDS ? 'never_captured' : null;
    const concern = found.concern ?? neverCaptured;
    await manager.update(
      Payment,
      { clientId, paymentId },
      {
        status,
        answeredAt: () => 'now()',
        nextCheckAt: seconds === null ? null : inSeconds(seconds),
        // What a person has looked at is not asked about again.
        concern: payment.resolution === null ? concern : null,
        ...(found.isPaid && payment.paidAt === null && { paidAt: () => 'now()' }),
      },
    );
  }
}

async function markProcessed({ manager }: Transaction, provider: string, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await manager.update(
    GatewayEventRecord,
    { provider, eventId: In(eventIds) },
    { processedAt: () => 'now()' },
  );
}

function otherGateway({ provider }: Payment): DomainError {
  return new DomainError(
    'gateway_unavailable',
    `The payment was opened at the gateway "${provider}", which is not the one that is set up.`,
  );
}
