import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Order } from './order.entity.js';
import type { OrderStatus } from '../rules/order-transitions.js';

/** A status of the order and the actor who set it. Rows are never changed. */
@Entity('order_timeline')
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'order_timeline_order_fk',
})
export class TimelineEntry {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_timeline_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_timeline_pk' })
  orderNumber: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_timeline_pk' })
  entry: number;

  @Column('text')
  status: OrderStatus;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt: Date;

  @Column('text')
  actor: string;

  @Column('text', { nullable: true })
  note: string | null;
}
