import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import { TokenUsesRepository } from './token-uses.repository.js';

const INTERVAL_MS = 60_000;

/** Records the last use of each token in memory, and writes all of them once a minute. */
@Injectable()
export class TokenUsesService extends BackgroundJob {
  private used = new Map<number, number>();

  constructor(private readonly stored: TokenUsesRepository) {
    super('token_uses', INTERVAL_MS);
  }

  note(tokenId: number): void {
    this.used.set(tokenId, Date.now());
  }

  /** The last uses, stored or in this node's memory. Unused tokens are missing. */
  async lastUses(tokenIds: number[]): Promise<Map<number, Date>> {
    const uses = await this.stored.find(tokenIds);
    for (const id of tokenIds) {
      const usedAt = new Date(this.used.get(id) ?? 0);
      if (usedAt > (uses.get(id) ?? new Date(0))) uses.set(id, usedAt);
    }
    return uses;
  }

  /** Drops uses that cannot be written: the next minute writes newer ones. */
  async run(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    await this.stored.write(used);
  }

  protected override finish(): Promise<void> {
    return this.run();
  }
}
