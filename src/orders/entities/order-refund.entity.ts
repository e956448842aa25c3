import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { RefundKind } from '../rules/order-steps.js';
import { OrderItem } from './order-item.entity.js';
import { OrderReturn } from './order-return.entity.js';
import { Order } from './order.entity.js';

/** Money of a paid order that went back to the client's wallet. Rows are never changed. */
@Entity('order_refunds')
@ForeignKey(() => Order, ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'order_refunds_order_fk',
})
@ForeignKey(
  () => OrderReturn,
  ['clientId', 'orderNumber', 'returnNumber'],
  ['clientId', 'orderNumber', 'returnNumber'],
  {
    name: 'order_refunds_return_fk',
  },
)
@Index('order_refunds_key_unique', ['clientId', 'orderNumber', 'key'], {
  unique: true,
  where: 'key IS NOT NULL',
})
@Index('order_refunds_delivery_once', ['clientId', 'orderNumber'], {
  unique: true,
  where: "kind = 'delivery'",
})
@Index('order_refunds_when', ['refundedAt'])
@Check('order_refunds_kind_known', `kind IN ('cancelled', 'lines', 'delivery', 'amount', 'returned')`)
@Check('order_refunds_amount_not_negative', 'amount >= 0')
export class OrderRefund {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_refunds_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_refunds_pk' })
  orderNumber: string;

  /** The first one of an order is 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_refunds_pk' })
  refund: number;

  @Column('text')
  kind: RefundKind;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;

  @Column('text')
  reason: string;

  /** A second refund of the order with the same key does nothing. */
  @Column('text')
  key: string;

  @Column('text', { name: 'return_number', nullable: true })
  returnNumber: string | null;

  @Column('text')
  actor: string;

  @Column('timestamptz', { name: 'refunded_at' })
  refundedAt: Date;
}

/** Units of a line that a refund pays back or cancels. Rows are never changed. */
@Entity('order_refund_items')
@ForeignKey(() => OrderRefund, ['clientId', 'orderNumber', 'refund'], ['clientId', 'orderNumber', 'refund'], {
  name: 'order_refund_items_refund_fk',
})
@ForeignKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], ['clientId', 'orderNumber', 'line'], {
  name: 'order_refund_items_line_fk',
})
@Check('order_refund_items_not_negative', 'refunded >= 0 AND cancelled >= 0 AND amount >= 0')
export class OrderRefundItem {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_refund_items_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_refund_items_pk' })
  orderNumber: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_refund_items_pk' })
  refund: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_refund_items_pk' })
  line: number;

  @Column('integer')
  refunded: number;

  @Column('integer', { default: 0 })
  cancelled: number;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;
}
