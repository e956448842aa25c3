import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The rest of a deleted row, so that every node forgets the row. */
@Entity('tombstones')
@Index('tombstones_changed', ['changed'])
export class Tombstone {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'tombstones_pk',
  })
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
