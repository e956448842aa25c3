import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';
import { Client } from '../clients/client.entity.js';
import type { Role } from '../platform/access/signed-in-person.js';

/**
 * A person who signs in: for a client, or for the wholesaler without one. People are never deleted, because
 * the audit log names them.
 */
@Entity('people')
@Index('people_email_unique', ['email'], { unique: true, where: 'released_at IS NULL' })
@Index('people_client', ['clientId'])
@Check('people_email_lower_case', 'email = lower(email)')
@Check(
  'people_role_known',
  `CASE WHEN client_id IS NULL THEN role IN ('admin', 'staff', 'packer')
     ELSE role IN ('owner', 'buyer', 'viewer') END`,
)
@Check('people_released_never_came', 'released_at IS NULL OR password_hash IS NULL')
@Check('people_totp_has_secret', 'totp_enabled_at IS NULL OR totp_secret IS NOT NULL')
export class Person {
  @IdColumn('people_pk')
  id: number;

  @Column('integer', { name: 'client_id', nullable: true })
  @ForeignKey(() => Client, { name: 'people_client_fk' })
  clientId: number | null;

  /** The address to sign in with, in lower case. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  role: Role;

  /** The hash with its parameters. Null until an invited person has chosen a password. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  /** Base 32, in plain form, because codes are computed from it. Useless without the password. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** Null until a code of the new secret was confirmed. */
  @Column('timestamptz', { name: 'totp_enabled_at', nullable: true })
  totpEnabledAt: Date | null;

  /** The period of the last accepted code. Codes up to it are refused. */
  @Column('bigint', { name: 'totp_last_step', default: 0 })
  totpLastStep: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  /** The time since when the address is free for another person, because the invitation expired. */
  @Column('timestamptz', { name: 'released_at', nullable: true })
  releasedAt: Date | null;
}
