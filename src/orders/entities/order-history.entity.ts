import { Column, Entity, PrimaryColumn, CreateDateColumn, Index } from 'typeorm';
import { Order } from './order.entity.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { IdColumn, SameKey } from '../../platform/database/columns-of.js';

/** A status of the order and the actor who set it. Rows are never changed. */
@Entity('order_timeline')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_timeline_order_fk')
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

/** The corrected fields, by their names in commands and files. */
export type CorrectedFields = Record<string, string | null>;

/** A correction that did not change the status. Rows are never changed. */
@Entity('order_changes')
@Index('order_changes_order', ['clientId', 'orderNumber'])
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_changes_order_fk')
export class OrderCorrection {
  @IdColumn('order_changes_pk', { type: 'bigint' })
  id: string;

  @Column('integer', { name: 'client_id' })
  clientId: number;

  @Column('text', { name: 'order_number' })
  orderNumber: string;

  @CreateDateColumn({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;

  @Column('text')
  actor: string;

  @Column('jsonb')
  before: CorrectedFields;

  @Column('jsonb')
  after: CorrectedFields;

  /** Required for another recipient. */
  @Column('text', { nullable: true })
  reason: string | null;
}
