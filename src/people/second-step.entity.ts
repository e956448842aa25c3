import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Person } from './person.entity.js';

/** A sign-in with the right password that still needs a code. It is no session and gives no access. */
@Entity('second_steps')
@Index('second_steps_person', ['personId'])
export class SecondStep {
  /** The hash of the cookie. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'second_steps_pk' })
  hash: Buffer;

  @Column('integer', { name: 'person_id' })
  @ForeignKey(() => Person, { name: 'second_steps_person_fk' })
  personId: number;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;
}

/** Signs in once without the app. Only its hash is stored. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('integer', { name: 'person_id', primaryKeyConstraintName: 'recovery_codes_pk' })
  @ForeignKey(() => Person, { name: 'recovery_codes_person_fk' })
  personId: number;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'recovery_codes_pk' })
  hash: Buffer;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt: Date | null;
}
