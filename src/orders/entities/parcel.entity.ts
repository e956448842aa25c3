import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';
import { SameKey } from '../../platform/database/columns-of.js';

/** A parcel of an order. Its goods left the stock with it. Orders have a copy of their newest parcel. */
@Entity('parcels')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'parcels_order_fk')
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
@SameKey(() => Parcel, ['clientId', 'orderNumber', 'parcel'], 'parcel_items_parcel_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'parcel_items_line_fk')
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
