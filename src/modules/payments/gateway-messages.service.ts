import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Payment, type PaymentKey } from '../orders/entities/payment.entity.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { gatewayKey } from '../wallet/rules/posting.js';
import { WalletEntry } from '../wallet/wallet.entity.js';
import { GatewayEventRecord, GatewayRefundRecord } from './entities/gateway.entity.js';
import { type GatewayEvent, type GatewayReturn, PaymentGateway } from './gateway/payment-gateway.js';
import { PaymentsRepository } from './payments.repository.js';
import { ReconcilerService } from './reconciler.service.js';
import { SettlementService } from './settlement.service.js';

/** Repeated returns ask the gateway at most this often. */
const NEXT_CHECK_TIME = () => `greatest(now(), answered_at + interval '5 seconds')`;

/** A payment on the page to which the gateway returns. */
export interface PaymentOutcome {
  payment: Payment;
  isTopUp: boolean;
  isTest: boolean;
}

/**
 * Receives events and returning browsers. Each is only a reason to ask the gateway: their content decides no
 * amount and no status.
 */
@Injectable()
export class GatewayMessagesService {
  private readonly logger = new Logger(GatewayMessagesService.name);

  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly settlement: SettlementService,
    private readonly reconciler: ReconcilerService,
  ) {}

  /** An event may come several times and in any order. Its bytes are stored unchanged. */
  async receiveEvent(raw: Buffer, headers: IncomingHttpHeaders): Promise<void> {
    const message = this.gateway.readEvent(raw, headers);
    const isNew = await this.database.transaction(async (transaction) => {
      const event = {
        ...message,
        gatewayOrderId: message.gatewayOrderId ?? (await this.gatewayOrderOf(transaction, message)),
      };
      const inserted = await this.insert(transaction, event, raw);
      if (inserted) await this.makeDue(transaction, event);
      return inserted;
    });
    if (isNew) this.reconciler.runSoon();
  }

  /** A signed return makes the service ask at once, an unsigned one soon. */
  async receiveReturn(paymentId: string, fields: Record<string, string>): Promise<GatewayReturn> {
    const payment = await this.payments.findById(paymentId);
    if (payment.gatewayOrderId === null || payment.provider !== this.gateway.name)
      throw new DomainError('payment_not_found', 'This payment was never opened at the gateway.');
    const outcome = this.gateway.readReturn(fields, payment.gatewayOrderId);
    if (payment.status !== 'paid') await this.checkAfterReturn(payment, outcome);
    return outcome;
  }

  /** The browser cancelled, but the payment may still have gone through. */
  async checkAfterCancel(paymentId: string): Promise<PaymentOutcome> {
    const outcome = await this.find(paymentId);
    const { payment } = outcome;
    if (payment.status === 'open') await this.scheduleCheck(payment);
    return outcome;
  }

  async find(paymentId: string): Promise<PaymentOutcome> {
    const payment = await this.payments.findById(paymentId);
    return {
      payment,
      isTopUp: await this.payments.isTopUp(payment),
      isTest: this.gateway.isTest && payment.provider === this.gateway.name,
    };
  }

  private async checkAfterReturn(payment: PaymentKey, outcome: GatewayReturn): Promise<void> {
    const isSigned = 'gatewayPaymentId' in outcome;
    if (isSigned && (await this.payments.reserveCheck(payment))) await this.settleIfPossible(payment);
    else await this.scheduleCheck(payment);
  }

  /** The returning browser gets the same page whether the gateway answers now or later. */
  private async settleIfPossible(payment: PaymentKey): Promise<void> {
    try {
      await this.settlement.settle(payment);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(
        `The gateway did not settle payment ${payment.paymentId} and is asked again: ${error.message}`,
      );
      await this.scheduleCheck(payment);
    }
  }

  private async scheduleCheck({ clientId, paymentId }: PaymentKey): Promise<void> {
    await this.payments.change({ clientId, paymentId }, { nextCheckAt: NEXT_CHECK_TIME, urgent: true });
    this.reconciler.runSoon();
  }

  /** An event about a refund may name its payment without the order. */
  private async gatewayOrderOf(
    { manager }: Transaction,
    { gatewayPaymentId }: GatewayEvent,
  ): Promise<string | undefined> {
    if (gatewayPaymentId === undefined) return undefined;
    const payment = await manager
      .createQueryBuilder(Payment, 'p')
      .innerJoin(WalletEntry, 'e', 'e.clientId = p.clientId AND e.paymentId = p.paymentId')
      .where({ provider: this.gateway.name })
      .andWhere(`e.key = :key AND e.kind = 'top_up' AND e.against = 'gateway'`, {
        key: gatewayKey(gatewayPaymentId),
      })
      .getOne();
    return payment?.gatewayOrderId ?? undefined;
  }

  private async insert(
    { manager }: Transaction,
    { eventId, gatewayOrderId, gatewayRefundId }: GatewayEvent,
    body: Buffer,
  ): Promise<boolean> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(GatewayEventRecord)
      .values({ provider: this.gateway.name, eventId, gatewayOrderId, gatewayRefundId, body })
      .orIgnore()
      .returning('event_id')
      .execute();
    return (raw as unknown[]).length > 0;
  }

  private async makeDue(
    { manager }: Transaction,
    { eventId, gatewayOrderId, gatewayRefundId }: GatewayEvent,
  ): Promise<void> {
    const { name: provider } = this.gateway;
    // Every event causes a check, and restarts the intervals between checks.
    const due = { nextCheckAt: () => 'now()', checks: 0 };
    if (gatewayRefundId !== undefined)
      await manager.update(GatewayRefundRecord, { gatewayRefundId, status: 'pending' }, due);
    const { affected } =
      gatewayOrderId === undefined
        ? { affected: 0 }
        : await manager.update(Payment, { provider, gatewayOrderId }, { ...due, urgent: true });
    // A person who resolved one refund at the gateway has not seen the next one.
    if (gatewayRefundId !== undefined && !(await manager.existsBy(GatewayRefundRecord, { gatewayRefundId })))
      await manager.update(
        Payment,
        { provider, gatewayOrderId, resolvedConcern: 'refunded_elsewhere' },
        { resolvedConcern: null },
      );
    if (affected !== 0) return;
    // It is about a refund, which has its own status, or not ours: the gateway account may be shared.
    await manager.update(GatewayEventRecord, { provider, eventId }, { processedAt: () => 'now()' });
  }
}
