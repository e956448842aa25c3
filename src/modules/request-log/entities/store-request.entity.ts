import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { IdColumn } from '../../../platform/database/columns-of.js';
import type { RequestedItem, KeptFault } from '../rules/kept-parts.js';

/** A write of a store, or a request that was refused or failed. Contains no customer data and no token. */
@Entity('store_requests')
@Index('store_requests_client', ['clientId', 'answeredAt', 'id'])
@Index('store_requests_failed', ['clientId', 'answeredAt', 'id'], { where: 'status >= 400' })
@Index('store_requests_request_id', ['clientId', 'requestId'])
@Index('store_requests_time', ['answeredAt'])
export class StoreRequest {
  @IdColumn('bigint') id: string;
  @Column('integer')
  @ForeignKey(() => Client, { name: 'store_requests_client_fk', onDelete: 'CASCADE' })
  clientId: number;
  /** In milliseconds: a cursor names it exactly. */
  @Column({ type: 'timestamptz', precision: 3 }) answeredAt: Date;
  /** As in the answer. Not unique: the store may choose it. */
  @Column('text') requestId: string;
  @Column('integer') tokenId: number;
  /** From `X-Client-Domain`, if it was a domain. */
  @Column('text', { nullable: true }) domain: string | null;
  @Column('text') method: string;
  /** The pattern; `(none)` if nothing is served there. */
  @Column('text') route: string;
  @Column('text') path: string;
  /** Known names only, without values. */
  @Column('text', { array: true }) parameters: string[];
  @Column('smallint') status: number;
  /** The error code; empty for a success. */
  @Column('text') code: string;
  @Column('jsonb') faults: KeptFault[];
  /** The lines of a refused order. */
  @Column('jsonb', { nullable: true }) asked: RequestedItem[] | null;
  @Column('text', { nullable: true }) storeOrderId: string | null;
  /** The new order, or the one that existed already. */
  @Column('text', { nullable: true }) orderNumber: string | null;
  @Column('real') milliseconds: number;
}

/** How many requests of a client had the same outcome in an hour, reads included. */
@Entity('store_request_counts')
@Index('store_request_counts_hour', ['hour'])
export class StoreRequestCount {
  @PrimaryColumn('integer')
  @ForeignKey(() => Client, { name: 'store_request_counts_client_fk', onDelete: 'CASCADE' })
  clientId: number;
  @PrimaryColumn('timestamptz') hour: Date;
  /** HEAD counts as GET. */
  @PrimaryColumn('text') method: string;
  @PrimaryColumn('text') route: string;
  /** 2, 4 or 5; 304 is a success. */
  @PrimaryColumn('smallint') statusClass: number;
  @PrimaryColumn('text') code: string;
  @Column('bigint', { default: 0 }) requests: string;
  @Column('integer', { default: 0 }) kept: number;
  /** Counted, but not kept one by one: the hour was full. */
  @Column('bigint', { default: 0 }) leftOut: string;
}
