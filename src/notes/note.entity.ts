import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';

/** What the wholesaler's people tell each other about an order, a return or a client. */
@Entity('notes')
@Index('notes_subject', ['subject', 'id'])
export class Note {
  @IdColumn('notes_pk')
  id: number;

  /** As in the audit log: `order WO-…`. */
  @Column('text')
  subject: string;

  @Column('text')
  text: string;

  @Column('text')
  actor: string;

  @CreateDateColumn({ name: 'written_at', type: 'timestamptz' })
  writtenAt: Date;
}
