/** What is left of a client's limit, as far as this process can tell. */
export interface Limit {
  readonly perMinute: number;
  /** Says whether there was a unit left; where others have to be asked, when they have answered. A request that is refused costs nothing. */
  take(now: number): boolean | Promise<boolean>;
  /** For what was granted already. */
  charge(units: number): void;
  giveBack(): void;
  /** Says whether it is as good as new. */
  isFull(now: number): boolean;
  /** Whole units. */
  readonly remaining: number;
  readonly secondsUntilFull: number;
  readonly secondsUntilNext: number;
}
