/** What a request came to: it was done, refused by fault of the store, or failed by ours. */
type StatusClass = number;

interface Limits {
  bytes: number;
  /** For those that were refused or failed for one and the same reason. */
  bytesOfOneCode: number;
  /** What nobody else can take from each of the kinds. */
  reservedBytes: Readonly<Record<StatusClass, number>>;
}

interface Outcome {
  statusClass: StatusClass;
  /** Empty where it was done. */
  code: string;
}

/** What is kept of a client's requests in one hour, and so what there is room for. */
export class HourRoom {
  private bytes = 0;
  private readonly byClass = new Map<StatusClass, number>();
  private readonly byCode = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  /** Whether one of so many bytes that ended so finds room. */
  hasRoom({ statusClass, code }: Outcome, bytes = 1): boolean {
    if (this.bytes + bytes > this.limits.bytes - this.reservedFor(statusClass)) return false;
    return code === '' || (this.byCode.get(code) ?? 0) + bytes <= this.limits.bytesOfOneCode;
  }

  /** Takes the room for one, if it is there. */
  admits(outcome: Outcome, bytes: number): boolean {
    if (!this.hasRoom(outcome, bytes)) return false;
    this.take(outcome, bytes);
    return true;
  }

  /** For what is kept already. */
  take({ statusClass, code }: Outcome, bytes: number): void {
    this.bytes += bytes;
    this.byClass.set(statusClass, (this.byClass.get(statusClass) ?? 0) + bytes);
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + bytes);
  }

  /** What all kinds but this one have not taken yet of their own. */
  private reservedFor(asked: StatusClass): number {
    return Object.entries(this.limits.reservedBytes).reduce((sum, [of, reserved]) => {
      const statusClass = Number(of);
      return statusClass === asked ? sum : sum + Math.max(0, reserved - (this.byClass.get(statusClass) ?? 0));
    }, 0);
  }
}
