import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** The rest of a deleted row, so that every node forgets the row. */
@Entity('tombstones')
@Index('tombstones_changed', ['changed'])
export class Tombstone {
  @IdColumn('tombstones_pk', { type: 'bigint' })
  id: string;

  @Column('text')
  relation: string;

  @Column('jsonb')
  key: Record<string, unknown>;

  @CreateDateColumn({ name: 'buried_at', type: 'timestamptz' })
  buriedAt: Date;

  @Column({ type: 'bigint', insert: false, update: false })
  changed: string;
}
