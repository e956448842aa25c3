import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often it was tried to sign in within a while, by an account, from an address, or both. All nodes count here. */
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
