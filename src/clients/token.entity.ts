import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  type FindOptionsWhere,
  ForeignKey,
  Index,
  IsNull,
  Raw,
  Unique,
} from 'typeorm';
import type { TokenKind } from '../platform/access/token-kind.js';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';
import { Client } from './client.entity.js';

/** The default name. */
export const FIRST_NAME = 'Store';

/** A secret registered to one domain. Only its hash is stored; people recognise it by its prefix. */
@Entity('tokens')
@Check('tokens_kind_known', `kind IN ('full', 'read_only', 'test')`)
@Index('tokens_changed', ['changed'])
@Unique('tokens_hash_unique', ['hash'])
@Index('tokens_client', ['clientId'])
@Unique('tokens_request_once', ['clientId', 'requestKey'])
export class Token {
  @IdColumn('tokens_pk')
  id: number;

  @Column('integer', { name: 'client_id' })
  @ForeignKey(() => Client, { name: 'tokens_client_fk' })
  clientId: number;

  @Column('text', { default: 'full' })
  kind: TokenKind;

  @Column('bytea')
  hash: Buffer;

  /** The name that its owner chose. */
  @Column('text', { default: FIRST_NAME })
  name: string;

  @Column('text')
  prefix: string;

  @Column('text')
  domain: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The time since when it is refused, because another token replaced it. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt: Date | null;

  /** The key of the form that created it. Posting the form twice creates one token. */
  @Column('text', { name: 'request_key', nullable: true })
  requestKey: string | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @ChangeStamp()
  changed: never;
}

/** The condition for a valid token, by the database's clock. */
export const IS_GOOD: FindOptionsWhere<Token> = {
  revokedAt: IsNull(),
  endsAt: Raw((column) => `(${column} IS NULL OR ${column} > now())`),
};
