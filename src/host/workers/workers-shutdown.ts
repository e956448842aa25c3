import type { Settings } from '../../platform/settings/settings.js';
import { say } from '../startup/announce.js';
import type { OpenDatabase } from '../startup/open-database.js';
import type { Workers } from './workers.js';

/** How several processes come to their end together. Whatever hangs, all are gone when the grace period is over. */
export class WorkersShutdown {
  private begun = false;

  constructor(
    private readonly workers: Workers,
    private readonly database: OpenDatabase,
    private readonly settings: Settings,
  ) {}

  get isUnderWay(): boolean {
    return this.begun;
  }

  begin(drainSeconds: number): void {
    this.begun = true;
    say('Stopping: requests in flight are being answered.');
    setTimeout(() => this.cut(), this.settings.shutdownGraceSeconds * 1_000);
    this.workers.once('empty', () => void this.leave());
    this.workers.stop(drainSeconds);
  }

  hurryUp(): void {
    this.workers.tellAll('hurry', true);
  }

  private async leave(): Promise<void> {
    try {
      await this.database.close();
    } catch (error) {
      say(`Stopped, but not in order: ${String(error)}`);
      process.exit(1);
    }
    // Those for whom it was otherwise have said why.
    if (this.workers.allInOrder) say('Stopped.');
    process.exit(this.workers.allInOrder ? 0 : 1);
  }

  private cut(): void {
    this.workers.kill();
    say('Stopped, but the database could not be left in order.');
    process.exit(1);
  }
}
