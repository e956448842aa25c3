import { Check, Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Person } from '../person.entity.js';

/** `invitation`: to choose the first password. `reset`: to choose a new one. */
const LINK_KINDS = ['invitation', 'reset'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * Lets a person choose a password once. A person has one link per kind; a new one replaces it, and using it
 * deletes it. So an existing link is valid until it ends.
 */
@Entity('person_links')
@Unique('person_links_hash_unique', ['hash'])
@Check('person_links_kind_known', `kind IN ('invitation', 'reset')`)
export class PersonLink {
  @PrimaryColumn('integer', { name: 'person_id', primaryKeyConstraintName: 'person_links_pk' })
  @ForeignKey(() => Person, { name: 'person_links_person_fk' })
  personId: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'person_links_pk' })
  kind: LinkKind;

  /** The hash of its secret. */
  @Column('bytea')
  hash: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  /** The mail that it was sent with, if any. The outbox deletes mails after a while. */
  @Column('uuid', { name: 'mail_id', nullable: true })
  mailId: string | null;
}
