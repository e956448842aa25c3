import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Reserves a store's own order id. Written together with its order. */
@Entity('store_order_ids')
export class StoreOrderId {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'store_order_ids_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'store_order_id', primaryKeyConstraintName: 'store_order_ids_pk' })
  storeOrderId: string;

  @Column('text', { name: 'order_number' })
  orderNumber: string;
}
