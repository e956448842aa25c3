import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { ChangeStamp, SameKey } from '../../platform/database/columns-of.js';
import type { OrderStatus, PaymentStatus } from '../rules/order-transitions.js';
import { PackingList } from './packing-list.entity.js';

@Entity('orders')
@SameKey(() => StoreOrderId, ['clientId', 'storeOrderId'], 'orders_store_order_id_fk')
@Index('orders_number', ['orderNumber', 'clientId'])
@Index('orders_newest_of_status', { synchronize: false })
@Index('orders_newest', { synchronize: false })
@Index('orders_newest_by_status', { synchronize: false })
@Index('orders_newest_by_payment', { synchronize: false })
@Index('orders_due', ['clientId', 'paymentDueAt', 'orderNumber'], { where: "status = 'awaiting_payment'" })
@Index('orders_search', { synchronize: false })
@Index('orders_paid', ['paidAt'], { where: 'paid_at IS NOT NULL' })
@Index('orders_expired', ['cancelledAt'], { where: "cancel_reason = 'expired'" })
@Index('orders_on_the_way', ['clientId', 'shippedAt'], { where: "status = 'shipped'" })
@Index('orders_delivered', ['clientId', 'deliveredAt'], { where: 'delivered_at IS NOT NULL' })
@Index('orders_changed', ['clientId', 'changed'], { where: 'changed > 0' })
@Index('orders_to_pack', ['paidAt', 'orderNumber'], { where: "status = 'pending'" })
@Index('orders_packing_list', ['packingList'], { where: 'packing_list IS NOT NULL' })
@Index('orders_payment_due', ['paymentDueAt'], { where: "status = 'awaiting_payment'" })
@Check(
  'orders_status_known',
  `status IN ('awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled')`,
)
@Check('orders_payment_status_known', `payment_status IN ('unpaid', 'paid', 'refunded')`)
@Check('orders_total_is_sum', 'total = subtotal + delivery AND subtotal >= 0 AND delivery >= 0')
@Check('orders_cancelled_with_reason', `(status = 'cancelled') = (cancel_reason IS NOT NULL)`)
@Check(
  'orders_shipped_with_tracking',
  `status NOT IN ('shipped', 'delivered') OR (shipped_at IS NOT NULL AND courier IS NOT NULL)`,
)
@Check('orders_packed_when_paid', 'packing_list IS NULL OR paid_at IS NOT NULL')
@Check(
  'orders_refunded_within_total',
  `refunded_amount BETWEEN 0 AND total AND (refunded_amount = 0 OR paid_at IS NOT NULL)
   AND (payment_status <> 'refunded' OR refunded_amount = total)`,
)
export class Order {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'orders_pk' })
  @ForeignKey(() => Client, { name: 'orders_client_fk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'orders_pk' })
  orderNumber: string;

  @Column('text', { name: 'store_order_id', nullable: true })
  storeOrderId: string | null;

  @Column('text')
  status: OrderStatus;

  @Column('text', { name: 'payment_status' })
  paymentStatus: PaymentStatus;

  @Column('text', { name: 'plan_code' })
  planCode: string;

  @Column('text')
  currency: string;

  @Column('numeric', { precision: 16, scale: 2 })
  subtotal: string;

  @Column('numeric', { precision: 16, scale: 2 })
  delivery: string;

  @Column('numeric', { precision: 16, scale: 2 })
  total: string;

  @Column('integer', { name: 'items_count' })
  itemsCount: number;

  @Column('text', { name: 'customer_name' })
  customerName: string;

  @Column('text', { name: 'customer_phone' })
  customerPhone: string;

  @Column('text', { name: 'customer_email', nullable: true })
  customerEmail: string | null;

  @Column('text', { name: 'shipping_address' })
  shippingAddress: string;

  @Column('text', { name: 'shipping_city' })
  shippingCity: string;

  @Column('text', { name: 'shipping_state' })
  shippingState: string;

  @Column('text', { name: 'shipping_pincode' })
  shippingPincode: string;

  @Column('text', { name: 'shipping_country' })
  shippingCountry: string;

  @Column('text', { nullable: true })
  notes: string | null;

  /** SHA-256 of the content. It tells a repeated request from a different one with the same id. */
  @Column('bytea', { name: 'content_hash' })
  contentHash: Buffer;

  @Column('timestamptz', { name: 'placed_at' })
  placedAt: Date;

  @Column('timestamptz', { name: 'payment_due_at' })
  paymentDueAt: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt: Date | null;

  @Column('text', { name: 'payment_method', nullable: true })
  paymentMethod: string | null;

  @Column('text', { name: 'payment_reference', nullable: true })
  paymentReference: string | null;

  /** The newest parcel: courier, tracking and time of shipping. */
  @Column('text', { nullable: true })
  courier: string | null;

  @Column('text', { name: 'tracking_number', nullable: true })
  trackingNumber: string | null;

  @Column('text', { name: 'tracking_url', nullable: true })
  trackingUrl: string | null;

  /** The numbers of all its parcels, for the search. */
  @Column('text', { name: 'tracking_numbers', nullable: true })
  trackingNumbers: string | null;

  @Column('timestamptz', { name: 'shipped_at', nullable: true })
  shippedAt: Date | null;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;

  @Column('timestamptz', { name: 'cancelled_at', nullable: true })
  cancelledAt: Date | null;

  @Column('text', { name: 'cancel_reason', nullable: true })
  cancelReason: string | null;

  /** The list it is packed from. It is kept when the order leaves. */
  @Column('integer', { name: 'packing_list', nullable: true })
  @ForeignKey(() => PackingList, { name: 'orders_packing_list_fk' })
  packingList: number | null;

  /** The sum of its refunds. The database keeps it. */
  @Column('numeric', { name: 'refunded_amount', precision: 16, scale: 2, default: 0 })
  refundedAmount: string;

  @ChangeStamp()
  changed: never;
}

/** Keys begin with the client, so that no query can forget it. */
export type OrderKey = Pick<Order, 'clientId' | 'orderNumber'>;

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
