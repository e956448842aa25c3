import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ChangeStamp } from '../../platform/database/change-stamp.js';
import { Client } from '../clients/client.entity.js';

/** A secret registered to one domain. Only its hash is kept; the prefix is for people to tell tokens apart. */
@Entity('tokens')
@Index('tokens_changed', ['changed'])
@Unique('tokens_hash_unique', ['hash'])
@Index('tokens_client', ['clientId'])
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

  @Column('text')
  prefix: string;

  @Column('text')
  domain: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @ChangeStamp()
  changed: never;
}
