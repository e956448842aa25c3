import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import type { Order } from '../orders/entities/order.entity.js';
import type { StoreOrderDetails } from '../orders/records/order-view.js';
import { ChangeVersion } from '../../platform/database/columns-of.js';

/** An order as its store reads it, with the fields that repeat the first answer. */
export type TestOrderContent = StoreOrderDetails & Pick<Order, 'itemsCount'>;

/** An order that a store placed with a test token. No other table, sum or list knows of it. */
@Entity('test_orders')
@Unique('test_orders_claim_once', ['clientId', 'claim'])
@Index('test_orders_placed', ['placedAt'])
export class TestOrder {
  @PrimaryColumn('integer')
  @ForeignKey(() => Client, { name: 'test_orders_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  @PrimaryColumn('text')
  orderNumber: string;

  /** The store's own id, or the key of its request. */
  @Column('text', { nullable: true })
  claim: string | null;

  @Column('bytea')
  contentHash: Buffer;

  @Column('timestamptz')
  placedAt: Date;

  @Column('jsonb')
  content: TestOrderContent;

  @ChangeVersion()
  changed: string;
}
