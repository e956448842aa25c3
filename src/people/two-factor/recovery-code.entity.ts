import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Person } from '../person.entity.js';

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
