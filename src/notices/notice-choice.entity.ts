import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Person } from '../people/person.entity.js';
import type { NoticeKind } from './rules/kinds.js';

/** The notices that a person has chosen. A person without a row gets the usual ones of its role. */
@Entity('notice_choices')
export class NoticeChoice {
  @PrimaryColumn('integer', { name: 'person_id', primaryKeyConstraintName: 'notice_choices_pk' })
  @ForeignKey(() => Person, { name: 'notice_choices_person_fk' })
  personId: number;

  @Column('text', { array: true })
  kinds: NoticeKind[];

  /** The person is told when the wallet falls below this amount. */
  @Column('numeric', { name: 'low_wallet', precision: 16, scale: 2, nullable: true })
  lowWallet: string | null;
}
