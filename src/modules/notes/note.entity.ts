import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** What the wholesaler's people tell each other about an order, a return or a client. */
@Entity('notes')
@Index('notes_subject', ['subject', 'id'])
export class Note {
  @IdColumn()
  id: number;

  /** As in the audit log: `order WO-…`. */
  @Column('text')
  subject: string;

  @Column('text')
  text: string;

  @Column('text')
  actor: string;

  @CreateDateColumn({ type: 'timestamptz' })
  writtenAt: Date;
}
