import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Token } from './token.entity.js';

/** The last use of a token, in a row of its own, so that a use does not change the token's stamp. */
@Entity('token_uses')
export class TokenUse {
  @PrimaryColumn('integer', { name: 'token_id', primaryKeyConstraintName: 'token_uses_pk' })
  @ForeignKey(() => Token, { name: 'token_uses_token_fk', onDelete: 'CASCADE' })
  tokenId: number;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt: Date;
}
