/** The position up to which a reader has read a generation. */
export interface ReadPosition {
  identity: string;
  /** All changes with lower versions have been read. */
  visibleBelow: number;
  /** The highest change version of a row; 0 without rows. */
  highestVersion: number;
}

/** What a snapshot of the database did not see: all later change versions, and those of open transactions. */
export interface Unread {
  from: number;
  open: number[];
}

/** Everything, for the first load. */
export const ALL_UNREAD: Unread = { from: 0, open: [] };

/**
 * What the next refresh reads. An open transaction holds back the watermark, but not this: however long it
 * lasts, rows are read once. After a crash PostgreSQL reuses ids that no row carries.
 */
export function unreadAfter({ xmax, open }: Moment, highestVersion: number): Unread {
  return { from: Math.min(xmax, highestVersion + 1), open };
}

/** The transactions that had not ended when the database was read. */
interface Moment {
  xmax: number;
  open: number[];
}

/**
 * The change version from which a store reads again. All transactions below `xmin` have ended. But after a
 * crash PostgreSQL reuses ids that no row carries (observed: `xmin` 808, then 758). So the watermark must not
 * pass the highest version of a row.
 */
export function watermarkOf({ visibleBelow, highestVersion }: Omit<ReadPosition, 'identity'>): number {
  return Math.min(visibleBelow, highestVersion + 1);
}
