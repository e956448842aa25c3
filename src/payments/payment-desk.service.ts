import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { PaymentOrder } from '../orders/entities/payment-order.entity.js';
import { Payment } from '../orders/entities/payment.entity.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric } from '../platform/money/money.js';
import { readLine } from '../platform/validation/texts.js';
import { BankTransfer } from './entities/bank-transfer.entity.js';
import { GatewayEventRecord } from './entities/gateway-event.entity.js';
import { GatewayRefundRecord } from './entities/gateway-refund.entity.js';
import { PaymentsRepository } from './payments.repository.js';
import { GatewayRefundsService } from './gateway-refunds.service.js';
import { type Concern, type PaymentStatus, UNDERWAY } from './rules/payment-status.js';
import { readAmount } from './rules/read-inputs.js';
import { SettlementService } from './settlement.service.js';

export interface PaymentFilter {
  clientId?: number;
  status?: PaymentStatus;
  /** Only payments that need a person, because of themselves or of a refund. */
  concerning?: boolean;
}

export interface PaymentListed {
  payment_id: string;
  client_id: number;
  client: string;
  provider: string;
  gateway_order_id: string | null;
  amount: number;
  status: PaymentStatus;
  created_at: Date;
  paid_at: Date | null;
  concern: Concern | null;
}

export type PaymentShown = ReturnType<typeof toShown>;

/** SQL, because a cursor streams it. */
const LIST = `
  SELECT p.payment_id, p.client_id, c.name AS client, p.provider, p.gateway_order_id, p.amount::float8,
         p.status, p.created_at, p.paid_at, coalesce(p.concern, r.concern) AS concern
    FROM payments p
    JOIN clients c ON c.id = p.client_id
    LEFT JOIN LATERAL (
           SELECT concern FROM gateway_refunds g
            WHERE (g.client_id, g.payment_id) = (p.client_id, p.payment_id) AND g.concern IS NOT NULL
            LIMIT 1) r ON true
   WHERE ($1::int IS NULL OR p.client_id = $1) AND ($2::text IS NULL OR p.status = $2)
     AND (NOT $3 OR coalesce(p.concern, r.concern) IS NOT NULL)
   ORDER BY p.created_at DESC, p.payment_id`;

/** The wholesaler's view of payments, and its actions on them. */
@Injectable()
export class PaymentDeskService {
  constructor(
    private readonly database: Database,
    private readonly settlement: SettlementService,
    private readonly refunds: GatewayRefundsService,
    private readonly payments: PaymentsRepository,
    @InjectRepository(PaymentOrder) private readonly orders: Repository<PaymentOrder>,
  ) {}

  list(
    { clientId, status, concerning = false }: PaymentFilter,
    limit?: number,
  ): AsyncGenerator<PaymentListed, number> {
    return this.database.stream<PaymentListed>(LIST, [clientId ?? null, status ?? null, concerning], limit);
  }

  async show(paymentId: string): Promise<PaymentShown> {
    const payment = await this.payments.findByItself(paymentId);
    const { clientId } = payment;
    const orders = await this.orders.find({ where: { clientId, paymentId }, order: { orderNumber: 'ASC' } });
    const refunds = await this.refunds.of(payment);
    return toShown(payment, orders, refunds);
  }

  /** Asks the gateway now, without waiting for the next check. */
  async settle(paymentId: string): Promise<PaymentShown> {
    const payment = await this.payments.findByItself(paymentId);
    await this.settlement.settle(payment);
    await this.refunds.checkOpen(payment);
    return this.show(paymentId);
  }

  /**
   * Frees its orders for another way to pay, even if the gateway does not answer. Money that comes later is
   * still credited.
   */
  async giveUp(paymentId: string): Promise<PaymentShown> {
    const payment = await this.payments.findByItself(paymentId);
    if (!(await this.payments.change({ ...keyOf(payment), status: 'open' }, { status: 'given_up' })))
      throw new DomainError('conflict', `The payment is ${payment.status.replace('_', ' ')}.`);
    return this.show(paymentId);
  }

  async refund(paymentId: string, amountText: string | undefined, actor: string): Promise<PaymentShown> {
    await this.refunds.refund(
      await this.payments.findByItself(paymentId),
      amountText === undefined ? undefined : readAmount(amountText),
      actor,
    );
    return this.show(paymentId);
  }

  /** A person has looked at the concern and notes the result. */
  async resolve(paymentId: string, noteText: string): Promise<PaymentShown> {
    const payment = await this.payments.findByItself(paymentId);
    const resolution = readLine('note', noteText, 200);
    const isRefund = await this.refunds.resolve(payment);
    if (payment.concern === null && !isRefund)
      throw new DomainError('conflict', 'Nothing about this payment needs a person.');
    const resolvedConcern = payment.concern ?? payment.resolvedConcern;
    await this.payments.change(keyOf(payment), { concern: null, resolvedConcern, resolution });
    return this.show(paymentId);
  }

  /** For the metrics. */
  async count(): Promise<Record<string, number>> {
    const { manager } = this.orders;
    const concern = Not(IsNull());
    const [underway, concerning, refunding, refundsConcerning, events, transfers] = await Promise.all([
      manager.countBy(Payment, { status: In(UNDERWAY) }),
      manager.countBy(Payment, { concern }),
      manager.countBy(GatewayRefundRecord, { status: In(['requested', 'pending']) }),
      manager.countBy(GatewayRefundRecord, { concern }),
      manager.countBy(GatewayEventRecord, { processedAt: IsNull() }),
      manager.countBy(BankTransfer, { status: 'announced' }),
    ]);
    return {
      underway,
      refunding,
      needing_a_person: concerning + refundsConcerning,
      events_waiting: events,
      transfers_announced: transfers,
    };
  }
}

function toShown(payment: Payment, orders: PaymentOrder[], refunds: GatewayRefundRecord[]) {
  return {
    payment_id: payment.paymentId,
    client_id: payment.clientId,
    provider: payment.provider,
    gateway_order_id: payment.gatewayOrderId,
    amount: amount(payment),
    currency: payment.currency,
    status: payment.status,
    actor: payment.actor,
    created_at: payment.createdAt,
    paid_at: payment.paidAt,
    answered_at: payment.answeredAt,
    next_check_at: payment.nextCheckAt,
    checks: payment.checks,
    concern: payment.concern,
    resolution: payment.resolution,
    orders: orders.map((order) => ({ order_number: order.orderNumber, amount: amount(order) })),
    refunds: refunds.map((refund) => ({
      refund_id: refund.refundId,
      gateway_refund_id: refund.gatewayRefundId,
      amount: amount(refund),
      status: refund.status,
    })),
  };
}

function keyOf({ clientId, paymentId }: Payment) {
  return { clientId, paymentId };
}

function amount({ amount: numeric }: { amount: string }): number {
  return amountFromMinor(minorFromNumeric(numeric));
}
