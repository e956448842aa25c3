import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from '../../clients/client.entity.js';

/** Each column needs a copy: TypeORM changes the object. */
const KEY = { primaryKeyConstraintName: 'store_request_counts_pk' };

/** How many requests of a client had the same outcome in an hour, reads included. */
@Entity('store_request_counts')
@Index('store_request_counts_hour', ['hour'])
export class StoreRequestCount {
  @PrimaryColumn('integer', { name: 'client_id', ...KEY })
  @ForeignKey(() => Client, { name: 'store_request_counts_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  @PrimaryColumn('timestamptz', { ...KEY })
  hour: Date;

  /** HEAD counts as GET. */
  @PrimaryColumn('text', { ...KEY })
  method: string;

  @PrimaryColumn('text', { ...KEY })
  route: string;

  /** 2, 4 or 5; 304 is a success. */
  @PrimaryColumn('smallint', { name: 'status_class', ...KEY })
  statusClass: number;

  @PrimaryColumn('text', { ...KEY })
  code: string;

  @Column('bigint', { default: 0 })
  requests: string;

  @Column('integer', { default: 0 })
  kept: number;

  @Column('integer', { name: 'kept_bytes', default: 0 })
  keptBytes: number;

  /** Counted, but not kept one by one: the hour was full. */
  @Column('bigint', { name: 'left_out', default: 0 })
  leftOut: string;
}
