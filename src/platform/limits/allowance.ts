import { MINUTE_MS } from '../time/time.js';

/** Orders and quotes have an allowance of their own, so that reads and PDFs cannot use it up. */
export type Share = 'ordering' | 'other';

/** A request may cost more than a minute's worth; this bounds how long its account waits. */
export const MAX_DEBT_MINUTES = 5;

/**
 * The units that an account may still spend: a bucket that holds a minute's worth and fills evenly. A request
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
  charge(units: number, now: number): void {
    this.fill(now);
    this.left = Math.max(this.left - units, -MAX_DEBT_MINUTES * this.perMinute);
  }

  giveBack(): void {
    this.left = Math.min(this.perMinute, this.left + 1);
  }

  hasDebt(now: number): boolean {
    this.fill(now);
    return this.left < 0;
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

/** The allowances of one kind of account. Full ones are forgotten. */
export class Allowances<Key> {
  private readonly byKey = new Map<Key, Allowance>();
  private sweptAt = 0;

  constructor(private readonly perMinute: number) {}

  /** Undefined if there is no limit. */
  of(key: Key, now: number): Allowance | undefined {
    if (this.perMinute === 0) return undefined;
    if (now - this.sweptAt > MINUTE_MS) this.sweep(now);
    let allowance = this.byKey.get(key);
    if (!allowance) this.byKey.set(key, (allowance = new Allowance(this.perMinute, now)));
    return allowance;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [key, allowance] of this.byKey) if (allowance.isFull(now)) this.byKey.delete(key);
  }
}
