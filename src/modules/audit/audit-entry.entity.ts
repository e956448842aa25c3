import { Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** Details of an action. They contain no secrets, and no customer data. */
export type AuditDetails = Record<string, string | number | boolean | null>;

/** An action with its author, subject, time and address. Entries never change. */
@Entity('audit_log')
@Index('audit_log_client', ['clientId', 'id'])
@Index('audit_log_person', ['personId', 'id'])
@Index('audit_log_time', ['happenedAt'])
// References by name, because the modules of clients and people are above this one.
@ForeignKey('Client', ['clientId'], ['id'], { name: 'audit_log_client_fk' })
@ForeignKey('Person', ['personId'], ['id'], { name: 'audit_log_person_fk' })
export class AuditEntry {
  @IdColumn('bigint') id: string;
  @CreateDateColumn({ type: 'timestamptz' }) happenedAt: Date;
  /** The client of the action; null for the wholesaler. */
  @Column('integer', { nullable: true }) clientId: number | null;
  /** The author, or the person of a sign-in. Null for commands and jobs. */
  @Column('integer', { nullable: true }) personId: number | null;
  @Column('text') actor: string;
  /** Subject and event: `session.ended`. */
  @Column('text') action: string;
  /** Such as `token 12`. */
  @Column('text') subject: string;
  @Column('jsonb', { default: {} }) details: AuditDetails;
  /** The address of the request; null without a request. */
  @Column('text', { nullable: true }) address: string | null;
}
