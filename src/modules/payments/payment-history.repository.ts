import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Raw, type Repository } from 'typeorm';
import { Order } from '../orders/entities/order.entity.js';
import { Payment, PaymentOrder } from '../orders/entities/payment.entity.js';
import { UNDERWAY_STATES, underwayOf } from '../orders/lifecycle/payments-underway.repository.js';
import type { ClientOrderRow } from '../orders/records/order-record.js';
import { ClientOrdersService } from '../orders/records/client-orders.service.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { PaymentsRepository } from './payments.repository.js';
import type { PaymentStatus } from './rules/payment-status.js';

export interface PaymentWithOrders {
  payment: Payment;
  /** Empty for a top-up. */
  orders: ClientOrderRow[];
}

/** A gateway payment of an order. It may pay several orders together. */
export type OrderPayment = Payment & { orders: number };

/** Failed and abandoned payments are visible this long. */
const ENDED_VISIBLE_MS = 2 * 86_400_000;

/** The largest number of failed and abandoned payments on a page. All open payments are on it. */
const MAX_ENDED = 20;

/** A gateway payment that has brought no money yet. */
export type RecentPayment = Pick<Payment, 'paymentId' | 'createdAt' | 'authorized'> & {
  amount: Minor;
  /** The reserved part of the wallet. */
  fromWallet: Minor;
  status: Exclude<PaymentStatus, 'paid'>;
  /** The number of orders it is meant for; 0 for a top-up. */
  orders: number;
};

/** A client's view of its gateway payments. All roles may see it. */
@Injectable()
export class PaymentHistory {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    private readonly repository: PaymentsRepository,
    private readonly orders: ClientOrdersService,
  ) {}

  /** The payments that were meant for an order, newest first, with the number of their orders. */
  async ofOrder(clientId: number, orderNumber: string): Promise<OrderPayment[]> {
    const payments = await this.payments
      .createQueryBuilder('p')
      .innerJoin(PaymentOrder, 'm', 'm.clientId = p.clientId AND m.paymentId = p.paymentId')
      .where('m.clientId = :clientId AND m.orderNumber = :orderNumber', { clientId, orderNumber })
      .orderBy('p.createdAt', 'DESC')
      .getMany();
    if (payments.length === 0) return [];
    const orders = await this.countOrders(
      clientId,
      payments.map(({ paymentId }) => paymentId),
    );
    return payments.map((payment) => ({ ...payment, orders: orders.get(payment.paymentId)! }));
  }

  async find(clientId: number, paymentId: string): Promise<PaymentWithOrders> {
    const payment = await this.repository.find({ clientId, paymentId });
    const paymentOrders = await this.repository.ordersOf(this.payments, payment);
    const numbers = paymentOrders.map(({ orderNumber }) => orderNumber);
    return { payment, orders: numbers.length > 0 ? await this.orders.findSelected(clientId, numbers) : [] };
  }

  /** Waiting orders that a paid payment was meant for: the wallet did not cover them. */
  ordersNotCovered(clientId: number): Promise<Pick<Order, 'orderNumber'>[]> {
    return this.payments.manager
      .createQueryBuilder(Order, 'o')
      .select(['o.clientId', 'o.orderNumber'])
      .where(`o.clientId = :clientId AND o.status = 'awaiting_payment'`, { clientId })
      .andWhere(`${underwayOf('o')} IS NULL`)
      .andWhere(
        // A subquery for each waiting order, whose number has a limit. A join could read all payments.
        `'paid' IN (SELECT (SELECT status FROM payments p
                             WHERE (p.client_id, p.payment_id) = (m.client_id, m.payment_id))
                      FROM payment_orders m
                     WHERE m.order_number = o.order_number AND m.client_id = o.client_id)`,
      )
      .orderBy('o.paymentDueAt')
      .take(MAX_ENDED)
      .getMany();
  }

  /**
   * Open payments and recent failures, newest first. Paid ones are in the passbook. The statuses are text, so
   * that a kept plan may use the partial indexes.
   */
  async recent(clientId: number): Promise<RecentPayment[]> {
    const [underway, ended] = await Promise.all([
      this.payments.find({ where: { clientId, status: Raw((status) => `${status} IN ${UNDERWAY_STATES}`) } }),
      this.payments.find({
        where: {
          clientId,
          status: Raw((status) => `${status} <> 'paid' AND ${status} NOT IN ${UNDERWAY_STATES}`),
          createdAt: MoreThan(new Date(Date.now() - ENDED_VISIBLE_MS)),
        },
        order: { createdAt: 'DESC' },
        take: MAX_ENDED,
      }),
    ]);
    const payments = [...underway, ...ended].toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
    );
    const orders = await this.countOrders(
      clientId,
      payments.map(({ paymentId }) => paymentId),
    );
    return payments.map(({ paymentId, amount, fromWallet, status, authorized, createdAt }) => ({
      paymentId,
      amount: minorFromNumeric(amount),
      fromWallet: minorFromNumeric(fromWallet),
      authorized,
      status: status as RecentPayment['status'],
      createdAt,
      orders: orders.get(paymentId) ?? 0,
    }));
  }

  private async countOrders(clientId: number, paymentIds: string[]): Promise<ReadonlyMap<string, number>> {
    const counted = await this.payments.manager
      .createQueryBuilder(PaymentOrder, 'm')
      .select('m.paymentId', 'paymentId')
      .addSelect('count(*)::int', 'orders')
      .where({ clientId, paymentId: In(paymentIds) })
      .groupBy('m.paymentId')
      .getRawMany<{ paymentId: string; orders: number }>();
    return new Map(counted.map(({ paymentId, orders }) => [paymentId, orders]));
  }
}
