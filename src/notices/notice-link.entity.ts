import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Person } from '../people/person.entity.js';
import type { NoticeKind } from './rules/kinds.js';

/** The link in a mail that switches its kind of notice off. Only a hash of its secret is stored. */
@Entity('notice_links')
@Index('notice_links_made', ['createdAt'])
export class NoticeLink {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'notice_links_pk' })
  hash: Buffer;

  @Column('integer', { name: 'person_id' })
  @ForeignKey(() => Person, { name: 'notice_links_person_fk' })
  personId: number;

  @Column('text')
  kind: NoticeKind;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
