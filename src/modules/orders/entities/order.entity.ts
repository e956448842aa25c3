import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, CreateDateColumn, Unique } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { ChangeVersion, SameKey, IdColumn } from '../../../platform/database/columns-of.js';
import { MaxRows } from '../../../platform/database/row-bound.js';
import type { OrderMetadata } from '../rules/order-metadata.js';
import type { OrderStatus, PaymentStatus } from '../rules/order-transitions.js';
import type { GoodsState } from '../rules/goods-state.js';

/** How an order came: through the API, from the client's own people, or from the wholesaler's. */
export const ORDER_ORIGINS = ['api', 'dashboard', 'desk'] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];

/** Papers of an order to pack. After a change each needs another print. */
export type SlipPaper = 'slip' | 'label';

@Entity('orders')
@SameKey(() => StoreOrderId, ['clientId', 'storeOrderId'], 'orders_store_order_id_fk')
@Index('orders_number', ['orderNumber', 'clientId'])
@Index('orders_newest_of_status', { synchronize: false })
@Index('orders_newest', { synchronize: false })
@Index('orders_newest_of_domain', { synchronize: false })
@Index('orders_newest_by_status', { synchronize: false })
@Index('orders_newest_by_payment', { synchronize: false })
@Index('orders_due', ['clientId', 'paymentDueAt', 'orderNumber'], { where: "status = 'awaiting_payment'" })
@Index('orders_search', { synchronize: false })
@Index('orders_paid', ['paidAt'], { where: 'paid_at IS NOT NULL' })
@Index('orders_shipped', ['shippedAt'], { where: 'shipped_at IS NOT NULL' })
@Index('orders_expired', ['cancelledAt'], { where: "cancel_reason = 'expired'" })
@Index('orders_on_the_way', ['clientId', 'shippedAt'], { where: "status = 'shipped'" })
@Index('orders_goods_under_way', ['clientId', 'shippedAt'], {
  where: "status IN ('pending', 'shipped') AND shipped_at IS NOT NULL AND goods_state IS NULL",
})
@Index('orders_goods_not_arriving', ['placedAt', 'orderNumber'], {
  where: "status = 'shipped' AND goods_state IS NOT NULL",
})
@Index('orders_goods_not_arriving_of_client', ['clientId', 'placedAt', 'orderNumber'], {
  where: "status = 'shipped' AND goods_state IS NOT NULL",
})
@Index('orders_delivered', ['clientId', 'deliveredAt'], { where: 'delivered_at IS NOT NULL' })
@Index('orders_changed', ['clientId', 'changed'], { where: 'changed > 0' })
@Index('orders_to_pack', ['paidAt', 'placedAt', 'orderNumber'], { where: "status = 'pending'" })
@Index('orders_not_delivered', ['shippedAt', 'placedAt', 'orderNumber'], { where: "status = 'shipped'" })
@Index('orders_packing_list', ['packingList'], { where: 'packing_list IS NOT NULL' })
@Index('orders_payment_due', ['paymentDueAt'], { where: "status = 'awaiting_payment'" })
@Check(
  'orders_status_known',
  `status IN ('awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled')`,
)
@Check('orders_payment_status_known', `payment_status IN ('unpaid', 'paid', 'refunded')`)
@Check('orders_origin_known', `origin IN ('api', 'dashboard', 'desk')`)
@Check('orders_total_is_sum', 'total = subtotal + delivery AND subtotal >= 0 AND delivery >= 0')
@Check(
  'orders_goods_state_known',
  `goods_state IN ('delivered', 'returned', 'returned_in_part', 'returning', 'returning_in_part', 'lost',
                   'lost_in_part')`,
)
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
  @PrimaryColumn('integer') @ForeignKey(() => Client, { name: 'orders_client_fk' }) clientId: number;
  @PrimaryColumn('text') orderNumber: string;
  @Column('text', { nullable: true }) storeOrderId: string | null;
  /** Of the token that placed it. Empty for orders of people, and of 1.0.0. */
  @Column('text', { nullable: true }) domain: string | null;
  @Column('text') status: OrderStatus;
  @Column('text') paymentStatus: PaymentStatus;
  @Column('text') planCode: string;
  @Column('text') currency: string;
  @Column('numeric', { precision: 16, scale: 2 }) subtotal: string;
  @Column('numeric', { precision: 16, scale: 2 }) delivery: string;
  @Column('numeric', { precision: 16, scale: 2 }) total: string;
  @Column('integer') itemsCount: number;
  @Column('text') customerName: string;
  @Column('text') customerPhone: string;
  @Column('text', { nullable: true }) customerEmail: string | null;
  @Column('text') shippingAddress: string;
  @Column('text') shippingCity: string;
  @Column('text') shippingState: string;
  @Column('text') shippingPincode: string;
  @Column('text') shippingCountry: string;
  @Column('text', { nullable: true }) notes: string | null;
  @Column('jsonb', { nullable: true }) metadata: OrderMetadata | null;
  /** SHA-256 of the content. It distinguishes a repeated request from a different one with the same id. */
  @Column('bytea') contentHash: Buffer;
  @Column('text', { default: 'api' }) origin: OrderOrigin;
  @Column('timestamptz') placedAt: Date;
  @Column('timestamptz') paymentDueAt: Date;
  @Column('timestamptz', { nullable: true }) paidAt: Date | null;
  @Column('text', { nullable: true }) paymentMethod: string | null;
  @Column('text', { nullable: true }) paymentReference: string | null;
  /** The payments that were recorded by mistake and undone. */
  @Column('integer', { default: 0 }) paymentsUndone: number;
  /** The newest parcel: courier, tracking and time of shipping. */
  @Column('text', { nullable: true }) courier: string | null;
  @Column('text', { nullable: true }) trackingNumber: string | null;
  @Column('text', { nullable: true }) trackingUrl: string | null;
  /** The numbers of all its parcels, for the search. */
  @Column('text', { nullable: true }) trackingNumbers: string | null;
  @Column('timestamptz', { nullable: true }) shippedAt: Date | null;
  @Column('timestamptz', { nullable: true }) deliveredAt: Date | null;
  @Column('timestamptz', { nullable: true }) cancelledAt: Date | null;
  @Column('text', { nullable: true }) cancelReason: string | null;
  /** The list it is packed from. It is kept when the order leaves. */
  @Column('integer', { nullable: true })
  @ForeignKey(() => PackingList, { name: 'orders_packing_list_fk' })
  packingList: number | null;
  /** Hashes of the delivery and units as last printed on each paper, slip or label. Null without one. */
  @Column('jsonb', { nullable: true }) printedSlips: Partial<Record<SlipPaper, string>> | null;
  /** The sum of its refunds. The database keeps it. */
  @Column('numeric', { precision: 16, scale: 2, default: 0 }) refundedAmount: string;
  /** Null while a parcel is on its way to the customer, or none has left. The database keeps it. */
  @Column('text', { nullable: true }) goodsState: GoodsState | null;
  @ChangeVersion() changed: never;
}

