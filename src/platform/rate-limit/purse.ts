import type { Spent } from '../workers/worker-messages.js';
import type { Limit } from './limit.js';

const MINUTE_MS = 60_000;

/** So much of a minute's units a worker holds of one client at most. Another worker may find so much less than there is. */
const LEASE_SHARE = 1 / 100;

/** For less than this there is nothing to be held in advance: each unit is asked for. */
const SMALLEST_LEASE = 2;

/** A client that has nothing left is asked about no more often, however often it comes. */
const LEAST_PAUSE_MS = 10;

/** Others may give back what they hold, so nobody is told for longer that there is nothing. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * A client's limit as a worker has it: a few units that the first process has lent it, and what that says is left besides. More is asked for before
 * they are used up, so requests hardly ever wait for it.
 */
export class Purse implements Limit {
  private readonly lease: number;
  /** What may be spent without asking. */
  private held = 0;
  /** Not told yet. */
  private spent = 0;
  private asked = false;
  private readonly waiting: ((granted: boolean) => void)[] = [];
  /** Besides what is held, when that was last told. */
  private left: number;
  private leftAt: number;
  private askAgainAt = 0;
  private isBottomless = false;
  private now: number;

  constructor(
    private readonly clientId: number,
    readonly perMinute: number,
    now: number,
    private readonly tell: (spent: Spent) => void,
  ) {
    const lease = Math.floor(perMinute * LEASE_SHARE);
    this.lease = lease < SMALLEST_LEASE ? 0 : lease;
    this.left = perMinute;
    this.leftAt = this.now = now;
  }

  take(now: number): boolean | Promise<boolean> {
    this.now = now;
    if (this.isBottomless) return true;
    if (this.held >= 1) {
      this.spend(1);
      if (this.held < this.lease / 2) this.ask();
      return true;
    }
    if (now < this.askAgainAt) return false;
    return new Promise((answer) => {
      this.waiting.push(answer);
      this.ask();
    });
  }

  charge(units: number): void {
    this.spend(units);
    if (this.held >= 0) return;
    // What is owed the others have to know of before they spend more.
    this.left += this.held;
    this.held = 0;
    this.report(0);
  }

  giveBack(): void {
    this.spend(-1);
  }

  /** Of what was granted a minute ago nothing is charged or given back any more. Until then no other purse may take the place of this one. */
  isFull(now: number): boolean {
    return this.isIdleSince(now - MINUTE_MS) && this.held === 0 && this.spent === 0;
  }

  get remaining(): number {
    return Math.max(0, Math.floor(this.units));
  }

  get secondsUntilFull(): number {
    return Math.ceil(((this.perMinute - this.units) / this.perMinute) * 60);
  }

  get secondsUntilNext(): number {
    return Math.max(1, Math.ceil(((1 - this.units) / this.perMinute) * 60));
  }

  /** What was lent of what was wanted, and what is left now for all. */
  receive(wanted: number, granted: number, left: number, now: number): void {
    this.held += granted;
    this.left = left;
    this.leftAt = now;
    if (wanted === 0) return;
    this.asked = false;
    while (this.waiting.length > 0 && this.held >= 1) {
      this.spend(1);
      this.waiting.shift()!(true);
    }
    if (this.waiting.length === 0) return;
    if (granted > 0) return this.ask();
    const pause = ((1 - left) / this.perMinute) * MINUTE_MS;
    this.askAgainAt = now + Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, pause));
    this.answerAll(false);
  }

  /** For when nobody lends any more. */
  becomeBottomless(): void {
    this.isBottomless = true;
    this.answerAll(true);
  }

  /** Tells what was spent, if anything was, and hears what others have left. */
  refresh(): void {
    if (this.spent !== 0 && !this.asked) this.report(0);
  }

  /** Whether there was nobody to spend it for so long. Then it can be given back. */
  isIdleSince(time: number): boolean {
    return this.now < time && !this.asked;
  }

  returnAll(): void {
    this.held = 0;
    this.report(0, true);
  }

  private get units(): number {
    const grown = this.left + ((this.now - this.leftAt) / MINUTE_MS) * this.perMinute;
    return this.held + Math.min(this.perMinute - this.held, grown);
  }

  private spend(units: number): void {
    this.held -= units;
    this.spent += units;
  }

  private answerAll(granted: boolean): void {
    for (const answer of this.waiting.splice(0)) answer(granted);
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    this.report(Math.ceil(this.lease + this.waiting.length - this.held));
  }

  private report(wanted: number, givesBack = false): void {
    this.tell([this.clientId, this.spent, wanted, givesBack]);
    this.spent = 0;
  }
}
