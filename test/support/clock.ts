const real = { date: Date.now.bind(Date), performance: performance.now.bind(performance) };

let aheadMs = 0;
let wrongMs = 0;

/**
 * Moves the time of the service in this process forward. It never goes back while an app runs, and timers do
 * not change. The database has its own clock: tests of its decisions, such as expiry, make the rows older
 * instead.
 */
export function forwardClock(seconds: number): void {
  aheadMs += seconds * 1_000;
  setDate();
  performance.now = () => real.performance() + aheadMs;
}

/** Sets the clock of this machine wrong. No time passes, so the monotonic clock stays. */
export function setClockWrong(seconds: number): void {
  wrongMs = seconds * 1_000;
  setDate();
}

function setDate(): void {
  Date.now = () => real.date() + aheadMs + wrongMs;
}

export function resetClock(): void {
  aheadMs = 0;
  wrongMs = 0;
  Date.now = real.date;
  performance.now = real.performance;
}
