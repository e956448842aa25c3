import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SandboxOrder } from './sandbox-order.entity.js';
import type { RefundStatus } from './refund-status.js';

export type PaymentStatus = 'created' | 'captured' | 'failed';

/** An attempt to pay all of an order. What of it went back, its refunds say. */
@Entity('sandbox_payments')
@Index('sandbox_payments_order', ['orderId'])
@Check('sandbox_payments_status_known', `status IN ('created', 'captured', 'failed')`)
@Check('sandbox_payments_refunds_known', `refunds IN ('processed', 'pending', 'failed')`)
export class SandboxPayment {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sandbox_payments_pk' })
  id: string;

  @Column('text', { name: 'order_id' })
  @ForeignKey(() => SandboxOrder, { name: 'sandbox_payments_order_fk' })
  orderId: string;

  @Column('text')
  status: PaymentStatus;

  /** What becomes of a refund of it. */
  @Column('text')
  refunds: RefundStatus;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
