import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { OrderKey } from '../orders/entities/order.entity.js';
import type { Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { GatewayEventRecord } from './entities/gateway-event.entity.js';
import { PaymentOrder } from './entities/payment-order.entity.js';
import { Payment, type PaymentKey } from './entities/payment.entity.js';
import { type PaymentStatus, UNDERWAY } from './rules/payment-status.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Injectable()
export class PaymentsRepository {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    @InjectRepository(GatewayEventRecord) private readonly events: Repository<GatewayEventRecord>,
  ) {}

  /** Of a client: another one's payment is not there. */
  async find({ clientId, paymentId }: PaymentKey): Promise<Payment> {
    const payment = await this.payments.findOneBy({ clientId, paymentId });
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  /** By its id alone, for those who come without a client: the gateway, whoever returns from it, the wholesaler. It cannot be guessed. */
  async findByItself(paymentId: string): Promise<Payment> {
    const payment = UUID.test(paymentId) ? await this.payments.findOneBy({ paymentId }) : null;
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  async lock({ manager }: Transaction, { clientId, paymentId }: PaymentKey): Promise<Payment> {
    const payment = await manager.findOne(Payment, {
      where: { clientId, paymentId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  /** The orders that a payment is meant for. */
  ordersOf({ manager }: Transaction, { clientId, paymentId }: PaymentKey): Promise<OrderKey[]> {
    return manager.find(PaymentOrder, {
      select: { clientId: true, orderNumber: true },
      where: { clientId, paymentId },
    });
  }

  /** A payment that one of these orders of a client is being paid by. */
  underway({ manager }: Transaction, orders: readonly OrderKey[]): Promise<Payment | null> {
    return manager
      .createQueryBuilder(Payment, 'p')
      .innerJoin(PaymentOrder, 'o', 'o.clientId = p.clientId AND o.paymentId = p.paymentId')
      .where({ status: In(UNDERWAY) })
      .andWhere('o.clientId IN (:...clientIds) AND o.orderNumber IN (:...orderNumbers)', {
        clientIds: orders.map(({ clientId }) => clientId),
        orderNumbers: orders.map(({ orderNumber }) => orderNumber),
      })
      .getOne();
  }

  /** What the gateway has told of a payment, and nobody has asked about since. */
  async waitingEvents({ provider, gatewayOrderId }: Payment): Promise<string[]> {
    const events = await this.events.find({
      select: { eventId: true },
      where: { provider, gatewayOrderId: gatewayOrderId!, processedAt: IsNull() },
    });
    return events.map(({ eventId }) => eventId);
  }

  /** Changes a payment that is still as it was thought to be. Says whether it was. */
  async change(
    key: PaymentKey & { status?: PaymentStatus },
    change: QueryDeepPartialEntity<Payment>,
  ): Promise<boolean> {
    const { clientId, paymentId, status } = key;
    const as = { clientId, paymentId, ...(status && { status }) };
    const { affected } = await this.payments.update(as, change);
    return affected === 1;
  }
}

function paymentNotFound(paymentId: string): DomainError {
  return new DomainError('payment_not_found', `There is no payment ${paymentId}.`);
}

/** So many seconds from now, by the clock of the database, by which all nodes go. */
export function inSeconds(seconds: number): () => string {
  return () => `now() + make_interval(secs => ${Number(seconds)})`;
}
