import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { RefundStatus } from './refund-status.js';
import { SandboxPayment } from './sandbox-payment.entity.js';

@Entity('sandbox_refunds')
@Index('sandbox_refunds_payment', ['paymentId'])
@Unique('sandbox_refunds_key_unique', ['idempotencyKey'])
@Check('sandbox_refunds_amount_positive', 'amount > 0')
@Check('sandbox_refunds_status_known', `status IN ('processed', 'pending', 'failed')`)
export class SandboxRefund {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sandbox_refunds_pk' })
  id: string;

  @Column('text', { name: 'payment_id' })
  @ForeignKey(() => SandboxPayment, { name: 'sandbox_refunds_payment_fk' })
  paymentId: string;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;

  @Column('text')
  status: RefundStatus;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
