/** 2 for success, 4 for a refusal, 5 for a failure of ours. */
type StatusClass = number;

interface Limits {
  bytes: number;
  /** For requests to one route with the same error code. */
  bytesOfOneReason: number;
  /** Space of each status class that the other classes cannot use. */
  reservedBytes: Readonly<Record<StatusClass, number>>;
}

interface Outcome {
  statusClass: StatusClass;
  route: string;
  /** Empty for a success. */
  code: string;
}

/**
 * The quota of one client in the log for one hour: some 500 requests, more than a healthy store sends. A
 * hostile store fills at most 190 MB in 30 days. One reason cannot hide other reasons, and one status class
 * cannot hide another.
 */
export const HOUR_LIMITS: Limits = {
  bytes: 262_144,
  bytesOfOneReason: 98_304,
  reservedBytes: { 2: 65_536, 4: 65_536, 5: 32_768 },
};

/** Decides which requests of one client and hour the log keeps. */
export class HourQuota {
  private bytes = 0;
  private readonly byClass = new Map<StatusClass, number>();
  private readonly byReason = new Map<string, number>();

  constructor(private readonly limits = HOUR_LIMITS) {}

  /** Whether a request of this size fits. */
  hasSpace(outcome: Outcome, bytes = 1): boolean {
    if (this.bytes + bytes > this.limits.bytes - this.reservedFor(outcome.statusClass)) return false;
    return (
      outcome.code === '' ||
      (this.byReason.get(reasonOf(outcome)) ?? 0) + bytes <= this.limits.bytesOfOneReason
    );
  }

  /** Takes the space if the request fits. */
  admits(outcome: Outcome, bytes: number): boolean {
    if (!this.hasSpace(outcome, bytes)) return false;
    this.take(outcome, bytes);
    return true;
  }

  /** For requests that are already kept. */
  take(outcome: Outcome, bytes: number): void {
    const { statusClass } = outcome;
    this.bytes += bytes;
    this.byClass.set(statusClass, (this.byClass.get(statusClass) ?? 0) + bytes);
    this.byReason.set(reasonOf(outcome), (this.byReason.get(reasonOf(outcome)) ?? 0) + bytes);
  }

  /** Reserved space that the other classes have not used yet. */
  private reservedFor(requested: StatusClass): number {
    return Object.entries(this.limits.reservedBytes).reduce((sum, [of, reserved]) => {
      const statusClass = Number(of);
      return statusClass === requested
        ? sum
        : sum + Math.max(0, reserved - (this.byClass.get(statusClass) ?? 0));
    }, 0);
  }
}

function reasonOf({ route, code }: Outcome): string {
  return `${route} ${code}`;
}
