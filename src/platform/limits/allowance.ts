import { MINUTE_MS } from '../time/time.js';

/**
 * The units that a client may still spend: a bucket that holds a minute's worth and fills evenly. A request
 * may cost more than is left; later requests wait until the debt is paid.
 */
export class Allowance {
  private left: number;

  constructor(
    readonly perMinute: number,
    private countedAt: number,
  ) {
    this.left = perMinute;
  }

  /** Takes one unit; false if none is left. A refused request costs nothing. */
  take(now: number): boolean {
    this.fill(now);
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  /** For a request that was already accepted. */
  charge(units: number): void {
    this.left -= units;
  }

  giveBack(): void {
    this.left = Math.min(this.perMinute, this.left + 1);
  }

  /** A full allowance equals a new one. */
  isFull(now: number): boolean {
    this.fill(now);
    return this.left === this.perMinute;
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

  private fill(now: number): void {
    this.left = Math.min(this.perMinute, this.left + ((now - this.countedAt) / MINUTE_MS) * this.perMinute);
    this.countedAt = now;
  }
}
