import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, type Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { InvoicingService } from '../invoices/invoicing.service.js';
import type { Payment, PaymentKey } from '../orders/entities/payment.entity.js';
import { secondsSince } from '../../platform/database/database-clock.js';
import { Database, type Queries, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromNumeric,
  type Minor,
  minorFromNumeric,
  numericFromMinor,
} from '../../platform/money/money.js';
import { gatewayKey, payout, payoutFailed } from '../wallet/rules/posting.js';
import { type Funds, WalletService } from '../wallet/wallet.service.js';
import { GatewayRefundRecord, type RefundKey } from './entities/gateway.entity.js';
import { type GatewayRefund, PaymentGateway } from './gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from './payments.repository.js';
import { otherGatewayError } from './settlement.service.js';
import { backOff, GIVE_UP_AFTER_SECONDS } from './rules/next-check.js';

/** The request that starts a refund calls the gateway at once. The reconciler does so if that call fails. */
const LEASE_SECONDS = 60;

const ACTOR = 'gateway';

/** The effect of a refund: its amount, all that can go back of the payment, and the wallet before it. */
export interface RefundPreview {
  amount: Minor;
  left: Minor;
  funds: Funds;
}

/** The hidden fields of the refund form. */
export interface RefundForm {
  /** A form that is posted twice refunds once. */
  key?: string;
  /** The remaining amount on the page: two people must not refund the same money twice. */
  left?: Minor;
}

/** The money that one attempt brought into the wallet, and the part that can still be refunded. */
export interface CreditedAttempt {
  gatewayPaymentId: string;
  amount: Minor;
  left: Minor;
}

/**
 * Refunds wallet money to its source. The money leaves the wallet before the gateway is called, so it cannot
 * be spent meanwhile. It comes back if the refund fails. Every retry uses the same key.
 */
