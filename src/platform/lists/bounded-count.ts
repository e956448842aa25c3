/** Counts stop here: to count all, a list would read all. */
export const MOST_COUNTED = 1_000;

export interface BoundedCount {
  count: number;
  orMore: boolean;
}

/** Of a query that counts one more than the limit. */
export function bounded(found: number): BoundedCount {
  return { count: Math.min(found, MOST_COUNTED), orMore: found > MOST_COUNTED };
}
