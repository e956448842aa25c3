import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, Check } from 'typeorm';
import { Payment } from '../../orders/entities/payment.entity.js';
import { SameKey } from '../../../platform/database/columns-of.js';
import type { Concern } from '../rules/payment-status.js';

/** An event of the gateway as it arrived. It is kept as a proof, and causes a check. */
@Entity('gateway_events')
@Index('gateway_events_waiting', ['provider', 'gatewayOrderId'], { where: 'processed_at IS NULL' })
@Index('gateway_events_received', ['receivedAt'])
export class GatewayEventRecord {
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn('text') eventId: string;
  @Column('text', { nullable: true }) gatewayOrderId: string | null;
  @Column('text', { nullable: true }) gatewayRefundId: string | null;
  /** The signed bytes, unchanged. */
  @Column('bytea') body: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) receivedAt: Date;
  /** The time of the check that the event caused. */
  @Column('timestamptz', { nullable: true }) processedAt: Date | null;
}

export const REFUND_STATUSES = ['requested', 'pending', 'processed', 'failed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

/** A refund to the source. The money has left the wallet; a refund that fails brings it back. */
@Entity('gateway_refunds')
@SameKey(() => Payment, ['clientId', 'paymentId'], 'gateway_refunds_payment_fk')
@Index('gateway_refunds_payment', ['paymentId', 'clientId'])
@Index('gateway_refunds_due', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
@Check('gateway_refunds_amount_positive', 'amount > 0')
@Check('gateway_refunds_status_known', `status IN ('requested', 'pending', 'processed', 'failed')`)
export class GatewayRefundRecord {
  @PrimaryColumn('integer') clientId: number;
  /** Also the idempotency key at the gateway. */
  @PrimaryColumn('uuid') refundId: string;
  @Column('uuid') paymentId: string;
  @Column('text') gatewayPaymentId: string;
  /** Null until the gateway has answered. */
  @Column('text', { nullable: true }) gatewayRefundId: string | null;
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
  @Column('text', { default: 'requested' }) status: RefundStatus;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) nextCheckAt: Date | null;
  @Column('integer', { default: 0 }) checks: number;
  @Column('text', { nullable: true }) concern: Concern | null;
  /** Set by a trigger. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false }) concernedAt: Date | null;
}

export type RefundKey = Pick<GatewayRefundRecord, 'clientId' | 'refundId'>;
