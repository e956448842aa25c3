const real = { date: Date.now.bind(Date), performance: performance.now.bind(performance) };

let aheadMs = 0;

/**
 * The time that the service in this process goes by, moved forward. It runs on from there, and never goes back while an app runs; timers
 * do not notice. The database has a clock of its own: what that decides, such as when an order expires, is tested with things that
 * were made older.
 */
export function forwardClock(seconds: number): void {
  aheadMs += seconds * 1_000;
  Date.now = () => real.date() + aheadMs;
  performance.now = () => real.performance() + aheadMs;
}

export function resetClock(): void {
  aheadMs = 0;
  Date.now = real.date;
  performance.now = real.performance;
}
