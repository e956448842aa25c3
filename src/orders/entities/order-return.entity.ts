import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ReturnState } from '../rules/return-request.js';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';
import { SameKey } from '../../platform/database/columns-of.js';

/** Goods that a customer sends back. */
@Entity('order_returns')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_returns_order_fk')
@Unique('order_returns_number_unique', ['returnNumber'])
@Index('order_returns_key_unique', ['clientId', 'orderNumber', 'key'], {
  unique: true,
  where: 'key IS NOT NULL',
})
@Index('order_returns_newest', ['state', 'requestedAt', 'returnNumber'])
@Check('order_returns_state_known', `state IN ('requested', 'received', 'refused')`)
@Check('order_returns_decided', `(state = 'requested') = (decided_at IS NULL)`)
export class OrderReturn {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_returns_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_returns_pk' })
  orderNumber: string;

  @PrimaryColumn('text', { name: 'return_number', primaryKeyConstraintName: 'order_returns_pk' })
  returnNumber: string;

  @Column('text', { default: 'requested' })
  state: ReturnState;

  @Column('text')
  reason: string;

  /** More words of the person who asked for it. */
  @Column('text', { nullable: true })
  note: string | null;

  /** A second request for the order with the same key does nothing. */
  @Column('text')
  key: string;

  /** The store's own id, if it asked by the API. */
  @Column('text', { name: 'store_return_id', nullable: true })
  storeReturnId: string | null;

  @Column('text')
  actor: string;

  @CreateDateColumn({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  /** When it was received or refused. */
  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  /** The wholesaler's words: the reason of a refusal, or a note. */
  @Column('text', { nullable: true })
  decision: string | null;
}

/** Units of a line that come back. */
@Entity('order_return_items')
@SameKey(() => OrderReturn, ['clientId', 'orderNumber', 'returnNumber'], 'order_return_items_return_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'order_return_items_line_fk')
@Check('order_return_items_quantity_positive', 'quantity > 0')
@Check('order_return_items_received_range', 'received BETWEEN 0 AND quantity')
@Check('order_return_items_restocked_range', 'restocked BETWEEN 0 AND coalesce(received, 0)')
export class OrderReturnItem {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_return_items_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_return_items_pk' })
  orderNumber: string;

  @PrimaryColumn('text', { name: 'return_number', primaryKeyConstraintName: 'order_return_items_pk' })
  returnNumber: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_return_items_pk' })
  line: number;

  @Column('integer')
  quantity: number;

  /** The units that came. Null while the return is open; 0 if it was refused. */
  @Column('integer', { nullable: true })
  received: number | null;

  /** The received units that are for sale again. The others are written off. */
  @Column('integer', { default: 0 })
  restocked: number;
}
