import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { RefundKind } from '../rules/order-steps.js';
import { OrderItem } from './order-item.entity.js';
import { OrderReturn } from './order-return.entity.js';
import { Order } from './order.entity.js';
import { SameKey } from '../../platform/database/columns-of.js';

/** Money of a paid order that went back to the client's wallet. Rows are never changed. */
@Entity('order_refunds')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_refunds_order_fk')
@SameKey(() => OrderReturn, ['clientId', 'orderNumber', 'returnNumber'], 'order_refunds_return_fk')
@Index('order_refunds_key_unique', ['clientId', 'orderNumber', 'key'], {
  unique: true,
  where: 'key IS NOT NULL',
})
@Index('order_refunds_delivery_once', ['clientId', 'orderNumber'], {
  unique: true,
  where: "kind = 'delivery'",
})
@Index('order_refunds_when', ['refundedAt'])
@ForeignKey(
  () => OrderRefund,
  ['clientId', 'orderNumber', 'takesBack'],
  ['clientId', 'orderNumber', 'refund'],
  { name: 'order_refunds_taken_back_fk' },
)
@Check(
  'order_refunds_kind_known',
  `kind IN ('cancelled', 'lines', 'delivery', 'amount', 'returned', 'taken_back')`,
)
@Check(
  'order_refunds_taken_back',
  "(kind = 'taken_back') = (takes_back IS NOT NULL) AND (kind = 'taken_back') = (amount < 0)",
)
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

  /** Less than 0 if it takes another one back. */
  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;

  @Column('text')
  reason: string;

  /** A second refund of the order with the same key does nothing. */
  @Column('text')
  key: string;

  @Column('text', { name: 'return_number', nullable: true })
  returnNumber: string | null;

  /** The refund that this one takes back. */
  @Column('integer', { name: 'takes_back', nullable: true })
  takesBack: number | null;

  @Column('text')
  actor: string;

  @Column('timestamptz', { name: 'refunded_at' })
  refundedAt: Date;
}

/** Units of a line that a refund pays back, cancels or takes back. Rows are never changed. */
@Entity('order_refund_items')
@SameKey(() => OrderRefund, ['clientId', 'orderNumber', 'refund'], 'order_refund_items_refund_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'order_refund_items_line_fk')
@Check(
  'order_refund_items_one_direction',
  'refunded >= 0 AND cancelled >= 0 AND amount >= 0 OR refunded <= 0 AND cancelled = 0 AND amount <= 0',
)
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