/** Keys begin with the client, so that no query can forget it. */
export type OrderKey = Pick<Order, 'clientId' | 'orderNumber'>;

/** The beginning of the primary key of each part of an order. */
export abstract class OfOrder {
  @PrimaryColumn('integer') clientId: number;
  @PrimaryColumn('text') orderNumber: string;
}

/**
 * Reserves a store's own order id. Written together with its order. If two domains of a client have an id,
 * this is the first one.
 */
@Entity('store_order_ids')
export class StoreOrderId {
  @PrimaryColumn('integer') clientId: number;
  @PrimaryColumn('text') storeOrderId: string;
  @Column('text') orderNumber: string;
}

/** The same for a domain, if another domain of the client had the id first. */
@Entity('domain_order_ids')
@SameKey(() => StoreOrderId, ['clientId', 'storeOrderId'], 'domain_order_ids_first_fk')
export class DomainOrderId {
  @PrimaryColumn('integer') clientId: number;
  @PrimaryColumn('text') storeOrderId: string;
  @PrimaryColumn('text') domain: string;
  @Column('text') orderNumber: string;
}

/** Orders that are packed together. Each order names its list. */
@Entity('packing_lists')
@Check('packing_lists_orders_positive', 'orders > 0')
@Unique('packing_lists_key_unique', ['key'])
export class PackingList {
  @IdColumn() id: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('text') actor: string;
  /** The client that the list was limited to. */
  @Column('integer', { nullable: true })
  @ForeignKey(() => Client, { name: 'packing_lists_client_fk' })
  clientId: number | null;
  /** The number of orders that it took when it was made. */
  @Column('integer') orders: number;
  /** When its unshipped orders were freed for other lists. */
  @Column('timestamptz', { nullable: true }) droppedAt: Date | null;
  /** A second request with the same key makes no second list. */
  @Column('text', { nullable: true }) key: string | null;
}

