import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ChangedSubject } from './changed-subject.js';

/** One change of a price, a plan or a subscription. A trigger writes it, once. */
@Entity('changes')
@Index('changes_time', ['changedAt'])
export class Change {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'changes_pk',
  })
  id: string;

  @CreateDateColumn({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;

  @Column('text')
  actor: string;

  @Column('text')
  subject: ChangedSubject;

  @Column('text')
  name: string;

  /** Nothing of what was not there before, and of what is not there any more. */
  @Column('jsonb', { nullable: true })
  before: Record<string, string | number> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, string | number> | null;
}
