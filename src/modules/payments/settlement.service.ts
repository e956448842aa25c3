import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Payment, type PaymentKey } from '../orders/entities/payment.entity.js';
import { OrderLifecycleService } from '../orders/lifecycle/order-lifecycle.service.js';
import { secondsSince } from '../../platform/database/database-clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { gatewayKey, gatewayTopUp } from '../wallet/rules/posting.js';
import { WalletService } from '../wallet/wallet.service.js';
import { GatewayEventRecord, GatewayRefundRecord } from './entities/gateway.entity.js';
import { type GatewayPayment, PaymentGateway } from './gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from './payments.repository.js';
import { type Attempt, evaluateAttempts, type RecordedAttempts } from './rules/evaluate-attempts.js';
import { backOff, GIVE_UP_AFTER_SECONDS, nextCheck, OPEN_SECONDS } from './rules/next-check.js';
import type { Concern, PaymentStatus } from './rules/payment-status.js';

/** A bank should capture an authorized payment within this time. */
const CAPTURE_SECONDS = 3 * 24 * 3_600;

/** Without an answer for this long, the payment gets a concern for a person. */
const CONCERN_SECONDS = 3 * 24 * 3_600;

const ACTOR = 'gateway';

export interface SettlementResult {
  payment: Payment;
  /** The bank has authorized it, and the money is on its way. */
  isUnderway: boolean;
}

/** The gateway's answer, with the payment and the events as they were before the call. */
interface GatewayAnswer {
  before: Payment;
  attempts: GatewayPayment[];
  events: string[];
}

interface AnswerSummary {
  isPaid: boolean;
  isUnderway: boolean;
  failure: string | null;
  /** The payment was meant for orders, and none of them waits for payment any more. */
  hasNoOrderLeft: boolean;
  concern: Concern | undefined;
  /**
   * No other answer was stored since this call began. Two overlapping answers have no known order.
   */
  isNewestAnswer: boolean;
  /** An event arrived during the call. */
  hasPendingEvent: boolean;
}

/**
 * Every return, event and check ends here. Each is only a reason to ask the gateway, and only its answer is
 * trusted. So their order and number do not matter.
 */
