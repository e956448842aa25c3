import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';

/** How many refusals of a client were kept in an hour, and how many more there were. */
@Entity('refusal_hours')
@Index('refusal_hours_hour', ['hour'])
export class RefusalHour {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'refusal_hours_pk' })
  @ForeignKey(() => Client, { name: 'refusal_hours_client_fk' })
  clientId: number;

  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'refusal_hours_pk' })
  hour: Date;

  @Column('integer', { default: 0 })
  kept: number;

  @Column('integer', { name: 'kept_bytes', default: 0 })
  keptBytes: number;

  @Column('bigint', { name: 'left_out', default: 0 })
  leftOut: string;

  @Column('timestamptz', { name: 'left_out_at', nullable: true })
  leftOutAt: Date | null;
}