@Injectable()
export class GatewayRefundsService {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly wallets: WalletService,
    private readonly audit: AuditLog,
    private readonly invoicing: InvoicingService,
    @InjectRepository(GatewayRefundRecord) private readonly refunds: Repository<GatewayRefundRecord>,
  ) {}

  /** Refunds this amount of a payment, or all that is left. */
  async refund(
    payment: PaymentKey,
    amount: Minor | undefined,
    by: Author,
    { key: refundId = randomUUID(), left }: RefundForm = {},
  ): Promise<GatewayRefundRecord> {
    const refund = await this.database.transaction(async (transaction) => {
      const started = await this.createRefund(
        transaction,
        { ...payment, refundId },
        { amount, left },
        actorOf(by),
      );
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, started.clientId),
        action: 'payment.refunded',
        subject: `payment ${started.paymentId}`,
        details: { amount: amountFromNumeric(started.amount) },
      });
      return started;
    });
    try {
      await this.askGateway(refund);
    } catch (error) {
      if (!isUnanswered(error) && !isRefusal(error)) throw error;
      const { status } = await this.find(refund);
      if (status === 'failed') throw error;
      // The refund has begun. The reconciler asks again.
    }
    return this.find(refund);
  }

  preview(key: PaymentKey, requested: Minor | undefined): Promise<RefundPreview> {
    return this.database.transaction(async (transaction) => {
      const payment = await this.payments.lock(transaction, key);
      const { amount, left } = await this.refundable(transaction, payment, requested);
      return { amount, left, funds: await this.wallets.funds(payment.clientId, transaction) };
    });
  }

  /** Asks about the open refunds of a payment. */
  async checkOpen({ clientId, paymentId }: PaymentKey): Promise<void> {
    const status = In(['requested', 'pending']);
    for (const refund of await this.refunds.findBy({ clientId, paymentId, status })) {
      // Counted before the call: from now on the refund may exist, even if the answer is lost.
      await this.refunds.increment({ clientId, refundId: refund.refundId }, 'checks', 1);
      await this.askGateway(refund);
    }
  }

  /** A person has looked at the refunds. Returns whether one had a concern. */
  async resolve({ clientId, paymentId }: PaymentKey): Promise<boolean> {
    const { affected } = await this.refunds.update(
      { clientId, paymentId, concern: Not(IsNull()) },
      { concern: null },
    );
    return affected !== 0;
  }

  /** The attempts that were credited, oldest first. Several after a double payment. */
  async creditedAttempts(
    { clientId, paymentId }: PaymentKey,
    { manager }: { manager: EntityManager } = this.refunds,
  ): Promise<CreditedAttempt[]> {
    const creditedAmounts = await this.wallets.creditsOfPayment({ manager }, clientId, paymentId);
    const refunds = await manager.findBy(GatewayRefundRecord, {
      clientId,
      paymentId,
      status: Not('failed'),
    });
    return [...creditedAmounts].map(([key, amount]) => {
      const gatewayPaymentId = key.slice(gatewayKey('').length);
      const refundsOfAttempt = refunds.filter((refund) => refund.gatewayPaymentId === gatewayPaymentId);
      return {
        gatewayPaymentId,
        amount,
        left: refundsOfAttempt.reduce((left, refund) => left - minorFromNumeric(refund.amount), amount),
      };
    });
  }

  listByPayment({ clientId, paymentId }: PaymentKey): Promise<GatewayRefundRecord[]> {
    return this.refunds.find({ where: { clientId, paymentId }, order: { createdAt: 'ASC' } });
  }

  async check(key: RefundKey): Promise<void> {
    const refund = await this.find(key);
    try {
      await this.askGateway(refund);
    } catch (error) {
      await this.postpone(refund);
      throw error;
    }
  }

  private async createRefund(
    transaction: Transaction,
    { refundId, ...key }: PaymentKey & RefundKey,
    requested: { amount: Minor | undefined; left: Minor | undefined },
    actor: string,
  ): Promise<GatewayRefundRecord> {
    const payment = await this.payments.lock(transaction, key);
    const { clientId, paymentId } = payment;
    if (await transaction.manager.existsBy(GatewayRefundRecord, { clientId, refundId }))
      throw new DomainError('conflict', 'This refund was already made.');
    const { gatewayPaymentId, amount, left } = await this.refundable(transaction, payment, requested.amount);
    if (requested.left !== undefined && requested.left !== left)
      throw new DomainError(
        'conflict',
        'Another refund of this payment was made in the meantime. Check the payment again.',
      );
    await this.wallets.post(transaction, clientId, actor, [payout(refundId, amount, paymentId)]);
    await transaction.manager.insert(GatewayRefundRecord, {
      clientId,
      refundId,
      paymentId,
      gatewayPaymentId,
      amount: numericFromMinor(amount),
      actor,
      nextCheckAt: inSeconds(LEASE_SECONDS),
    });
    return transaction.manager.findOneByOrFail(GatewayRefundRecord, { clientId, refundId });
  }

  /** A refund belongs to one attempt. After a double payment it is the attempt with the most left. */
  private async refundable(
    transaction: Transaction,
    payment: Payment,
    requested: Minor | undefined,
  ): Promise<{ gatewayPaymentId: string; amount: Minor; left: Minor }> {
    if (payment.provider !== this.gateway.name) throw otherGatewayError(payment);
    const attempts = await this.creditedAttempts(payment, transaction);
    const [largest] = attempts.toSorted((a, b) => b.left - a.left);
    if (!largest) throw new DomainError('conflict', 'This payment brought no money.');
    const amount = requested ?? largest.left;
    if (amount > largest.left || amount <= 0) throw refundTooHigh(largest.left);
    const left = attempts.reduce((sum, attempt) => sum + attempt.left, 0);
    return { gatewayPaymentId: largest.gatewayPaymentId, amount, left };
  }

  private async askGateway(refund: GatewayRefundRecord): Promise<void> {
    const { gatewayPaymentId, gatewayRefundId, amount, refundId } = refund;
    try {
      const answer = await (gatewayRefundId === null
        ? this.gateway.refund(gatewayPaymentId, minorFromNumeric(amount), refundId)
        : this.gateway.refundStatus(gatewayPaymentId, gatewayRefundId));
      await this.database.transaction((transaction) => this.storeAnswer(transaction, refund, answer));
    } catch (error) {
      if (gatewayRefundId === null && isRefusal(error))
        await this.database.transaction((transaction) => this.storeAnswer(transaction, refund, 'refused'));
      throw error;
    }
  }

  private async storeAnswer(
    transaction: Transaction,
    { clientId, refundId, paymentId, createdAt }: GatewayRefundRecord,
    answer: GatewayRefund | 'refused',
  ): Promise<void> {
    const { manager } = transaction;
    // Every transaction that moves money of a payment locks the payment first.
    await this.payments.lock(transaction, { clientId, paymentId });
    const refund = await manager.findOneOrFail(GatewayRefundRecord, {
      where: { clientId, refundId },
      lock: { mode: 'pessimistic_write' },
    });
    // Another check was first.
    if (refund.status === 'processed' || refund.status === 'failed') return;
    // Only a refusal of the first call proves that nothing was done. Later calls may be refused because an
    // earlier one succeeded.
    if (answer === 'refused' && (refund.checks > 0 || refund.gatewayRefundId !== null)) return;
    const status = answer === 'refused' ? 'failed' : answer.status;
    const isOver = status !== 'pending';
    const isSilent = !isOver && (await isOld(createdAt, transaction));
    await manager.update(
      GatewayRefundRecord,
      { clientId, refundId },
      {
        status,
        gatewayRefundId: answer === 'refused' ? null : answer.gatewayRefundId,
        nextCheckAt: isOver || isSilent ? null : inSeconds(backOff(refund.checks)),
        concern: isSilent ? 'no_answer' : null,
      },
    );
    const amount = minorFromNumeric(refund.amount);
    if (status === 'processed') {
      const topUpKey = gatewayKey(refund.gatewayPaymentId);
      const { key } = payout(refundId, amount, paymentId);
      await this.invoicing.issueRefundVoucher(transaction, clientId, { key, amount, topUpKey });
    }
    if (status !== 'failed') return;
    const posting = payoutFailed(refundId, amount, refund.paymentId);
    await this.wallets.post(transaction, clientId, ACTOR, [posting]);
  }

  /** Skips a refund that was made due meanwhile. */
  private async postpone({ clientId, refundId, checks, createdAt }: GatewayRefundRecord): Promise<void> {
    const change = (await isOld(createdAt, this.database))
      ? { nextCheckAt: null, concern: 'no_answer' as const }
      : { nextCheckAt: inSeconds(backOff(checks)) };
    await this.refunds
      .createQueryBuilder()
      .update()
      .set(change)
      .where({ clientId, refundId })
      .andWhere('next_check_at > now()')
      .execute();
  }

  private find({ clientId, refundId }: RefundKey): Promise<GatewayRefundRecord> {
    return this.refunds.findOneByOrFail({ clientId, refundId });
  }
}

async function isOld(createdAt: Date, queries: Queries): Promise<boolean> {
  return (await secondsSince(createdAt, queries)) > GIVE_UP_AFTER_SECONDS;
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'gateway_refused';
}

function isUnanswered(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'gateway_unavailable';
}

function refundTooHigh(left: Minor): DomainError {
  const message =
    left > 0
      ? `At most ${numericFromMinor(left)} of this payment can be refunded at once.`
      : 'All of this payment is already refunded.';
  return new DomainError('conflict', message);
}
