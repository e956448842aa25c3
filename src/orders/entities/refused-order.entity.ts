import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import type { FieldError } from '../../platform/errors/domain-error.js';
import type { AskedItem } from '../refusals/asked-items.js';

/** Of a line of which there was too little. */
type Shortage = { sku?: string; requested?: number; available?: number };

/** Why an order was refused, without the customer's data. */
@Entity('refused_orders')
@Index('refused_orders_client', ['clientId', 'refusedAt'])
@Index('refused_orders_time', ['refusedAt'])
export class RefusedOrder {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'refused_orders_pk',
  })
  id: string;

  @Column('integer', { name: 'client_id' })
  @ForeignKey(() => Client, { name: 'refused_orders_client_fk' })
  clientId: number;

  @Column('text', { name: 'store_order_id', nullable: true })
  storeOrderId: string | null;

  @CreateDateColumn({ name: 'refused_at', type: 'timestamptz' })
  refusedAt: Date;

  @Column('text')
  code: string;

  /** The first lines of it. */
  @Column('jsonb', { default: [] })
  asked: AskedItem[];

  @Column('jsonb')
  reasons: (Pick<FieldError, 'field' | 'code' | 'message'> & Shortage)[];
}
