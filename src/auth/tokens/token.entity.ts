import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ChangeStamp } from '../../platform/database/change-stamp.js';
import { Client } from '../clients/client.entity.js';

/** What a token is called that nobody has named. */
export const FIRST_NAME = 'Store';

/** A secret registered to one domain. Only its hash is kept; the prefix is for people to tell tokens apart. */
@Entity('tokens')
@Index('tokens_changed', ['changed'])
@Unique('tokens_hash_unique', ['hash'])
@Index('tokens_client', ['clientId'])
@Unique('tokens_request_once', ['clientId', 'requestKey'])
export class Token {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'tokens_pk',
  })
  id: number;

  @Column('integer', { name: 'client_id' })
  @ForeignKey(() => Client, { name: 'tokens_client_fk' })
  clientId: number;

  @Column('bytea')
  hash: Buffer;

  /** What its owner calls it. */
  @Column('text', { default: FIRST_NAME })
  name: string;

  @Column('text')
  prefix: string;

  @Column('text')
  domain: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** From when on it is refused: another one has taken its place. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt: Date | null;

  /** Of the form by which it was asked for: the same one posted twice makes one token. */
  @Column('text', { name: 'request_key', nullable: true })
  requestKey: string | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @ChangeStamp()
  changed: never;
}
