import type { Limit } from './limit.js';

const MINUTE_MS = 60_000;

/**
 * What a client may still spend, in units of work: a bucket that holds a minute's worth and fills up evenly. What turns out to cost more
 * than was left is owed: the requests after it wait until that is made good.
 */
export class Allowance implements Limit {
  private left: number;
  private lentOut = 0;

  constructor(
    readonly perMinute: number,
    private countedAt: number,
  ) {
    this.left = perMinute;
  }

  /** Says whether there was one left. A request that is refused costs nothing. */
  take(now: number): boolean {
    this.fill(now);
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  /** For what was granted already. */
  charge(units: number): void {
    this.left -= units;
  }

  giveBack(): void {
    this.left = Math.min(this.perMinute, this.left + 1);
  }

  /** Gives whole units away to be spent elsewhere, as many as are wanted or there are. Says how many. */
  lend(now: number, wanted: number): number {
    this.fill(now);
    const units = Math.max(0, Math.min(wanted, Math.floor(this.left)));
    this.left -= units;
    return units;
  }

  /** So much of what was lent is neither spent nor come back. It fills up no further meanwhile than to what is missing from the brim. */
  set lent(units: number) {
    this.lentOut = units;
    this.left = Math.min(this.brim, this.left);
  }

  /** What was lent and not spent. */
  takeBack(units: number): void {
    this.left += units;
  }

  /** Says whether it is as good as new. */
  isFull(now: number): boolean {
    this.fill(now);
    return this.left === this.perMinute;
  }

  /** To the last fraction; below 0 it is owed. */
  get units(): number {
    return this.left;
  }

  /** Whole units. */
  get remaining(): number {
    return Math.max(0, Math.floor(this.left));
  }

  get secondsUntilFull(): number {
    return Math.ceil(((this.perMinute - this.left) / this.perMinute) * 60);
  }

  get secondsUntilNext(): number {
    return Math.max(1, Math.ceil(((1 - this.left) / this.perMinute) * 60));
  }

  private get brim(): number {
    return this.perMinute - this.lentOut;
  }

  private fill(now: number): void {
    this.left = Math.min(this.brim, this.left + ((now - this.countedAt) / MINUTE_MS) * this.perMinute);
    this.countedAt = now;
  }
}
