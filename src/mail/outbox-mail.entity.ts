import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A mail on its way, and for a while what became of it. Its text holds the secret of a link, so it is there only as long as somebody may
 * still have to send it.
 */
@Entity('outbox')
@Index('outbox_due', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
@Index('outbox_newest', ['createdAt'])
@Check(
  'outbox_has_one_fate',
  'num_nonnulls(next_try_at, sent_at, given_up_at, withdrawn_at) = 1 AND (body IS NULL) = (next_try_at IS NULL)',
)
export class OutboxMail {
  /** Its Message-ID too, by which a mailbox can tell that it has this one already. */
  @PrimaryColumn('uuid', { name: 'mail_id', primaryKeyConstraintName: 'outbox_pk' })
  mailId: string;

  @Column('text')
  recipient: string;

  @Column('text')
  subject: string;

  @Column('text', { nullable: true })
  body: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** After this it would only confuse: its link has ended. */
  @Column('timestamptz', { name: 'useful_until' })
  usefulUntil: Date;

  @Column('timestamptz', { name: 'next_try_at', nullable: true, default: () => 'now()' })
  nextTryAt: Date | null;

  @Column('integer', { default: 0 })
  tries: number;

  /** Why the last try failed, in words that hold nothing of the mail. */
  @Column('text', { nullable: true })
  fault: string | null;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column('timestamptz', { name: 'given_up_at', nullable: true })
  givenUpAt: Date | null;

  /** What it tells of has ended: its link was used, or another one took its place. */
  @Column('timestamptz', { name: 'withdrawn_at', nullable: true })
  withdrawnAt: Date | null;
}
