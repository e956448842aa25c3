import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { TokenUse } from '../../clients/client.entity.js';
import { Database } from '../../../platform/database/database.js';

/**
 * SQL, because one statement writes all uses, skips deleted tokens and keeps the later time of two nodes. It
 * limits times of wrong clocks to the present.
 */
const FLUSH = {
  name: 'token-uses-flush',
  text: `
    INSERT INTO token_uses (token_id, last_used_at)
    SELECT token_id, least(to_timestamp(used_at / 1000.0), now())
      FROM unnest($1::int[], $2::float8[]) AS used (token_id, used_at)
      JOIN tokens ON tokens.id = token_id
     ORDER BY token_id
    ON CONFLICT (token_id) DO UPDATE
      SET last_used_at = greatest(token_uses.last_used_at, excluded.last_used_at)`,
};

@Injectable()
export class TokenUsesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(TokenUse) private readonly uses: Repository<TokenUse>,
  ) {}

  async find(tokenIds: number[]): Promise<Map<number, Date>> {
    const rows = await this.uses.findBy({ tokenId: In(tokenIds) });
    return new Map(rows.map(({ tokenId, lastUsedAt }) => [tokenId, lastUsedAt]));
  }

  /** Times in milliseconds since 1970. */
  async write(used: ReadonlyMap<number, number>): Promise<void> {
    await this.database.query(FLUSH, [[...used.keys()], [...used.values()]]);
  }
}
