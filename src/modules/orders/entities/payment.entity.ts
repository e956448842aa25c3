import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { SameKey } from '../../../platform/database/columns-of.js';
import { Order } from './order.entity.js';

/**
 * `opening`: the gateway is being called. `open`: the client can pay. `given_up`: the client pays in another
 * way; late money is still taken. `failed`: the gateway refused to open it.
 */
export type GatewayPaymentStatus = 'opening' | 'open' | 'paid' | 'given_up' | 'failed';

/** The reason why a person must look at a payment or a refund. */
export type PaymentConcern =
  | 'amount_differs'
  | 'payment_reused'
  | 'paid_twice'
  | 'refunded_elsewhere'
  | 'never_captured'
  | 'no_answer'
  | 'other_gateway';

/**
 * A payment through the gateway into the client's wallet, and from there for the orders it names. The entity
 * is in this module, because no order may be paid twice. The payments module writes it.
 */
@Entity('payments')
@Unique('payments_gateway_order_unique', ['provider', 'gatewayOrderId'])
@Index('payments_due', ['urgent', 'nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
@Index('payments_concerning', ['concern'], { where: 'concern IS NOT NULL' })
@Index('payments_newest', ['createdAt'])
@Index('payments_underway', ['clientId'], { where: "status IN ('opening', 'open')" })
@Index('payments_ended', ['endedAt'], { where: 'ended_at IS NOT NULL' })
@Index('payments_id', ['paymentId', 'clientId'])
@Index('payments_not_paid', ['clientId', 'createdAt'], { where: `status <> 'paid'` })
@Check('payments_amount_positive', 'amount > 0')
@Check('payments_from_wallet_not_negative', 'from_wallet >= 0')
@Check('payments_status_known', `status IN ('opening', 'open', 'paid', 'given_up', 'failed')`)
@Check(
  'payments_known_to_gateway',
  `status NOT IN ('open', 'paid', 'given_up') OR gateway_order_id IS NOT NULL`,
)
export class Payment {
  @PrimaryColumn('integer') @ForeignKey(() => Client, { name: 'payments_client_fk' }) clientId: number;
  @PrimaryColumn('uuid') paymentId: string;
  /** The gateway that opened it. Other gateways do not know it. */
  @Column('text') provider: string;
  /** The gateway's id of it. Null until the gateway has opened it. */
  @Column('text', { nullable: true }) gatewayOrderId: string | null;
  /** The amount that the gateway charges, without the part that the wallet held. */
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
  /** The wallet's part of its orders. It is reserved while the payment is open. */
  @Column('numeric', { precision: 16, scale: 2, default: 0 }) fromWallet: string;
  @Column('text') currency: string;
  @Column('text', { default: 'opening' }) status: GatewayPaymentStatus;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) paidAt: Date | null;
  /** When it was paid, or given up by the service. */
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** When the gateway is queried next. Null: only after an event or by a person. */
  @Column('timestamptz', { nullable: true }) nextCheckAt: Date | null;
  @Column('integer', { default: 0 }) checks: number;
  /** An event or a browser has asked for this check, so it does not wait for others. */
  @Column('boolean', { default: false }) urgent: boolean;
  /** When a browser last caused a check at once. */
  @Column('timestamptz', { nullable: true }) askedAt: Date | null;
  @Column('timestamptz', { nullable: true }) answeredAt: Date | null;
  /** The buyer's bank has authorized it, so its money is on its way. */
  @Column('boolean', { default: false }) authorized: boolean;
  /** Why the last attempt failed, in the gateway's words. Null unless the payment can be tried again. */
  @Column('text', { nullable: true }) failure: string | null;
  /** The reason why a person must look at it. */
  @Column('text', { nullable: true }) concern: PaymentConcern | null;
  /** Set by a trigger. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false }) concernedAt: Date | null;
  /** The concern that a person has resolved. It is not raised again. */
  @Column('text', { nullable: true }) resolvedConcern: PaymentConcern | null;
  @Column('text', { nullable: true }) resolution: string | null;
}

export type PaymentKey = Pick<Payment, 'clientId' | 'paymentId'>;

/** An order that a payment is meant for, and its total at that time. */
@Entity('payment_orders')
@SameKey(() => Payment, ['clientId', 'paymentId'], 'payment_orders_payment_fk')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'payment_orders_order_fk')
@Index('payment_orders_order', ['orderNumber', 'clientId'])
export class PaymentOrder {
  @PrimaryColumn('integer') clientId: number;
  @PrimaryColumn('uuid') paymentId: string;
  @PrimaryColumn('text') orderNumber: string;
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
}
