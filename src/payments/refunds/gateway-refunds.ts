import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { gatewayKey, payout, payoutFailed } from '../../wallet/rules/posting.js';
import { WalletLedger } from '../../wallet/wallet-ledger.js';
import { GatewayRefundRecord, type RefundKey } from '../entities/gateway-refund.entity.js';
import type { Payment, PaymentKey } from '../../orders/entities/payment.entity.js';
import { type GatewayRefund, PaymentGateway } from '../gateway/payment-gateway.js';
import { inSeconds, PaymentsRepository } from '../payments.repository.js';
import { backOff, GIVE_UP_AFTER_SECONDS } from '../rules/next-check.js';

/** Whoever began it asks the gateway at once; somebody else only if that was broken off. */
const LEASE_SECONDS = 60;

const ACTOR = 'gateway';

/** What of an attempt to pay can still be sent back. */
interface Refundable {
  gatewayPaymentId: string;
  left: Minor;
}

/**
 * Sends money of a wallet back to where it came from. It leaves the wallet before the gateway hears of it, so that it cannot be spent meanwhile,
 * and comes back if the gateway fails. The gateway is asked under a key, as often as it takes.
 */
@Injectable()
export class GatewayRefunds {
  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly ledger: WalletLedger,
    @InjectRepository(GatewayRefundRecord) private readonly refunds: Repository<GatewayRefundRecord>,
  ) {}

  /** So much of a payment, or all that is left of it. */
  async refund(payment: PaymentKey, amount: Minor | undefined, actor: string): Promise<GatewayRefundRecord> {
    const refund = await this.database.transaction((transaction) =>
      this.begin(transaction, payment, amount, actor),
    );
    try {
      await this.ask(refund);
    } catch (error) {
      if (!isUnanswered(error) && !isRefusal(error)) throw error;
      const { status } = await this.find(refund);
      if (status === 'failed') throw error;
      // It has begun, and will be asked for again, if nobody else was told meanwhile.
    }
    return this.find(refund);
  }

  /** Asks about those of a payment that are not through. */
  async checkOpen({ clientId, paymentId }: PaymentKey): Promise<void> {
    const status = In(['requested', 'pending']);
    for (const refund of await this.refunds.findBy({ clientId, paymentId, status })) {
      // Counted before it is asked: from then on it may have been made, whatever another answer says.
      await this.refunds.increment({ clientId, refundId: refund.refundId }, 'checks', 1);
      await this.ask(refund);
    }
  }

  /** A person has looked. Says whether there was anything to look at. */
  async resolve({ clientId, paymentId }: PaymentKey): Promise<boolean> {
    const { affected } = await this.refunds.update(
      { clientId, paymentId, concern: Not(IsNull()) },
      { concern: null },
    );
    return affected !== 0;
  }

  of({ clientId, paymentId }: PaymentKey): Promise<GatewayRefundRecord[]> {
    return this.refunds.find({ where: { clientId, paymentId }, order: { createdAt: 'ASC' } });
  }

  /** Asks about one that is due. */
  async check(key: RefundKey): Promise<void> {
    const refund = await this.find(key);
    try {
      await this.ask(refund);
    } catch (error) {
      await this.postpone(refund);
      throw error;
    }
  }

  private async begin(
    transaction: Transaction,
    key: PaymentKey,
    wanted: Minor | undefined,
    actor: string,
  ): Promise<GatewayRefundRecord> {
    const payment = await this.payments.lock(transaction, key);
    if (payment.provider !== this.gateway.name)
      throw new DomainError(
        'gateway_unavailable',
        `The gateway "${payment.provider}" is not the one that is set up.`,
      );
    const { gatewayPaymentId, left } = await this.mostRefundable(transaction, payment);
    const amount = wanted ?? left;
    if (amount > left || amount <= 0) throw tooMuch(left);
    const { clientId, paymentId } = payment;
    const refundId = randomUUID();
    await this.ledger.post(transaction, clientId, actor, [payout(refundId, amount, paymentId)]);
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

  /** Of what was paid twice, that of which most is left: a refund is of one attempt. */
  private async mostRefundable(transaction: Transaction, payment: Payment): Promise<Refundable> {
    const { clientId, paymentId } = payment;
    const brought = await this.ledger.broughtBy(transaction, clientId, paymentId);
    const refunds = await transaction.manager.findBy(GatewayRefundRecord, {
      clientId,
      paymentId,
      status: Not('failed'),
    });
    const attempts = [...brought].map(([key, amount]) => {
      const gatewayPaymentId = key.slice(gatewayKey('').length);
      const gone = refunds.filter((refund) => refund.gatewayPaymentId === gatewayPaymentId);
      return {
        gatewayPaymentId,
        left: gone.reduce((left, refund) => left - minorFromNumeric(refund.amount), amount),
      };
    });
    const [most] = attempts.toSorted((a, b) => b.left - a.left);
    if (!most) throw new DomainError('conflict', 'Nothing was paid by this payment.');
    return most;
  }

  private async ask(refund: GatewayRefundRecord): Promise<void> {
    const { gatewayPaymentId, gatewayRefundId, amount, refundId } = refund;
    try {
      const answer = await (gatewayRefundId === null
        ? this.gateway.refund(gatewayPaymentId, minorFromNumeric(amount), refundId)
        : this.gateway.refundStatus(gatewayPaymentId, gatewayRefundId));
      await this.database.transaction((transaction) => this.writeDown(transaction, refund, answer));
    } catch (error) {
      if (gatewayRefundId === null && isRefusal(error))
        await this.database.transaction((transaction) => this.writeDown(transaction, refund, 'refused'));
      throw error;
    }
  }

  private async writeDown(
    transaction: Transaction,
    { clientId, refundId, paymentId, createdAt }: GatewayRefundRecord,
    answer: GatewayRefund | 'refused',
  ): Promise<void> {
    const { manager } = transaction;
    // Whoever moves money of a payment locks that first.
    await this.payments.lock(transaction, { clientId, paymentId });
    const refund = await manager.findOneOrFail(GatewayRefundRecord, {
      where: { clientId, refundId },
      lock: { mode: 'pessimistic_write' },
    });
    // Somebody else was told first.
    if (refund.status === 'processed' || refund.status === 'failed') return;
    // A refusal says that nothing was done only of the first time of asking: what comes of another one nobody has heard yet, or it was made.
    if (answer === 'refused' && (refund.checks > 0 || refund.gatewayRefundId !== null)) return;
    const status = answer === 'refused' ? 'failed' : answer.status;
    const isOver = status !== 'pending';
    await manager.update(
      GatewayRefundRecord,
      { clientId, refundId },
      {
        status,
        gatewayRefundId: answer === 'refused' ? null : answer.gatewayRefundId,
        nextCheckAt: isOver || isOld(createdAt) ? null : inSeconds(backOff(refund.checks)),
        concern: isOver || !isOld(createdAt) ? null : 'no_answer',
      },
    );
    if (status !== 'failed') return;
    const back = payoutFailed(refundId, minorFromNumeric(refund.amount), refund.paymentId);
    await this.ledger.post(transaction, clientId, ACTOR, [back]);
  }

  /** Unless somebody has made it due meanwhile. */
  private async postpone({ clientId, refundId, checks, createdAt }: GatewayRefundRecord): Promise<void> {
    const change = isOld(createdAt)
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

function isOld(createdAt: Date): boolean {
  return (Date.now() - createdAt.getTime()) / 1_000 > GIVE_UP_AFTER_SECONDS;
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'gateway_refused';
}

function isUnanswered(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'gateway_unavailable';
}

function tooMuch(left: Minor): DomainError {
  const message =
    left > 0
      ? `At most ${numericFromMinor(left)} of this payment can be sent back at once.`
      : 'All of this payment was sent back.';
  return new DomainError('conflict', message);
}
