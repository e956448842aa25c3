import { Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';
import { Order } from './order.entity.js';

/** The corrected fields, by their names in commands and files. */
export type CorrectedFields = Record<string, string | null>;

/** A correction that did not change the status. Rows are never changed. */
@Entity('order_changes')
@Index('order_changes_order', ['clientId', 'orderNumber'])
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'order_changes_order_fk',
})
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
