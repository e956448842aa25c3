import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Order } from './order.entity.js';

/** The fields that were corrected, by the names under which the wholesaler knows them. */
export type CorrectedFields = Record<string, string | null>;

/** What somebody corrected of an order without moving it on. Written once, never changed. */
@Entity('order_changes')
@Index('order_changes_order', ['clientId', 'orderNumber'])
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'order_changes_order_fk',
})
export class OrderCorrection {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'order_changes_pk',
  })
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
}
