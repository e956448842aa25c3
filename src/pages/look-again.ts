const LOOKED_AFTER_MS = 15 * 60_000;
const LOOK_AGAIN_SECONDS = 10;

/** After so many seconds a page looks again by itself: while somebody may be waiting for what has begun, and not for as long as it may be left open. */
export function lookAgain(since: Date | null): number | undefined {
  return since !== null && Date.now() - since.getTime() < LOOKED_AFTER_MS ? LOOK_AGAIN_SECONDS : undefined;
}
