import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { BackgroundJob } from '../../platform/background/background-job.js';
import { Database } from '../../platform/database/database.js';
import { TokenUse } from '../../clients/token-use.entity.js';

const INTERVAL_MS = 60_000;

/** SQL, because one statement writes all uses, skips deleted tokens and keeps the later time of two nodes. */
const FLUSH = {
  name: 'token-uses-flush',
  text: `
    INSERT INTO token_uses (token_id, last_used_at)
    SELECT token_id, to_timestamp(used_at / 1000.0)
      FROM unnest($1::int[], $2::float8[]) AS used (token_id, used_at)
      JOIN tokens ON tokens.id = token_id
     ORDER BY token_id
    ON CONFLICT (token_id) DO UPDATE
      SET last_used_at = greatest(token_uses.last_used_at, excluded.last_used_at)`,
};

/** Notes the last use of each token in memory, and writes all once a minute. */
@Injectable()
export class TokenUsesService extends BackgroundJob {
  private used = new Map<number, number>();

  constructor(
    private readonly database: Database,
    @InjectRepository(TokenUse) private readonly stored: Repository<TokenUse>,
  ) {
    super('token_uses', INTERVAL_MS);
  }

  note(tokenId: number): void {
    this.used.set(tokenId, Date.now());
  }

  /** The last uses, written or noted on this node. A token that was never used is missing. */
  async lastUses(tokenIds: number[]): Promise<Map<number, Date>> {
    const stored = await this.stored.findBy({ tokenId: In(tokenIds) });
    const uses = new Map(stored.map(({ tokenId, lastUsedAt }) => [tokenId, lastUsedAt]));
    for (const id of tokenIds) {
      const usedAt = new Date(this.used.get(id) ?? 0);
      if (usedAt > (uses.get(id) ?? new Date(0))) uses.set(id, usedAt);
    }
    return uses;
  }

  /** Uses that cannot be written are dropped: the next minute writes newer ones. */
  async run(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    await this.database.query(FLUSH, [[...used.keys()], [...used.values()]]);
  }

  protected override finish(): Promise<void> {
    return this.run();
  }
}
