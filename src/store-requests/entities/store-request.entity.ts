import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import type { KeptFault } from '../rules/kept-faults.js';

/** A write of a store's, or a request of it that was refused or failed. Of customers it holds nothing, and no token. */
@Entity('store_requests')
@Index('store_requests_client', ['clientId', 'answeredAt', 'id'])
@Index('store_requests_failed', ['clientId', 'answeredAt', 'id'], { where: 'status >= 400' })
@Index('store_requests_request_id', ['clientId', 'requestId'])
@Index('store_requests_time', ['answeredAt'])
export class StoreRequest {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'store_requests_pk',
  })
  id: string;

  @Column('integer', { name: 'client_id' })
  @ForeignKey(() => Client, { name: 'store_requests_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  /** To the millisecond: a cursor has to name it exactly. */
  @Column({ type: 'timestamptz', name: 'answered_at', precision: 3 })
  answeredAt: Date;

  /** As its answer told it. Whoever sends requests may choose it, so that several may have the same. */
  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('integer', { name: 'token_id' })
  tokenId: number;

  /** What `X-Client-Domain` named, if it was a domain. */
  @Column('text', { nullable: true })
  domain: string | null;

  @Column('text')
  method: string;

  /** The pattern; `(none)` where nothing is served. */
  @Column('text')
  route: string;

  @Column('text')
  path: string;

  /** Names without values, and only those that are known. */
  @Column('text', { array: true })
  parameters: string[];

  @Column('smallint')
  status: number;

  /** Why it was refused, or failed; empty where it was done. */
  @Column('text')
  code: string;

  @Column('jsonb')
  faults: KeptFault[];

  @Column('text', { name: 'store_order_id', nullable: true })
  storeOrderId: string | null;

  /** Of the order that it made, or found made already. */
  @Column('text', { name: 'order_number', nullable: true })
  orderNumber: string | null;

  @Column('real')
  milliseconds: number;
}
