import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event of the gateway as it arrived: a proof of what was said, and a reason to ask. */
@Entity('gateway_events')
@Index('gateway_events_waiting', ['provider', 'gatewayOrderId'], { where: 'processed_at IS NULL' })
@Index('gateway_events_received', ['receivedAt'])
export class GatewayEventRecord {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'gateway_events_pk' })
  provider: string;

  @PrimaryColumn('text', { name: 'event_id', primaryKeyConstraintName: 'gateway_events_pk' })
  eventId: string;

  @Column('text', { name: 'gateway_order_id', nullable: true })
  gatewayOrderId: string | null;

  @Column('text', { name: 'gateway_refund_id', nullable: true })
  gatewayRefundId: string | null;

  /** The signed bytes, unchanged. */
  @Column('bytea')
  body: Buffer;

  @CreateDateColumn({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;

  /** When the gateway was asked about it. */
  @Column('timestamptz', { name: 'processed_at', nullable: true })
  processedAt: Date | null;
}
