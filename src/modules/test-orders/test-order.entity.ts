import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import type { Order } from '../orders/entities/order.entity.js';
import type { AfterSaleRecord, StoreOrderDetails } from '../orders/records/order-record.js';
import { ChangeVersion } from '../../platform/database/columns-of.js';

/** An order as its store reads it, with the fields that repeat the first answer. */
export type TestOrderContent = StoreOrderDetails & Pick<Order, 'itemsCount'>;

/** The content without its lists, as JSON. */
export type TestOrderHead = Omit<TestOrderContent, 'items' | 'timeline' | keyof AfterSaleRecord> & {
  statusChangedAt: number;
};

/** An order that a store placed with a test token. No other table, sum or list knows of it. */
@Entity('test_orders')
@Index('test_orders_claim_once', { synchronize: false })
@Index('test_orders_placed', ['placedAt'])
export class TestOrder {
  @PrimaryColumn('integer')
  @ForeignKey(() => Client, { name: 'test_orders_client_fk', onDelete: 'CASCADE' })
  clientId: number;
  @PrimaryColumn('text') orderNumber: string;
  /** The store's own id, or the key of its request. */
  @Column('text', { nullable: true }) claim: string | null;
  /** Of its token. Empty for orders of 1.0.0. */
  @Column('text', { nullable: true }) domain: string | null;
  @Column('bytea') contentHash: Buffer;
  @Column('timestamptz') placedAt: Date;
  @Column('jsonb') content: TestOrderContent;
  /** The fields of lists. A trigger copies them from the content. Null in rows of 1.0.0. */
  @Column({ type: 'jsonb', nullable: true, select: false, insert: false, update: false })
  head: TestOrderHead | null;
  @ChangeVersion() changed: string;
}
