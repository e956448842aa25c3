/**
 * From which stamp on changes are to be asked for the next time, given what was seen.
 *
 * Transactions below `xmin` have ended, so that nothing can be stamped below it any more. But ids that no row carries are given
 * out a second time after PostgreSQL crashed (seen: `xmin` 808, and 758 after the crash), so the horizon must not pass the
 * highest stamp that a row really has.
 */
export function horizonAfter(xmin: number, highestStamp: number): number {
  return Math.min(xmin, highestStamp + 1);
}
