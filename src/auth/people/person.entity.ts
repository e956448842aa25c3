import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import type { ClientRole } from './roles.js';

/** Somebody who signs in: for a client, or for the wholesaler if there is none. Nobody is ever deleted, for the audit log names them. */
@Entity('people')
@Index('people_email_unique', ['email'], { unique: true, where: 'released_at IS NULL' })
@Index('people_client', ['clientId'])
@Check('people_email_lower_case', 'email = lower(email)')
@Check(
  'people_role_known',
  `CASE WHEN client_id IS NULL THEN role IN ('admin', 'staff') ELSE role IN ('owner', 'buyer', 'viewer') END`,
)
@Check('people_released_never_came', 'released_at IS NULL OR password_hash IS NULL')
@Check('people_totp_has_secret', 'totp_enabled_at IS NULL OR totp_secret IS NOT NULL')
export class Person {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'people_pk',
  })
  id: number;

  @Column('integer', { name: 'client_id', nullable: true })
  @ForeignKey(() => Client, { name: 'people_client_fk' })
  clientId: number | null;

  /** In lower case: it is what they sign in with. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  role: ClientRole | 'admin' | 'staff';

  /** With the parameters it was made with. Null until one who was invited has chosen a password. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  /** Base 32. As it is, for codes are reckoned from it; of no use without the password. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** Null while a code of the new secret is still to be shown. */
  @Column('timestamptz', { name: 'totp_enabled_at', nullable: true })
  totpEnabledAt: Date | null;

  /** The thirty seconds of the last code that was taken: it and those before it are of no use any more. */
  @Column('bigint', { name: 'totp_last_step', default: 0 })
  totpLastStep: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  /** Since when the address may be another one's: the invitation had ended, and somebody else was invited by it. */
  @Column('timestamptz', { name: 'released_at', nullable: true })
  releasedAt: Date | null;
}
