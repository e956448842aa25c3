import { Check, Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';

/** A change of one or many prices at a time. It closes when nothing more will happen. */
@Entity('price_schedules')
@Index('price_schedules_open', ['fromAt'], { where: 'closed_at IS NULL' })
@Check('price_schedules_ends_after_start', 'to_at > from_at')
export class PriceSchedule {
  @IdColumn('price_schedules_pk')
  id: number;

  @Column('timestamptz', { name: 'from_at' })
  fromAt: Date;

  /** The prices from before return at this time. Null: the new ones stay. */
  @Column('timestamptz', { name: 'to_at', nullable: true })
  toAt: Date | null;

  @Column('text')
  actor: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'withdrawn_at', nullable: true })
  withdrawnAt: Date | null;

  /** Every price is applied. */
  @Column('timestamptz', { name: 'applied_at', nullable: true })
  appliedAt: Date | null;

  @Column('timestamptz', { name: 'closed_at', nullable: true })
  closedAt: Date | null;
}
