import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Order } from './order.entity.js';
import { Payment } from './payment.entity.js';

/** An order that a payment is meant for, and its total at that time. */
@Entity('payment_orders')
@ForeignKey(() => Payment, ['clientId', 'paymentId'], ['clientId', 'paymentId'], {
  name: 'payment_orders_payment_fk',
})
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'payment_orders_order_fk',
})
@Index('payment_orders_order', ['orderNumber', 'clientId'])
export class PaymentOrder {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'payment_orders_pk' })
  clientId: number;

  @PrimaryColumn('uuid', { name: 'payment_id', primaryKeyConstraintName: 'payment_orders_pk' })
  paymentId: string;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'payment_orders_pk' })
  orderNumber: string;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;
}
