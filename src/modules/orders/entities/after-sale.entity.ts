import { Check, Column, Entity, Index, PrimaryColumn, CreateDateColumn, Unique, ForeignKey } from 'typeorm';
import type { NoteReason } from '../../invoices/rules/note-reasons.js';
import { SameKey } from '../../../platform/database/columns-of.js';
import { MaxRows } from '../../../platform/database/row-bound.js';
import type { Day } from '../../../platform/time/time.js';
import type { RefundKind } from '../rules/order-steps.js';
import type { ParcelException } from '../rules/goods-state.js';
import type { ReturnState } from '../rules/return-request.js';
import { OfOrder, Order, OrderItem } from './order.entity.js';

/** A parcel of an order. Its goods left the stock with it. Orders have a copy of their newest parcel. */
@Entity('parcels')
@MaxRows(200, 'parcels')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'parcels_order_fk')
@Index('parcels_tracking_unique', ['clientId', 'orderNumber', 'trackingNumber'], {
  unique: true,
  where: 'tracking_number IS NOT NULL',
})
@Index('parcels_tracking_key', { synchronize: false })
@Index('parcels_exceptions', ['shippedAt'], { where: "exception IN ('returning', 'lost')" })
@Check('parcels_exception_known', `exception IN ('returning', 'returned', 'lost')`)
export class Parcel extends OfOrder {
  @PrimaryColumn('integer') parcel: number;
  @Column('text') courier: string;
  @Column('text', { nullable: true }) trackingNumber: string | null;
  @Column('text', { nullable: true }) trackingUrl: string | null;
  @Column('timestamptz') shippedAt: Date;
  @Column('timestamptz', { nullable: true }) deliveredAt: Date | null;
  /** What the courier reports instead of a delivery. */
  @Column('text', { nullable: true }) exception: ParcelException | null;
  /** When its goods left the stock. A courier's file may date `shippedAt` back. */
  @Column('timestamptz') recordedAt: Date;
  @Column('text') actor: string;
  /** The reason why its goods have no invoice. */
  @Column('text', { nullable: true }) noInvoice: string | null;
  /** The reason why its goods left before their invoice had its IRN. */
  @Column('text', { nullable: true }) withoutIrn: string | null;
}

/** The next parcel of an order, whose invoice is issued before its goods leave. */
@Entity('prepared_parcels')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'prepared_parcels_order_fk')
export class PreparedParcel extends OfOrder {
  /** The number that it keeps. */
  @Column('integer') parcel: number;
  /** Its units, such as `1=2 2=1`. */
  @Column('text') lines: string;
  @CreateDateColumn({ type: 'timestamptz' }) preparedAt: Date;
  @Column('text') actor: string;
}

/** Units of a line in a parcel. A further box of the same shipment has none. Rows are never changed. */
@Entity('parcel_items')
@MaxRows(2_000, 'lines in parcels')
@SameKey(() => Parcel, ['clientId', 'orderNumber', 'parcel'], 'parcel_items_parcel_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'parcel_items_line_fk')
@Check('parcel_items_quantity_positive', 'quantity > 0')
export class ParcelItem extends OfOrder {
  @PrimaryColumn('integer') parcel: number;
  @PrimaryColumn('integer') line: number;
  @Column('integer') quantity: number;
}

/** Goods that a customer sends back. */
@Entity('order_returns')
@MaxRows(100, 'returns')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_returns_order_fk')
@Unique('order_returns_number_unique', ['returnNumber'])
@Index('order_returns_key_unique', ['clientId', 'orderNumber', 'key'], {
  unique: true,
  where: 'key IS NOT NULL',
})
@Index('order_returns_newest', ['state', 'requestedAt', 'returnNumber'])
@Check('order_returns_state_known', `state IN ('requested', 'received', 'partly_received', 'refused')`)
@Index('order_returns_accepted_at', ['acceptedAt'], { where: 'accepted_at IS NOT NULL' })
@Index('order_returns_decided_at', ['decidedAt'], { where: 'decided_at IS NOT NULL' })
@Index('order_returns_to_refund', ['decidedAt'], { where: 'refund_open' })
@Check('order_returns_decided', `(state = 'requested') = (decided_at IS NULL)`)
@Check('order_returns_accepted', 'num_nulls(accepted_at, accepted_by, send_to, send_by) IN (0, 4)')
export class OrderReturn extends OfOrder {
  @PrimaryColumn('text') returnNumber: string;
  @Column('text', { default: 'requested' }) state: ReturnState;
  @Column('text') reason: string;
  @Column('text', { nullable: true }) note: string | null;
  /** A second request for the order with the same key does nothing. */
  @Column('text') key: string;
  /** The store's own id, if it was requested by the API. */
  @Column('text', { nullable: true }) storeReturnId: string | null;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) requestedAt: Date;
  /** When the wholesaler accepted it. The return stays open until the goods come. */
  @Column('timestamptz', { nullable: true }) acceptedAt: Date | null;
  @Column('text', { nullable: true }) acceptedBy: string | null;
  @Column('text', { nullable: true }) sendTo: string | null;
  @Column('date', { nullable: true }) sendBy: Day | null;
  /** When it was received, wholly or partly, or refused. */
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('text', { nullable: true }) decidedBy: string | null;
  /** The wholesaler's text: the reason for a refusal, or a note. */
  @Column('text', { nullable: true }) decision: string | null;
  /** It was received, and a person must still decide about a refund. */
  @Column('boolean', { default: false }) refundOpen: boolean;
}

