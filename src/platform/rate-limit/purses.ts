import type { PrimaryLine } from '../workers/primary-line.js';
import type { Lent, Spent } from '../workers/worker-messages.js';
import { Purse } from './purse.js';

/** How old at most is what a worker knows of what others spend. */
const REFRESH_MS = 1_000;

/** What nobody spends for so long is given back. */
const IDLE_MS = 10_000;

/**
 * The purses of a worker, and what it tells the first process of them. Without that process the worker is about to end: whom it still serves nobody
 * counts any more.
 */
export class Purses {
  /** Those that may hold something. */
  private readonly open = new Map<number, Purse>();
  /** What is told together. */
  private batch: Spent[] | undefined;
  private isAlone = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly perMinute: number,
    private readonly line: PrimaryLine,
  ) {
    line.on('lend', (all) => this.receive(all));
    line.on('closed', () => {
      this.isAlone = true;
      for (const purse of this.open.values()) purse.becomeBottomless();
    });
  }

  of(clientId: number, now: number): Purse {
    const purse: Purse = new Purse(clientId, this.perMinute, now, (spent) => this.tell(purse, spent));
    return purse;
  }

  private tell(purse: Purse, spent: Spent): void {
    if (this.isAlone) return purse.becomeBottomless();
    this.open.set(spent[0], purse);
    this.timer ??= setInterval(() => this.refresh(), REFRESH_MS).unref();
    if (this.batch) this.batch.push(spent);
    else this.line.tell('spent', [spent]);
  }

  private receive(all: readonly Lent[]): void {
    const now = performance.now();
    for (const [clientId, wanted, granted, left] of all)
      this.open.get(clientId)?.receive(wanted, granted, left, now);
  }

  private refresh(): void {
    const idleSince = performance.now() - IDLE_MS;
    this.batch = [];
    for (const [clientId, purse] of this.open) {
      if (!purse.isIdleSince(idleSince)) {
        purse.refresh();
      } else {
        purse.returnAll();
        this.open.delete(clientId);
      }
    }
    if (this.batch.length > 0) this.line.tell('spent', this.batch);
    this.batch = undefined;
  }
}
