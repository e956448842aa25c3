import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Person } from '../people/person.entity.js';

/** Whose password was right, and who still has to show a code. It is no session: nothing can be seen with it. */
@Entity('second_steps')
@Index('second_steps_person', ['personId'])
export class SecondStep {
  /** Of what the cookie holds. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'second_steps_pk' })
  hash: Buffer;

  @Column('integer', { name: 'person_id' })
  @ForeignKey(() => Person, { name: 'second_steps_person_fk' })
  personId: number;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;
}