/** Units of a line that come back. */
@Entity('order_return_items')
@MaxRows(1_000, 'lines in returns')
@SameKey(() => OrderReturn, ['clientId', 'orderNumber', 'returnNumber'], 'order_return_items_return_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'order_return_items_line_fk')
@Check('order_return_items_quantity_positive', 'quantity > 0')
@Check('order_return_items_received_range', 'received BETWEEN 0 AND quantity')
@Check('order_return_items_restocked_range', 'restocked BETWEEN 0 AND coalesce(received, 0)')
export class OrderReturnItem extends OfOrder {
  @PrimaryColumn('text') returnNumber: string;
  @PrimaryColumn('integer') line: number;
  @Column('integer') quantity: number;
  /** Units that arrived. Null while the return is open; 0 if it was refused. */
  @Column('integer', { nullable: true }) received: number | null;
  /** The received units that are for sale again. The others are written off. */
  @Column('integer', { default: 0 }) restocked: number;
}

/** Money of a paid order that went back to the client's wallet. Rows are never changed. */
@Entity('order_refunds')
@MaxRows(200, 'refunds')
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
export class OrderRefund extends OfOrder {
  @PrimaryColumn('integer') refund: number;
  @Column('text') kind: RefundKind;
  /** Less than 0 if it takes another one back. */
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
  @Column('text') reason: string;
  /** A second refund of the order with the same key does nothing. */
  @Column('text') key: string;
  @Column('text', { nullable: true }) returnNumber: string | null;
  @Column('integer', { nullable: true }) takesBack: number | null;
  @Column('text', { nullable: true }) reasonCode: NoteReason | null;
  /** Its notes change no tax. */
  @Column('boolean', { default: false }) isCommercial: boolean;
  @Column('text') actor: string;
  @Column('timestamptz') refundedAt: Date;
}

/** Units of a line that a refund pays back, cancels or takes back. Rows are never changed. */
@Entity('order_refund_items')
@MaxRows(2_000, 'lines in refunds')
@SameKey(() => OrderRefund, ['clientId', 'orderNumber', 'refund'], 'order_refund_items_refund_fk')
@SameKey(() => OrderItem, ['clientId', 'orderNumber', 'line'], 'order_refund_items_line_fk')
@Check('order_refund_items_written_off', 'written_off >= 0')
@Check(
  'order_refund_items_one_direction',
  'refunded >= 0 AND cancelled >= 0 AND amount >= 0 OR refunded <= 0 AND cancelled = 0 AND amount <= 0',
)
export class OrderRefundItem extends OfOrder {
  @PrimaryColumn('integer') refund: number;
  @PrimaryColumn('integer') line: number;
  @Column('integer') refunded: number;
  @Column('integer', { default: 0 }) cancelled: number;
  /** The cancelled units that are not for sale again. */
  @Column('integer', { default: 0 }) writtenOff: number;
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
}
