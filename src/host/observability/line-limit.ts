import type { LogLevel, LogOutput } from './log-output.js';

/** What requests have in common of which only so many are told. */
export interface Line {
  level: LogLevel;
  /** Nobody's, where no good token came with the request. */
  clientId: number | undefined;
  route: string;
  status: number;
  code: string | undefined;
}

interface Count extends Line {
  told: number;
  leftOut: number;
}

const PERIOD_MS = 60_000;

/** Enough to see what is going on, and more than a store that is well makes in a period. */
const LINES = 100;

/**
 * Keeps the log from being filled by whoever asks as often as he may: of the requests of one client to one route that end alike only
 * so many are told in a period, and the others counted. Nobody's noise hides another's.
 */
export class LineLimit {
  private readonly counts = new Map<string, Count>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: Pick<LogOutput, 'write'>) {}

  /** Whether this one is still to be told. */
  admits(line: Line): boolean {
    this.timer ??= setTimeout(() => this.endPeriod(), PERIOD_MS).unref();
    const key = `${line.clientId} ${line.route} ${line.status} ${line.code}`;
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { ...line, told: 0, leftOut: 0 }));
    if (count.told === LINES) count.leftOut++;
    else count.told++;
    return count.leftOut === 0;
  }

  /** Tells how many were not told, and begins anew. */
  endPeriod(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { level, clientId, route, status, code, leftOut } of this.counts.values()) {
      if (leftOut > 0)
        this.output.write(level, 'requests_left_out', {
          client_id: clientId,
          route,
          status,
          code,
          requests: leftOut,
        });
    }
    this.counts.clear();
  }
}