/** The unpaid orders of a client and their value. The database creates the row and keeps it current. */
@Entity('unpaid_totals')
@Check('unpaid_totals_not_negative', 'unpaid_orders >= 0 AND unpaid_value >= 0')
export class ClientUnpaidTotals {
  @PrimaryColumn('integer')
  @ForeignKey(() => Client, { name: 'unpaid_totals_client_fk', onDelete: 'CASCADE' })
  clientId: number;
  @Column('integer', { default: 0 }) unpaidOrders: number;
  @Column('numeric', { precision: 24, scale: 2, default: 0 }) unpaidValue: string;
}

/** A line as it was sent, with the product's name and price at that time. */
@Entity('order_items')
@MaxRows(100, 'lines')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_items_order_fk')
@Index('order_items_product', ['productId'])
@Check('order_items_quantity_range', 'quantity >= 1 AND quantity <= 100000')
@Check('order_items_line_total_is_product', 'line_total = unit_price * quantity')
@Check(
  'order_items_units',
  `shipped >= 0 AND cancelled >= 0 AND shipped + cancelled <= quantity
   AND refunded BETWEEN 0 AND quantity AND returned BETWEEN 0 AND shipped`,
)
export class OrderItem extends OfOrder {
  @PrimaryColumn('integer') line: number;
  @Column('integer') productId: number;
  @Column('text') sku: string;
  @Column('text') name: string;
  @Column('text', { default: '' }) variationKey: string;
  /** The variation text that was sent for a product without variations. */
  @Column('text', { nullable: true }) remark: string | null;
  @Column('jsonb', { nullable: true }) metadata: OrderMetadata | null;
  @Column('integer') quantity: number;
  @Column('numeric', { precision: 12, scale: 2 }) unitPrice: string;
  @Column('numeric', { precision: 16, scale: 2 }) lineTotal: string;
  // Units of the quantity. The database adds them up from parcels, refunds and returns.
  @Column('integer', { default: 0 }) shipped: number;
  /** Cancelled before they left, while others stayed. A cancelled order counts none. */
  @Column('integer', { default: 0 }) cancelled: number;
  @Column('integer', { default: 0 }) refunded: number;
  /** Came back, or are expected back. */
  @Column('integer', { default: 0 }) returned: number;
}

/**
 * A status of the order and the actor who set it. Rows are never changed. A status repeats only after a
 * parcel or a payment is undone, which is a correction: their bound is this one's.
 */
@Entity('order_timeline')
@MaxRows(500, 'statuses')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_timeline_order_fk')
export class TimelineEntry extends OfOrder {
  @PrimaryColumn('integer') entry: number;
  @Column('text') status: OrderStatus;
  @Column('timestamptz') changedAt: Date;
  @Column('text') actor: string;
  @Column('text', { nullable: true }) note: string | null;
}

/** The corrected fields, by their names in commands and files. */
export type CorrectedFields = Record<string, string | null>;

/** A correction that did not change the status. Rows are never changed. */
@Entity('order_changes')
@MaxRows(100, 'corrections')
@Index('order_changes_order', ['clientId', 'orderNumber'])
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_changes_order_fk')
export class OrderCorrection {
  @IdColumn('bigint') id: string;
  @Column('integer') clientId: number;
  @Column('text') orderNumber: string;
  @CreateDateColumn({ type: 'timestamptz' }) changedAt: Date;
  @Column('text') actor: string;
  @Column('jsonb') before: CorrectedFields;
  @Column('jsonb') after: CorrectedFields;
  /** Required for another recipient. */
  @Column('text', { nullable: true }) reason: string | null;
}
