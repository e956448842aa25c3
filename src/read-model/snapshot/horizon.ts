/** A moment in a history that a reader has seen. */
export interface Seen {
  /** Names the history. */
  identity: string;
  /** All changes with lower stamps have been seen. */
  seenBelow: number;
  /** The highest stamp of a row; 0 without rows. */
  highestStamp: number;
}

/**
 * The stamp from which the next refresh asks. All transactions below `xmin` have ended. But after a crash
 * PostgreSQL reuses ids that no row carries (seen: `xmin` 808, then 758). So the horizon must not pass the
 * highest stamp of a row.
 */
export function horizonOf({ seenBelow, highestStamp }: Omit<Seen, 'identity'>): number {
  return Math.min(seenBelow, highestStamp + 1);
}
