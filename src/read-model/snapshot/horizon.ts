/** How far a reader has seen into a history of the database: a node's snapshot, or a single query. */
export interface Seen {
  /** Names the history. */
  identity: string;
  /** Everything that was stamped below has been seen. */
  seenBelow: number;
  /** The highest stamp that a row has; 0 where there is none. */
  highestStamp: number;
}

/**
 * From which stamp on changes are to be asked for the next time.
 *
 * Transactions below `xmin`, which is what has been seen, have ended: nothing can be stamped below it any more. But ids that no row
 * carries are given out a second time after PostgreSQL crashed (seen: `xmin` 808, and 758 after the crash), so the horizon must not
 * pass the highest stamp that a row really has.
 */
export function horizonOf({ seenBelow, highestStamp }: Omit<Seen, 'identity'>): number {
  return Math.min(seenBelow, highestStamp + 1);
}
