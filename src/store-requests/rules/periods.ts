const MS = { hour: 3_600_000, day: 86_400_000 };

/** Hours and days of UTC. */
export type Period = keyof typeof MS;

/** When the last so many of them began, the one that is running included. */
export function lastPeriods(period: Period, count: number, now: number): Date[] {
  const current = Math.floor(now / MS[period]);
  return Array.from({ length: count }, (_, n) => new Date((current - count + 1 + n) * MS[period]));
}
