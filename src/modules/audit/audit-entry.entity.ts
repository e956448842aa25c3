import { Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** What an action was about, beyond its subject. No secrets, and nothing of customers. */
export type AuditDetails = Record<string, string | number | boolean | null>;

/** Who did what to what, when, and from where. Written once, never changed. */
@Entity('audit_log')
@Index('audit_log_client', ['clientId', 'id'])
@Index('audit_log_person', ['personId', 'id'])
@Index('audit_log_time', ['happenedAt'])
// By their names: clients and people stand above the log.
@ForeignKey('Client', ['clientId'], ['id'], { name: 'audit_log_client_fk' })
@ForeignKey('Person', ['personId'], ['id'], { name: 'audit_log_person_fk' })
export class AuditEntry {
  @IdColumn('bigint')
  id: string;

  @CreateDateColumn({ type: 'timestamptz' })
  happenedAt: Date;

  /** Whose matter it is; null: the wholesaler's. */
  @Column('integer', { nullable: true })
  clientId: number | null;

  /** The person who did it, or whose sign-in the entry is about. Null for commands and jobs. */
  @Column('integer', { nullable: true })
  personId: number | null;

  @Column('text')
  actor: string;

  /** Of what, and what: `session.ended`. */
  @Column('text')
  action: string;

  /** Such as `token 12`. */
  @Column('text')
  subject: string;

  @Column('jsonb', { default: {} })
  details: AuditDetails;

  /** Where the request came from; null where there was none. */
  @Column('text', { nullable: true })
  address: string | null;
}
