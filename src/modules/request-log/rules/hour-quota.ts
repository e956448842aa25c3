interface Outcome {
  /** 2 for success, 4 for a refusal, 5 for a failure of ours. */
  statusClass: number;
  route: string;
  /** Empty for a success. */
  code: string;
}

/**
 * The space of one client in the log for one hour and one process: some 300 requests of a status class, more
 * than a healthy store sends. By one process a hostile store fills at most 350 MB in 30 days. Refusals cannot
 * hide failures or successes, and one reason cannot hide the others.
 */
const HOUR_LIMITS = {
  bytesOfOneClass: 163_840,
  /** For requests to one route with the same error code. */
  bytesOfOneReason: 98_304,
};

/** Decides which requests of one client and hour the log keeps. */
export class HourQuota {
  private readonly used = new Map<string, number>();

  constructor(private readonly limits = HOUR_LIMITS) {}

  /** Whether a request of this size fits. */
  hasSpace(outcome: Outcome, bytes = 1): boolean {
    return (
      this.usedBy(classOf(outcome)) + bytes <= this.limits.bytesOfOneClass &&
      (outcome.code === '' || this.usedBy(reasonOf(outcome)) + bytes <= this.limits.bytesOfOneReason)
    );
  }

  /** Takes the space if the request fits. */
  admits(outcome: Outcome, bytes: number): boolean {
    if (!this.hasSpace(outcome, bytes)) return false;
    for (const key of [classOf(outcome), reasonOf(outcome)]) this.used.set(key, this.usedBy(key) + bytes);
    return true;
  }

  private usedBy(key: string): number {
    return this.used.get(key) ?? 0;
  }
}

const classOf = ({ statusClass }: Outcome) => String(statusClass);

const reasonOf = ({ route, code }: Outcome) => `${route} ${code}`;
