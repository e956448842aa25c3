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

  /** The system and its timeline. */
  @Column('text')
  server: string;

  /** The transactions with lower ids had ended when a node wrote this. */
  @Column('bigint', { name: 'seen_below', default: 0 })
  seenBelow: string;
}
