import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A history before a failover or a recovery. What a store knew of it from `seenBelow` on may be lost. */
@Entity('past_histories')
export class PastHistory {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'past_histories_pk' })
  identity: string;

  /** The history that continues it. */
  @Column('uuid')
  epoch: string;

  @Column('bigint', { name: 'seen_below' })
  seenBelow: string;
}
