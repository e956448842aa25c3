import { Check, Column, CreateDateColumn, Entity, ForeignKey, Unique } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { IdColumn } from '../../platform/database/columns-of.js';

/** Orders that are packed together. Each order names its list. */
@Entity('packing_lists')
@Check('packing_lists_orders_positive', 'orders > 0')
@Unique('packing_lists_key_unique', ['key'])
export class PackingList {
  @IdColumn('packing_lists_pk')
  id: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('text')
  actor: string;

  /** The client that the list was limited to. */
  @Column('integer', { name: 'client_id', nullable: true })
  @ForeignKey(() => Client, { name: 'packing_lists_client_fk' })
  clientId: number | null;

  /** How many orders it took when it was made. */
  @Column('integer')
  orders: number;

  /** When its unshipped orders were freed for other lists. */
  @Column('timestamptz', { name: 'dropped_at', nullable: true })
  droppedAt: Date | null;

  /** A second request with the same key makes no second list. */
  @Column('text', { nullable: true })
  key: string | null;
}