@Injectable()
export class SettlementService {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly orders: OrderLifecycleService,
    private readonly wallets: WalletService,
  ) {}

  async settle(key: PaymentKey): Promise<SettlementResult> {
    const payment = await this.payments.find(key);
    const { provider, gatewayOrderId } = payment;
    if (gatewayOrderId === null) return { payment, isUnderway: false };
    if (provider !== this.gateway.name) throw otherGatewayError(payment);
    const events = await this.payments.waitingEvents(payment);
    const attempts = await this.gateway.payments(gatewayOrderId);
    return this.database.transaction((transaction) =>
      this.storeAnswer(transaction, { before: payment, attempts, events }),
    );
  }

  async check(key: PaymentKey): Promise<void> {
    // The opening failed midway. The gateway may know the payment, but no browser was sent there.
    if (await this.payments.change({ ...key, status: 'opening' }, { status: 'failed', nextCheckAt: null }))
      return;
    const { provider, status } = await this.payments.find(key);
    if (provider !== this.gateway.name) {
      // Its gateway is not set up any more. A person must look at it while it is open.
      const concern = status === 'open' ? { concern: 'other_gateway' as const } : {};
      await this.payments.change(key, { nextCheckAt: null, urgent: false, ...concern });
      return;
    }
    try {
      await this.settle(key);
    } catch (error) {
      await this.postpone(key);
      throw error;
    }
  }

  /** Locks the payment first, then its orders, their stock and the wallet. */
  private async storeAnswer(
    transaction: Transaction,
    { before, attempts, events }: GatewayAnswer,
  ): Promise<SettlementResult> {
    const key = { clientId: before.clientId, paymentId: before.paymentId };
    const payment = await this.payments.lock(transaction, key);
    const recorded = await this.readRecordedAttempts(transaction, key, attempts);
    const expected = { amount: minorFromNumeric(payment.amount), currency: payment.currency };
    const { credits, isUnderway, concern } = evaluateAttempts(attempts, expected, recorded);
    if (credits.length > 0) await this.credit(transaction, payment, credits);
    const waiting = await this.payments.waitingEvents(payment, transaction);
    await this.updatePayment(transaction, payment, {
      isPaid: credits.length > 0,
      isUnderway,
      failure: failureReason(attempts),
      hasNoOrderLeft: await this.payments.hasNoOrderLeft(transaction, key),
      concern,
      isNewestAnswer: payment.answeredAt?.getTime() === before.answeredAt?.getTime(),
      hasPendingEvent: waiting.some((event) => !events.includes(event)),
    });
    await markProcessed(transaction, payment.provider, events);
    return { payment: await this.payments.findWithin(transaction, key), isUnderway };
  }

  private async credit(
    transaction: Transaction,
    { clientId, paymentId }: Payment,
    attempts: Attempt[],
  ): Promise<void> {
    const payment = { clientId, paymentId };
    const orders = await this.payments.ordersOf(transaction, payment);
    const credits = attempts.map(({ gatewayPaymentId, amount }) =>
      gatewayTopUp(paymentId, gatewayPaymentId, amount),
    );
    await this.orders.payFromIncoming(transaction, orders, { payment, credits, actor: ACTOR });
  }

  private async readRecordedAttempts(
    transaction: Transaction,
    { clientId, paymentId }: PaymentKey,
    attempts: Attempt[],
  ): Promise<RecordedAttempts> {
    const keys = attempts.map(({ gatewayPaymentId }) => gatewayKey(gatewayPaymentId));
    const creditedAmounts = await this.wallets.creditsOfPayment(transaction, clientId, paymentId);
    const refunds = await transaction.manager.findBy(GatewayRefundRecord, {
      clientId,
      paymentId,
      status: In(['requested', 'pending', 'processed']),
    });
    const refunded = new Map<string, Minor>();
    for (const { gatewayPaymentId, amount } of refunds)
      refunded.set(gatewayPaymentId, (refunded.get(gatewayPaymentId) ?? 0) + minorFromNumeric(amount));
    const gatewayIdOf = (posted: string) => posted.slice(gatewayKey('').length);
    const otherPaymentKeys = await this.wallets.keysOfOtherPayments(transaction, paymentId, keys);
    return {
      credited: new Set([...creditedAmounts.keys()].map(gatewayIdOf)),
      creditedToOthers: new Set(otherPaymentKeys.map(gatewayIdOf)),
      refunded,
    };
  }

  private async updatePayment(
    transaction: Transaction,
    payment: Payment,
    summary: AnswerSummary,
  ): Promise<void> {
    const { clientId, paymentId } = payment;
    const ageSeconds = await secondsSince(payment.createdAt, transaction);
    const { status, nextSeconds } = decideFollowUp(payment, summary, ageSeconds);
    const concern =
      summary.concern ?? (summary.isUnderway && ageSeconds > CAPTURE_SECONDS ? 'never_captured' : null);
    await transaction.manager.update(
      Payment,
      { clientId, paymentId },
      {
        status,
        answeredAt: () => 'clock_timestamp()',
        nextCheckAt: nextSeconds === null ? null : inSeconds(nextSeconds),
        urgent: summary.hasPendingEvent,
        // A concern that a person has resolved is not raised again.
        ...((summary.isNewestAnswer || status !== 'open') && {
          failure: status === 'open' ? summary.failure : null,
        }),
        ...(summary.isNewestAnswer && { concern: concern === payment.resolvedConcern ? null : concern }),
        ...((summary.isNewestAnswer || status === 'paid') && {
          authorized: summary.isUnderway && status !== 'paid',
        }),
        ...(summary.isPaid && payment.paidAt === null && { paidAt: () => 'now()' }),
        ...((summary.isPaid || status !== payment.status) && { endedAt: () => 'now()' }),
      },
    );
  }

  private async postpone(key: PaymentKey): Promise<void> {
    const { checks, createdAt, answeredAt, concern, resolvedConcern } = await this.payments.find(key);
    const silentSeconds = await secondsSince(answeredAt ?? createdAt, this.database);
    if (silentSeconds > CONCERN_SECONDS && concern === null && resolvedConcern !== 'no_answer')
      await this.payments.change(key, { concern: 'no_answer' });
    await this.payments.postpone(key, silentSeconds > GIVE_UP_AFTER_SECONDS ? null : backOff(checks));
  }
}

/**
 * Decides the next status and check. An open payment is given up after an hour, or when none of its orders
 * waits any more. Then its orders can be paid in another way, and its reserved money is free. A payment with
 * a concern stays open, because its money may have come.
 */
function decideFollowUp(
  { status: before, checks }: Payment,
  { isPaid, isUnderway, hasNoOrderLeft, concern, isNewestAnswer, hasPendingEvent }: AnswerSummary,
  ageSeconds: number,
): { status: PaymentStatus; nextSeconds: number | null } {
  const status = isPaid ? 'paid' : before;
  if (hasPendingEvent) return { status, nextSeconds: 0 };
  const nextSeconds = nextCheck({ status, checks, ageSeconds });
  if (!isNewestAnswer) return { status, nextSeconds: Math.min(nextSeconds ?? backOff(0), backOff(0)) };
  const isOver =
    (ageSeconds >= OPEN_SECONDS || hasNoOrderLeft) && status === 'open' && !isUnderway && !concern;
  return { status: isOver ? 'given_up' : status, nextSeconds };
}

/** Null while an attempt is open: a buyer who may have paid must not be asked to pay again. */
function failureReason(attempts: GatewayPayment[]): string | null {
  const isOver = attempts.every(({ status }) => status === 'failed');
  return (isOver && attempts.at(-1)?.failure) || null;
}

async function markProcessed({ manager }: Transaction, provider: string, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await manager.update(
    GatewayEventRecord,
    { provider, eventId: In(eventIds) },
    { processedAt: () => 'now()' },
  );
}

export function otherGatewayError({ provider }: Payment): DomainError {
  return new DomainError(
    'gateway_unavailable',
    `The payment was opened at the gateway "${provider}", which is not set up now.`,
  );
}
