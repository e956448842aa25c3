import { Column, Entity, ForeignKey, PrimaryColumn, CreateDateColumn, Index } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import type { Month } from '../../platform/time/time.js';
import { Person } from '../people/person.entity.js';
import type { NoticeKind } from './rules/kinds.js';

/** The notices that a person has chosen. A person without a row gets the defaults of the role. */
@Entity('notice_choices')
export class NoticeChoice {
  @PrimaryColumn('integer') @ForeignKey(() => Person, { name: 'notice_choices_person_fk' }) personId: number;
  @Column('text', { array: true }) kinds: NoticeKind[];
  /** The threshold of the notice of a low wallet. */
  @Column('numeric', { precision: 16, scale: 2, nullable: true }) lowWallet: string | null;
}

/** The link in a mail that switches its kind of notice off. Only a hash of its secret is stored. */
@Entity('notice_links')
@Index('notice_links_made', ['createdAt'])
export class NoticeLink {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('integer') @ForeignKey(() => Person, { name: 'notice_links_person_fk' }) personId: number;
  @Column('text') kind: NoticeKind;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}

/** The last failure of a background job that was reported. */
@Entity('job_failures')
export class JobFailure {
  @PrimaryColumn('text') job: string;
  @Column('timestamptz') failedAt: Date;
}

/** The time up to which notices of a kind were sent. A node locks the row while it sends the next ones. */
@Entity('notice_marks')
export class NoticeMark {
  @PrimaryColumn('text') kind: NoticeKind;
  @Column('timestamptz') toldUntil: Date;
}

/** The statement of a month that is mailed to a client: once. */
@Entity('statement_mails')
@Index('statement_mails_requested', ['requestedAt'])
export class StatementMail {
  @PrimaryColumn('integer') @ForeignKey(() => Client, { name: 'statement_mails_client_fk' }) clientId: number;
  @PrimaryColumn('text') month: Month;
  @CreateDateColumn({ type: 'timestamptz' }) requestedAt: Date;
}
