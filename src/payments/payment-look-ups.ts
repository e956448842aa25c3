import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { PaymentOrder } from '../orders/entities/payment-order.entity.js';
import { Payment } from '../orders/entities/payment.entity.js';
import type { ListedOrder } from '../orders/view/client-order.mapper.js';
import { ClientOrders } from '../orders/view/client-orders.service.js';
import { PaymentsRepository } from './payments.repository.js';

/** A payment and what it is for. */
export interface PaymentWithOrders {
  payment: Payment;
  /** None where it is for the wallet alone. */
  orders: ListedOrder[];
}

/** What a client's people see of payments through the gateway. All of them may. */
@Injectable()
export class PaymentLookUps {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    private readonly found: PaymentsRepository,
    private readonly orders: ClientOrders,
  ) {}

  /** Those that were meant for an order, the last one first. */
  ofOrder(clientId: number, orderNumber: string): Promise<Payment[]> {
    return this.payments
      .createQueryBuilder('p')
      .innerJoin(PaymentOrder, 'm', 'm.clientId = p.clientId AND m.paymentId = p.paymentId')
      .where('m.clientId = :clientId AND m.orderNumber = :orderNumber', { clientId, orderNumber })
      .orderBy('p.createdAt', 'DESC')
      .getMany();
  }

  async find(clientId: number, paymentId: string): Promise<PaymentWithOrders> {
    const payment = await this.found.find({ clientId, paymentId });
    const meant = await this.found.ordersOf(this.payments, payment);
    const numbers = meant.map(({ orderNumber }) => orderNumber);
    return { payment, orders: numbers.length > 0 ? await this.orders.chosen(clientId, numbers) : [] };
  }
}
