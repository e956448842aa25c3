import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The identity of this history of the database. Stamps are comparable only within one. */
@Entity('history')
@Check('history_has_one_row', 'only_row')
export class History {
  @PrimaryColumn('boolean', { name: 'only_row', default: true, primaryKeyConstraintName: 'history_pk' })
  onlyRow: boolean;

  @Column('uuid')
  epoch: string;

  @Column('bigint', { name: 'table_oid' })
  tableOid: string;
}
