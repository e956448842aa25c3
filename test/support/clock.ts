const real = { date: Date.now.bind(Date), performance: performance.now.bind(performance) };

let aheadMs = 0;

/**
 * Moves the time of the service in this process forward. It never goes back while an app runs, and timers do
 * not change. The database has its own clock: tests of its decisions, such as expiry, make the rows older
 * instead.
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
