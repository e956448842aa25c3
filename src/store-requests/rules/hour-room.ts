interface Limits {
  kept: number;
  keptBytes: number;
  ofOneOutcome: number;
}

/** What is kept of a client's requests in one hour, and so what there is room for. */
export class HourRoom {
  private kept = 0;
  private bytes = 0;
  private readonly byCode = new Map<string, number>();

  constructor(private readonly limits: Limits) {}

  /** Whether a small one that ended so would find room. */
  hasRoom(code: string): boolean {
    const { kept, keptBytes, ofOneOutcome } = this.limits;
    return this.kept < kept && this.bytes < keptBytes && (this.byCode.get(code) ?? 0) < ofOneOutcome;
  }

  /** Takes the room for one, if it is there. */
  admits(code: string, bytes: number): boolean {
    if (!this.hasRoom(code) || this.bytes + bytes > this.limits.keptBytes) return false;
    this.fill(code, 1, bytes);
    return true;
  }

  /** For what is kept already. */
  fill(code: string, kept: number, bytes: number): void {
    this.kept += kept;
    this.bytes += bytes;
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + kept);
  }
}
