const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 3 * 3_600;

/** How long a mail waits that was tried so often, the first time included: half a minute, twice as long each time, and then every three hours. */
export function secondsToNextTry(tries: number): number {
  return Math.min(FIRST_SECONDS * 2 ** (tries - 1), LONGEST_SECONDS);
}
