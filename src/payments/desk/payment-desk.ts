import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import { readLine } from '../../platform/validation/texts.js';
import type { RefundStatus } from '../entities/gateway-refund.entity.js';
import { PaymentOrder } from '../../orders/entities/payment-order.entity.js';
import type { Payment } from '../../orders/entities/payment.entity.js';
import { PaymentsRepository } from '../payments.repository.js';
import { GatewayRefunds } from '../refunds/gateway-refunds.js';
import { readAmount } from '../rules/read-amount.js';
import type { Concern, PaymentStatus } from '../rules/payment-status.js';
import { Settlement } from '../settling/settlement.js';

export interface PaymentFilter {
  clientId?: number;
  status?: PaymentStatus;
  /** Only those that a person must look at, because of themselves or of a refund. */
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

export interface PaymentShown extends Omit<PaymentListed, 'client'> {
  currency: string;
  actor: string;
  answered_at: Date | null;
  next_check_at: Date | null;
  checks: number;
  resolution: string | null;
  orders: { order_number: string; amount: number }[];
  refunds: { refund_id: string; gateway_refund_id: string | null; amount: number; status: RefundStatus }[];
}

/** Streamed, so raw. */
const LIST = `
  SELECT p.payment_id, p.client_id, c.name AS client, p.provider, p.gateway_order_id, p.amount::float8, p.status, p.created_at,
         p.paid_at, coalesce(p.concern, r.concern) AS concern
    FROM payments p
    JOIN clients c ON c.id = p.client_id
    LEFT JOIN LATERAL (SELECT concern FROM gateway_refunds g
                        WHERE (g.client_id, g.payment_id) = (p.client_id, p.payment_id) AND g.concern IS NOT NULL LIMIT 1) r ON true
   WHERE ($1::int IS NULL OR p.client_id = $1) AND ($2::text IS NULL OR p.status = $2)
     AND (NOT $3 OR coalesce(p.concern, r.concern) IS NOT NULL)
   ORDER BY p.created_at DESC, p.payment_id`;

/** What the wholesaler may see of payments, and do about them. */
@Injectable()
export class PaymentDesk {
  constructor(
    private readonly database: Database,
    private readonly settlement: Settlement,
    private readonly refunds: GatewayRefunds,
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
    return {
      payment_id: payment.paymentId,
      client_id: clientId,
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

  /** Asks the gateway now, whenever it would have been asked by itself. */
  async settle(paymentId: string): Promise<PaymentShown> {
    const payment = await this.payments.findByItself(paymentId);
    await this.settlement.settle(payment);
    await this.refunds.checkOpen(payment);
    return this.show(paymentId);
  }

  /** So that its orders can be paid in another way, even if the gateway cannot be asked. Should the money come, it is taken. */
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

  /** A person has looked at what concerned it, and says what came of that. */
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
}

function keyOf({ clientId, paymentId }: Payment) {
  return { clientId, paymentId };
}

function amount({ amount: numeric }: { amount: string }): number {
  return amountFromMinor(minorFromNumeric(numeric));
}
