/** The position up to which a reader has read a generation. */
export interface ReadPosition {
  /** Identifies the generation. */
  identity: string;
  /** All changes with lower versions have been read. */
  visibleBelow: number;
  /** The highest change version of a row; 0 without rows. */
  highestVersion: number;
}

/**
 * The change version from which the next refresh reads. All transactions below `xmin` have ended. But after a
 * crash PostgreSQL reuses ids that no row carries (observed: `xmin` 808, then 758). So the watermark must not
 * pass the highest version of a row.
 */
export function watermarkOf({ visibleBelow, highestVersion }: Omit<ReadPosition, 'identity'>): number {
  return Math.min(visibleBelow, highestVersion + 1);
}
