/** The position up to which a reader has read a generation. */
export interface Seen {
  /** Identifies the generation. */
  identity: string;
  /** All changes with lower versions have been read. */
  seenBelow: number;
  /** The highest change version of a row; 0 without rows. */
  highestStamp: number;
}

/**
 * The change version from which the next refresh reads. All transactions below `xmin` have ended. But after a
 * crash PostgreSQL reuses ids that no row carries (observed: `xmin` 808, then 758). So the watermark must not
 * pass the highest version of a row.
 */
export function horizonOf({ seenBelow, highestStamp }: Omit<Seen, 'identity'>): number {
  return Math.min(seenBelow, highestStamp + 1);
}
