import type { LogLevel, LogOutput } from './log-output.js';

export interface Refusal {
  level: LogLevel;
  /** Nobody's, where no good token came with the request. */
  clientId: number | undefined;
  status: number;
  code: string | undefined;
}

interface Count extends Refusal {
  told: number;
  leftOut: number;
}

const PERIOD_MS = 60_000;

/** Enough to see what is going on, and more than a store that is well makes in a period. */
const LINES = 100;

/**
 * Keeps the log from being filled by whoever is refused as often as he likes: of the refusals of one client by one code only so
 * many are told in a period, and the others counted. Nobody's noise hides another's.
 */
export class RefusalLimit {
  private readonly counts = new Map<string, Count>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: Pick<LogOutput, 'write'>) {}

  /** Whether this one is still to be told. */
  admits(refusal: Refusal): boolean {
    this.timer ??= setTimeout(() => this.endPeriod(), PERIOD_MS).unref();
    const key = `${refusal.clientId} ${refusal.status} ${refusal.code}`;
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { ...refusal, told: 0, leftOut: 0 }));
    if (count.told === LINES) count.leftOut++;
    else count.told++;
    return count.leftOut === 0;
  }

  /** Tells how many were not told, and begins anew. */
  endPeriod(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { level, clientId, status, code, leftOut } of this.counts.values()) {
      if (leftOut > 0)
        this.output.write(level, 'requests_left_out', {
          client_id: clientId,
          status,
          code,
          requests: leftOut,
        });
    }
    this.counts.clear();
  }
}
