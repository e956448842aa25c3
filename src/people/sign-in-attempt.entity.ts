import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Counts sign-in attempts per account, per address, or both, for all nodes. */
@Entity('sign_in_attempts')
@Index('sign_in_attempts_end', ['windowEndsAt'])
export class SignInAttempt {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sign_in_attempts_pk' })
  key: string;

  @Column('integer')
  attempts: number;

  @Column('timestamptz', { name: 'window_ends_at' })
  windowEndsAt: Date;
}
