import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';

/** A parcel of an order. Its goods left the stock with it. Orders have a copy of their newest parcel. */
@Entity('parcels')
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'parcels_order_fk',
})
@Index('parcels_tracking_unique', ['clientId', 'orderNumber', 'trackingNumber'], {
  unique: true,
  where: 'tracking_number IS NOT NULL',
})
export class Parcel {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'parcels_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'parcels_pk' })
  orderNumber: string;

  /** The first one of an order is 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'parcels_pk' })
  parcel: number;

  @Column('text')
  courier: string;

  @Column('text', { name: 'tracking_number', nullable: true })
  trackingNumber: string | null;

  @Column('text', { name: 'tracking_url', nullable: true })
  trackingUrl: string | null;

  @Column('timestamptz', { name: 'shipped_at' })
  shippedAt: Date;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;

  /** When its goods left the stock. A courier's file may date `shippedAt` back. */
  @Column('timestamptz', { name: 'recorded_at' })
  recordedAt: Date;

  @Column('text')
  actor: string;
}

/** Units of a line in a parcel. A further box of the same shipment has none. Rows are never changed. */
@Entity('parcel_items')
@ForeignKey(() => Parcel, ['clientId', 'orderNumber', 'parcel'], ['clientId', 'orderNumber', 'parcel'], {
  name: 'parcel_items_parcel_fk',
})
@ForeignKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], ['clientId', 'orderNumber', 'line'], {
  name: 'parcel_items_line_fk',
})
@Check('parcel_items_quantity_positive', 'quantity > 0')
export class ParcelItem {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'parcel_items_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'parcel_items_pk' })
  orderNumber: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'parcel_items_pk' })
  parcel: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'parcel_items_pk' })
  line: number;

  @Column('integer')
  quantity: number;
}
