import { type Day, type Month, monthAt, monthsBetween, type TimeZone } from '../../../platform/time/time.js';

/** The law counts days and years in Indian time. The setting of the zone does not matter. */
export const LAW_TIME_ZONE: TimeZone = 'Asia/Kolkata';

/** Documents have the days of India. */
export const monthOfDocuments = (): Month => monthAt(Date.now(), LAW_TIME_ZONE);

/** The months since the first document, latest first. */
export const monthsOfDocuments = (first: Day | null): Month[] =>
  first === null ? [] : monthsBetween(first.slice(0, 7), monthOfDocuments());

/** The end of a sentence about goods that left in an earlier month than the current one. */
export const LATE_NOTICE =
  'is in an earlier month: its invoice is dated today, and counts for the return of this month, not of';

/** The month of the return, if it is not the current month. */
export function lateReturn(leftAt: Date, now = new Date()): Month | undefined {
  const month = monthAt(leftAt, LAW_TIME_ZONE);
  return month < monthAt(now, LAW_TIME_ZONE) ? month : undefined;
}
