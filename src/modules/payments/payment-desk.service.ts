import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import type { Author } from '../audit/actor-of.js';
import type { AuditDetails } from '../audit/audit-entry.entity.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { Payment, PaymentOrder } from '../orders/entities/payment.entity.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, amountFromNumeric } from '../../platform/money/money.js';
import { readFields } from '../../platform/validation/readers.js';
import { isUuid, readLine } from '../../platform/validation/texts.js';
import { BankTransfer } from './entities/bank-transfer.entity.js';
import { GatewayEventRecord, GatewayRefundRecord } from './entities/gateway.entity.js';
import { type PaymentFilter, type PaymentRow, PaymentsRepository } from './payments.repository.js';
import {
  type CreditedAttempt,
  GatewayRefundsService,
  type RefundForm,
  type RefundPreview,
} from './gateway-refunds.service.js';
import { UNDERWAY } from './rules/payment-status.js';
import { readAmount } from '../../platform/money/read-amount.js';
import { SettlementService } from './settlement.service.js';

export type PaymentView = ReturnType<typeof toPaymentView>;

export type PaymentCounts = Record<
  'underway' | 'refunding' | 'needing_a_person' | 'events_waiting' | 'transfers_announced',
  number
>;

@Injectable()
export class PaymentDeskService {
  constructor(
    private readonly settlement: SettlementService,
    private readonly refunds: GatewayRefundsService,
    private readonly payments: PaymentsRepository,
    private readonly audit: AuditLog,
    @InjectRepository(PaymentOrder) private readonly orders: Repository<PaymentOrder>,
  ) {}

  list(filter: PaymentFilter, limit?: number): AsyncGenerator<PaymentRow, number> {
    return this.payments.list(filter, limit);
  }

  /** The same as an array, for pages. */
  newest(filter: PaymentFilter, limit: number): Promise<PaymentRow[]> {
    return this.payments.newest(filter, limit);
  }

  async show(paymentId: string): Promise<PaymentView> {
    const payment = await this.payments.findById(paymentId);
    const { clientId } = payment;
    const orders = await this.orders.find({ where: { clientId, paymentId }, order: { orderNumber: 'ASC' } });
    const refunds = await this.refunds.listByPayment(payment);
    const receipts = await this.refunds.creditedAttempts(payment);
    return toPaymentView(payment, orders, receipts, refunds);
  }

  /** Asks the gateway now, without waiting for the next check. */
  async settle(paymentId: string): Promise<PaymentView> {
    const payment = await this.payments.findById(paymentId);
    await this.settlement.settle(payment);
    await this.refunds.checkOpen(payment);
    return this.show(paymentId);
  }

  /**
   * Frees its orders for another way to pay, even if the gateway does not answer. Money that comes later is
   * still credited.
   */
  async giveUp(paymentId: string, by: Author): Promise<PaymentView> {
    const payment = await this.payments.findById(paymentId);
    if (!(await this.payments.change({ ...keyOf(payment), status: 'open' }, { status: 'given_up' })))
      throw new DomainError('conflict', `The payment is ${payment.status.replace('_', ' ')}.`);
    await this.recordAction(by, payment, 'given_up');
    return this.show(paymentId);
  }

  async refund(
    paymentId: string,
    amountText: string | undefined,
    by: Author,
    form: RefundForm = {},
  ): Promise<PaymentView> {
    const requested = amountText === undefined ? undefined : readAmount(amountText);
    if (form.key !== undefined && !isUuid(form.key))
      throw new DomainError('malformed_request', 'The form is incomplete. Open its page again.');
    await this.refunds.refund(await this.payments.findById(paymentId), requested, by, form);
    return this.show(paymentId);
  }

  /** The largest possible refund of a payment, and the effect of a refund of this amount. */
  async previewRefund(paymentId: string, amountText: string): Promise<RefundPreview> {
    const payment = await this.payments.findById(paymentId);
    const isAll = amountText.trim() === '';
    const read = readFields({ amount: () => (isAll ? undefined : readAmount(amountText)) });
    return this.refunds.preview(payment, read.amount);
  }

  /** A person has looked at the concern and notes the result. */
  async resolve(paymentId: string, noteText: string, by: Author): Promise<PaymentView> {
    const payment = await this.payments.findById(paymentId);
    const resolution = readLine('note', noteText, 200);
    const isRefund = await this.refunds.resolve(payment);
    if (payment.concern === null && !isRefund)
      throw new DomainError('conflict', 'This payment has no concern to resolve.');
    const resolvedConcern = payment.concern ?? payment.resolvedConcern;
    await this.payments.change(keyOf(payment), { concern: null, resolvedConcern, resolution });
    await this.recordAction(by, payment, 'resolved', { concern: payment.concern, note: resolution });
    return this.show(paymentId);
  }

  private recordAction(by: Author, payment: Payment, action: string, details?: AuditDetails): Promise<void> {
    const { clientId, paymentId } = payment;
    const subject = `payment ${paymentId}`;
    return this.audit.record({ ...authorOf(by, clientId), action: `payment.${action}`, subject, details });
  }

  /** For the metrics and the desk. */
  async count(): Promise<PaymentCounts> {
    const { manager } = this.orders;
    const [underway, concerning, refunding, events, transfers] = await Promise.all([
      manager.countBy(Payment, { status: In(UNDERWAY) }),
      this.payments.countConcerning(),
      manager.countBy(GatewayRefundRecord, { status: In(['requested', 'pending']) }),
      manager.countBy(GatewayEventRecord, { processedAt: IsNull() }),
      manager.countBy(BankTransfer, { status: 'announced' }),
    ]);
    return {
      underway,
      refunding,
      needing_a_person: concerning,
      events_waiting: events,
      transfers_announced: transfers,
    };
  }
}

function toPaymentView(
  payment: Payment,
  orders: PaymentOrder[],
  receipts: CreditedAttempt[],
  refunds: GatewayRefundRecord[],
) {
  return {
    payment_id: payment.paymentId,
    client_id: payment.clientId,
    provider: payment.provider,
    gateway_order_id: payment.gatewayOrderId,
    amount: amountFromNumeric(payment.amount),
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
    orders: orders.map((order) => ({
      order_number: order.orderNumber,
      amount: amountFromNumeric(order.amount),
    })),
    receipts: receipts.map(({ gatewayPaymentId, amount, left }) => ({
      gateway_payment_id: gatewayPaymentId,
      amount: amountFromMinor(amount),
      refundable: amountFromMinor(left),
    })),
    refunds: refunds.map((refund) => ({
      refund_id: refund.refundId,
      gateway_refund_id: refund.gatewayRefundId,
      amount: amountFromNumeric(refund.amount),
      status: refund.status,
      created_at: refund.createdAt,
      actor: refund.actor,
      concern: refund.concern,
    })),
  };
}

function keyOf({ clientId, paymentId }: Payment) {
  return { clientId, paymentId };
}
