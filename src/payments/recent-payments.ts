import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Raw, type Repository } from 'typeorm';
import { type Minor, minorFromNumeric } from '../platform/money/money.js';
import { PaymentOrder } from '../orders/entities/payment-order.entity.js';
import { Payment } from '../orders/entities/payment.entity.js';
import { UNDERWAY_STATES } from '../orders/paying/payments-underway.js';
import type { PaymentStatus } from './rules/payment-status.js';

/** What came to nothing is soon of no interest any more. */
const SHOWN_MS = 2 * 86_400_000;

/** Of those. What is under way is shown to the last. */
const MOST_OVER = 20;

/** A payment through the gateway that has brought nothing (yet). */
export interface RecentPayment {
  paymentId: string;
  amount: Minor;
  status: Exclude<PaymentStatus, 'paid'>;
  createdAt: Date;
  /** How many orders it is meant for; none: it is for the wallet alone. */
  orders: number;
}

/** What a client began to pay through the gateway: what is under way, and what came to nothing lately. What was paid is in the passbook. */
@Injectable()
export class RecentPayments {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    @InjectRepository(PaymentOrder) private readonly meantFor: Repository<PaymentOrder>,
  ) {}

  /** The newest first. The states are text, so that a kept plan may use the partial indexes. */
  async of(clientId: number): Promise<RecentPayment[]> {
    const [underway, over] = await Promise.all([
      this.payments.find({ where: { clientId, status: Raw((status) => `${status} IN ${UNDERWAY_STATES}`) } }),
      this.payments.find({
        where: {
          clientId,
          status: Raw((status) => `${status} <> 'paid' AND ${status} NOT IN ${UNDERWAY_STATES}`),
          createdAt: MoreThan(new Date(Date.now() - SHOWN_MS)),
        },
        order: { createdAt: 'DESC' },
        take: MOST_OVER,
      }),
    ]);
    const payments = [...underway, ...over].toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    const orders = await this.countOrders(
      clientId,
      payments.map(({ paymentId }) => paymentId),
    );
    return payments.map(({ paymentId, amount, status, createdAt }) => ({
      paymentId,
      amount: minorFromNumeric(amount),
      status: status as RecentPayment['status'],
      createdAt,
      orders: orders.get(paymentId) ?? 0,
    }));
  }

  private async countOrders(clientId: number, paymentIds: string[]): Promise<ReadonlyMap<string, number>> {
    const counted = await this.meantFor
      .createQueryBuilder('m')
      .select('m.paymentId', 'paymentId')
      .addSelect('count(*)::int', 'orders')
      .where({ clientId, paymentId: In(paymentIds) })
      .groupBy('m.paymentId')
      .getRawMany<{ paymentId: string; orders: number }>();
    return new Map(counted.map(({ paymentId, orders }) => [paymentId, orders]));
  }
}
