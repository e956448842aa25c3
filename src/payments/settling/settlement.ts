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
import { Payment, type PaymentKey } from '../../orders/entities/payment.entity.js';
import { PaymentGateway } from '../gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from '../payments.repository.js';
import { type Attempt, judgeAttempts, type Known } from '../rules/judge-attempts.js';
import { backOff, nextCheck } from '../rules/next-check.js';
import type { Concern, PaymentStatus } from '../rules/payment-status.js';

/** After so long a bank that has said yes should have paid. */
const CAPTURE_SECONDS = 3 * 24 * 3_600;

const ACTOR = 'gateway';

/** How far a payment has come. */
export interface Settled {
  payment: Payment;
  /** The bank has said yes, and the money is on its way. */
  isUnderway: boolean;
}

/** What the gateway has answered, and what was known when it was asked. */
interface Heard {
  before: Payment;
  attempts: Attempt[];
  events: string[];
}

interface Found {
  isPaid: boolean;
  isUnderway: boolean;
  concern: Concern | undefined;
  /** Nobody else has written down an answer since this one was asked for: which of two is the later one, nobody can tell. */
  isNews: boolean;
  /** Something was told while the gateway was being asked. */
  hasMoreToAsk: boolean;
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
    return this.database.transaction((transaction) =>
      this.writeDown(transaction, { before: payment, attempts, events }),
    );
  }

  /** The payment is locked first, then its orders, their stock and the wallet: whoever settles it at the same time comes after. */
  private async writeDown(transaction: Transaction, { before, attempts, events }: Heard): Promise<Settled> {
    const key = { clientId: before.clientId, paymentId: before.paymentId };
    const payment = await this.payments.lock(transaction, key);
    const known = await this.known(transaction, key, attempts);
    const asked = { amount: minorFromNumeric(payment.amount), currency: payment.currency };
    const { credits, isUnderway, concern } = judgeAttempts(attempts, asked, known);
    if (credits.length > 0) await this.credit(transaction, payment, credits);
    const waiting = await this.payments.waitingEvents(payment, transaction);
    await this.note(transaction, payment, {
      isPaid: credits.length > 0,
      isUnderway,
      concern,
      isNews: payment.answeredAt?.getTime() === before.answeredAt?.getTime(),
      hasMoreToAsk: waiting.some((event) => !events.includes(event)),
    });
    await markProcessed(transaction, payment.provider, events);
    return { payment: await this.payments.findWithin(transaction, key), isUnderway };
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

  private async known(
    transaction: Transaction,
    { clientId, paymentId }: PaymentKey,
    attempts: Attempt[],
  ): Promise<Known> {
    const keys = attempts.map(({ gatewayPaymentId }) => gatewayKey(gatewayPaymentId));
    const brought = await this.ledger.broughtBy(transaction, clientId, paymentId);
    const refunds = await transaction.manager.findBy(GatewayRefundRecord, {
      clientId,
      paymentId,
      status: In(['requested', 'pending', 'processed']),
    });
    const refunded = new Map<string, Minor>();
    for (const { gatewayPaymentId, amount } of refunds)
      refunded.set(gatewayPaymentId, (refunded.get(gatewayPaymentId) ?? 0) + minorFromNumeric(amount));
    const idOf = (posted: string) => posted.slice(gatewayKey('').length);
    const elsewhere = await this.ledger.broughtElsewhere(transaction, paymentId, keys);
    return {
      credited: new Set([...brought.keys()].map(idOf)),
      elsewhere: new Set(elsewhere.map(idOf)),
      refunded,
    };
  }

  private async note({ manager }: Transaction, payment: Payment, found: Found): Promise<void> {
    const { clientId, paymentId } = payment;
    const ageSeconds = (Date.now() - payment.createdAt.getTime()) / 1_000;
    const { status, nextSeconds } = followUp(payment, found, ageSeconds);
    const concern =
      found.concern ?? (found.isUnderway && ageSeconds > CAPTURE_SECONDS ? 'never_captured' : null);
    await manager.update(
      Payment,
      { clientId, paymentId },
      {
        status,
        answeredAt: () => 'clock_timestamp()',
        nextCheckAt: nextSeconds === null ? null : inSeconds(nextSeconds),
        urgent: found.hasMoreToAsk,
        // What a person has looked at is not asked about again.
        ...(found.isNews && { concern: concern === payment.resolvedConcern ? null : concern }),
        ...(found.isPaid && payment.paidAt === null && { paidAt: () => 'now()' }),
      },
    );
  }
}

/** How it goes on. Nobody finishes a payment any more after a week: its orders can be paid in another way then. */
function followUp(
  { status: before, checks }: Payment,
  { isPaid, isUnderway, isNews, hasMoreToAsk }: Found,
  ageSeconds: number,
): { status: PaymentStatus; nextSeconds: number | null } {
  const status = isPaid ? 'paid' : before;
  if (hasMoreToAsk) return { status, nextSeconds: 0 };
  const nextSeconds = nextCheck({ status, checks, ageSeconds });
  if (!isNews) return { status, nextSeconds: Math.min(nextSeconds ?? backOff(0), backOff(0)) };
  const isOver = nextSeconds === null && status === 'open' && !isUnderway;
  return { status: isOver ? 'given_up' : status, nextSeconds };
}

async function markProcessed({ manager }: Transaction, provider: string, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await manager.update(
    GatewayEventRecord,
    { provider, eventId: In(eventIds) },
    { processedAt: () => 'now()' },
  );
}

export function otherGateway({ provider }: Payment): DomainError {
  return new DomainError(
    'gateway_unavailable',
    `The payment was opened at the gateway "${provider}", which is not the one that is set up.`,
  );
}
