import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** An internal note of the wholesaler's people about an order, a return or a client. */
@Entity('notes')
@Index('notes_subject', ['subject', 'id'])
export class Note {
  @IdColumn() id: number;
  /** The subject as in the audit log: `order WO-…`. */
  @Column('text') subject: string;
  @Column('text') text: string;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) writtenAt: Date;
}
