import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';
import type { ChangedSubject } from './changed-subjects.js';

/** A trigger writes it. Rows never change. */
@Entity('changes')
@Index('changes_time', ['changedAt'])
@Index('changes_name', ['name', 'id'])
export class Change {
  @IdColumn('changes_pk', { type: 'bigint' })
  id: string;

  @CreateDateColumn({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;

  @Column('text')
  actor: string;

  @Column('text')
  subject: ChangedSubject;

  @Column('text')
  name: string;

  /** Null for a new subject. `after` is null for a deleted one. */
  @Column('jsonb', { nullable: true })
  before: Record<string, string | number> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, string | number> | null;
}
