import { Check, Column, Entity, PrimaryColumn, Index } from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';

/** The generation of the database. Change versions are comparable only within one generation. */
@Entity('history')
@Check('history_has_one_row', 'only_row')
export class DatabaseGeneration {
  @PrimaryColumn('boolean', { default: true }) onlyRow: boolean;
  @Column('uuid') epoch: string;
  @Column('bigint') tableOid: string;
  /** The system, its timeline and the oid of the database. */
  @Column('text') server: string;
  /** For nodes of 1.0.0, which continue generations. */
  @Column('bigint', { default: 0 }) seenBelow: string;
  /** When a node ran. */
  @Column('timestamptz', { default: () => 'now()' }) provenAt: Date;
  /** Documents wait since then: some may have been issued after the backup. */
  @Column('timestamptz', { nullable: true }) restoredAt: Date | null;
}

/** A generation before a failover. Only nodes of 1.0.0 read it: it goes with the next release. */
@Entity('past_histories')
export class PastGeneration {
  @PrimaryColumn('text') identity: string;
  @Column('uuid') epoch: string;
  @Column('bigint') seenBelow: string;
}

/** The key of a deleted row, so that every node removes the row. */
@Entity('tombstones')
@Index('tombstones_changed', ['changed'])
export class Tombstone {
  @IdColumn('bigint') id: string;
  @Column('text') relation: string;
  @Column('jsonb') key: Record<string, unknown>;
  @Column({ type: 'bigint', insert: false, update: false }) changed: string;
}
