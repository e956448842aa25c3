import { Check, Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Person } from '../people/person.entity.js';

/** `invitation`: for who has no password yet. `reset`: for who needs another one. */
export const LINK_KINDS = ['invitation', 'reset'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * What lets a person choose a password, once. A person has one of each kind at most, the newest: another one takes its place, and when it
 * is used it is gone. So a link that is here is good until it ends, and nothing else has to be looked at.
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

  /** Of the secret in it. */
  @Column('bytea')
  hash: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  /** By which it was sent, if it was; forgotten there before long. */
  @Column('uuid', { name: 'mail_id', nullable: true })
  mailId: string | null;
}
