import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A mail to send, or its result. The text holds the secret of a link. It is deleted when the mail needs no
 * more tries.
 */
@Entity('outbox')
@Index('outbox_due', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
@Index('outbox_newest', ['createdAt'])
@Check(
  'outbox_has_one_fate',
  'num_nonnulls(next_try_at, sent_at, given_up_at, withdrawn_at) = 1 ' +
    'AND (body IS NULL) = (next_try_at IS NULL)',
)
export class OutboxMail {
  /** Also the Message-ID, by which a mailbox recognises a repeat. */
  @PrimaryColumn('uuid') mailId: string;
  @Column('text') recipient: string;
  @Column('text') subject: string;
  @Column('text', { nullable: true }) body: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  /** The time until which the mail is sent. Its link expires then. */
  @Column('timestamptz') usefulUntil: Date;
  @Column('timestamptz', { nullable: true, default: () => 'now()' }) nextTryAt: Date | null;
  @Column('integer', { default: 0 }) tries: number;
  /** The error of the last try, without any part of the mail. */
  @Column('text', { nullable: true }) fault: string | null;
  @Column('timestamptz', { nullable: true }) sentAt: Date | null;
  @Column('timestamptz', { nullable: true }) givenUpAt: Date | null;
  /** The link was used or replaced. */
  @Column('timestamptz', { nullable: true }) withdrawnAt: Date | null;
}
