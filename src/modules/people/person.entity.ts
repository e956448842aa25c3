import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import type { Role } from '../../platform/access/signed-in-person.js';
import { IdColumn } from '../../platform/database/columns-of.js';

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
  @IdColumn() id: number;
  @Column('integer', { nullable: true })
  @ForeignKey(() => Client, { name: 'people_client_fk' })
  clientId: number | null;
  @Column('text') email: string;
  @Column('text') name: string;
  @Column('text') role: Role;
  /** The hash with its parameters. Null until an invited person has chosen a password. */
  @Column('text', { nullable: true }) passwordHash: string | null;
  /** Base 32, in plain form, because codes are computed from it. Useless without the password. */
  @Column('text', { nullable: true }) totpSecret: string | null;
  /** Null until a code of the new secret was confirmed. */
  @Column('timestamptz', { nullable: true }) totpEnabledAt: Date | null;
  /** The period of the last accepted code. Codes up to it are refused. */
  @Column('bigint', { default: 0 }) totpLastStep: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
  /** The time when the address became free for another person, because the invitation expired. */
  @Column('timestamptz', { nullable: true }) releasedAt: Date | null;
}

/** `invitation`: to choose the first password. `reset`: to choose a new one. */
const LINK_KINDS = ['invitation', 'reset'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * Lets a person choose a password once. A person has one link per kind. A new link replaces it, and using it
 * deletes it. So an existing link is valid until it expires.
 */
@Entity('person_links')
@Unique('person_links_hash_unique', ['hash'])
@Check('person_links_kind_known', `kind IN ('invitation', 'reset')`)
export class PersonLink {
  @PrimaryColumn('integer') @ForeignKey(() => Person, { name: 'person_links_person_fk' }) personId: number;
  @PrimaryColumn('text') kind: LinkKind;
  /** The hash of its secret. */
  @Column('bytea') hash: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz') endsAt: Date;
  /** The mail with the link, if any. The outbox deletes mails after a while. */
  @Column('uuid', { nullable: true }) mailId: string | null;
}

/** One browser in which a person is signed in. Only the hash of its cookie is stored. */
@Entity('sessions')
@Unique('sessions_hash_unique', ['hash'])
@Index('sessions_person', ['personId'])
export class Session {
  @IdColumn() id: number;
  @Column('integer') @ForeignKey(() => Person, { name: 'sessions_person_fk' }) personId: number;
  @Column('bytea') hash: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  /** The time of the last request, to the minute. */
  @Column('timestamptz', { default: () => 'now()' }) lastSeenAt: Date;
  /** The absolute end. An idle session ends earlier. */
  @Column('timestamptz') endsAt: Date;
  /** Set if the session was ended early. */
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** The time when this browser passed the second step. */
  @Column('timestamptz', { nullable: true }) secondStepAt: Date | null;
  /** The client whose pages a person of the wholesaler may read, until `seesUntil`. */
  @Column('integer', { nullable: true })
  @ForeignKey(() => Client, { name: 'sessions_seen_client_fk' })
  seenClientId: number | null;
  @Column('timestamptz', { nullable: true }) seesUntil: Date | null;
  /** The browser and the address at sign-in. */
  @Column('text') address: string;
  @Column('text') userAgent: string;
}

/** A sign-in with the right password that still needs a code. It gives no access. */
@Entity('second_steps')
@Index('second_steps_person', ['personId'])
export class SecondStep {
  /** The hash of the cookie. */
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('integer') @ForeignKey(() => Person, { name: 'second_steps_person_fk' }) personId: number;
  @Column('timestamptz') endsAt: Date;
}

/** Signs in once without the app. Only its hash is stored. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('integer') @ForeignKey(() => Person, { name: 'recovery_codes_person_fk' }) personId: number;
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}

/** Counts sign-in attempts per account, per address, or both, for all nodes. */
@Entity('sign_in_attempts')
@Index('sign_in_attempts_end', ['windowEndsAt'])
export class SignInAttempt {
  @PrimaryColumn('text') key: string;
  @Column('integer') attempts: number;
  @Column('timestamptz') windowEndsAt: Date;
}

/** The address of the first admin until the link is used. No mail can reach it. */
export const FIRST_ADMIN = 'first-admin@desk.invalid';
